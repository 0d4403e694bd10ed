package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "go.yaml.in/yaml/v2"
	_ "go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"
	_ "sigs.k8s.io/yaml"

	"threeway/merge/text/source"
)

// texts are functions that read a text, which is their first argument.
var texts = []struct {
	pkg       string
	functions []string
}{
	{"sigs.k8s.io/yaml", []string{"YAMLToJSON", "YAMLToJSONStrict", "Unmarshal", "UnmarshalStrict"}},
	{"go.yaml.in/yaml/v2", []string{"Unmarshal", "UnmarshalStrict"}},
	{"go.yaml.in/yaml/v3", []string{"Unmarshal"}},
	{"k8s.io/apimachinery/pkg/util/yaml", []string{"ToJSON", "Unmarshal"}},
	{"k8s.io/apimachinery/pkg/util/json", []string{"Unmarshal"}},
	{"sigs.k8s.io/json", []string{"UnmarshalCaseSensitivePreserveInts", "UnmarshalStrict"}},
	{"sigs.k8s.io/json/internal/golang/encoding/json", []string{"Unmarshal", "Valid"}},
}

// rawJSON is runtime.RawExtension as far as decoding goes.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(b []byte) error {
	if !bytes.Equal(b, []byte("null")) {
		*r = bytes.Clone(b)
	}
	return nil
}

// kubectlReads is what kubectl makes of a text: the values of its documents,
// and the error that ends it.
func kubectlReads(text string) (values []any, failure string) {
	const guess = 4096
	d := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), guess)
	for {
		var raw rawJSON
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			return values, ""
		} else if err != nil {
			return values, "error parsing f: " + err.Error()
		}
		var value any
		if len(raw) > 0 {
			if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &value); err != nil {
				value = err.Error()
			}
		}
		values = append(values, value)
	}
}

// weRead is the same of ours. Of a key that a mapping has twice, in different
// forms, either value may win.
func weRead(text string) (values []any, failure string, ambiguous bool) {
	s := source.NewStream("f", text)
	for s.Next() {
		value := s.Value
		if s.Doc.NumberErr != nil {
			value = s.Doc.NumberErr.Error()
		}
		values = append(values, value)
		ambiguous = ambiguous || len(s.Doc.Duplicates) > 0
	}
	if s.Failure != nil {
		failure = s.Failure.Text
	}
	return values, failure, ambiguous
}

func TestDocuments(t *testing.T) {
	for _, table := range texts {
		h := Harvest{Package: table.pkg, Functions: table.functions, Encode: "case []byte:\n\t\treturn v"}
		seen := map[string]bool{}
		var n readings
		for _, c := range h.Calls(t) {
			var data []byte
			if json.Unmarshal(c.Args[0], &data) == nil && !seen[string(data)] {
				seen[string(data)] = true
				n.text(t, c.String(), data)
			}
		}
		t.Logf("%s: %v", table.pkg, n)
	}
}

// most is the size of the longest text: some are made to take forever.
const most = 100_000

// readings count texts: all, those that are equal, among them those that do not
// parse, and those that differ in a key given twice or are too long.
type readings struct{ texts, equal, failing, ambiguous, long int }

func (n *readings) text(t *testing.T, name string, data []byte) {
	n.texts++
	if len(data) > most {
		n.long++
		return
	}
	text := source.DecodeText(data)
	want, failure := kubectlReads(text)
	got, ours, twice := weRead(text)
	// Which of several keys that cannot be one is named is random.
	sameFailure := strings.HasPrefix(ours, failure) && (failure == "") == (ours == "") || strings.Contains(failure, "unsupported") && ours != ""
	switch {
	case sameFailure && reflect.DeepEqual(got, want):
		n.equal++
		if failure != "" {
			n.failing++
		}
	case twice:
		n.ambiguous++
	default:
		t.Errorf("%s\n%.2000q\nours\n\t%.2000q %s\nkubectl\n\t%.2000q %s", name, data, fmt.Sprint(got), ours, fmt.Sprint(want), failure)
	}
}

func (n readings) String() string {
	return fmt.Sprintf("%d texts, %d equal (%d of them do not parse), %d with a key given twice, %d too long", n.texts, n.equal, n.failing, n.ambiguous, n.long)
}

// TestFiles reads the YAML and JSON files of all modules that Kubernetes is made
// of here: manifests, schemas, recorded requests.
func TestFiles(t *testing.T) {
	list, err := exec.Command("go", "list", "-m", "-f", "{{if .Dir}}{{.Dir}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	var n readings
	for _, module := range strings.Fields(string(list)) {
		if !strings.Contains(module, "k8s.io") && !strings.Contains(module, "yaml") {
			continue
		}
		err := filepath.WalkDir(module, func(file string, _ fs.DirEntry, err error) error {
			if ext := filepath.Ext(file); err != nil || ext != ".yaml" && ext != ".yml" && ext != ".json" {
				return err
			}
			data, err := os.ReadFile(file)
			if err == nil {
				n.text(t, strings.TrimPrefix(file, module), data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log(n)
}
