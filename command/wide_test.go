package command_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"threeway/command"

	"threeway/fixtures/breadth"
)

// wideDefinition is of a custom resource with a list that merges by a key and
// one whose items must be of an enum.
const wideDefinition = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              keyed:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}
              chosen: {type: array, items: {type: string, enum: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]}}
`

// TestWideObjects: the time for one object grows with the number of its
// fields, items, faults and managers, and for a set with that of its
// namespaces. With their square each of these would take minutes.
func TestWideObjects(t *testing.T) {
	if !breadth.All() {
		t.Skip("seconds of work: .ci/run does it")
	}
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	settings := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: wide\n  namespace: default\n"
	widget := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: wide\n  namespace: default\nspec:\n"
	for name, c := range map[string]struct{ args, config, live string }{
		"fields applied server-side": {"diff --server-side", settings + "data:\n" + many(40000, "  k%d: a\n"), settings + "data:\n" + many(40000, "  l%d: b\n")},
		"faults":                     {"merge", settings + "data:\n" + many(30000, "  k%d: a\n") + "binaryData:\n" + many(30000, "  k%d: AAAA\n"), settings},
		"items with keys":            {"merge", widget + "  keyed:\n" + many(30000, "  - name: n%d\n    value: a\n"), widget + "  keyed:\n" + many(30000, "  - name: n%d\n    value: b\n")},
		"faults of one schema":       {"merge", widget + "  chosen:\n" + many(40000, "  - c%d\n"), widget + "  chosen: []\n"},
		"rules in one comment":       {"lint", "# threeway:ignore" + many(50000, " r%d") + "\n" + settings, settings},
		"namespaces of an ApplySet": {"diff --prune --applyset secrets/set -n default", settings, `apiVersion: v1
kind: Secret
metadata:
  name: set
  namespace: default
  labels: {applyset.kubernetes.io/id: applyset-GzV5QNw0hpfp90Rc5ckxJmVoyyU-gDZeLYpJFDTwDHA-v1}
  annotations:
    applyset.kubernetes.io/tooling: kubectl/v1.36
    applyset.kubernetes.io/contains-group-kinds: ConfigMap
    applyset.kubernetes.io/additional-namespaces: "` + strings.TrimSuffix(many(25000, "n%d,"), ",") + "\"\n" + many(25000, `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: wide
  namespace: n%d
  labels: {applyset.kubernetes.io/part-of: applyset-GzV5QNw0hpfp90Rc5ckxJmVoyyU-gDZeLYpJFDTwDHA-v1}
`)},
		"managers": {"review -o html", settings + "data:\n  k: a\n", settings + "  managedFields:\n" +
			many(25000, "  - {manager: m%d, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:data': {'f:k': {}}}}\n") + "data:\n  k: b\n"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			dir := t.TempDir()
			config, live := filepath.Join(dir, "config.yaml"), filepath.Join(dir, "live.yaml")
			for file, text := range map[string]string{config: c.config, live: c.live + wideDefinition} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"threeway"}, strings.Fields(c.args)...)
			args = append(args, "-f", config, "--live", live)
			begun := time.Now()
			var out, stderr bytes.Buffer
			if code := command.Run(context.Background(), args, bytes.NewReader(nil), &out, &stderr); code >= internalError || out.Len()+stderr.Len() < 100 {
				t.Errorf("exit code %d\n%.2000s", code, &stderr)
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("takes %v", took)
			}
		})
	}
}
