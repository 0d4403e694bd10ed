package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// hostileRepository has all that a repository of others may have to start programs, to read what is
// outside of it, or to answer without looking.
const hostileRepository = `
-- .threeway.yaml --
version: 1
manifests: [deploy, ../outside/canary.yaml]
kustomize: [k/*]
live: [link.yaml]
-- deploy/web.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data: {a: b}
-- k/helm/kustomization.yaml --
helmCharts: [{name: x, repo: "https://charts.example.com", version: 1.0.0}]
-- k/exec/kustomization.yaml --
generators: [generator.yaml]
-- k/exec/generator.yaml --
apiVersion: example.com/v1
kind: Exec
metadata:
  name: x
  annotations: {config.kubernetes.io/function: "exec: {path: ./run}"}
-- k/exec/run --
#!/bin/sh
touch ../../PWNED
-- k/out/kustomization.yaml --
resources: [../../../outside/canary.yaml]
-- k/url/kustomization.yaml --
resources: ["git::ext::sh -c touch% PWNED"]
-- kubectl --
#!/bin/sh
touch PWNED
-- git --
#!/bin/sh
touch PWNED
-- helm --
#!/bin/sh
touch PWNED
-- own.json --
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"shop","uid":"00000000-0000-4000-8000-000000000001","resourceVersion":"1"},"data":{"a":"b"}}
`

// TestHostileRepository has an editor and an agent work in such a repository: nothing is started,
// nothing written, nothing read outside of it, and no answer allows.
func TestHostileRepository(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	const canary = "CANARY-6c1f"
	write("outside/canary.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "+strings.ToLower(canary)+"}\ndata: {a: "+canary+"}\n")
	for _, f := range txtar.Parse([]byte(hostileRepository)).Files {
		write(filepath.Join("repo", f.Name), string(f.Data))
	}
	repo := filepath.Join(top, "repo")
	t.Chdir(repo)
	for link, to := range map[string]string{"link.yaml": "../outside/canary.yaml", "deploy/dir": "../../outside", "deploy/file.yaml": "../../outside/canary.yaml", "deploy/pipe.yaml": "/dev/zero"} {
		if err := os.Symlink(filepath.FromSlash(to), link); err != nil {
			t.Skip(err)
		}
	}
	huge, err := os.Create(filepath.Join("deploy", "huge.yaml"))
	if err == nil {
		err = huge.Truncate(1 << 33)
	}
	if err != nil {
		t.Fatal(err)
	}
	huge.Close()
	if out, err := exec.Command("sh", "-c", `git init -q -b main && git config user.name a && git config user.email a@example.com && git add .threeway.yaml deploy/web.yaml k && git commit -qm one &&
		git config core.fsmonitor "touch $PWD/PWNED" && git config core.sshCommand "touch $PWD/PWNED" && git config diff.external "touch $PWD/PWNED" && printf 'a: c\n' >> deploy/web.yaml`).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	tree := func() string {
		var b strings.Builder
		_ = filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if info, _ := d.Info(); info != nil && !d.IsDir() && !strings.HasSuffix(file, filepath.FromSlash(".git/index")) {
				fmt.Fprintln(&b, file, info.Size(), info.Mode(), info.ModTime())
			}
			return err
		})
		return b.String()
	}
	before := tree()
	var answers []string
	for _, arguments := range []string{`{}`, `{"live":["own.json"]}`, `{"live":["link.yaml"]}`, `{"manifests":["deploy"]}`, `{"manifests":["deploy/web.yaml"],"base":"git:HEAD"}`, `{"manifests":["deploy/web.yaml"],"base":"git:--upload-pack=touch PWNED"}`, `{"manifests":["k/exec"]}`, `{"manifests":["deploy/dir"]}`} {
		for i, tool := range []string{"guard", "review", "drift"} {
			text, _ := said(agent(t, call(i, tool, arguments))[fmt.Sprint(i)])
			if answers = append(answers, text); strings.Contains(text, `"verdict":"allow"`) {
				t.Errorf("%s %s: %s", tool, arguments, text)
			}
		}
	}
	c := lspIn(t, repo, nil)
	for _, file := range []string{"deploy/web.yaml", ".threeway.yaml", "k/exec/kustomization.yaml", "deploy/file.yaml"} {
		text, _ := os.ReadFile(file)
		c.texts[file], c.versions[file] = string(text), 1
		document := map[string]any{"uri": c.uri(file)}
		c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(file), "languageId": "yaml", "version": 1, "text": string(text)}})
		for _, method := range []string{"hover", "documentLink", "codeLens", "documentSymbol", "definition", "completion"} {
			answer, _ := json.Marshal(c.call("textDocument/"+method, map[string]any{"textDocument": document, "position": map[string]any{"line": 3, "character": 12}}))
			if file != "deploy/file.yaml" { // which holds it, as the editor shows
				answers = append(answers, string(answer))
			}
		}
	}
	for _, text := range append(answers, c.said...) {
		if strings.Contains(text, canary) || strings.Contains(text, strings.ToLower(canary)) {
			t.Errorf("read outside: %s", text)
		}
	}
	if after := tree(); after != before {
		t.Errorf("files changed:\n%s\nafter:\n%s", before, after)
	}
}
