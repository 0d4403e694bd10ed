package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestBoundClaim(t *testing.T) {
	testRejections(t, `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: bound, namespace: default}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 2Gi}}
  volumeName: v
status: {phase: Bound, capacity: {storage: 2Gi}, currentVolumeAttributesClassName: gold}`, []rejection{
		{onUpdate, `spec: {resources: {requests: {storage: 3Gi}}}`, nil},
		{onUpdate, `spec: {resources: {requests: {storage: 1Gi}}}`, []string{
			`spec.resources.requests.storage: Forbidden: field can not be less than status.capacity`,
		}},
		{onUpdate, `spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}`, []string{
			`spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
@@ -1,6 +1,6 @@
 {
  "AccessModes": [
-  "ReadWriteOnce"
+  "ReadWriteMany"
  ],
  "Selector": null,
  "Resources": {
`,
			`spec.resources.requests.storage: Forbidden: field can not be less than status.capacity`,
		}},
		{onUpdate, `spec: {volumeAttributesClassName: silver}`, nil},
		{onUpdate, `spec: {volumeAttributesClassName: ""}`, []string{
			`spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil`,
		}},
	})
}

func TestClaimMayGetAClassOnce(t *testing.T) {
	testRejections(t, `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: c, namespace: default, annotations: {volume.beta.kubernetes.io/storage-class: slow}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}`, []rejection{
		{onUpdate, `spec: {storageClassName: slow}`, nil},
		{onUpdate, `{metadata: {annotations: {volume.beta.kubernetes.io/storage-class: null}}, spec: {storageClassName: slow}}`, nil},
		{onUpdate, `metadata: {annotations: {volume.beta.kubernetes.io/storage-class: fast}}`, []string{
			`metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "fast": field is immutable`,
		}},
	})
}
