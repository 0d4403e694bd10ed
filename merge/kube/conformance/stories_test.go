package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestStories tells upstream the stories that merge/kube/internal/strategic is tested with.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("../internal/strategic/testdata/stories/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	told := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = yaml.YAMLToJSON(text); err != nil {
			t.Fatal(file, err)
		}
		var list []tree.Object
		if err := kjson.Unmarshal(text, &list); err != nil {
			t.Fatal(file, err)
		}
		for _, s := range list {
			told++
			k, tr := kindIn(s), triple{last: tree.Map(s, "last"), config: tree.Map(s, "config"), live: tree.Map(s, "live"), guarded: true}
			if tr.config == nil {
				tr.config = tree.Map(s, "patch")
			}
			if k == nil {
				continue // removed from Kubernetes
			}
			if d := difference(k, tr, nil); d != "" {
				t.Errorf("%s: %v\n%s", s["story"], tr, d)
			}
		}
	}
	t.Logf("%d stories", told)
}

// kindIn is the kind of a story, nil if upstream does not have it any more.
func kindIn(story tree.Object) *kind {
	switch name := tree.String(story, "kind"); name {
	case "":
		return kindOf(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	case "none":
		return custom
	default:
		apiVersion, word, _ := strings.Cut(name, " ")
		if k := kindOf(schema.ParseKind(apiVersion, word)); k != custom {
			return k
		}
		return nil
	}
}
