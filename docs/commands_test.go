package docs_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/command"
)

var (
	fenced   = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	inline   = regexp.MustCompile("`(threeway [^`\n]+)`")
	ofCalled = regexp.MustCompile(`\bthreeway((?: [a-z]+)+)([^|&;#\n]*)`)
	quoted   = regexp.MustCompile(`'[^']*'`)
	aFlag    = regexp.MustCompile(` (--?[a-zA-Z][a-z-]*)`)
	listed   = regexp.MustCompile(`(?m)^ +(-.*?)(?:  |$)`)
)

// TestFlagsOnPages: each flag of a command on a page, in a block or in a line, is one that
// the command has.
func TestFlagsOnPages(t *testing.T) {
	known := map[string][]string{} // what --help-all lists
	flags := func(words string) (name string, list []string) {
		for name = words; name != ""; name = name[:max(0, strings.LastIndexByte(name, ' '))] {
			if _, ok := known[name]; !ok {
				var out bytes.Buffer
				command.Run(context.Background(), append([]string{"threeway"}, append(strings.Fields(name), "--help-all")...), nil, &out, &out)
				known[name] = nil
				if called := strings.HasPrefix(name, "explain ") || strings.Contains(out.String(), "\n  threeway "+name+" ") || strings.Contains(out.String(), "\n  threeway "+name+"\n"); called {
					for _, m := range listed.FindAllStringSubmatch(out.String(), -1) {
						for _, f := range aFlag.FindAllStringSubmatch(" "+m[1], -1) {
							known[name] = append(known[name], f[1])
						}
					}
					known[name] = append(known[name], "--help", "--help-all", "--no-pager")
				}
			}
			if known[name] != nil {
				return name, known[name]
			}
		}
		return "", nil
	}
	seen := 0
	for _, page := range append(pagesOf(t), "README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SECURITY.md") {
		for where, text := range codeOf(t, page) {
			for _, m := range ofCalled.FindAllStringSubmatch(quoted.ReplaceAllString(text, ""), -1) {
				name, list := flags(strings.TrimSpace(m[1]))
				for _, f := range aFlag.FindAllStringSubmatch(m[2], -1) {
					seen++
					if name != "" && !slices.Contains(list, f[1]) {
						t.Errorf("%s: threeway %s has no flag %s: %s", where, name, f[1], m[0])
					}
				}
			}
		}
	}
	if seen < 250 {
		t.Errorf("only %d flags were seen", seen)
	}
}

// codeOf are the lines of blocks and the code within lines of a page, by their places.
func codeOf(t *testing.T, page string) map[string]string {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	add := func(at int, text string) {
		where := fmt.Sprintf("%s:%d", page, 1+bytes.Count(data[:at], []byte("\n")))
		list[where] += text + "\n"
	}
	for _, m := range fenced.FindAllSubmatchIndex(data, -1) {
		add(m[4], strings.ReplaceAll(string(data[m[4]:m[5]]), "\\\n", ""))
	}
	for _, m := range inline.FindAllSubmatchIndex(data, -1) {
		add(m[2], string(data[m[2]:m[3]]))
	}
	return list
}

// cannot are the errors of commands that need more than the repository of the test has:
// what Helm, Argo CD and Flux store in a cluster.
var cannot = regexp.MustCompile(`the snapshot has no |neither the snapshot nor the manifests have|--rollback needs|has no kustomization.yaml|has not been applied server-side`)

// TestCommandsOnPages: the commands of threeway in the blocks of the pages run, in a
// repository with the files that the pages name.
func TestCommandsOnPages(t *testing.T) {
	for _, program := range []string{"git", "tar", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	shop := shopWith(t)
	ran, excused := 0, 0
	for _, page := range append(pagesOf(t), "README.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		dir := ""
		for _, m := range fenced.FindAllSubmatch(data, -1) {
			if language := string(m[1]); language != "sh" && language != "" {
				continue
			}
			for line := range strings.Lines(strings.ReplaceAll(string(m[2]), "\\\n", "")) {
				line, prompt := strings.CutPrefix(line, "$ ")
				if !prompt && string(m[1]) != "sh" || !ofCalled.MatchString(line) || strings.HasPrefix(line, " ") || strings.Contains(line, "lsp") || strings.Contains(line, "cherry-pick") {
					continue
				}
				if dir == "" {
					dir = t.TempDir()
					if err := os.CopyFS(dir, os.DirFS(shop)); err != nil {
						t.Fatal(err)
					}
				}
				for file, word := range map[string]string{".threeway.yaml": "config init", "deploy": "adopt"} {
					if strings.Contains(line, word) { // which write it
						_ = os.RemoveAll(filepath.Join(dir, "repo", file))
					}
				}
				cmd := exec.Command("sh", "-c", line)
				cmd.Dir = filepath.Join(dir, "repo")
				cmd.Stdin = strings.NewReader("")
				cmd.Env = append(os.Environ(), asThreeway+"=1", "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "THREEWAY_KEY=", "BASE=HEAD", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
				out, err := cmd.CombinedOutput()
				if strings.Contains(line, "&& rm ") {
					dir = "" // the next line has all files again
				}
				switch code := cmd.ProcessState.ExitCode(); {
				case err == nil, code == 1, code > 1 && code < 4 && strings.Contains(line, "threeway guard") && !bytes.Contains(out, []byte("The run failed")):
					ran++
				case cannot.Match(out):
					excused++
				default:
					t.Errorf("%s: exit code %d of %s%s", page, code, line, out)
				}
			}
		}
	}
	t.Logf("%d commands run, %d need what this repository does not have", ran, excused)
	if ran < 60 {
		t.Errorf("only %d commands run", ran)
	}
}

// shopWith makes the repository that the pages speak of, in the folder repo of another one.
func shopWith(t *testing.T) string {
	dir := t.TempDir()
	put := func(name, text string, mode fs.FileMode) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	web := strings.NewReplacer("\nspec:\n", "\n  labels: {app: shop}\nspec:\n  replicas: 3\n").Replace(read("fixtures/example/config/deployment.yaml"))
	config, live := read("fixtures/example/config/configmap.yaml"), strings.Replace(read("fixtures/example/live.yaml"), `"minReadySeconds":5,`, `"minReadySeconds":5,"replicas":3,`, 1)
	for _, folder := range []string{"repo/deploy", "repo/v1", "repo/v2", "repo/v3", "repo/rendered", "repo/base", "main/deploy"} {
		put(folder+"/web.yaml", web, 0o644)
		put(folder+"/configmap.yaml", config, 0o644)
	}
	for _, file := range []string{"snapshot.yaml", "snapshots/prod.yaml", "staging.yaml", "eu.yaml", "us.yaml", "old.yaml", "new.yaml", "prod.yaml", "dump/live.yaml", "exports/live.yaml"} {
		put("repo/"+file, live, 0o644)
	}
	put("repo/new.yaml", web, 0o644)
	for _, file := range []string{"argocd.yaml", "kustomizations.yaml", "helmreleases.yaml"} {
		put("repo/"+file, "apiVersion: v1\nkind: List\nitems: []\n", 0o644)
	}
	put("repo/clusters/prod/shop.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: shop}\nspec: {interval: 1h, chart: {spec: {chart: shop, sourceRef: {kind: HelmRepository, name: shop}}}}\n", 0o644)
	_, service, _ := strings.Cut(read("README.md"), "$ cat service.yaml\n")
	service, _, _ = strings.Cut(service, "$ ")
	put("repo/service.yaml", service, 0o644)
	put("repo/base/kustomization.yaml", "resources: [web.yaml, configmap.yaml]\n", 0o644)
	for _, overlay := range []string{"dev", "prod", "production"} {
		put("repo/overlays/"+overlay+"/kustomization.yaml", "resources: [../../base]\n", 0o644)
	}
	put("repo/chart/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n", 0o644)
	put("repo/key", strings.Repeat("key ", 10), 0o600)
	put("repo/.threeway.yaml", "version: 1\nmanifests: [deploy/]\nlive: [snapshots/]\npolicies: [policies/]\n", 0o644)
	for _, m := range ruleBlock.FindAllStringSubmatch(read("docs/own-rules.md"), -1) {
		put("repo/"+m[1], m[2], 0o644)
	}
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rendered := "#!/bin/sh\nwhile IFS= read -r line; do printf '%s\\n' \"$line\"; done <<'EOF'\n" + web + "---\n" + config + "EOF\n"
	put("bin/threeway", "#!/bin/sh\nexec '"+me+"' \"$@\"\n", 0o755)
	put("bin/helm", rendered, 0o755)
	put("bin/kubectl", strings.Replace(rendered, "\n", "\n[ \"$1\" = kustomize ] || exit 0\n", 1), 0o755)
	put("bin/sops", "#!/bin/sh\nexit 1\n", 0o755)
	script := "tar czf eu.tgz dump && for f in us monday tuesday; do cp eu.tgz $f.tgz; done && cp eu.tgz must-gather.tar.gz && git init -q --template= && git add . && git -c user.name=a -c user.email=a@example.com commit -qm a && git update-ref refs/remotes/origin/main HEAD && git branch -qf main && git rev-parse HEAD >.git/FETCH_HEAD && git repack -adq"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = filepath.Join(dir, "repo")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}
