//go:build unix

package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"threeway/command/system"
	"threeway/fixtures/breadth"
)

// writer is a command line that writes a file, or a directory.
type writer struct{ args, file, before string }

// writers are the commands that write files over the bundled example, with the
// file and what it has before; "" for none.
func writers() []writer {
	return []writer{
		{"lint -f config --live live.yaml -q --fix", "config/big.yaml", bigConfig()},
		{"lint -f config --live live.yaml -o baseline=out/file", "out/file", "before"},
		{"lint -f config --live live.yaml -q -o sarif=out/file", "out/file", "before"},
		{"review -f config --live live.yaml -q -o html=out/file", "out/file", "before"},
		{"review -f config --live live.yaml -q -o text -o markdown=out/file -o junit=out/other", "out/file", "before"},
		{"diff -f config --live live.yaml -q -o json=out/file", "out/file", "before"},
		{"snapshot redact --live live.yaml --key-file key -o out/file", "out/file", "before"},
		{"snapshot pack --live live.yaml --key-file key -o out/file", "out/file", "before"},
		{"adopt -f live.yaml --keep-defaults -o out/new", "out/new", ""},
		{"config init", ".threeway.schema.json", ""},
	}
}

// bigConfig is a manifest that --fix repairs, larger than the disks of the tests.
func bigConfig() string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\n  namespace: shop\n  uid: 1c2f9a70-0000-4000-8000-000000000001\ndata:\n  text: x\n# " + strings.Repeat("x", 1<<20) + "\n"
}

// example fills a new working directory with the bundled example and what the
// writers need.
func example(t *testing.T) {
	t.Helper()
	exampleIn(t, t.TempDir())
}

func exampleIn(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("../fixtures/example")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Mkdir("out", 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, "key", "0123456789abcdef", 0o600)
	put(t, "config/big.yaml", bigConfig(), 0o640)
}

func put(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// started runs threeway by a shell that first sets limits.
func started(limits, args string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command("sh", "-c", limits+"exec threeway "+args)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	return cmd, &said
}

// TestFullDisk: where there is no room for all of a file, the old one stays and
// nothing else does.
func TestFullDisk(t *testing.T) {
	for _, w := range writers() {
		t.Run(strings.Fields(w.args)[0]+" "+w.file, func(t *testing.T) {
			example(t)
			w.prepare(t)
			w.fails(t, "ulimit -f 1; ", "file too large")
		})
	}
}

// TestFullFileSystem is the same on a file system without room.
func TestFullFileSystem(t *testing.T) {
	for _, w := range writers() {
		t.Run(strings.Fields(w.args)[0]+" "+w.file, func(t *testing.T) {
			dir := t.TempDir()
			if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", dir).CombinedOutput(); err != nil {
				t.Skipf("no file system of the test's own: %s", out)
			}
			t.Cleanup(func() {
				if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
					t.Errorf("%s", out)
				}
			})
			exampleIn(t, dir)
			w.prepare(t)
			if err := os.WriteFile("filler", make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("the disk is not full: %v", err)
			}
			w.fails(t, "", "no space left on device")
		})
	}
}

func (w writer) prepare(t *testing.T) {
	t.Helper()
	if w.before != "" {
		put(t, w.file, w.before, 0o640)
	}
}

// fails runs a writer, which must say why it fails and leave all as it is.
func (w writer) fails(t *testing.T, limits, why string) {
	t.Helper()
	before := listing(t)
	cmd, said := started(limits, w.args)
	err := cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != system.ExitUsage || !strings.Contains(said.String(), why) {
		t.Errorf("exit code %d, %v: %s", code, err, said)
	}
	if after := listing(t); !slices.Equal(before, after) {
		t.Errorf("before\n%s\nafter\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

// TestKilled: a signal in the middle of writing leaves the old file or the new
// one, with its mode, and, if it can be caught, nothing else.
func TestKilled(t *testing.T) {
	large := strings.Repeat("x", 8<<20)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM} {
		for _, w := range []writer{
			{"lint -f config/big.yaml -q --fix", "config/big.yaml", bigConfig() + "# " + large + "\n"},
			{"snapshot redact --live large.yaml --key-file key -o out/file", "out/file", "before"},
		} {
			t.Run(fmt.Sprintf("%v %s", signal, w.file), func(t *testing.T) {
				example(t)
				w.prepare(t)
				put(t, "large.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: a, uid: a}\ndata:\n  a: "+large+"\n", 0o600)
				before := listing(t)
				cmd, said := started("", w.args)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				temporary := w.file + ".0.tmp"
				for begun := time.Now(); time.Since(begun) < 20*time.Second; time.Sleep(time.Millisecond / 4) {
					if _, err := os.Lstat(temporary); err == nil {
						break
					}
				}
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				err := cmd.Wait()
				code := cmd.ProcessState.ExitCode()
				done := code == system.ExitOK || code == system.ExitDifferences // on a busy machine the signal may come too late
				if signal == syscall.SIGKILL {
					os.Remove(temporary)
				} else if !done && code != system.SignalExit+int(signal) {
					t.Errorf("exit code %d, %v: %s", code, err, said)
				}
				after := listing(t)
				if slices.Equal(before, after) {
					if done {
						t.Errorf("exit code %d, and nothing is written: %s", code, said)
					}
					return
				}
				// It was too late: then the work is done, by the same program.
				if again, said := started("", w.args); again.Run() != nil || !slices.Equal(after, listing(t)) {
					t.Errorf("half of it is done: %s\n%s", strings.Join(after, "\n"), said)
				}
			})
		}
	}
}

// TestLinksOut: what is written never follows a link out of the working directory or into a
// directory of git, by whatever name: of a file, or on the way to it.
func TestLinksOut(t *testing.T) {
	breadth.Long(t)
	ways := map[string]func(t *testing.T) (away string){
		"outside": func(t *testing.T) string { return t.TempDir() },
		"a repository elsewhere": func(t *testing.T) string {
			away := t.TempDir()
			gitDirectory(t, away+"/.git")
			return away
		},
		".git": func(t *testing.T) string { return gitDirectory(t, ".git") + "/hooks" },
		"the .git of a submodule": func(t *testing.T) string {
			gitDirectory(t, ".git")
			return gitDirectory(t, ".git/modules/sub")
		},
		"a separate directory of git": func(t *testing.T) string {
			put(t, ".git", "gitdir: meta\n", 0o644)
			return gitDirectory(t, "meta") + "/hooks"
		},
		"a bare repository": func(t *testing.T) string {
			gitDirectory(t, ".git")
			return gitDirectory(t, "bare.git") + "/hooks"
		},
	}
	for to, away := range ways {
		for _, way := range []string{"out/file", "out"} {
			for _, w := range writers() {
				if !strings.HasPrefix(w.file, "out/") || w.before == "" && way != "out" {
					continue
				}
				t.Run(strings.Fields(w.args)[0]+" "+way+" to "+to, func(t *testing.T) {
					example(t)
					away := system.Absolute(away(t))
					if err := os.RemoveAll(way); err != nil {
						t.Fatal(err)
					}
					put(t, filepath.Join(away, "file"), "before", 0o755)
					target := away
					if way == "out/file" {
						target = filepath.Join(away, "file")
					}
					if err := os.Symlink(target, way); err != nil {
						t.Fatal(err)
					}
					before, _ := os.ReadDir(away)
					w.fails(t, "", "a symbolic link points outside of the repository or working directory, or into .git")
					data, _ := os.ReadFile(filepath.Join(away, "file"))
					if left, _ := os.ReadDir(away); len(left) != len(before) || string(data) != "before" {
						t.Errorf("there is %q, %v", data, left)
					}
				})
			}
		}
	}
}

// gitDirectory makes what git takes for its directory.
func gitDirectory(t *testing.T, dir string) string {
	t.Helper()
	for _, below := range []string{"hooks", "objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, below), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "HEAD"), "ref: refs/heads/main\n", 0o644)
	return dir
}

// TestNothingWrittenIsExecutable: a file that is overwritten becomes no program.
func TestNothingWrittenIsExecutable(t *testing.T) {
	for _, w := range writers() {
		if w.before == "" {
			continue
		}
		t.Run(strings.Fields(w.args)[0]+" "+w.file, func(t *testing.T) {
			example(t)
			put(t, w.file, w.before, 0o755)
			cmd, said := started("", w.args)
			if err := cmd.Run(); cmd.ProcessState.ExitCode() > system.ExitDifferences {
				t.Fatalf("%v: %s", err, said)
			}
			info, err := os.Stat(w.file)
			if err != nil || info.Mode()&0o111 != 0 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			if data, _ := os.ReadFile(w.file); string(data) == w.before {
				t.Errorf("nothing is written: %s", said)
			}
		})
	}
}

// TestReaderGone: like git and kubectl, a run whose reader has enough ends
// without a word, by SIGPIPE.
func TestReaderGone(t *testing.T) {
	t.Chdir(t.TempDir())
	var config strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&config, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%d, generation: 1}\ndata: {text: %s}\n", i, strings.Repeat("x", 100))
	}
	put(t, "config.yaml", config.String(), 0o600)
	for _, args := range []string{"diff -f config.yaml", "merge -f config.yaml", "lint -f config.yaml -o json -o sarif=out.sarif", "review -f config.yaml -o html"} {
		for _, ignored := range []string{"", "trap '' PIPE; "} {
			cmd, said := started(ignored, args+" -q")
			cmd.Stdout = nil
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Errorf("%s: %v", args, err)
			}
			out.Close()
			_ = cmd.Wait()
			status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if ended := status.Signaled() && status.Signal() == syscall.SIGPIPE || status.ExitStatus() == system.ExitPipe; !ended || said.Len() > 0 {
				t.Errorf("%s%s: %v, %q", ignored, args, cmd.ProcessState, said)
			}
		}
	}
	if data, err := os.ReadFile("out.sarif"); err != nil || !bytes.HasSuffix(data, []byte("}\n")) {
		t.Errorf("the file beside stdout: %v, %d bytes", err, len(data))
	}
}

// TestUnreadable: what may not be read is named, and the exit code is 2, since
// what it holds is not known.
func TestUnreadable(t *testing.T) {
	example(t)
	for _, c := range []struct{ closed, args, want string }{
		{"config/big.yaml", "diff -f config --live live.yaml", "config/big.yaml: permission denied"},
		{"config/big.yaml", "lint config", "config/big.yaml: permission denied"},
		{"config", "diff -f config --live live.yaml", "config: permission denied"},
		{"config", "lint config", "config: permission denied"},
		{"config", "config init", "config: permission denied"},
		{"live.yaml", "merge -f config --live live.yaml", "live.yaml: permission denied"},
		{"live.yaml", "owners -f live.yaml", "live.yaml: permission denied"},
		{"live.yaml", "snapshot redact --live live.yaml", "live.yaml: permission denied"},
		{"key", "snapshot redact --live live.yaml --key-file key", "key: permission denied"},
		{"key", "lint config --baseline key", "key: permission denied"},
		{"key", "lint config -c key", "key: permission denied"},
		{"out", "lint config -o json=out/report", "out/report: permission denied"},
	} {
		info, err := os.Stat(c.closed)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(c.closed, 0); err != nil {
			t.Fatal(err)
		}
		code, said := asNobody(t, c.args)
		if code != system.ExitUsage || !strings.Contains(said, c.want) {
			t.Errorf("%s without %s: exit code %d, %s", c.args, c.closed, code, said)
		}
		if err := os.Chmod(c.closed, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMaxInput: an input larger than THREEWAY_MAX_INPUT is refused, of whatever kind.
func TestMaxInput(t *testing.T) {
	example(t)
	large := bigConfig() + strings.Repeat("# "+strings.Repeat("x", 1000)+"\n", 1000)
	put(t, "large.yaml", large, 0o600)
	put(t, "kustomization.yaml", "resources: [large.yaml]", 0o600)
	put(t, "kubectl", "#!/bin/sh\ncat large.yaml\n", 0o700)
	const why = "1 MiB"
	for _, c := range []struct {
		args, most string
		code       int
	}{
		{"diff -f large.yaml", "", system.ExitDifferences},
		{"diff -f large.yaml", "3", system.ExitDifferences},
		{"diff -f large.yaml", "1", system.ExitUsage},
		{"diff -f - <large.yaml", "1", system.ExitUsage},
		{"diff -k .", "1", system.ExitUsage},
		{"lint -f large.yaml", "1", system.ExitUsage},
		{"merge -f config --live - <large.yaml", "1", system.ExitUsage},
		{"owners -f - <large.yaml", "1", system.ExitUsage},
		{"adopt -f - <large.yaml", "1", system.ExitUsage},
		{"snapshot check --live - <large.yaml", "1", system.ExitUsage},
		{"snapshot redact --live large.yaml", "1", system.ExitUsage},
		{"diff -f large.yaml", "0", system.ExitUsage},
	} {
		cmd, said := started("export PATH=$PWD:$PATH THREEWAY_MAX_INPUT="+c.most+"; ", c.args)
		_ = cmd.Run()
		refused := strings.Contains(said.String(), why) || strings.Contains(said.String(), "THREEWAY_MAX_INPUT must be")
		if code := cmd.ProcessState.ExitCode(); code != c.code || refused != (c.code == system.ExitUsage) {
			t.Errorf("%s: exit code %d, %.300s", c.args, code, said)
		}
	}
}

// TestNamedPipes: no command waits for a second writer of a pipe.
func TestNamedPipes(t *testing.T) {
	example(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{
		"lint -f pipe": system.ExitOK, "review -f pipe": system.ExitOK, "lint -f pipe --fix=diff": system.ExitOK,
		"diff -f pipe": system.ExitDifferences, "merge -f config --live pipe": system.ExitOK, "owners -f pipe": system.ExitOK, "adopt -f pipe": system.ExitOK,
		"snapshot check --live pipe": system.ExitOK, "snapshot redact --live pipe": system.ExitUsage,
	} {
		cmd, said := started("{ cat live.yaml >pipe; } >/dev/null 2>&1 & ", args)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
		if f, err := os.OpenFile("pipe", os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close() // lets a writer go that nobody has read from
		}
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: %v, %s", args, cmd.ProcessState, said)
		}
	}
}

// asNobody runs threeway as somebody to whom modes mean something.
func asNobody(t *testing.T, args string) (code int, said string) {
	t.Helper()
	cmd := exec.Command("threeway", strings.Fields(args)...)
	if os.Getuid() == 0 {
		// Neither the program nor the working directory can be reached by its path.
		program, err := os.Open(cmd.Path)
		if err != nil {
			t.Fatal(err)
		}
		defer program.Close()
		cmd.Path, cmd.ExtraFiles = "/proc/self/fd/3", []*os.File{program}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []string{dir, filepath.Dir(dir)} {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// listing lists the files below the working directory with their sizes and modes.
func listing(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if to, err := os.Readlink(path); err == nil {
			list = append(list, path+" -> "+to)
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		list = append(list, fmt.Sprintf("%s %v %d %.20q", path, info.Mode(), len(data), data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
