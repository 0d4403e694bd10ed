package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestStorageClass(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: s}
provisioner: example.com/p
parameters: {a: b}
allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a]}]}]`, []rejection{
		{onCreate, `provisioner: null`, []string{`provisioner: Required value`}},
		{onCreate, `provisioner: a b`, []string{`provisioner: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`}},
		{onCreate, `{reclaimPolicy: Recycle, volumeBindingMode: Foo}`, []string{
			`reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"`,
			`volumeBindingMode: Unsupported value: "Foo": supported values: "Immediate", "WaitForFirstConsumer"`,
		}},
		{onCreate, `allowedTopologies: [{}, {matchLabelExpressions: [{key: zone, values: [a, a]}, {key: "", values: []}, {key: zone, values: [b]}]}]`, []string{
			`allowedTopologies[0].matchLabelExpressions: Duplicate value: ""`,
			`allowedTopologies[1].matchLabelExpressions[0].values[1]: Duplicate value: "a"`,
			`allowedTopologies[1].matchLabelExpressions[1].values: Required value`,
			`allowedTopologies[1].matchLabelExpressions[1].key: Invalid value: "": name part must be non-empty`,
			`allowedTopologies[1].matchLabelExpressions[1].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`allowedTopologies[1].matchLabelExpressions[2].key: Duplicate value: "zone"`,
		}},
		{onCreate, `allowedTopologies: [{matchLabelExpressions: [{key: z, values: [a, b]}]}, {matchLabelExpressions: [{key: z, values: [b, a]}]}]`, []string{`allowedTopologies[1].matchLabelExpressions: Duplicate value: ""`}},
		{onUpdate, `{provisioner: example.com/q, parameters: {a: c}, reclaimPolicy: Retain, volumeBindingMode: WaitForFirstConsumer}`, []string{
			`parameters: Invalid value: {"a":"c"}: field is immutable`,
			`provisioner: Invalid value: "example.com/q": field is immutable`,
			`reclaimPolicy: Invalid value: "Retain": field is immutable`,
			`volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable`,
		}},
		{onUpdate, `parameters: null`, []string{`parameters: Invalid value: null: field is immutable`}},
		{onUpdate, `{allowVolumeExpansion: true, mountOptions: [ro], allowedTopologies: null}`, nil},
	})
}

func TestVolumeAttributesClass(t *testing.T) {
	testRejections(t, `apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: gold}
driverName: csi.example.com
parameters: {iops: "1"}`, []rejection{
		{onCreate, `{driverName: null, parameters: null}`, []string{
			`driverName: Required value`,
			`parameters: Required value: must contain at least one key/value pair`,
		}},
		{onUpdate, `{driverName: other, parameters: {iops: "2"}}`, []string{
			`driverName: Forbidden: updates to driverName are forbidden.`,
			`parameters: Forbidden: updates to parameters are forbidden.`,
		}},
	})
}
