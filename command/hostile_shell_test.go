package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commandLines runs what is printed to be run.
type commandLines struct {
	t    *testing.T
	seen map[string]bool
}

// standIns are functions that write down their arguments, of the programs that we
// print command lines of.
const standIns = `
record() { printf '%s\000' "$@" >&9; printf '\001\000' >&9; }
kubectl() { record kubectl "$@"; }
helm() { record helm "$@"; }
git() { record git "$@"; }
flux() { record flux "$@"; }
argocd() { record argocd "$@"; }
sops() { record sops "$@"; }
threeway() { record threeway "$@"; }
`

// commandBegins is where a command line begins in a text.
var commandBegins = regexp.MustCompile(`\b(kubectl|helm|flux|argocd|sops|threeway) (apply|edit|delete|get|patch|label|annotate|rollout|wait|kustomize|template|upgrade|rollback|decrypt|resume|reconcile|app|review|lint|diff|handover|snapshot) `)

// ourOptions are those that we print.
var ourOptions = regexp.MustCompile(`^-([A-Zfnolpkc]|-(type|cascade|for|overwrite|server-side|field-manager|force-conflicts|prune|all|selector|show-managed-fields|applier|helmrelease|kustomization|app|release|chart|live|base|namespace|install|take-ownership|rollback-on-failure|history-max|ignore-not-found|last-applied|prune-allowlist|applyset|create-annotation|version|reset-values|reuse-values|values|set|encrypted-regex|sops|with-source|show-secrets|verbs|no-headers|dry-run|validate|overwrite|sync|force|hard|prune-last|grace-period|wait|timeout|now|recursive|context|kubernetes-version|to|output|file|subresource|raw|save-config|fix|steps)(=.*)?|-)?,?\.?\)?$`)

// withValue are options whose value is the next word.
var withValue = []string{"-n", "-l", "-f", "-p", "--release", "--live", "--chart"}

// runAll runs each line of the texts from where a command line begins, in a folder
// that must stay empty, and looks at the ourOptions that the programs get.
func (c *commandLines) runAll(texts []string, args []string) {
	c.t.Helper()
	var lines []string
	for _, text := range texts {
		for _, line := range strings.Split(text, "\n") {
			for _, at := range commandBegins.FindAllStringIndex(line, -1) {
				if one := colorSequence.ReplaceAllString(line[at[0]:], ""); !c.seen[one] && !strings.Contains(one, "\x00") {
					c.seen[one] = true
					lines = append(lines, one)
				}
			}
		}
	}
	if lines == nil {
		return
	}
	dir, record := c.t.TempDir(), filepath.Join(c.t.TempDir(), "record")
	cmd := exec.Command("sh", append([]string{"-c", "exec 9>" + record + "\n" + standIns + `for line; do (eval "$line") </dev/null >/dev/null 2>&1; done`, "sh"}, lines...)...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"}
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		c.t.Errorf("%v", err)
	}
	if made := madeIn(dir); len(made) > 0 {
		c.t.Errorf("%.300q print commands that make %s: %.2000q", args, made[0], lines)
	}
	data, _ := os.ReadFile(record)
	for _, call := range strings.Split(string(data), "\x00\x01\x00") {
		words := strings.Split(strings.Trim(call, "\x00"), "\x00")
		if end := slices.Index(words, "--"); end >= 0 {
			words = words[:end]
		}
		for i, word := range words {
			if i > 0 && slices.Contains(withValue, words[i-1]) {
				continue
			}
			if strings.HasPrefix(word, "-") && len(word) > 1 && !ourOptions.MatchString(word) {
				c.t.Errorf("%.300q print a command with the option %.80q: %.300q", args, word, words)
			}
		}
	}
}

// script runs a whole script in a folder that gets the snapshot and nothing else.
func (c *commandLines) script(text string) string {
	if text == "" || strings.HasPrefix(text, "apiVersion") {
		return ""
	}
	dir := c.t.TempDir()
	cmd := exec.Command("sh", "-c", "exec 9>/dev/null\n"+standIns+text)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"}
	_ = cmd.Run()
	if made := madeIn(dir); made != nil {
		return "the script makes " + made[0]
	}
	return ""
}

// madeIn are the files of a folder, but the snapshot, which commands of ours write.
func madeIn(dir string) (names []string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if f.Name() != "snapshot.yaml" {
			names = append(names, f.Name())
		}
	}
	return names
}
