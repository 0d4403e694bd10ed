package command

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"threeway/command/system"
	"threeway/fixtures/breadth"
	"threeway/merge/mask"
)

const webFile = "config/deployment.yaml"

// inJSON is an answer as JSON.
func inJSON(answer any) string {
	data, _ := json.Marshal(answer)
	return string(data)
}

// holds reports each part that an answer does not have.
func holds(t *testing.T, what string, answer any, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if quoted := inJSON(part); !strings.Contains(inJSON(answer), quoted[1:len(quoted)-1]) {
			t.Errorf("%s has no %q: %s", what, part, inJSON(answer))
		}
	}
}

// TestLSPAnswers asks about the objects of the example.
func TestLSPAnswers(t *testing.T) {
	c := lspIn(t, inExample(t), nil)
	c.open(webFile, load(t, webFile))
	holds(t, "hover on a changed field", c.call("textDocument/hover", c.at(webFile, 18)),
		"`spec.template.spec.containers[name=web].image`: apply changes `\"nginx:1.29\"` to `\"nginx:1.30\"`; changed in the manifest\n\n",
		"- manifest, after the apply: `\"nginx:1.30\"`\n- last-applied, live: `\"nginx:1.29\"`\n", "- owner: kubectl-client-side-apply, Update at ")
	holds(t, "hover on a field with findings", c.call("textDocument/hover", c.at(webFile, 7)),
		"`spec`: apply changes 3 fields in it\n\n- `minReadySeconds`: apply removes `5`\n", "- **warning** `cleared-setting`: minReadySeconds is removed from the manifest", "**Fix:** restore")
	holds(t, "hover on a field that stays", c.call("textDocument/hover", c.at(webFile, 4)), "`metadata`: apply does not change it")
	if got := c.call("textDocument/hover", c.at(webFile, 1)); got != nil {
		t.Errorf("hover on a comment: %v", got)
	}
	holds(t, "a hover on what has a default", c.call("textDocument/hover", c.at("config/deployment.yaml", 28)), "`8080`")
	holds(t, "the links", c.call("textDocument/documentLink", c.at(webFile, 1)), "live.yaml#L", "live shop/Deployment.apps/web")
	diff := c.call("threeway/diff", c.at(webFile, 18))
	holds(t, "the diff", diff, "threeway:///shop/Deployment.apps/web.diff", "-        image: nginx:1.29", "+        image: nginx:1.30", "cleared  removed from the manifest")
	if got := c.call("workspace/executeCommand", map[string]any{"command": "threeway.diff", "arguments": []any{c.at(webFile, 18)}}); inJSON(got) != inJSON(diff) {
		t.Errorf("the command: %s\nthe request: %s", inJSON(got), inJSON(diff))
	}
	c.send(map[string]any{"id": 9000, "method": "textDocument/hover", "params": c.at(webFile, 18)})
	c.notify("$/cancelRequest", map[string]any{"id": 9000})
	c.until("an answer, or that there is none", func(m map[string]any) bool { return m["id"] == 9000.0 })
	c.end(0)
}

// action finds an action by a part of its title.
func (c *lspClient) action(line int, title string, only ...string) map[string]any {
	c.t.Helper()
	at := c.at(webFile, line)
	if only != nil {
		at["context"] = map[string]any{"only": only}
	}
	answer, _ := c.call("textDocument/codeAction", at).([]any)
	i := slices.IndexFunc(answer, func(a any) bool { return strings.Contains(a.(map[string]any)["title"].(string), title) })
	if i < 0 {
		c.t.Fatalf("line %d has no action %q: %s", line, title, inJSON(answer))
	}
	return answer[i].(map[string]any)
}

// after is the text of the file after an action.
func (c *lspClient) after(action map[string]any) string {
	c.t.Helper()
	text := c.texts[webFile]
	for _, e := range action["edit"].(map[string]any)["changes"].(map[string]any)[c.uri(webFile)].([]any) {
		e := e.(map[string]any)
		place := func(p any) int {
			lines, at := strings.SplitAfter(text, "\n"), p.(map[string]any)
			line := int(at["line"].(float64))
			return len(strings.Join(lines[:line], "")) + int(at["character"].(float64)) // the example is ASCII
		}
		r := e["range"].(map[string]any)
		text = text[:place(r["start"])] + e["newText"].(string) + text[place(r["end"]):]
	}
	return text
}

// TestLSPActionsInOrder: repairs come first, suppressions last, and of the findings on a
// line the worst is the last that is published, which is what Neovim shows.
func TestLSPActionsInOrder(t *testing.T) {
	c := lspIn(t, inExample(t), nil)
	c.open(webFile, strings.Replace(load(t, webFile), "  name: web\n", "  name: web\n  generation: 3\n", 1))
	for line, want := range map[int][]string{6: {"remove it", "suppress"}, 8: {"keep the live value", "keep the live value", "suppress", "suppress"}} {
		actions, _ := c.call("textDocument/codeAction", c.at(webFile, line)).([]any)
		for i, a := range actions {
			if title := a.(map[string]any)["title"].(string); len(actions) < len(want) || !strings.Contains(title, want[min(i, len(want)-1)]) && !strings.Contains(title, want[0]) {
				t.Errorf("line %d: action %d is %q of %s", line, i, title, inJSON(actions))
			}
		}
		if !strings.Contains(inJSON(actions[len(actions)-1]), "suppress") {
			t.Errorf("line %d: the last action is %s", line, inJSON(actions[len(actions)-1]))
		}
	}
	var severities []float64
	for _, d := range c.found[webFile] {
		if d := d.(map[string]any); d["range"].(map[string]any)["start"].(map[string]any)["line"] == 7.0 {
			severities = append(severities, d["severity"].(float64))
		}
	}
	if !slices.Equal(severities, []float64{3, 2}) {
		t.Errorf("the severities on spec: %v", severities)
	}
	c.end(0)
}

// TestLSPShowsWhatAnEditorAsks: the verdict after each check, in the words of the plan, and
// hovers without the findings that the editor shows itself.
func TestLSPShowsWhatAnEditorAsks(t *testing.T) {
	c := lspIn(t, inExample(t), map[string]any{"showsVerdict": true, "showsFindings": true})
	c.open(webFile, load(t, webFile))
	told := func() any {
		return c.until("a verdict", func(m map[string]any) bool { return m["method"] == "threeway/verdict" })["params"]
	}
	lens := func() string {
		return c.call("textDocument/codeLens", c.at(webFile, 1)).([]any)[0].(map[string]any)["command"].(map[string]any)["title"].(string)
	}
	holds(t, "the verdict", told(), "look", "Needs review: 1 to decide", "Plan: 1 changed; restarts 1 workload (3 pods)", webFile)
	if hover := inJSON(c.call("textDocument/hover", c.at(webFile, 7))); strings.Contains(hover, "cleared-setting") || !strings.Contains(hover, "apply changes 3 fields in it") {
		t.Errorf("the hover: %s", hover)
	}
	c.edit(webFile, strings.Replace(load(t, webFile), "spec:\n", "spec:\n  minReadySeconds: 5\n", 1))
	holds(t, "the verdict after an edit", told(), lens())
	c.end(0)
}

// TestLSPActions makes what is offered, and looks at what is found then.
func TestLSPActions(t *testing.T) {
	c := lspIn(t, inExample(t), nil)
	before := load(t, webFile)
	c.open(webFile, before)
	found := func() string { return strings.Join(c.listed(), "\n") }
	c.edit(webFile, strings.Replace(before, "  name: web\n", "  name: web\n  generation: 3\n", 1))
	all := c.after(c.action(1, "of this file", "source.fixAll"))
	repair := c.after(c.action(6, "remove it"))
	c.edit(webFile, repair)
	if strings.Contains(found(), "server-metadata-in-config") || repair != all || repair != before {
		t.Errorf("repaired:\n%s\nfound: %s", repair, found())
	}
	c.edit(webFile, c.after(c.action(7, "keep the live value of spec.minReadySeconds: 5")))
	c.edit(webFile, c.after(c.action(7, "keep the live value of spec.replicas: 3")))
	if strings.Contains(found(), "cleared-setting") || !strings.Contains(c.texts[webFile], "  minReadySeconds: 5\n") || !strings.Contains(c.texts[webFile], "  replicas: 3\n") {
		t.Errorf("kept:\n%s\nfound: %s", c.texts[webFile], found())
	}
	c.edit(webFile, strings.Replace(before, "  name: web\n", "  name: created\n", 1))
	c.edit(webFile, c.after(c.action(7, "write down the default of spec.progressDeadlineSeconds: 600")))
	c.edit(webFile, before)
	c.edit(webFile, c.after(c.action(7, "suppress cleared-setting")))
	if got := found(); !strings.Contains(got, "invalid-suppression") || !strings.Contains(got, "cleared-setting") {
		t.Errorf("a suppression without a reason: %s", got)
	}
	c.edit(webFile, strings.Replace(c.texts[webFile], "cleared-setting -- ", "cleared-setting -- pods are ready at once", 1))
	if got := found(); strings.Contains(got, "cleared-setting") || strings.Contains(got, "invalid-suppression") {
		t.Errorf("a suppression with a reason: %s", got)
	}
	c.edit(webFile, before+"half: [")
	if got := c.call("textDocument/codeAction", c.at(webFile, 7)); inJSON(got) != "[]" {
		t.Errorf("actions in a file that cannot be read: %s", inJSON(got))
	}
	c.end(0)
}

// TestLSPCanaries asks everything about Secrets of every shape, right and wrong. No
// answer has one of their values.
func TestLSPCanaries(t *testing.T) {
	answers := 0
	for _, shape := range canaryShapes(t) {
		if !sampled(shape.name, "lsp", 24) {
			continue
		}
		t.Run(shape.name, func(t *testing.T) {
			unpack(t, shape.archive)
			for _, mode := range []string{"--server-side=false", "--server-side"} {
				c := lspIn(t, system.Absolute("."), nil, "-f", "config.yaml", "--live", "live.yaml", mode)
				said := c.all("config.yaml")
				shown := inJSON([]any{said, c.found, c.said})
				for _, sign := range sightings() {
					if i := strings.Index(shown, sign); i >= 0 {
						t.Errorf("a secret is shown: …%s…", shown[max(0, i-300):min(len(shown), i+80)])
						break
					}
				}
				answers += len(said)
				c.end(0)
			}
		})
	}
	if answers < breadth.Of(100, 4) && !breadth.Partly() {
		t.Errorf("only %d answers", answers)
	}
}

// TestLSPStrikes asks about a ConfigMap with a key that is the value of a Secret, which no
// mask looks for.
func TestLSPStrikes(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "config.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: b}\ndata: {s3cr3tP4ssw0rd77: \"2\"}\n---\n"+
		"apiVersion: v1\nkind: Service\nmetadata: {name: c, namespace: b}\nspec: {s3cr3tP4ssw0rd77: 1, ports: [{port: 80}]}\n")
	save(t, "live.yaml", `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: b, uid: u1}, data: {password: czNjcjN0UDRzc3cwcmQ3Nw==}}
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: c
    namespace: b
    uid: u2
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"b"},"data":{"s3cr3tP4ssw0rd77":"1"}}
  data: {s3cr3tP4ssw0rd77: "1"}
`)
	c := lspIn(t, system.Absolute("."), nil, "-f", "config.yaml", "--live", "live.yaml")
	shown := inJSON([]any{c.all("config.yaml"), c.found, c.said})
	if i := strings.Index(shown, "s3cr3tP4ssw0rd"); i >= 0 || !strings.Contains(shown, mask.Struck) {
		t.Errorf("it shows %s", shown[max(0, i-300):])
	}
	c.end(0)
}

// TestLSPHidesDefaults: what would be in a field without it may be secret, too, as the
// stringData beside data; a short value is no known copy.
func TestLSPHidesDefaults(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "config.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: b}\ndata:\n  x: YQ==\nstringData:\n  x: hunt2\n")
	c := lspIn(t, system.Absolute("."), nil, "-f", "config.yaml")
	said := inJSON(c.all("config.yaml"))
	if strings.Contains(said, "aHVudDI=") || strings.Contains(said, "hunt2") || !strings.Contains(said, "default: ") {
		t.Errorf("it says %s", said)
	}
	c.end(0)
}

// TestLSPOfNothing asks about texts without objects, where no settings name others.
func TestLSPOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, text := range []string{"", "---\n", "# x\n", "null\n", "- a\n", "a: [\n"} {
		file := fmt.Sprintf("%d.yaml", i)
		save(t, file, text)
		c := lspIn(t, system.Absolute("."), nil)
		if said := inJSON(c.all(file)); strings.Contains(said, "internal error") {
			t.Errorf("%q: %s", text, said)
		}
		c.end(0)
	}
}

// all is what the server says to all questions about a file, but for nothing.
func (c *lspClient) all(file string) (said []any) {
	text := load(c.t, file)
	c.texts[file] = text
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(file), "version": 1, "text": text}})
	ask := func(method string, at map[string]any) {
		if answer := c.call(method, at); answer != nil && inJSON(answer) != "[]" {
			said = append(said, answer)
			brief(c.t.(*testing.T), answer)
		}
	}
	whole := c.at(file, 1)
	whole["range"] = map[string]any{"start": map[string]any{"line": 0}, "end": map[string]any{"line": 9999}}
	for _, method := range []string{"textDocument/documentLink", "textDocument/codeAction", "textDocument/codeLens", "textDocument/documentSymbol"} {
		ask(method, whole)
	}
	for line := range strings.Split(text, "\n") {
		ask("textDocument/hover", c.at(file, line+1))
		ask("textDocument/codeAction", c.at(file, line+1))
		if line%5 == 0 {
			ask("threeway/diff", c.at(file, line+1))
			ask("workspace/executeCommand", map[string]any{"command": "threeway.diff", "arguments": []any{c.at(file, line+1)}})
			ask("textDocument/definition", c.at(file, line+1))
			ask("textDocument/references", c.at(file, line+1))
			ask("textDocument/completion", c.at(file, line+1))
		}
	}
	return said
}

// brief holds a hover to 15 lines, without a table.
func brief(t *testing.T, answer any) {
	t.Helper()
	contents, _ := answer.(map[string]any)
	markup, _ := contents["contents"].(map[string]any)
	if text, ok := markup["value"].(string); ok && (strings.Count(strings.TrimSpace(text), "\n") >= 15 || strings.Contains(strings.ReplaceAll(text, `\|`, ""), "|---")) {
		t.Errorf("a hover is long, or a table:\n%s", text)
	}
}

// TestLSPProjects opens two folders, of which one has no settings, and mends settings
// that are wrong.
func TestLSPProjects(t *testing.T) {
	dir := inExample(t)
	if err := os.CopyFS("other", os.DirFS("config")); err != nil {
		t.Fatal(err)
	}
	save(t, "other/.threeway.yaml", "version: \"1\"\nmanifests: [.]\nrules: {no-such-rule: error}\n")
	save(t, "other/compose.yaml", "services: {web: {image: nginx}}\n")
	c := lspIn(t, "", nil)
	c.dir = dir
	c.call("initialize", map[string]any{"workspaceFolders": []any{map[string]any{"uri": c.uri(""), "name": "a"}, map[string]any{"uri": c.uri("other"), "name": "b"}}})
	c.notify("initialized", map[string]any{})
	c.open(webFile, load(t, webFile))
	for len(c.said) == 0 {
		c.until("a message", func(m map[string]any) bool { return m["method"] == "window/showMessage" })
	}
	if !strings.Contains(c.said[0], "other/.threeway.yaml:3") {
		t.Errorf("wrong settings: %q", c.said)
	}
	if err := os.Remove("other/.threeway.yaml"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("other/.git", 0o700); err != nil { // where the search for settings ends
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{}})
	c.open("other/compose.yaml", load(t, "other/compose.yaml"))
	if found := c.found["other/compose.yaml"]; len(found) > 0 {
		t.Errorf("a file without objects has findings: %s", inJSON(found))
	}
	c.open("other/deployment.yaml", strings.Replace(load(t, "other/deployment.yaml"), "  name: web\n", "  name: web\n  generation: 3\n", 1))
	holds(t, "an open file without settings", c.found["other/deployment.yaml"], "server-metadata-in-config")
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("other/deployment.yaml")}})
	c.until("no findings", func(map[string]any) bool { return len(c.found["other/deployment.yaml"]) == 0 })
	holds(t, "the other folder", c.found[webFile], "cleared-setting")
	c.end(0)
}
