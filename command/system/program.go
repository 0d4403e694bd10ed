package system

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Program is another program and how it runs. It is the only place that starts
// one.
type Program struct {
	// Path is that of the program, or its name, which the PATH finds.
	Path string
	Args []string
	// Env are variables besides those of this program, or instead of them if it is alone.
	Env   []string
	Alone bool
	Dir   string
	// Stdin, Stdout and Stderr are its streams; nil is none.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Patience is how long to wait for what it started and left behind.
	Patience time.Duration
}

// Which returns the path of a program, or an error if the PATH has none.
func Which(name string) (string, error) { return exec.LookPath(name) }

// Run runs the program, and kills it if a signal ends this one.
func (p Program) Run(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, p.Path, p.Args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.Dir, p.Stdin, p.Stdout, p.Stderr, p.Patience
	if p.Alone {
		cmd.Env = p.Env
	} else if p.Env != nil {
		cmd.Env = append(os.Environ(), p.Env...)
	}
	done, err := Begin(func() (func(), error) { return func() { _ = cmd.Process.Kill() }, cmd.Start() })
	if err != nil {
		return err
	}
	defer done()
	return cmd.Wait()
}

// Exit returns the exit code of a program that has run and failed, and the
// signal that ended it, 0 if none did. ok is false if err is something else.
func Exit(err error) (code int, by syscall.Signal, ok bool) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, 0, false
	}
	if status, is := exit.Sys().(syscall.WaitStatus); is && status.Signaled() {
		by = status.Signal()
	}
	return exit.ExitCode(), by, true
}

// guards keep git from running what a repository's configuration, hooks and
// attributes name, and from showing other objects in place of those of a commit. A repository may come with the change under review, and in a
// partial clone git would fetch missing objects by a program that it names.
// GIT_ALLOW_PROTOCOL also overrules protocol.*.allow of the repository, which
// git before 2.45, without GIT_NO_LAZY_FETCH, goes by.
var guards = struct{ options, variables []string }{
	options: []string{
		"--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never", "-c", "credential.helper=",
		"-c", "core.sshCommand=false", "-c", "core.warnAmbiguousRefs=true", "-c", "diff.external=", "-c", "diff.ignoreSubmodules=all", "-c", "log.showSignature=false",
	},
	variables: []string{"LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0"},
}

// git runs a git command that reads the repository at root, with all guards. A
// failure is an error with what git said.
func git(ctx context.Context, root string, args ...string) ([]byte, error) {
	out, _, err := gitSaying(ctx, root, args...)
	return out, err
}

// gitSaying is git with its warnings.
func gitSaying(ctx context.Context, root string, args ...string) (printed []byte, warnings string, err error) {
	var out bytes.Buffer
	warnings, err = gitTo(ctx, &out, root, "", args...)
	return out.Bytes(), warnings, err
}

// gitTo is gitSaying that reads input and prints to out.
func gitTo(ctx context.Context, out io.Writer, root, input string, args ...string) (warnings string, err error) {
	var said bytes.Buffer
	err = Program{
		Path: "git", Args: append(append([]string{"-C", root}, guards.options...), args...), Env: guards.variables,
		Stdin: bytes.NewReader([]byte(input)), Stdout: out, Stderr: &said,
	}.Run(ctx)
	if _, _, ran := Exit(err); ran {
		if text := bytes.TrimSpace(said.Bytes()); len(text) > 0 {
			return "", errors.New(string(text))
		}
	}
	if err != nil {
		return "", errors.New("git " + args[0] + ": " + err.Error())
	}
	return said.String(), nil
}
