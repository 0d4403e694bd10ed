package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitRunsNothing reads a partial clone that lacks an object and whose
// configuration names programs wherever git takes one: none runs.
func TestGitRunsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir, trap := t.TempDir(), filepath.Join(t.TempDir(), "PWNED")
	plain := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
		return strings.TrimSpace(string(out))
	}
	plain("init", "-q")
	file := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(file, []byte("kind: ConfigMap\nname: gone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* diff=x filter=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain("add", ".")
	plain("commit", "-qm", "1")
	blob := plain("rev-parse", "HEAD:a.yaml")
	plain("rm", "-q", "a.yaml")
	plain("commit", "-qm", "2")
	if err := os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	program := "touch " + trap
	for key, value := range map[string]string{
		"core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": "ext::" + program, "remote.origin.promisor": "true",
		"protocol.ext.allow": "always", "core.fsmonitor": program, "core.sshCommand": program, "core.pager": program, "diff.external": program,
		"diff.x.command": program, "diff.x.textconv": program, "filter.x.smudge": program, "credential.helper": "!" + program, "gpg.program": program, "log.showSignature": "true",
	} {
		plain("config", key, value)
	}
	for _, args := range [][]string{
		{"log", "-n1", "--format=%h", "--name-only", "--no-ext-diff", "--no-textconv", "-S", "name: gone"},
		{"cat-file", "blob", "HEAD~1:a.yaml"}, {"cat-file", "--batch"}, {"ls-tree", "-r", "HEAD~1"}, {"rev-parse", "--verify", "HEAD"},
	} {
		_, _ = git(t.Context(), dir, blob+"\n", args...)
		if _, err := os.Stat(trap); err == nil {
			t.Fatalf("git %v has run a program of the configuration", args)
		}
	}
}
