package command

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/command/request"
	"threeway/command/run"
)

// canary is part of every value that must not be seen, and in generated ones canaryEnd
// follows it.
const (
	canary    = "CANARY"
	canaryEnd = "QZJX"
)

// sightings are the texts by which a canary is known: each half of it, in small letters
// and reversed too, and its base64 at each of the three places it may have among the
// bytes.
func sightings() (list []string) {
	for _, half := range []string{canary, canaryEnd} {
		reversed := []byte(half)
		slices.Reverse(reversed)
		list = append(list, half, strings.ToLower(half), string(reversed), hex.EncodeToString([]byte(half)))
		for shift := range 3 {
			text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + half))
			list = append(list, text[[]int{0, 2, 3}[shift]:len(text)-1])
		}
	}
	return list
}

// canaryCommands is every command in every format, without -f and --live.
func canaryCommands() map[string][]string {
	commands := map[string][]string{}
	add := func(words string) { commands[words] = strings.Fields(words) }
	for _, format := range request.Formats["diff"] {
		add("diff -o " + format)
		add("diff --server-side --show-managed-fields -U 100 --color always -o " + format)
		add("diff --prune=all -o " + format)
	}
	for _, format := range request.Formats["merge"] {
		add("merge -o " + format)
		add("merge --overwrite=false -o " + format)
		add("merge --server-side --migrate --show-managed-fields -o " + format)
		add("merge --server-side --force-conflicts --validate ignore -o " + format)
		add("merge --then config.yaml -o " + format)
	}
	const release = " --applier helm --release shop/shop -o "
	for _, format := range request.Formats["diff"] {
		add("diff --show-managed-fields" + release + format)
		add("diff --server-side=true --force-conflicts" + release + format)
		add("diff --rollback 1" + release + format)
	}
	for _, format := range request.Formats["lint"] {
		add("review" + release + format)
		add("lint -v" + release + format)
	}
	for _, by := range []string{" --applier argocd -o ", " --applier argocd --server-side --prune -o ", " --applier flux -o "} {
		for _, format := range request.Formats["diff"] {
			add("diff --show-managed-fields -U 100" + by + format)
		}
		for _, format := range request.Formats["lint"] {
			add("review" + by + format)
		}
		for _, format := range request.Formats["merge"] {
			add("merge --show-managed-fields" + by + format)
		}
	}
	for _, by := range []string{release, " --server-side" + release, " --applier argocd -o ", " --applier argocd --server-side -o ", " --applier flux -o "} {
		for _, format := range []string{"text", "json"} {
			add("owners" + by + format)
			add("drift" + by + format)
			add("drift --live live.yaml" + by + format)
		}
	}
	for _, to := range []string{"kubectl", "kubectl --server-side --force-conflicts", "helm --release shop/shop --take-ownership --force-conflicts", "argocd", "flux", "flux --override-manager vault"} {
		add("handover --to " + to)
		add("handover -o json --to " + to)
	}
	add("drift --live live.yaml")
	add("drift --live live.yaml --last-applied config.yaml -o json")
	add("merge --show-managed-fields" + release + "patch")
	add("merge --rollback 1" + release + "yaml")
	for _, format := range request.Formats["lint"] {
		add("lint -v -o " + format)
		add("lint --server-side --prune=all -o " + format + "=out/report")
		add("upgrade --to 1.37 --kubernetes-version 1.30 -o " + format)
		add("review -o " + format)
		add("review --server-side -o " + format)
		add("review --prune=all -v -o " + format)
	}
	for _, words := range []string{"", " --explain", " --server-side --prune=all", " --base live.yaml --explain"} {
		add("guard" + words)
	}
	for _, format := range []string{"text", "json"} {
		add("owners -o " + format)
		add("owners --server-side -o " + format)
	}
	const env = "Deployment/api spec.template.spec.containers[name=web].env"
	for _, field := range []string{"Secret/db data.password", "Secret/db data.user", "Secret/db data.kept", "Secret/db stringData.token",
		env + "[name=DB_PASSWORD].value", env + "[name=NEW_TOKEN]", env, "ConfigMap/settings data.a", "ConfigMap/served data.b", "ConfigMap/served data.d"} {
		add("handover " + field)
		add("handover " + field + " --server-side --field-manager vault")
	}
	for _, format := range []string{"text", "json"} {
		add("owners -f live.yaml -o " + format)
		add("drift -o " + format)
		add("drift --ignore-manager nobody -o " + format)
	}
	add("review -o html")
	add("review --server-side --prune=all -o html=out/page.html")
	for _, base := range []string{"--base live.yaml", "--base base"} {
		add("diff -o fields " + base)
		add("merge -o json " + base)
		add("review -o html " + base)
		add("lint -o json " + base)
	}
	add("adopt")
	add("adopt --keep-defaults --without-manager nobody -o out/adopted")
	add("adopt --last-applied")
	add("adopt --per-app -o out/adopted")
	add("externally diff")
	add("externally diff --show-managed-fields --prune=all")
	add("lint --fix=diff")
	add("lint -o baseline=out/baseline")
	add("snapshot")
	add("snapshot commands -o script")
	add("snapshot commands -o rbac")
	add("snapshot check -o text")
	add("snapshot check -o json")
	add("snapshot redact -o out/redacted")
	add("snapshot pack -o out/packed.yaml")
	add("adopt")
	add("adopt --last-applied")
	add("adopt -o out/adopted")
	add("config init")
	add("config verify")
	return commands
}

// TestCanaries runs every command in every format over Secrets of every shape,
// right and wrong, and finds none of their values on stdout, on stderr or in a
// file. It does one of 160 runs, in .ci/run one of eight, and with THREEWAY_MATRIX=all all.
func TestCanaries(t *testing.T) {
	t.Setenv("THREEWAY_DEBUG", "1")
	commands := canaryCommands()
	runs := 0
	for _, shape := range canaryShapes(t) {
		t.Run(shape.name, func(t *testing.T) {
			given := unpack(t, shape.archive)
			for _, name := range slices.Sorted(maps.Keys(commands)) {
				if !sampled(shape.name, name, 160) {
					continue
				}
				runs++
				shown := canaryRun(t, commands[name], given)
				for _, sign := range sightings() {
					if i := strings.Index(shown, sign); i >= 0 {
						t.Errorf("threeway %s shows a secret: …%q…", name, shown[max(0, i-80):min(len(shown), i+80)])
						break
					}
				}
			}
		})
	}
	t.Logf("%d runs", runs)
}

// TestOwnRulesPrint: the rules that look for secrets compile, and print.
func TestOwnRulesPrint(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/canary/own-rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	shown := canaryRun(t, []string{"lint", "--prune", "--all"}, unpack(t, archive))
	for _, name := range []string{"object", "oldobject", "live", "manifest", "lastapplied", "patch"} {
		if !regexp.MustCompile(`=\*\*\*.*\[prints-` + name + `\]`).MatchString(shown) {
			t.Errorf("%s is not printed: %s", name, shown)
		}
		if !strings.Contains(shown, "[fails-on-"+name+"]") {
			t.Errorf("nothing fails with %s", name)
		}
	}
}

// TestCanaryCommands: no command that reads objects is left out.
func TestCanaryCommands(t *testing.T) {
	commands := canaryCommands()
	for _, c := range newApp(&run.Program{}).Commands {
		switch c.Name {
		case "rules", "explain", "version", "completion", "mcp": // whose tools run other commands
			continue
		case "lsp": // TestLSPCanaries
			continue
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(commands)), func(words []string) bool { return slices.Contains(words, c.Name) }) {
			t.Errorf("nothing looks for secrets in what %s prints", c.Name)
		}
	}
}

// TestCanariesShown: with --show-secrets there are some.
func TestCanariesShown(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/canary/values.txtar")
	if err != nil {
		t.Fatal(err)
	}
	given := unpack(t, archive)
	for _, words := range []string{"diff", "diff -o json", "merge", "merge -o patch", "externally diff"} {
		shown := canaryRun(t, append(strings.Fields(words), "--show-secrets"), given)
		if !slices.ContainsFunc(sightings(), func(sign string) bool { return strings.Contains(shown, sign) }) {
			t.Errorf("threeway %s --show-secrets shows no secret:\n%s", words, shown)
		}
	}
}

// unpack writes the files of an archive, and live.yaml as the base directory too,
// into a directory that becomes the working directory. It returns their names.
func unpack(t *testing.T, archive *txtar.Archive) []string {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range []string{"base", "out"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var given []string
	write := func(name string, data []byte) {
		given = append(given, name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range archive.Files {
		write(f.Name, f.Data)
		if f.Name == "live.yaml" {
			write("base/live.yaml", f.Data)
		}
	}
	return given
}

// canaryRun runs a command over the files that are given, and returns all that
// came of it: stdout, stderr and new files, which it removes.
func canaryRun(t *testing.T, words, given []string) string {
	t.Helper()
	program := ""
	if words[0] == "externally" { // a program that prints all of what it is given to compare
		program, words = `sh -c 'grep -r . "$0" "$1"'`, words[1:]
	}
	t.Setenv("KUBECTL_EXTERNAL_DIFF", program)
	args := append([]string{"threeway"}, words...)
	switch words[0] {
	case "config":
	case "snapshot":
		if len(words) > 1 && words[1] == "diff" {
			break
		}
		args = append(args, "--live", "live.yaml")
		if len(words) < 2 || words[1] != "redact" && words[1] != "pack" {
			args = slices.Insert(args, len(args)-2, "-f", "config.yaml")
		}
		if len(words) < 2 || words[1] == "commands" {
			args = args[:len(args)-2]
		}
	case "adopt":
		args = append(args, "-f", "live.yaml")
	case "owners":
		if !slices.Contains(words, "-f") {
			args = append(args, "-f", "config.yaml", "--live", "live.yaml")
		}
	case "drift":
		if slices.Contains(words, "--live") {
			break
		}
		args = append(args, "-f", "config.yaml", "--live", "live.yaml")
	default:
		if slices.Contains(words, "--rollback") {
			args = append(args, "--live", "live.yaml")
			break
		}
		if slices.Contains(words, "--base") {
			args = append(args, "-f", "config.yaml")
			break
		}
		args = append(args, "-f", "config.yaml", "--live", "live.yaml", "--last-applied", "applied.yaml")
		if !slices.Contains(given, "applied.yaml") {
			args = args[:len(args)-2]
		}
	}
	var out, messages bytes.Buffer // an external program writes to both at once
	Run(context.Background(), args, strings.NewReader(""), &out, &messages)
	out.Write(messages.Bytes())
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains(given, path) {
			return err
		}
		data, err := os.ReadFile(path)
		out.WriteString("\n== " + path + "\n" + string(data))
		return errors.Join(err, os.Remove(path))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll("out/adopted"); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
