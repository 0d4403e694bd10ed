package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures"
)

// TestRecordedPrune holds the preview to what a real kubectl pruned, or
// refused to: the same objects, not one more or less, in both modes.
func TestRecordedPrune(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), "prune")
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, c := range cases {
		for i, a := range c.Answers {
			if a.Step.Verb != "run" || a.Want.Kubectl == "" || beyondPrune[strings.Join(a.Step.Args, " ")] != "" {
				continue
			}
			runs++
			t.Run(fmt.Sprintf("%s/%d", c.Name(), i+1), func(t *testing.T) { checkPrune(t, c, a) })
		}
	}
	if runs < 200 {
		t.Errorf("only %d recorded runs were checked", runs)
	}
}

// beyondPrune lists the runs that do not tell what threeway should answer.
var beyondPrune = map[string]string{
	"apply -f new.yaml --prune --all --force":                        "no rehearsal has --force",
	"apply -f new.yaml --prune --applyset=set --force -n default":    "no rehearsal has --force",
	"apply -f new.yaml --prune -l app=none":                          "without objects we name our own flags as the way out",
	"apply --prune --all":                                            "there is no -k to name",
	"apply -f new.yaml --prune -l app=shop -o name --dry-run=server": "kubectl's output does not tell which objects are pruned",
}

func checkPrune(t *testing.T, c *fixtures.Case, a fixtures.Answer) {
	command := a.Step.Args[0]
	args := caseArgs(t, c, a, map[string]string{"apply": "merge", "diff": "diff"}[command])
	if command == "apply" {
		args = append(args, "-o", "name")
	}
	var out, errs bytes.Buffer
	code := run(context.Background(), args, streams{strings.NewReader(""), &out, &errs})
	if code == exitInternal {
		t.Fatalf("%s: %s", a.Step.Args, &errs)
	}
	if message := errorOf(a.Want.Stderr); message != "" {
		if code == exitOK || !strings.Contains(withoutFiles(errs.String()), withoutFiles(message)) {
			t.Errorf("%s: exit %d with\n%swant\n%s", a.Step.Args, code, &errs, message)
		}
	}
	want := prunedBy(command, a.Want)
	if got := prunedIn(command, out.String()); !slices.Equal(got, want) {
		t.Errorf("%s: prunes %q, want %q\n%s", a.Step.Args, got, want, &errs)
	}
}

// caseArgs writes the files of a case and gives the command line that asks us
// what the step asks kubectl.
func caseArgs(t *testing.T, c *fixtures.Case, a fixtures.Answer, command string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range c.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	live := filepath.Join(dir, "live.yaml")
	if err := os.WriteFile(live, []byte(a.Live+serverMade), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"threeway", command, "--live", live}
	for _, f := range a.Step.Config() {
		args = append(args, "-f", filepath.Join(dir, f))
	}
	flags := a.Step.Flags()[1:]
	for i := 0; i < len(flags); i++ {
		if flags[i] == "-o" {
			i++
		} else if !strings.HasPrefix(flags[i], "--dry-run") {
			args = append(args, flags[i])
		}
	}
	return args
}

// prunedBy lists what kubectl pruned, as it names objects in its output, or
// as kubectl diff names files.
func prunedBy(command string, want fixtures.Want) []string {
	if command == "apply" && len(want.Deleted) > 0 && !strings.Contains(want.Output, " pruned") {
		var list []string // -o yaml and the like
		for _, d := range want.Deleted {
			resource, group, _ := strings.Cut(d.Resource, ".")
			if group != "" {
				group = "." + group
			}
			list = append(list, strings.TrimSuffix(resource, "s")+group+"/"+d.Name)
		}
		slices.Sort(list)
		return list
	}
	return prunedIn(command, want.Output)
}

var (
	prunedLine = regexp.MustCompile(`(?m)^(\S+) pruned`)
	goneFile   = regexp.MustCompile(`(?m)^\+\+\+ MERGED/(\S+).*\n@@ -\S+ \+0,0 @@`)
)

func prunedIn(command, output string) []string {
	pattern := prunedLine
	if command == "diff" {
		pattern = goneFile
	}
	var list []string
	for _, m := range pattern.FindAllStringSubmatch(output, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return list
}

// errorOf is the error among the lines that kubectl writes to stderr.
func errorOf(stderr string) string {
	for _, line := range strings.Split(stderr, "\n") {
		if message, ok := strings.CutPrefix(line, "error: "); ok {
			return message
		}
	}
	return ""
}

func withoutFiles(s string) string {
	return regexp.MustCompile(`"[^"\s]*\.yaml"`).ReplaceAllString(s, `"FILE"`)
}
