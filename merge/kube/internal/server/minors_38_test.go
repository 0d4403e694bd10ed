package server_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
)

// anAnchor is a certificate that can be trusted.
var anAnchor = sync.OnceValue(func() string {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(nil, ca, ca, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
})

// minorLines38 are the lines of 1.38, from the sources of its beta.
func minorLines38() []minorLine {
	f := fmt.Sprintf
	set := func(more string) string { return f(statefulSet, "s", "c", more) }
	device := func(more string) string {
		return "apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a%s}, spec: {driver: d, nodeName: nn, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: d" + more + "}]}"
	}
	custom := strings.Replace(f(aDefinition, "v1"), "{type: object}", "{type: object, properties: {spec: {type: object, default: {%s}, properties: {t: {type: string, minLength: 2}, l: {type: array, minItems: 1, items: {type: string}}}}}}", 1)
	class := "apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: %s"
	controller := "apiVersion: v1, kind: ReplicationController, metadata: {name: a, namespace: b}, spec: {selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]%s}}}"
	node := "apiVersion: v1, kind: Node, metadata: {name: a}, spec: {%s}"
	quota := "apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: b}, spec: {hard: {pods: %s}%s}"
	bundle := "apiVersion: certificates.k8s.io/v1, kind: ClusterTrustBundle, metadata: {name: a}, spec: {trustBundle: " + strconv.Quote(anAnchor()) + "}"
	return []minorLine{
		{"all Pods again", "", set(", updateStrategy: {type: Recreate}"), "spec updateStrategy type", 38, `spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`, "Recreate"},
		{"another strategy", "", set(", updateStrategy: {type: Foo}"), "", 38, `spec.updateStrategy: Invalid value: {"Type":"Foo","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`, `spec.updateStrategy: Invalid value: {"Type":"Foo","RollingUpdate":null}: must be 'RollingUpdate', 'OnDelete', or 'Recreate'`},
		{"a rolling update of one", "", set(", updateStrategy: {type: Recreate, rollingUpdate: {partition: 1}}"), "", 38, "spec.updateStrategy: Invalid value", "spec.updateStrategy.rollingUpdate: Invalid value: {\"Partition\":1,\"MaxUnavailable\":null}: only allowed for updateStrategy 'RollingUpdate'"},
		{"a key of ML-DSA", "", f(aPod, "", ", volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.b/c, keyType: MLDSA65, credentialBundlePath: p}}]}}]"), "", 38,
			`spec.volumes[0].projected.sources[0].podCertificate.keyType: Unsupported value: "MLDSA65": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`, ""},
		{"files of another user", "", f(aPod, "", ", volumes: [{name: v, configMap: {name: m, defaultUser: 7}}]"), "spec volumes", 38, "[{configMap: {defaultMode: 420, name: m}, name: v}]", "[{configMap: {defaultMode: 420, defaultUser: 7, name: m}, name: v}]"},
		{"a short text", "", f(custom, "t: x"), "", 38, "spec.validation.openAPIV3Schema.properties[spec].default.t: Invalid value: \"x\": t in body should be at least 2 chars long", "spec.validation.openAPIV3Schema.properties[spec].default.t: Too short: must be at least 2 characters"},
		{"a short list", "", f(custom, "t: xy, l: []"), "", 38, "spec.validation.openAPIV3Schema.properties[spec].default.l: Invalid value: 0: l in body should have at least 1 items", "spec.validation.openAPIV3Schema.properties[spec].default.l: Too few: 0: must have at least 1 item"},
		{"no runtime class", "", f(aPod, "", ", runtimeClassName: ''"), "", 38, "Error from server: resource name may not be empty", "spec.runtimeClassName: Invalid value: \"\": a lowercase RFC 1123 subdomain"},
		{"an amount that is kept", f(quota, "'1.5'", ""), "apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: b, labels: {l: m}}", "metadata labels", 38, `spec.hard[pods]: Invalid value: "1500m": must be an integer`, "{l: m}"},
		{"an amount beyond 64 bits of thousandths", "", f(quota, "'20000000000000000001'", ""), "spec hard", 38, `spec.hard[pods]: Invalid value: "20000000000000000001": must be an integer`, "{pods: '20000000000000000001'}"},
		{"a negative capacity", "", "apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: {capacity: {storage: -1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /p}}", "", 38,
			"spec.capacity[storage]: Invalid value: -1073741824: must be a valid resource quantity", `spec.capacity[storage]: Invalid value: "-1Gi": must be a valid resource quantity`},
		{"ranges of a Node that are cleared", f(node, "podCIDR: 10.0.0.0/24, podCIDRs: [10.0.0.0/24]"), f(node, "podCIDR: null, podCIDRs: null"), "", 38, "spec.podCIDRs: Forbidden: node updates may not change podCIDR", "spec.podCIDRs: Invalid value: null: field cannot be cleared once set"},
		{"the value of a priority", "apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: a}, value: 1", "apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: a}, value: 2", "", 38, "value: Forbidden: may not be changed in an update.", "value: Invalid value: 2: field is immutable"},
		{"whether a driver attaches", "apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {attachRequired: true}", "apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {attachRequired: false}", "", 38, "spec.attachedRequired: Invalid value: false: field is immutable", "spec.attachRequired: Invalid value: false: field is immutable"},
		{"a capacity of no class", "", "apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: a, namespace: b}, storageClassName: ''", "", 38, `storageClassName: Invalid value: "": a lowercase RFC 1123 subdomain`, "storageClassName: Required value"},
		{"a class of nobody", "", f(class, "''"), "", 38, "provisioner: Required value", "provisioner: Required value\n"},
		{"the provisioner of a class", f(class, "a"), f(class, "b"), "", 38, "provisioner: Invalid value: null: field is immutable", "provisioner: Invalid value: null: field is immutable"},
		{"the generation of a bundle", "", bundle, "metadata generation", 38, "null", "1"},
		{"who schedules a Job", "", strings.Replace(f(aNewJob, "completions: 1"), "name: a,", "name: a, annotations: {scheduling.k8s.io/workload-name: w},", 1), "spec completions", 38, "1", "metadata.annotations[scheduling.k8s.io/group-template-name]: Required value: must be set to a non-empty value when scheduling.k8s.io/workload-name or scheduling.k8s.io/group-template-name is set"},
		{"a name with two slashes", "", f(device(", attributes: {a/b/c: {bool: true}}"), ""), "", 38, "", `spec.devices[0].attributes: Invalid value: "a/b/c": must not contain more than one slash`},
		{"a capacity that is requested", "", strings.Replace(aClaim, "deviceClassName: b", "deviceClassName: b, capacity: {requests: {a b: '1'}}", 1), "", 38, "\n", `spec.devices.requests[0].exactly.capacity.requests: Invalid value: "a b"`},
		{"devices that are kept", f(device(", attributes: {v: {version: '1.0'}}"), ""), f(device(", attributes: {v: {version: '1.0'}}"), ", labels: {l: m}"), "metadata labels", 38, `spec.devices[0].attributes[v].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0`, "{l: m}"},
		{"a node selector of a device", "", strings.Replace(f(device(", nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: Exists}]}, {matchExpressions: [{key: m, operator: Exists}]}]}"), ""), "nodeName: nn", "perDeviceNodeSelection: true", 1), "", 38, "", "spec.devices[0].nodeSelector.nodeSelectorTerms: Invalid value: [{"},
		{"a long version", "", f(device(", attributes: {v: {version: 1.0.1234567890123456789}}"), ""), "", 38, "", `spec.devices[0].attributes[v].version: Invalid value: "1.0.1234567890123456789": must be a string compatible with semver.org spec 2.0.0, with at most 18 digits in numbers`},
		{"a controller that changes", f(controller, ""), f(controller, ", volumes: [{name: v, gitRepo: {repository: r}}]"), "", 38, "", "spec.template.spec.volumes[0].gitRepo: deprecated"},
		{"a rule for all devices", "", "apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: a}, spec: {deviceSelector: {}, taint: {key: k, effect: NoSchedule}}", "", 38, "", "spec.deviceSelector: an empty selector matches every device"},
	}
}
