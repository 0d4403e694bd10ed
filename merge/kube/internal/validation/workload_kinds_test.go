package validation_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	k8sjson "sigs.k8s.io/json"

	"threeway/merge/kube/internal/defaults"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// rejection is a merge patch of a valid object, and what a kube-apiserver
// 1.36.3 says of the result; nil when it accepts it. Causes that come from a
// map stand in the order of its keys.
type rejection struct {
	when  string
	patch string
	want  []string
}

const (
	onCreate = "create"
	onUpdate = "update"
)

// testCSR is a certificate request.
const testCSR = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIVU1IMENBUUF3R3pFTk1Bc0dBMVVFQ2d3RVpHVjJjekVLTUFnR0ExVUVBd3dCWVRCWk1CTUdCeXFHU000OQpBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJLdThsdmhjckJlR1NLdTB1TEhhY0J3R2QyTkZsUGlpWDJobURSUWJoRERoCjZrZHhoUEJCWmRhbTNGTG44V3BJKzcvR1BhZE43THJRekttQU9HdXZWbktnQURBS0JnZ3Foa2pPUFFRREFnTkgKQURCRUFpQWJrc1Q2Z0M0dWNnZE9pR05MOG1IS3BsdWNmYmdnUFdIWWhjWWpud1ozWGdJZ1JheHNQRHZyTXFIUQpLbkFUYmhMdVU1TUtweFhNQlZLU0tUTFlVYTZIT01rPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K"

// testRejections applies the patches to base, a manifest.
func testRejections(t *testing.T, base string, tests []rejection) {
	t.Helper()
	if errs := validated(requestOf(t, base, rejection{when: onCreate, patch: "{}"})); len(errs) > 0 {
		t.Fatalf("the object to patch is rejected: %v", errs)
	}
	for _, test := range tests {
		t.Run(test.when+" "+test.patch, func(t *testing.T) {
			r := requestOf(t, base, test)
			errs, _ := validation.Allocate(r)
			if len(errs) == 0 {
				errs = validated(r)
			}
			var got []string
			for _, e := range errs {
				got = append(got, shortened(e))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %d causes:", len(got))
				for _, g := range got {
					t.Errorf("  %s", g)
				}
				t.Errorf("want %d causes:", len(test.want))
				for _, w := range test.want {
					t.Errorf("  %s", w)
				}
			}
		})
	}
}

// shortened leaves out the middle of causes that show whole Pod specs.
func shortened(e *field.Error) string {
	text := e.Error()
	if len(text) > 1000 {
		text = text[:100] + "…" + text[len(text)-60:]
	}
	return text
}

func requestOf(t *testing.T, base string, test rejection) *validation.Request {
	t.Helper()
	old, patch := treeOf(t, base), treeOf(t, test.patch)
	kind := schema.ParseKind(tree.String(old, "apiVersion"), tree.String(old, "kind"))
	r := &validation.Request{Kind: kind, Minor: 36}
	if test.when == onUpdate {
		prepared(old, kind)
		r.Old = tree.CopyObject(old)
	}
	r.Object = merged(old, patch).(tree.Object)
	prepared(r.Object, kind)
	return r
}

// prepared does to a new object what the server does before it validates.
func prepared(o tree.Object, kind schema.Kind) {
	defaults.Apply(o, schema.Lookup(kind), 36)
	if kind.Kind != "Job" || tree.Bool(o, "spec", "manualSelector") {
		return
	}
	name := tree.String(o, "metadata", "name")
	for key, value := range map[string]string{
		"batch.kubernetes.io/job-name": name, "job-name": name,
		"batch.kubernetes.io/controller-uid": validation.UnknownUID, "controller-uid": validation.UnknownUID,
	} {
		if !tree.Has(o, "spec", "template", "metadata", "labels", key) {
			tree.Set(o, value, "spec", "template", "metadata", "labels", key)
		}
	}
	tree.Set(o, validation.UnknownUID, "spec", "selector", "matchLabels", "batch.kubernetes.io/controller-uid")
}

// merged is target after a JSON merge patch.
func merged(target, patch any) any {
	changes, ok := patch.(tree.Object)
	if !ok {
		return patch
	}
	o, _ := tree.Copy(target).(tree.Object)
	if o == nil {
		o = tree.Object{}
	}
	for k, v := range changes {
		if v == nil {
			delete(o, k)
		} else {
			o[k] = merged(o[k], v)
		}
	}
	return o
}

func treeOf(t *testing.T, text string) tree.Object {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var o tree.Object
	if err := k8sjson.UnmarshalCaseSensitivePreserveInts(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
}
