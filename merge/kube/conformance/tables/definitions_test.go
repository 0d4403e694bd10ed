package tables

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// validation are the tables of definitions.
var validation = Harvest{
	Package:   "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation",
	Functions: []string{"ValidateCustomResourceDefinition", "ValidateCustomResourceDefinitionUpdate", "validateCustomResourceDefinitionValidation"},
	Imports: `"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	threewayv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"`,
	Encode: `case *apiextensions.CustomResourceDefinition:
		var out threewayv1.CustomResourceDefinition
		if threewayv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(v, &out, nil) == nil {
			return out
		}
	case *apiextensions.CustomResourceValidation:
		var out threewayv1.CustomResourceValidation
		if v != nil && threewayv1.Convert_apiextensions_CustomResourceValidation_To_v1_CustomResourceValidation(v, &out, nil) == nil {
			return out
		}`,
}

var (
	definitionKind = schema.Kind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
	scheme         = runtime.NewScheme()
	codecs         = serializer.NewCodecFactory(scheme)
	strategy       = customresourcedefinition.NewStrategy(scheme)
)

func init() { install.Install(scheme) }

// minor is the Kubernetes minor of the upstream packages: that of go.mod, or the one
// that release names, which runs these tests with another go.mod.
var minor = func() int {
	if n, err := strconv.Atoi(os.Getenv("MINOR")); err == nil {
		return n
	}
	return 36
}()

// uid is what an object under test always has.
const uid = "ffffffff-ffff-4fff-8fff-ffffffffffff"

// object is an argument as a manifest has it; nil if it is not an object.
func object(arg []byte) tree.Object {
	var obj tree.Object
	if json.Unmarshal(arg, &obj) != nil || obj == nil {
		return nil
	}
	return obj
}

// definition is a harvested definition as a request brings it.
func definition(arg []byte) tree.Object {
	crd := object(arg)
	if crd == nil {
		return nil
	}
	crd["apiVersion"], crd["kind"] = definitionKind.APIVersion(), definitionKind.Kind
	tree.Delete(crd, "metadata", "creationTimestamp")
	tree.Delete(crd, "metadata", "resourceVersion")
	return crd
}

// definitionOf has nothing but the schema of a resource.
func definitionOf(root tree.Object) tree.Object {
	return tree.Object{
		"apiVersion": definitionKind.APIVersion(), "kind": definitionKind.Kind,
		"metadata": tree.Object{"name": "widgets.example.com"},
		"spec": tree.Object{
			"group": "example.com", "scope": "Namespaced", "names": tree.Object{"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			"versions": []any{tree.Object{"name": "v1", "served": true, "storage": true, "schema": tree.Object{"openAPIV3Schema": root}}},
		},
	}
}

// read decodes a definition strictly, as the server does with a request.
func read(crd tree.Object) (*apiextensions.CustomResourceDefinition, error) {
	text, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	obj, err := runtime.Decode(codecs.DecoderToVersion(info.StrictSerializer, apiextensions.SchemeGroupVersion), text)
	if err != nil {
		return nil, err
	}
	return obj.(*apiextensions.CustomResourceDefinition), nil
}

// rejected is what upstream finds wrong with a definition; old is nil on
// create. ok is false if one of them does not decode.
func rejected(crd, old tree.Object) (causes []string, ok bool) {
	ctx := request.WithNamespace(context.Background(), "")
	obj, err := read(crd)
	if err != nil {
		return nil, false
	}
	if old == nil {
		rest.WipeObjectMetaSystemFields(obj)
		rest.FillObjectMetaSystemFields(obj)
		obj.SetUID(uid)
		return causesOf(rest.BeforeCreate(strategy, ctx, obj)), true
	}
	before, err := read(old)
	if err != nil {
		return nil, false
	}
	return causesOf(rest.BeforeUpdate(strategy, ctx, obj, before)), true
}

// selfType is the name that the server makes up for the type of self, with a
// number that is never the same.
var selfType = regexp.MustCompile(`\bselfType\d*`)

func causesOf(err error) []string {
	if err == nil {
		return nil
	}
	status, ok := err.(errors.APIStatus)
	if !ok || status.Status().Details == nil {
		return []string{err.Error()}
	}
	var causes []string
	for _, c := range status.Status().Details.Causes {
		causes = append(causes, selfType.ReplaceAllString(c.Field+": "+c.Message, "selfType"))
	}
	return causes
}

// refused is the same of ours.
func refused(crd, old tree.Object) []string {
	s := server.Server{Minor: minor, Strict: true}
	var r *fault.Rejection
	if old == nil {
		r = s.Create(definitionKind, crd).Rejection
	} else {
		patch := maps.Clone(crd)
		patch["$patch"] = "replace"
		r = s.Patch(definitionKind, old, patch).Rejection
	}
	switch {
	case r == nil:
		return nil
	case len(r.Faults) == 0:
		return []string{r.Message.Unmasked()}
	}
	var causes []string
	for _, f := range r.Faults {
		causes = append(causes, f.Text.Unmasked())
	}
	return causes
}

// sorted is a list in the order of its texts, each once: upstream reports in
// random order, and lets the client join what is the same.
func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// figures count the cases of a table: all, those that are equal, and among these
// the rejected ones.
type figures struct{ cases, equal, rejected, excepted, undecodable int }

// same compares the verdicts on one definition.
func (f *figures) same(t *testing.T, name string, crd, old tree.Object) {
	f.cases++
	want, ok := rejected(crd, old)
	if !ok {
		f.undecodable++
		return
	}
	got := refused(crd, old)
	switch {
	case slices.Equal(sorted(got), sorted(want)):
		f.equal++
		if len(want) > 0 {
			f.rejected++
		}
	case exceptions[name] != "":
		f.excepted++
	default:
		text, _ := json.Marshal(crd)
		before, _ := json.Marshal(old)
		t.Errorf("%s\n%s\nold %s\nours\n\t%s\nupstream\n\t%s", name, text, before, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func (f figures) String() string {
	text := fmt.Sprintf("%d cases, %d equal, %d different", f.cases, f.equal, f.cases-f.equal-f.excepted-f.undecodable)
	for _, n := range []struct {
		count int
		what  string
	}{
		{f.rejected, "of the equal ones rejected"}, {f.excepted, "excepted"},
		{f.undecodable, "that upstream cannot decode"},
	} {
		if n.count > 0 {
			text += fmt.Sprintf(", %d %s", n.count, n.what)
		}
	}
	return text
}

// exceptions are the cases that differ, with the reason.
var exceptions = map[string]string{
	"TestCompileValidatingPolicyExpression#64": "the test adds a function test() to the environment",
	"TestCompileValidatingPolicyExpression#65": "the test adds a function test() to the environment",
	"TestCondition#44":                         "the test turns the gate AuthorizeWithSelectors off",
	"TestCondition#50":                         "the test turns the gate AuthorizeWithSelectors off",
	"TestCondition#90":                         "the test compiles as Kubernetes 1.27",
	"TestApplyConfiguration#1":                 "the volume has its default emptyDir before a policy sees it",
	"TestCondition#91":                         "the test compiles as Kubernetes 1.27",
}

func TestDefinitions(t *testing.T) {
	var create, update, schemas figures
	skipped := 0
	for _, c := range validation.Calls(t) {
		switch c.Func {
		case "ValidateCustomResourceDefinition":
			if crd := definition(c.Args[1]); crd != nil {
				create.same(t, c.String(), crd, nil)
			} else {
				skipped++
			}
		case "ValidateCustomResourceDefinitionUpdate":
			crd, old := definition(c.Args[1]), definition(c.Args[2])
			if crd == nil || old == nil {
				skipped++
				continue
			}
			for _, obj := range []tree.Object{crd, old} {
				tree.Set(obj, uid, "metadata", "uid")
				tree.Set(obj, "1", "metadata", "resourceVersion")
			}
			update.same(t, c.String(), crd, old)
		default:
			if root := tree.Map(object(c.Args[1]), "openAPIV3Schema"); root != nil {
				schemas.same(t, c.String(), definitionOf(root), nil)
				schemas.same(t, c.String()+" as a property", definitionOf(tree.Object{"type": "object", "properties": tree.Object{"a": root}}), nil)
			}
		}
	}
	t.Logf("create: %v", create)
	t.Logf("update: %v", update)
	t.Logf("schemas: %v", schemas)
	t.Logf("%d calls have a definition that v1 cannot express", skipped)
}
