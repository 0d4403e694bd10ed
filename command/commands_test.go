package command_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"threeway/command"
	"threeway/fixtures"

	"threeway/fixtures/breadth"
)

// internalError is the exit code of a run that a fault of the program ended.
const internalError = 3

// FuzzCommands gives any config and any snapshot to the commands: none may
// fail internally, and the output must be the same whatever the concurrency.
func FuzzCommands(f *testing.F) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), ".")
	if err != nil {
		f.Fatal(err)
	}
	for i, c := range cases {
		if i%3 > 0 || !breadth.Has(i, 10) { // the stories of fixtures run there, too
			continue
		}
		for _, a := range c.Answers {
			for _, name := range a.Step.Config() {
				if text := c.Files[name]; len(text)+len(a.Live) < 4000 {
					f.Add([]byte(text), []byte(a.Live), uint8(len(text)))
				}
			}
		}
	}
	commands := [][]string{
		{"diff"}, {"diff", "-o", "fields"}, {"diff", "-o", "json"}, {"merge"}, {"merge", "-o", "patch"},
		{"diff", "--server-side"}, {"merge", "--server-side", "--force-conflicts"}, {"diff", "--prune", "--all", "-o", "fields"}, {"lint"},
		{"diff", "-o", "fields", "--width", "40"}, {"diff", "--ignore-manager", "kubectl"}, {"lint", "-o", "sarif"}, {"lint", "-o", "github"},
		{"review"}, {"review", "-o", "markdown"}, {"review", "-o", "json", "--server-side"}, {"review", "-o", "junit"},
	}
	f.Fuzz(func(t *testing.T, config, live []byte, choice uint8) {
		dir := t.TempDir()
		t.Chdir(dir)
		for name, data := range map[string][]byte{"config.yaml": config, "live.yaml": live} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		args := append([]string{"threeway"}, commands[int(choice)%len(commands)]...)
		args = append(args, "-f", "config.yaml", "--live", "live.yaml")
		var outputs [2]bytes.Buffer
		for i, cores := range []int{1, 4} {
			runtime.GOMAXPROCS(cores)
			code := command.Run(context.Background(), args, bytes.NewReader(nil), &outputs[i], &outputs[i])
			if code == internalError {
				t.Fatalf("%s", &outputs[i])
			}
		}
		if !bytes.Equal(outputs[0].Bytes(), outputs[1].Bytes()) {
			t.Errorf("the output depends on the concurrency:\n%s\n%s", &outputs[0], &outputs[1])
		}
	})
}
