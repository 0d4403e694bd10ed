package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/fixtures/breadth"
	"threeway/fixtures/hostile"
	"threeway/merge/text/visible"
)

// TestHostileEditor opens manifests that hold a hostile text in an editor and asks
// everything about each line: no Markdown of an answer has a link, a picture or HTML of
// the text, no plain text a character that acts, and no address leads elsewhere than to
// the files that were given. It does one of forty, in .ci/run one of five, and with THREEWAY_MATRIX=all all.
func TestHostileEditor(t *testing.T) {
	answers := map[string]int{}
	for i, h := range hostile.Names() {
		for j, shape := range slices.Sorted(maps.Keys(hostileShapes)) {
			if !breadth.HasOfLong(i+j*7, 40, 5) {
				continue
			}
			t.Run(fmt.Sprintf("%d %s", i, shape), func(t *testing.T) {
				hostileEditor(t, hostileInput(t, hostileShapes[shape], h), answers)
			})
		}
	}
	for _, kind := range []string{"hover", "diagnostic", "codeAction", "documentLink", "codeLens", "documentSymbol", "completion", "diff"} {
		if answers[kind] < 5 && !breadth.Partly() {
			t.Errorf("only %d answers of the kind %s", answers[kind], kind)
		}
	}
	t.Log(answers)
}

func hostileEditor(t *testing.T, manifests string, answers map[string]int) {
	dir, err := filepath.EvalSymlinks(".")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("m", "a.yaml")
	var documents []string
	for _, object := range strings.Split(load(t, manifests), "---\n")[1:] {
		document, err := yaml.JSONToYAML([]byte(object)) // a field a line
		if err != nil {
			document = []byte(object)
		}
		documents = append(documents, string(document))
	}
	text := strings.Join(documents, "---\n")
	if err := os.Rename(manifests, file); err != nil {
		t.Fatal(err)
	}
	save(t, file, text)
	settings := load(t, ".threeway.yaml")
	if settings += "manifests: [m]\n"; load(t, "live.yaml") != "" {
		settings += "live: [live.yaml]\n"
	}
	save(t, ".threeway.yaml", settings)
	c := lspIn(t, dir, nil)
	c.texts[file], c.versions[file] = text, 1
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(file), "languageId": "yaml", "version": 1, "text": text}})
	if c.said == nil {
		c.until("findings, or why there are none", func(m map[string]any) bool {
			params, _ := m["params"].(map[string]any)
			return m["method"] == "window/showMessage" || m["method"] == "textDocument/publishDiagnostics" && params["uri"] == c.uri(file)
		})
	}
	plain := func(kind, what string) {
		if i := strings.IndexFunc(what, func(r rune) bool { return visible.Acts(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Errorf("%s has a character that acts: %q", kind, what[max(0, i-60):min(len(what), i+20)])
		}
	}
	for _, said := range c.said { // a snapshot that cannot be read
		plain("a message", said)
		return
	}
	var check func(kind string, v any, at string)
	check = func(kind string, v any, at string) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				check(kind, item, at)
			}
		case map[string]any:
			for key, item := range v {
				if key == "newText" || key == "edit" || key == "arguments" { // what is to be written, as YAML
					continue
				}
				check(kind, item, key)
			}
		case string:
			plain(kind+" "+at, v)
			if at == "target" || at == "uri" {
				if !strings.HasPrefix(v, c.uri("")) && !strings.HasPrefix(v, "threeway:/") {
					t.Errorf("%s leads to %s", kind, v)
				}
			}
		}
	}
	for _, found := range c.found {
		for _, d := range found {
			answers["diagnostic"]++
			check("a diagnostic", d, "")
		}
	}
	for line := range strings.Count(text, "\n") {
		at := c.at(file, line+1)
		if answer, ok := c.call("textDocument/hover", at).(map[string]any); ok {
			answers["hover"]++
			contents := answer["contents"].(map[string]any)["value"].(string)
			brief(t, answer)
			for _, f := range hostile.InComment(contents, func(string) bool { return false }) {
				t.Errorf("the hover of line %d: %s\n%.400s", line+1, f, contents)
			}
		}
		for kind, method := range map[string]string{"codeAction": "textDocument/codeAction", "diff": "threeway/diff", "definition": "textDocument/definition", "completion": "textDocument/completion"} {
			if answer := c.call(method, at); answer != nil {
				answers[kind]++
				check(kind, answer, "")
			}
		}
	}
	whole := map[string]any{"textDocument": map[string]any{"uri": c.uri(file)}, "range": map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 1000, "character": 0}}}
	for _, kind := range []string{"documentLink", "codeLens", "documentSymbol"} {
		list, _ := c.call("textDocument/"+kind, whole).([]any)
		answers[kind] += len(list)
		check(kind, list, "")
	}
}
