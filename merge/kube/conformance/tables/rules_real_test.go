package tables

import (
	encodingjson "encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"

	"threeway/merge/tree"
)

// definitions are directories with CustomResourceDefinitions of real projects.
var definitions = flag.String("definitions", "", "directories, divided by commas, with the CustomResourceDefinitions that TestRealRules takes")

// mostValues is how many values a rule gets, until one of them keeps it and one breaks
// it.
const mostValues = 400

// TestRealRules holds each rule of real definitions, alone in its place of the
// schema, against values that keep and that break it, created and updated: the same
// errors, warnings and costs from upstream's evaluator and from ours. The modules of
// Gateway API, Karpenter, Cluster API, cert-manager and Crossplane have their
// definitions:
//
//	go test -run TestRealRules -v -definitions ~/go/pkg/mod/sigs.k8s.io/gateway-api@v1.4.0/config/crd
func TestRealRules(t *testing.T) {
	if *definitions == "" {
		t.Skip("no -definitions")
	}
	for _, dir := range strings.Split(*definitions, ",") {
		var f realFigures
		for _, d := range definitionsIn(t, dir) {
			for _, v := range tree.List(d, "spec", "versions") {
				f.versions++
				s := tree.Map(v, "schema", "openAPIV3Schema")
				w := &real{maker{rand.New(rand.NewSource(*seed))}, words(s), &f}
				w.below(t, tree.String(d, "metadata", "name")+" "+tree.String(v, "name"), s, true)
			}
		}
		t.Logf("%s: %+v", dir, f)
	}
}

// realFigures count. Kept and Broken are rules of which a value was kept and broken.
type realFigures struct{ versions, rules, uncompiled, kept, broken, cases, equal int }

// definitionsIn reads those of a directory.
func definitionsIn(t *testing.T, dir string) (list []tree.Object) {
	t.Helper()
	known := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		for decoder := yaml.NewYAMLOrJSONDecoder(file, 4096); ; {
			var raw encodingjson.RawMessage
			if err := decoder.Decode(&raw); err == io.EOF {
				return nil
			} else if err != nil {
				return nil // a template
			}
			obj := object(raw)
			if tree.String(obj, "kind") == "CustomResourceDefinition" && !known[string(raw)] {
				known[string(raw)] = true
				list = append(list, obj)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// real makes values for the rules of a definition.
type real struct {
	maker
	words []string // that its rules compare with
	*realFigures
}

var literal = regexp.MustCompile(`'([^'\\]{1,40})'|"([^"\\]{1,40})"`)

// words are the texts in the rules of a schema.
func words(s tree.Object) (list []string) {
	for _, r := range tree.List(s, "x-kubernetes-validations") {
		for _, m := range literal.FindAllStringSubmatch(tree.String(r, "rule"), -1) {
			list = append(list, m[1]+m[2])
		}
	}
	for _, sub := range within(s) {
		list = append(list, words(sub)...)
	}
	return list
}

// within are the schemas directly in a schema.
func within(s tree.Object) (list []tree.Object) {
	for _, name := range inOrder(tree.Map(s, "properties")) {
		list = append(list, tree.Map(s, "properties", name))
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if sub := tree.Map(s, key); sub != nil {
			list = append(list, sub)
		}
	}
	return list
}

// below takes the rules of a schema and of those in it.
func (r *real) below(t *testing.T, where string, s tree.Object, isRoot bool) {
	for i, rule := range tree.List(s, "x-kubernetes-validations") {
		r.rules++
		alone := without(s)
		alone["x-kubernetes-validations"] = []any{rule}
		r.rule(t, fmt.Sprintf("%s, rule %d", where, i), alone, isRoot)
	}
	for _, sub := range within(s) {
		r.below(t, where, sub, false)
	}
}

// without is a copy of a schema without rules.
func without(s tree.Object) tree.Object {
	s = tree.CopyObject(s)
	var remove func(tree.Object)
	remove = func(s tree.Object) {
		delete(s, "x-kubernetes-validations")
		for _, sub := range within(s) {
			remove(sub)
		}
	}
	remove(s)
	return s
}

// rule gives a rule values until it is kept and broken.
func (r *real) rule(t *testing.T, where string, s tree.Object, isRoot bool) {
	h, err := hold(s, isRoot)
	if err != nil || h.theirs == nil {
		r.uncompiled++
		return
	}
	kept, broken := false, false
	for i := 0; i < mostValues && (i < 20 || !kept || !broken); i++ {
		x := r.filled(r.value(s), s)
		if isRoot {
			if root, ok := x.(tree.Object); ok {
				root["apiVersion"], root["kind"], root["metadata"] = "a/v1", "A", tree.Object{"name": r.one("a", "default", "x.y")}
			}
		}
		var old any
		if r.chance(60) {
			old = r.filled(r.changed(x, s), s)
		}
		update := old != nil && r.chance(50)
		r.cases++
		want, got, ok := h.agree(x, old, update, 10_000_000)
		if !ok {
			obj, _ := json.Marshal(x)
			was, _ := json.Marshal(old)
			text, _ := json.Marshal(s["x-kubernetes-validations"])
			t.Errorf("%s\n%s\n%.3000s\nwas %.3000s, update %v\nours\n\t%s\nupstream\n\t%s", where, text, obj, was, update, got, want)
			return
		}
		r.equal++
		said := strings.Join(append(want.errors, want.warnings...), "\n")
		kept = kept || said == ""
		broken = broken || said != "" && !strings.Contains(said, " evaluating rule: ")
	}
	if kept {
		r.kept++
	}
	if broken {
		r.broken++
	}
}

// filled has values of enums, and texts that the rules ask for.
func (r *real) filled(x any, s tree.Object) any {
	if s == nil {
		return x
	}
	if enum := tree.List(s, "enum"); len(enum) > 0 && r.chance(90) {
		return enum[r.Intn(len(enum))]
	}
	switch x := x.(type) {
	case map[string]any:
		for _, name := range inOrder(x) {
			sub := tree.Map(s, "properties", name)
			if sub == nil {
				sub = tree.Map(s, "additionalProperties")
			}
			x[name] = r.filled(x[name], sub)
		}
	case []any:
		for i := range x {
			x[i] = r.filled(x[i], tree.Map(s, "items"))
		}
	case string:
		if class(s) == "string" && len(r.words) > 0 && r.chance(50) {
			return r.words[r.Intn(len(r.words))]
		}
	}
	return x
}
