package manifest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
)

// ports is a Service with random ports, some alike, some without a number or a
// protocol, or with one that is no scalar.
func ports(r *rand.Rand, json bool) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n")
	if json {
		b.Reset()
		b.WriteString(`{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [`)
	}
	for i := range 8 {
		port, protocol := r.IntN(3), []string{"", `"TCP"`, `"UDP"`, `[]`}[r.IntN(4)]
		if json {
			fields := `"name": "a"`
			if port > 0 {
				fields += fmt.Sprintf(`, "port": %d`, port)
			}
			if protocol != "" {
				fields += fmt.Sprintf(`, "protocol": %s`, protocol)
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("{" + fields + "}")
			continue
		}
		b.WriteString("  - name: a\n")
		if port > 0 {
			fmt.Fprintf(&b, "    port: %d\n", port)
		}
		if protocol != "" {
			fmt.Fprintf(&b, "    protocol: %s\n", protocol)
		}
	}
	if json {
		b.WriteString("]}}\n")
	}
	return b.String()
}

func readOne(t *testing.T, text string) *Object {
	t.Helper()
	set := Read(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if len(set.Objects) != 1 {
		t.Fatalf("%d objects in\n%s", len(set.Objects), text)
	}
	return set.Objects[0]
}

// A document that has been searched often tells the positions that it told at
// first.
func TestPositionsStayTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	spec := fieldpath.New("spec", "ports")
	for n := range 200 {
		text := ports(r, n%2 == 0)
		often := readOne(t, text)
		for range source.MaxSearches {
			often.Position(spec)
		}
		var paths []fieldpath.Path
		for i := range 10 {
			paths = append(paths, spec.Item(i), spec.Item(i).Child("protocol"))
		}
		for port := range int64(4) {
			number := fieldpath.Key{Name: "port", Value: port}
			for _, protocol := range []string{"TCP", "UDP", "SCTP"} {
				item := spec.Select(number, fieldpath.Key{Name: "protocol", Value: protocol})
				paths = append(paths, item, item.Child("port"))
			}
			paths = append(paths, spec.Select(number))
		}
		for _, p := range paths {
			line, column, exact := readOne(t, text).Position(p)
			if l, c, e := often.Position(p); l != line || c != column || e != exact {
				t.Errorf("%s is at %d:%d (%v), then at %d:%d (%v) of\n%s", p, line, column, exact, l, c, e, text)
			}
		}
	}
}
