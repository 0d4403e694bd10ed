package strategic

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// story is a test case in testdata/stories. The stories are told to upstream,
// too, by merge/kube/conformance.
type story struct {
	Story    string      `json:"story"`
	Kind     string      `json:"kind"` // "apps/v1 Deployment" if empty, "none" for a custom resource
	Last     tree.Object `json:"last"`
	Config   tree.Object `json:"config"` // if absent, Patch is input
	Live     tree.Object `json:"live"`
	Patch    tree.Object `json:"patch"`
	Result   tree.Object `json:"result"`
	Failed   string      `json:"failed"`   // the error of Patch
	Crash    string      `json:"crash"`    // the Crash of Patch
	OpenAPI  [2]string   `json:"openapi"`  // the error's text by the OpenAPI documents, v3 and v2
	Refused  string      `json:"refused"`  // the error of Apply
	Conflict *string     `json:"conflict"` // the error of Patch without overwrite
	Guarded  tree.Object `json:"guarded"`  // that patch, if it is another one
}

func stories(t *testing.T) map[string][]story {
	files, err := filepath.Glob("testdata/stories/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	all := map[string][]story{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list []story
		if text, err = yaml.YAMLToJSON(text); err == nil {
			err = kjson.UnmarshalCaseSensitivePreserveInts(text, &list)
		}
		if err != nil {
			t.Fatal(file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yaml")] = list
	}
	return all
}

func TestStories(t *testing.T) {
	for file, list := range stories(t) {
		for _, s := range list {
			t.Run(file+"/"+s.Story, s.test)
		}
	}
}

func (s *story) test(t *testing.T) {
	told := s.arguments(t)
	unchanged := func() {
		if after := s.arguments(t); after != told {
			t.Errorf("arguments changed:\n%s\nthey were\n%s", after, told)
		}
	}
	defer unchanged()
	patch := s.Patch
	if s.Config != nil {
		var err error
		if patch, err = s.patch(true); !s.rightly(t, err) {
			return
		}
		expect(t, "patch", patch, s.Patch)
	}
	result, err := s.apply(patch)
	if errText(err) != s.Refused {
		t.Errorf("the server: %v, want %s", err, s.Refused)
	} else if err == nil {
		expect(t, "result", result, s.Result)
	}
	unchanged()
	live := tree.CopyObject(s.Live)
	wreck(result) // it shares nothing with the arguments but live
	s.Live = live
	if s.Conflict != nil {
		guarded, err := s.patch(false)
		if errText(err) != *s.Conflict {
			t.Errorf("without overwrite: %v\nwant %s", err, *s.Conflict)
		}
		if s.Guarded != nil {
			expect(t, "without overwrite", guarded, s.Guarded)
		}
	}
	if s.Config != nil {
		wreck(patch) // nor does that
	}
}

func (s *story) arguments(t *testing.T) string {
	text, err := json.Marshal([]tree.Object{s.Last, s.Config, s.Live, s.Patch})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wreck changes every map and list in v.
func wreck(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			wreck(x)
		}
		if v != nil {
			v["wreck"] = true
		}
	case []any:
		for i, x := range v {
			wreck(x)
			v[i] = "wreck"
		}
	}
}

func (s *story) typ() *schema.Type {
	if s.Kind == "" {
		s.Kind = "apps/v1 Deployment"
	}
	apiVersion, kind, _ := strings.Cut(s.Kind, " ")
	return schema.Lookup(schema.ParseKind(apiVersion, kind))
}

func (s *story) patch(overwrite bool) (tree.Object, error) {
	if s.Kind == "none" {
		return JSONPatch(s.Last, s.Config, s.Live)
	}
	return Patch(s.Last, s.Config, s.Live, s.typ(), overwrite)
}

func (s *story) apply(patch tree.Object) (tree.Object, error) {
	if s.Kind == "none" {
		return JSONApply(s.Live, patch), nil
	}
	return Apply(s.Live, patch, s.typ())
}

// rightly checks the error of the patch, and reports whether there is a patch.
func (s *story) rightly(t *testing.T, err error) bool {
	_, crashed := err.(Crash)
	if got := errText(err); got != s.Failed+s.Crash || crashed != (s.Crash != "") {
		t.Errorf("patch: %v, want %s", err, s.Failed+s.Crash)
	}
	var lookup [2]string
	if e, ok := err.(*LookupError); ok {
		lookup = [2]string{e.OpenAPI(), e.OpenAPIV2()}
	}
	if lookup != s.OpenAPI {
		t.Errorf("by OpenAPI: %q, want %q", lookup, s.OpenAPI)
	}
	return err == nil && s.Failed+s.Crash == ""
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func expect(t *testing.T, what string, got, want tree.Object) {
	t.Helper()
	g, err := json.Marshal(got)
	w, err2 := json.Marshal(want)
	if err != nil || err2 != nil || string(g) != string(w) {
		t.Errorf("%s %s\nwant %s", what, g, w)
	}
}

// Which of several errors is returned does not depend on the order of map keys.
func TestSameErrorEachTime(t *testing.T) {
	last, config := object("spec: {}"), object("spec: {}")
	for key := range strings.SplitSeq("z y x w v u t s r q p o n m l k j i h g f e d c b a", " ") {
		tree.Set(last, []any{"1"}, "spec", key)
		tree.Set(config, []any{"2"}, "spec", key)
	}
	typ := schema.Lookup(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	for range 50 {
		_, err := Patch(last, config, tree.Object{}, typ, true)
		if lookup, ok := err.(*LookupError); !ok || lookup.Field != "a" {
			t.Fatal(err)
		}
	}
}
