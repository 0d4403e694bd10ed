package command

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts of testdata/script")

// TestMain lets scripts run this binary as threeway, as the kubectl plugin, and
// as a program for KUBECTL_EXTERNAL_DIFF.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // most tests run the program within the test's process, thousands of times
	testscript.Main(m, map[string]func(){
		"threeway":         func() { os.Exit(Main("", "")) },
		"kubectl-threeway": func() { os.Exit(Main("", "")) },
		"showdirs":         showDirs,
	})
}

// TestScript types command lines and compares stdout, stderr and exit code. Each
// script finds the bundled example as example/, the action's script as action/,
// and the hooks of pre-commit as hooks.yaml.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for to, from := range map[string]string{"example": "fixtures/example", "action": "action"} {
				if err := os.CopyFS(filepath.Join(env.WorkDir, to), os.DirFS(filepath.Join("..", from))); err != nil {
					return err
				}
			}
			env.Setenv("NL", "\n")
			hooks, err := os.ReadFile("../.pre-commit-hooks.yaml")
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "hooks.yaml"), hooks, 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "layout": scriptLayout, "real": scriptReal, "archived": scriptArchived},
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
	if err := ts.Exec(args[1], args[2:]...); err != nil {
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
