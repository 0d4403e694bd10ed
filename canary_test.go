package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	lintreport "threeway/lint/report"
	"threeway/merge/report"
)

// canary is part of every value that must not be seen.
const canary = "CANARY"

// sightings are the texts by which a canary is known: itself, and its base64
// at each of the three places it may have among the bytes.
func sightings() []string {
	list := []string{canary}
	for shift := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + canary))
		list = append(list, text[[]int{0, 2, 3}[shift]:len(text)-1])
	}
	return list
}

// canaryCommands is every command in every format, without -f and --live.
func canaryCommands() map[string][]string {
	commands := map[string][]string{}
	add := func(words string) { commands[words] = strings.Fields(words) }
	for _, format := range report.Formats() {
		add("diff -o " + format)
		add("diff --server-side --explain --show-managed-fields -U 100 --color always -o " + format)
		add("diff --prune --all -o " + format)
	}
	for format := range mergeWriters {
		add("merge -o " + format)
		add("merge --overwrite=false -o " + format)
		add("merge --server-side --migrate --show-managed-fields -o " + format)
		add("merge --server-side --force-conflicts --validate ignore -o " + format)
		add("merge --then config.yaml -o " + format)
	}
	for _, format := range lintreport.Formats() {
		add("lint --show-suppressed -o " + format)
		add("lint --server-side --prune --all -o " + format + "=out/report")
		add("review --explain --show-managed-fields -o " + format)
		add("review --server-side -o " + format)
		add("review --prune --all --no-suppressions -o " + format)
	}
	for _, format := range []string{"text", "json"} {
		add("owners -o " + format)
		add("owners --server-side -o " + format)
		add("drift -o " + format)
		for _, field := range []string{"data.password", "data.user", "data.kept", "stringData.token"} {
			add("handover Secret/db " + field + " --to-writer -o " + format)
			add("handover Secret/db " + field + " --to-config -o " + format)
			add("handover Secret/db " + field + " --to-config --server-side --field-manager vault -o " + format)
		}
	}
	add("KUBECTL_EXTERNAL_DIFF=showdirs diff")
	add("lint --fix-dry-run")
	add("lint --write-baseline out/baseline")
	add("snapshot")
	add("snapshot commands -o script")
	add("snapshot commands -o rbac")
	add("snapshot check -o text")
	add("snapshot check -o json")
	add("snapshot redact -o out/redacted")
	add("adopt")
	add("adopt --last-applied")
	add("adopt -o out/adopted")
	add("config init")
	add("config verify")
	return commands
}

// TestCanaries runs every command in every format over Secrets of every shape,
// right and wrong, and finds none of their values on stdout, on stderr or in a
// file.
func TestCanaries(t *testing.T) {
	t.Setenv("THREEWAY_DEBUG", "1")
	cases, err := filepath.Glob("testdata/canary/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	commands := canaryCommands()
	for _, file := range cases {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			for _, name := range slices.Sorted(maps.Keys(commands)) {
				shown := canaryRun(t, commands[name], archive)
				for _, sign := range sightings() {
					if i := strings.Index(shown, sign); i >= 0 {
						t.Errorf("threeway %s shows a secret: …%q…", name, shown[max(0, i-80):min(len(shown), i+80)])
						break
					}
				}
			}
		})
	}
}

// TestCanariesShown: with --show-secrets there are some.
func TestCanariesShown(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/canary/values.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"diff", "diff -o json", "merge", "merge -o patch", "KUBECTL_EXTERNAL_DIFF=showdirs diff"} {
		shown := canaryRun(t, append(strings.Fields(words), "--show-secrets"), archive)
		if !slices.ContainsFunc(sightings(), func(sign string) bool { return strings.Contains(shown, sign) }) {
			t.Errorf("threeway %s --show-secrets shows no secret:\n%s", words, shown)
		}
	}
}

// canaryRun runs a command over config.yaml and live.yaml of the archive, and
// returns all that came of it: stdout, stderr and the files.
func canaryRun(t *testing.T, words []string, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	given := map[string]string{}
	for _, f := range archive.Files {
		given[f.Name] = string(f.Data)
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("out", 0o700); err != nil {
		t.Fatal(err)
	}
	program, external := strings.CutPrefix(words[0], "KUBECTL_EXTERNAL_DIFF=")
	if external {
		words = words[1:]
	} else {
		program = ""
	}
	t.Setenv("KUBECTL_EXTERNAL_DIFF", program)
	args := append([]string{"threeway"}, words...)
	switch words[0] {
	case "config":
	case "snapshot":
		args = append(args, "--live", "live.yaml")
		if len(words) < 2 || words[1] != "redact" {
			args = slices.Insert(args, len(args)-2, "-f", "config.yaml")
		}
		if len(words) < 2 || words[1] == "commands" {
			args = args[:len(args)-2]
		}
	case "adopt":
		args = append(args, "-f", "live.yaml")
	case "owners":
		args = append(args, "-f", "config.yaml", "--live", "live.yaml")
	default:
		args = append(args, "-f", "config.yaml", "--live", "live.yaml", "--last-applied", "applied.yaml")
		if _, ok := given["applied.yaml"]; !ok {
			args = args[:len(args)-2]
		}
	}
	var out bytes.Buffer
	run(context.Background(), args, streams{strings.NewReader(""), &out, &out})
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && given[path] != string(data) {
			out.WriteString("\n== " + path + "\n" + string(data))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
