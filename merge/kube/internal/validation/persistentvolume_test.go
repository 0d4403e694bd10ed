package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestPersistentVolume(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: PersistentVolume
metadata: {name: v}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  local: {path: /mnt}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: beta.kubernetes.io/os, operator: In, values: [linux]}]}]}}`, []rejection{
		{onCreate, `spec: {accessModes: null, capacity: null}`, []string{
			`spec.accessModes: Required value`,
			`spec.capacity: Required value`,
			`spec.capacity: Unsupported value: null: supported values: "storage"`,
		}},
		{onCreate, `spec: {accessModes: [ReadWriteOncePod, ReadWriteMany, Foo]}`, []string{
			`spec.accessModes: Unsupported value: "Foo": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"`,
			`spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes`,
		}},
		{onCreate, `spec: {capacity: {storage: "-1"}}`, []string{
			`spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity`,
			`spec.capacity[storage]: Invalid value: "-1": must be greater than zero`,
		}},
		{onCreate, `spec: {persistentVolumeReclaimPolicy: Retainx, volumeMode: Blockx, storageClassName: A}`, []string{
			`spec.persistentVolumeReclaimPolicy: Unsupported value: "Retainx": supported values: "Delete", "Recycle", "Retain"`,
			`spec.storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.volumeMode: Unsupported value: "Blockx": supported values: "Block", "Filesystem"`,
		}},
		{onCreate, `spec: {nodeAffinity: {required: null}}`, []string{`spec.nodeAffinity.required: Required value: must specify required node constraints`}},
		{onCreate, `spec: {nodeAffinity: null}`, []string{`spec.nodeAffinity: Required value: Local volume requires node affinity`}},
		{onCreate, `spec: {local: null}`, []string{`spec: Required value: must specify a volume type`}},
		{onCreate, `spec: {local: {path: null}}`, []string{`spec.local.path: Required value`}},
		{onCreate, `spec: {nfs: {server: a, path: b}, local: {path: ../x}}`, []string{
			`spec.nfs.path: Invalid value: "b": must be an absolute path`,
			`spec.local: Forbidden: may not specify more than 1 volume type`,
		}},
		{onCreate, `spec: {local: null, hostPath: {path: /}, persistentVolumeReclaimPolicy: Recycle}`, []string{`spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'`}},
		{onCreate, `spec: {local: null, csi: {driver: "A b", volumeHandle: null, nodePublishSecretRef: {name: A}, controllerExpandSecretRef: {namespace: a.b}}}`, []string{
			`spec.csi.driver: Invalid value: "A b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.csi.volumeHandle: Required value`,
			`spec.csi.controllerExpandSecretRef.name: Required value`,
			`spec.csi.controllerExpandSecretRef.namespace: Invalid value: "a.b": must not contain dots`,
			`spec.csi.nodePublishSecretRef.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.csi.nodePublishSecretRef.namespace: Required value`,
		}},
		{onCreate, `spec: {local: null, iscsi: {targetPortal: a, iqn: iqn.x, lun: 256, initiatorName: foo, chapAuthSession: true}}`, []string{
			`spec.iscsi.iqn: Invalid value: "iqn.x": must be valid format`,
			`spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
			`spec.iscsi.secretRef: Required value`,
			`spec.iscsi.initiatorname: Invalid value: "foo": must be valid format`,
		}},
		{onCreate, `spec: {local: null, flexVolume: {options: {kubernetes.io/a: b}}, storageos: {volumeNamespace: A, secretRef: {}}}`, []string{
			`spec.flexVolume.driver: Required value`,
			`spec.flexVolume.options[kubernetes.io/a]: Invalid value: "kubernetes.io/a": kubernetes.io and k8s.io namespaces are reserved`,
			`spec.storageos: Forbidden: may not specify more than 1 volume type`,
		}},
		{onCreate, `spec: {local: null, storageos: {volumeNamespace: A, secretRef: {name: a}}}`, []string{
			`spec.storageos.volumeName: Required value`,
			`spec.storageos.volumeNamespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`spec.storageos.secretRef.namespace: Required value`,
		}},
		{onCreate, `spec: {local: null, photonPersistentDisk: {}}`, []string{`spec.photonPersistentDisk.pdID: Required value`}},
		{onCreate, `spec: {local: null, glusterfs: {endpointsNamespace: A, path: p, endpoints: e}}`, []string{`spec.glusterfs.endpointsNamespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`}},
		{onCreate, `spec: {local: null, glusterfs: {endpointsNamespace: "", path: null, endpoints: null}}`, []string{
			`spec.glusterfs.endpoints: Required value`,
			`spec.glusterfs.path: Required value`,
			`spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name`,
		}},
		{onCreate, `spec: {local: null, azureFile: {secretName: a, shareName: null, secretNamespace: ""}}`, []string{
			`spec.azureFile.shareName: Required value`,
			`spec.azureFile.secretNamespace: Required value`,
		}},
		{onCreate, `spec: {local: null, cinder: {volumeID: "", secretRef: {}}}`, []string{
			`spec.cinder.volumeID: Required value`,
			`spec.cinder.secretRef.name: Required value`,
			`spec.cinder.secretRef.namespace: Required value`,
		}},
		{onCreate, `spec: {volumeAttributesClassName: ""}`, []string{
			`spec.volumeAttributesClassName: Required value: an empty string is disallowed`,
			`spec.csi: Required value: has to be specified when using volumeAttributesClassName`,
		}},
		{onCreate, `metadata: {annotations: {volume.beta.kubernetes.io/mount-options: ro}}`, []string{`metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type`}},
		{onUpdate, `spec: {local: {path: /mnt2}}`, []string{`spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
@@ -19,7 +19,7 @@
  "PortworxVolume": null,
  "ScaleIO": null,
  "Local": {
-  "Path": "/mnt",
+  "Path": "/mnt2",
   "FSType": null
  },
  "StorageOS": null,
`}},
		{onUpdate, `spec: {volumeMode: Block}`, []string{`volumeMode: Invalid value: "Block": field is immutable`}},
		{onUpdate, `spec: {capacity: {storage: 2Gi}, persistentVolumeReclaimPolicy: Delete}`, nil},
		{onUpdate, `spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}]}}}`, nil},
		{onUpdate, `spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: x, operator: In, values: [linux]}]}]}}}`, []string{`nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"x","Operator":"In","Values":["linux"]}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA`}},
		{onUpdate, `spec: {nodeAffinity: null}`, []string{
			`spec.nodeAffinity: Required value: Local volume requires node affinity`,
			`nodeAffinity: Invalid value: null: field is immutable, except for updating from beta label to GA`,
		}},
	})
}

func TestCSIVolume(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: PersistentVolume
metadata: {name: csi}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  volumeAttributesClassName: gold
  csi: {driver: csi.example.com, volumeHandle: h}`, []rejection{
		{onUpdate, `spec: {csi: {controllerExpandSecretRef: {name: a, namespace: b}}}`, nil},
		{onUpdate, `spec: {csi: {volumeHandle: i}}`, []string{`spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
@@ -22,7 +22,7 @@
  "StorageOS": null,
  "CSI": {
   "Driver": "csi.example.com",
-  "VolumeHandle": "h",
+  "VolumeHandle": "i",
   "ReadOnly": false,
   "FSType": "",
   "VolumeAttributes": null,
`}},
		{onUpdate, `spec: {volumeAttributesClassName: null}`, []string{`spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden`}},
	})
}
