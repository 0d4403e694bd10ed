package mask

import (
	"encoding/json"
	"strings"
	"testing"

	"threeway/merge/tree"
)

// A Secret in the last-applied of what is none is hidden, alone, beside another
// version, in a patch, and as a version of its own.
func TestSecretInTheAnnotationOfAnotherKind(t *testing.T) {
	const copied = `{"apiVersion":"v1","data":{"password":"Q0FOQVJZ"},"kind":"Secret","metadata":{"name":"a"}}` + "\n"
	holder := tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": "a", "annotations": tree.Object{tree.LastApplied: copied}}}
	plain := tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": "a"}}
	for _, p := range []*Policy{nil, {}} {
		from, to := p.Pair(holder, plain)
		from2, to2 := p.Pair(plain, holder)
		for _, o := range []tree.Object{from, to, from2, to2, p.Object(holder), p.As(plain, holder), p.As(plain, tree.Map(parseJSON(copied)[0]))} {
			text, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "Q0FOQVJZ") {
				t.Errorf("shown: %s", text)
			}
		}
		if !strings.Contains(tree.String(from, "metadata", "annotations", tree.LastApplied), `"name":"a"`) {
			t.Errorf("nothing is left of %v", from)
		}
	}
	if tree.String(holder, "metadata", "annotations", tree.LastApplied) != copied {
		t.Error("the object itself has changed")
	}
}
