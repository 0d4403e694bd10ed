package validation_test

import (
	"fmt"
	"testing"

	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
)

// The texts are those of a kube-apiserver 1.36.3.

// TestGroupOfDataSource: the group of a stored data source stays, whatever its form; it is no reason to
// check that of another.
func TestGroupOfDataSource(t *testing.T) {
	const claim = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: default}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}, volumeName: v, %s}}"
	for _, sources := range []string{"dataSource: {kind: A, name: b, apiGroup: A_}", "dataSourceRef: {kind: A, name: b, apiGroup: A_}"} {
		for _, old := range []bool{true, false} {
			r := &validation.Request{Kind: schema.ParseKind("v1", "PersistentVolumeClaim"), Minor: 37, Object: treeOf(t, fmt.Sprintf(claim, sources))}
			prepared(r.Object, r.Kind)
			if old {
				r.Old = r.Object
			}
			if got := validated(r); (len(got) == 0) != old {
				t.Errorf("%s, old %t: %v", sources, old, got)
			}
		}
	}
}

func TestClaim(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: c, namespace: default}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 2Gi}}
  storageClassName: slow
  dataSource: {kind: PersistentVolumeClaim, name: other}
  dataSourceRef: {kind: PersistentVolumeClaim, name: other}`, []rejection{
		{onCreate, `spec: {accessModes: null, resources: null}`, []string{
			`spec.accessModes: Required value: at least 1 access mode is required`,
			`spec.resources[storage]: Required value`,
		}},
		{onCreate, `spec: {accessModes: [ReadWriteOncex, ReadWriteOncePod, ReadWriteMany]}`, []string{
			`spec.accessModes: Unsupported value: "ReadWriteOncex": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"`,
			`spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes`,
		}},
		{onCreate, `spec: {resources: {requests: {storage: "0"}}}`, []string{`spec.resources[storage]: Invalid value: "0": must be greater than zero`}},
		{onCreate, `spec: {storageClassName: A, volumeMode: Foo, volumeAttributesClassName: b_c}`, []string{
			`spec.storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.volumeMode: Unsupported value: "Foo": supported values: "Block", "Filesystem"`,
			`spec.volumeAttributesClassName: Invalid value: "b_c": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {selector: {matchLabels: {a: "b!"}}}`, []string{`spec.selector.matchLabels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`}},
		{onCreate, `spec: {dataSource: {kind: Foo, name: null}, dataSourceRef: {kind: Foo, name: null, apiGroup: A}}`, []string{
			`spec.dataSource.name: Required value`,
			`spec.dataSource: Invalid value: "Foo": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
			`spec.dataSourceRef.name: Required value`,
			`spec.dataSourceRef.apiGroup: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec: Invalid value: {}: must match dataSourceRef`,
		}},
		{onCreate, `spec: {dataSource: {name: another}}`, []string{`spec: Invalid value: {}: must match dataSourceRef`}},
		{onUpdate, `spec: {accessModes: [ReadWriteMany]}`, []string{`spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
@@ -1,6 +1,6 @@
 {
  "AccessModes": [
-  "ReadWriteOnce"
+  "ReadWriteMany"
  ],
  "Selector": null,
  "Resources": {
`}},
		{onUpdate, `spec: {resources: {requests: {storage: 3Gi}}}`, []string{`spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
@@ -6,7 +6,7 @@
  "Resources": {
   "Limits": null,
   "Requests": {
-   "storage": "2Gi"
+   "storage": "3Gi"
   }
  },
  "VolumeName": "",
`}},
		{onUpdate, `spec: {resources: {requests: {storage: 1Gi}}}`, []string{`spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
@@ -6,7 +6,7 @@
  "Resources": {
   "Limits": null,
   "Requests": {
-   "storage": "2Gi"
+   "storage": "1Gi"
   }
  },
  "VolumeName": "",
`}},
		{onUpdate, `spec: {volumeMode: Block, storageClassName: fast}`, []string{
			`spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
@@ -10,8 +10,8 @@
   }
  },
  "VolumeName": "",
- "StorageClassName": "slow",
- "VolumeMode": "Filesystem",
+ "StorageClassName": "fast",
+ "VolumeMode": "Block",
  "DataSource": {
   "APIGroup": null,
   "Kind": "PersistentVolumeClaim",
`,
			`volumeMode: Invalid value: "Block": field is immutable`,
		}},
		{onUpdate, `spec: {volumeName: v}`, nil},
		{onUpdate, `metadata: {annotations: {volume.beta.kubernetes.io/storage-class: x}}`, []string{`metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "x": field is immutable`}},
	})
}
