package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threeway/merge/manifest"
)

// pitfall is a repository whose configuration names a program, in PROGRAM, and a
// command that runs it unless the guards are there.
type pitfall struct {
	guards []string
	config map[string]string
	args   []string
}

var pitfalls = map[string]pitfall{
	"file system monitor": {[]string{"core.fsmonitor=false"}, map[string]string{"core.fsmonitor": "PROGRAM"}, []string{"status"}},
	"hooks":               {[]string{"core.hooksPath=" + os.DevNull, "--no-optional-locks"}, map[string]string{"core.hooksPath": "HOOKS"}, []string{"status"}},
	"signatures":          {[]string{"log.showSignature=false"}, map[string]string{"log.showSignature": "true", "gpg.program": "PROGRAM"}, []string{"log", "-n1", "SIGNED"}},
	"external diff":       {[]string{"diff.external="}, map[string]string{"diff.external": "PROGRAM"}, []string{"diff", "HEAD~1"}},
	"fetching": {[]string{"protocol.allow=never", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1"}, map[string]string{
		"core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": "ext::PROGRAM", "remote.origin.promisor": "true", "protocol.ext.allow": "always",
	}, []string{"cat-file", "blob", "MISSING"}},
	"fetching by ssh": {[]string{"protocol.allow=never", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "core.sshCommand=false"}, map[string]string{
		"core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": "ssh://x/y", "remote.origin.promisor": "true", "core.sshCommand": "PROGRAM",
	}, []string{"cat-file", "blob", "MISSING"}},
	"text of binaries": {[]string{"--no-textconv"}, map[string]string{"diff.x.textconv": "PROGRAM"}, nil}, // LastFile itself
	"an alias":         {nil, map[string]string{"alias.log": "!PROGRAM", "alias.status": "!PROGRAM"}, []string{"log", "-n1"}},
}

// unneeded are guards that no pitfall is about.
var unneeded = map[string]string{
	"--no-pager": "a terminal only", "credential.helper=": "nothing is fetched", "core.warnAmbiguousRefs=true": "a warning", "diff.ignoreSubmodules=all": "the diff of a submodule",
	"LC_ALL=C": "words", "GIT_NO_REPLACE_OBJECTS=1": "objects: trust-around.txtar", "GIT_TERMINAL_PROMPT=0": "a terminal only",
}

// TestGitRunsNothing: each pitfall runs its program by git as it is, and does not with our
// guards, each of which is one that would fail here if it were taken out.
func TestGitRunsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	all := guards
	for _, g := range slices.Concat(all.options, all.variables) {
		needed := unneeded[g] != "" || g == "-c"
		for _, p := range pitfalls {
			needed = needed || slices.Contains(p.guards, g)
		}
		if !needed {
			t.Errorf("no pitfall is about the guard %s", g)
		}
	}
	for name, p := range pitfalls {
		t.Run(name, func(t *testing.T) {
			dir, ran := t.TempDir(), filepath.Join(t.TempDir(), "PWNED")
			repository := trapped(t, dir, ran, p)
			run := func() bool {
				if p.args == nil {
					_, _ = LastFile(t.Context(), dir)(&manifest.Entry{Name: "gone"})
				} else {
					_, _ = git(t.Context(), dir, repository(p.args)...)
				}
				_, err := os.Stat(ran)
				_ = os.Remove(ran)
				return err == nil
			}
			if run() {
				t.Error("a program of the configuration runs")
			}
			defer func() { guards = all }()
			without := func(list []string) (kept []string) {
				for _, g := range list {
					if slices.Contains(p.guards, g) {
						if n := len(kept); n > 0 && kept[n-1] == "-c" {
							kept = kept[:n-1]
						}
						continue
					}
					kept = append(kept, g)
				}
				return kept
			}
			guards.options, guards.variables = without(all.options), without(all.variables)
			if p.args == nil {
				plain := exec.Command("git", "-C", dir, "log", "-n1", "-S", "name: gone")
				_ = plain.Run()
				if _, err := os.Stat(ran); err != nil {
					t.Error("git as it is does not run the program either")
				}
			} else if run() != (p.guards != nil) {
				t.Errorf("without %q the program runs: %v", p.guards, p.guards == nil)
			}
		})
	}
}

// ago is the time of a file that the index has with another.
var ago = time.Now().Add(-time.Hour)

// trapped makes a repository with a file that the second commit removes. What it returns
// puts the objects of it into arguments.
func trapped(t *testing.T, dir, ran string, p pitfall) func([]string) []string {
	program, hooks := filepath.Join(t.TempDir(), "program"), t.TempDir()
	save := func(file, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	save(program, "#!/bin/sh\ntouch '"+ran+"'\n", 0o700)
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"} {
		save(filepath.Join(hooks, hook), "#!/bin/sh\ntouch '"+ran+"'\n", 0o700)
	}
	plain := func(input string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
		return strings.TrimSpace(string(out))
	}
	plain("", "init", "-q")
	save(filepath.Join(dir, "a.yaml"), "kind: ConfigMap\nname: gone\n", 0o600)
	save(filepath.Join(dir, "b.yaml"), "kind: ConfigMap\nname: here\n", 0o600)
	save(filepath.Join(dir, ".gitattributes"), "* diff=x filter=x\n", 0o600)
	plain("", "add", ".")
	plain("", "commit", "-qm", "1")
	plain("", "rm", "-q", "a.yaml")
	plain("", "commit", "-qm", "2")
	commit, _, _ := strings.Cut(plain("", "cat-file", "commit", "HEAD"), "\n\n")
	signed := plain(commit+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n", "hash-object", "-t", "commit", "-w", "--stdin")
	save(filepath.Join(dir, "b.yaml"), "kind: ConfigMap\nname: here\n", 0o600) // its time is newer than the index
	if err := os.Chtimes(filepath.Join(dir, "b.yaml"), ago, ago); err != nil {
		t.Fatal(err)
	}
	missing := strings.Repeat("1", 40)
	for key, value := range p.config {
		plain("", "config", key, strings.NewReplacer("PROGRAM", program, "HOOKS", hooks).Replace(value))
	}
	return func(args []string) (given []string) {
		for _, a := range args {
			given = append(given, strings.NewReplacer("SIGNED", signed, "MISSING", missing).Replace(a))
		}
		return given
	}
}
