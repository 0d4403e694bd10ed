// Package scripts_test runs the scripts of testdata/script. It is apart from the tests of
// package command: with THREEWAY_MATRIX=all, scripts start this binary as threeway two thousand
// times, so it has nothing besides that takes time to start. Else most command lines are run in it.
package scripts_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"threeway/command"
	"threeway/fixtures/breadth"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts of testdata/script")

// TestMain lets scripts run this binary as threeway, as the kubectl plugin, and
// as a program for KUBECTL_EXTERNAL_DIFF.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"threeway":         func() { os.Exit(command.Main("", "")) },
		"kubectl-threeway": func() { os.Exit(command.Main("", "")) },
		"showdirs":         showDirs,
	})
}

// TestScript types command lines and compares stdout, stderr and exit code. Each
// script that names them finds the bundled example as example/ and the action's script
// as action/, and each the hooks of pre-commit as hooks.yaml.
func TestScript(t *testing.T) {
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	scripts := filepath.Join(top, "command/testdata/script")
	if !breadth.All() {
		debug.SetGCPercent(400)
		for _, variable := range os.Environ() { // a script has its own only
			if name, _, _ := strings.Cut(variable, "="); name != "PATH" && !strings.HasSuffix(name, "TMPDIR") {
				os.Unsetenv(name)
			}
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			if !breadth.All() {
				env.Setenv("GOMAXPROCS", "1") // two scripts run at a time, and a short run is half threads that start
			}
			script, err := os.ReadFile(filepath.Join(scripts, strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")+".txtar"))
			if err != nil {
				return err
			}
			for to, from := range map[string]string{"example": "fixtures/example", "action": "action"} {
				if !bytes.Contains(script, []byte(to)) {
					continue
				}
				if err := os.CopyFS(filepath.Join(env.WorkDir, to), os.DirFS(filepath.Join(top, from))); err != nil {
					return err
				}
			}
			env.Setenv("NL", "\n")
			env.Setenv("LAYOUTS", filepath.Join(top, "command/testdata/layouts"))
			env.Setenv("PWD", "") // the directory of each run
			var names []string
			for _, m := range variable.FindAllStringSubmatch(strings.Join(env.Vars, "\n")+"\n"+string(script), -1) {
				if m[1] != "PATH" {
					names = append(names, m[1])
				}
			}
			env.Values["variables"] = names
			hooks, err := os.ReadFile(filepath.Join(top, ".pre-commit-hooks.yaml"))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "hooks.yaml"), hooks, 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "layout": scriptLayout, "real": scriptReal, "archived": scriptArchived, "attempts": attempts},
	})
}

// exits is the script command `exits CODE PROGRAM [ARGS…]`.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGS…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if startless(ts, args[1:]) {
		code = within(ts, args[1:], ts.Stdout(), ts.Stderr())
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("%v exits with %d, not %d", args[1:], code, want)
	}
}

// startless reports whether a command line is threeway's and asks its process for neither input nor
// arguments, so that it can be run within this one.
func startless(ts *testscript.TestScript, line []string) bool {
	asks := func(arg string) bool { return arg == "-" || arg == "lsp" || arg == "--generate-bash-completion" }
	return line[0] == "threeway" && !breadth.All() && ts.Getenv("PATH") == os.Getenv("PATH") && !slices.ContainsFunc(line, asks)
}

// process is the directory and the environment of this process, which one run at a time changes.
var process sync.Mutex

// within runs threeway within this process, in the directory and with the variables of the script: to start it is
// half of what a script costs. With THREEWAY_MATRIX=all each run is started.
func within(ts *testscript.TestScript, line []string, stdout, stderr io.Writer) int {
	process.Lock()
	defer process.Unlock()
	here, err := os.Getwd()
	ts.Check(err)
	dir := ts.MkAbs(".")
	ts.Check(os.Chdir(dir))
	defer os.Chdir(here)
	for _, name := range ts.Value("variables").([]string) {
		value := ts.Getenv(name)
		if name == "PWD" {
			value = dir
		}
		if was := os.Getenv(name); value != was {
			setenv(name, value)
			defer setenv(name, was)
		}
	}
	return command.Run(context.Background(), line, strings.NewReader(""), stdout, stderr)
}

// variable matches what sets one, in a script or an environment.
var variable = regexp.MustCompile(`\b([A-Z]\w*)=`)

func setenv(name, value string) {
	if value == "" {
		os.Unsetenv(name)
	} else {
		os.Setenv(name, value)
	}
}

// attempts is the script command `attempts FILE`: the file has commands of sh that each attempt begins with,
// and the attempts, paragraphs that run the guard, which must not allow it. One in four is tried.
func attempts(ts *testscript.TestScript, _ bool, args []string) {
	paragraphs := strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n\n")
	for i, attempt := range paragraphs[1:] {
		if !breadth.Has(i, 4) {
			continue
		}
		ts.Check(ts.Exec("sh", "-ec", paragraphs[0]+"\n"+attempt))
		if !verdict.MatchString(ts.ReadFile("stdout")) {
			ts.Fatalf("%s\nprints %s", attempt, ts.ReadFile("stdout"))
		}
	}
}

// verdict matches an output whose one verdict is not allow.
var verdict = regexp.MustCompile(`\A[^\n]*"verdict":"(ask|deny|unknown)"[^\n]*\n\z`)

// showDirs prints its arguments, one a line, and what it was given to compare:
// every file of both directories. It exits with the code in SHOWDIRS_EXIT.
func showDirs() {
	for _, arg := range os.Args[1:] {
		fmt.Printf("[%s]\n", arg)
	}
	for _, dir := range os.Args[len(os.Args)-2:] {
		files, err := os.ReadDir(dir)
		if err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		for _, f := range files {
			data, _ := os.ReadFile(filepath.Join(dir, f.Name()))
			info, _ := f.Info()
			fmt.Printf("== %s/%s %v\n%s", dir, f.Name(), info.Mode(), data)
		}
	}
	code, _ := strconv.Atoi(os.Getenv("SHOWDIRS_EXIT"))
	os.Exit(code)
}
