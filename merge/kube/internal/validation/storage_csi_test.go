package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestCSIDriver(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.example.com}
spec: {tokenRequests: [{audience: a}]}`, []rejection{
		{onCreate, `spec: {fsGroupPolicy: Filex, volumeLifecycleModes: [Persistent, Foo], nodeAllocatableUpdatePeriodSeconds: 9}`, []string{
			`spec.fsGroupPolicy: Unsupported value: "Filex": supported values: "File", "None", "ReadWriteOnceWithFSType"`,
			`spec.volumeLifecycleModes: Unsupported value: "Foo": supported values: "Persistent", "Ephemeral"`,
			`spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds`,
		}},
		{onCreate, `spec: {tokenRequests: [{audience: a, expirationSeconds: 599}, {audience: a}, {audience: b, expirationSeconds: 4294967297}]}`, []string{
			`spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
			`spec.tokenRequests[1].audience: Duplicate value: "a"`,
			`spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
		}},
		{onCreate, `spec: {tokenRequests: null, serviceAccountTokenInSecrets: true}`, []string{`spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified`}},
		{onUpdate, `spec: {attachRequired: false, volumeLifecycleModes: [Ephemeral]}`, []string{
			`spec.attachedRequired: Invalid value: false: field is immutable`,
			`spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable`,
		}},
		{onUpdate, `spec: {podInfoOnMount: true, fsGroupPolicy: None}`, nil},
	})
}

func TestCSINode(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: node1}
spec: {drivers: [{name: a, nodeID: i, topologyKeys: [zone], allocatable: {count: 1}}]}`, []rejection{
		{onCreate, `spec: {drivers: [{name: a, nodeID: i}, {name: a, nodeID: "", topologyKeys: ["", x, x], allocatable: {count: -1}}]}`, []string{
			`spec.drivers[1].nodeID: Required value`,
			`spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0`,
			`spec.drivers[1].name: Duplicate value: "a"`,
			`spec.drivers[1]: Required value`,
			`spec.drivers[1]: Invalid value: "": name part must be non-empty`,
			`spec.drivers[1]: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.drivers[1]: Duplicate value: "x"`,
		}},
		{onUpdate, `spec: {drivers: [{name: a, nodeID: j}]}`, []string{`spec.drivers: Invalid value: {"Name":"a","NodeID":"j","TopologyKeys":null,"Allocatable":null}: field is immutable`}},
		{onUpdate, `spec: {drivers: [{name: a, nodeID: i, topologyKeys: [zone], allocatable: {count: 2}}, {name: b, nodeID: k}]}`, nil},
	})
}

func TestCSIStorageCapacity(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: {name: c, namespace: default}
storageClassName: s
nodeTopology: {matchLabels: {a: b}}
capacity: 1Gi`, []rejection{
		{onCreate, `{storageClassName: A, nodeTopology: {matchLabels: {a: "!"}}, capacity: "-1"}`, []string{
			`nodeTopology.matchLabels: Invalid value: "!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`capacity: Invalid value: "-1": must be greater than or equal to 0`,
		}},
		{onUpdate, `{nodeTopology: {matchLabels: null, matchExpressions: [{key: a, operator: In, values: ["!"]}]}}`, []string{
			`nodeTopology.matchExpressions[0].values[0]: Invalid value: "!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`nodeTopology: Invalid value: {"matchExpressions":[{"key":"a","operator":"In","values":["!"]}]}: field is immutable`,
		}},
		{onUpdate, `{storageClassName: t, nodeTopology: {matchLabels: {a: c}}}`, []string{
			`nodeTopology: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable`,
			`storageClassName: Invalid value: "t": field is immutable`,
		}},
	})
}

func TestVolumeAttachment(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: a}
spec: {attacher: csi.example.com, nodeName: node1, source: {persistentVolumeName: v}}`, []rejection{
		{onCreate, `spec: {attacher: null, nodeName: A, source: null}`, []string{
			`spec.attacher: Required value`,
			`spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName`,
			`spec.nodeName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {source: {persistentVolumeName: ""}}`, []string{
			`spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName`,
			`spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {source: {inlineVolumeSpec: {accessModes: [ReadWriteOnce], csi: {driver: a, volumeHandle: b}}}}`, []string{`spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName`}},
		{onCreate, `spec: {source: {persistentVolumeName: null, inlineVolumeSpec: {capacity: {storage: 1Gi}, claimRef: {name: a}, local: {path: /a}, nodeAffinity: {}, persistentVolumeReclaimPolicy: Delete, storageClassName: a, volumeMode: Block}}}`, []string{
			`spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of inline volumes`,
			`spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes`,
			`spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes`,
			`spec.source.inlineVolumeSpec.accessModes: Required value`,
			`spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
			`spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes`,
			`spec.source.inlineVolumeSpec.nodeAffinity: Required value: Local volume requires node affinity`,
			`spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes`,
			`spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
		}},
		{onUpdate, `spec: {nodeName: m}`, []string{`spec: Invalid value: {"Attacher":"csi.example.com","Source":{"PersistentVolumeName":"v","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable`}},
	})
}

// TestInlineVolume: an empty map is no change.
func TestInlineVolume(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: a}
spec: {attacher: a, nodeName: b, source: {inlineVolumeSpec: {accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain, csi: {driver: a, volumeHandle: b}}}}`, []rejection{
		{onUpdate, `spec: {source: {inlineVolumeSpec: {capacity: {}}}}`, nil},
	})
}
