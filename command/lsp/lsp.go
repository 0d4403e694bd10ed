//go:build !js

// Package lsp is the command that serves an editor: lint's own run in the projects
// of the editor.
package lsp

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/editor"
	"threeway/command/inputs"
	lintcommand "threeway/command/lint"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/lint"
	"threeway/merge/manifest"
)

// Command is threeway lsp.
func Command(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "lsp",
		Usage:     "language server: lint while you type, in any editor",
		UsageText: "threeway lsp [flags]",
		Description: `Speaks the Language Server Protocol on stdin and stdout. An editor starts it;
docs/editor.md has the settings for VS Code, Neovim, Helix, Emacs and others.

Each directory with a .threeway.yaml is a project: its manifests are checked as
'threeway lint' checks them there, with unsaved text in place of the files. Where
no settings name manifests, the open files are checked. The flags count for all
projects, and go before the settings.

The editor gets findings, what an apply does above each object and for each
field, repairs, completion, definitions and references, and the diff of an object.

Exit code: 0, 1 if the editor goes away without asking, 2 bad flags or messages.`,
		Flags:  request.FromEnvironment(lspFlags()),
		Action: func(c *cli.Context) error { return serveEditor(p, c) },
	}
}

// lspFlags are those of lint that say what is checked: not those that say what is
// printed, show secrets or run programs.
func lspFlags() []cli.Flag {
	return request.Without(request.LintFlags(), "output", "color", "quiet", "verbose", "level", "fail-on", "show-secrets", "staged",
		"kustomize", "chart", "values", "set", "rollback", "sops")
}

// serveEditor answers an editor until it is done.
func serveEditor(p *run.Program, c *cli.Context) error {
	if c.Args().Present() {
		return fmt.Errorf("lsp takes no arguments: %s; the editor that starts it says what is open", c.Args().First())
	}
	for _, flag := range []string{"filename", "live", "base"} {
		if slices.Contains(request.Split(c.StringSlice(flag)), "-") {
			return fmt.Errorf("--%s -: stdin is the connection to the editor; pass a file", flag)
		}
	}
	limits, err := request.Limits()
	if err != nil {
		return err
	}
	opts := editor.Options{Version: system.Version, MostBytes: 2 * limits.Input.Bytes(), Internal: func(problem any, stack []byte) {
		fmt.Fprintf(p.Std.Err, "error: internal error: %v; please report it together with the manifest\n", problem)
		if run.Debugging() {
			fmt.Fprintf(p.Std.Err, "%s", stack)
		}
	}}
	run.ForPrograms(p.Std, c.Command.Name, nil)
	orderly, err := editor.Serve(c.Context, p.Std.In, p.Std.Out, &projects{context: c, kept: &inputs.Kept{}}, opts)
	if !orderly {
		p.Code = system.ExitDifferences
	}
	return err
}

// projects is the engine of the editor: lint's own run in a directory.
type projects struct {
	context *cli.Context
	kept    *inputs.Kept
}

// Project is the directory of the settings that count for a path, else the directory
// itself or that of the file.
func (e *projects) Project(path string, isDirectory bool) (string, bool) {
	if e.context.IsSet("filename") || e.context.String("config") != "" {
		return system.Absolute("."), true // the flags say what is checked
	}
	if !isDirectory {
		path = filepath.Dir(path)
	}
	if file := settings.Find(path); file != "" {
		return filepath.Dir(file), true
	}
	return path, false
}

// Check runs lint in a project. What the check before has read and rehearsed is used
// where it is the same.
func (e *projects) Check(ctx context.Context, project string, open map[string]string, before *editor.Checked) (*editor.Checked, error) {
	r, err := request.ResolveIn(e.context, project)
	if err != nil {
		return nil, err
	}
	r.Command, r.Color, r.FailOn, r.AllowEmpty, r.Quiet = "lint", "never", "error", true, true
	r.Exports = e.kept.Read
	r.Instead = func(file string) ([]byte, bool) {
		text, ok := open[system.Absolute(file)]
		return []byte(text), ok
	}
	if r.Kept = (*manifest.Kept)(nil).Next(); before != nil {
		r.Kept, r.Before = before.Manifests.Next(), before.Input.Plan
	}
	if len(r.Files) == 0 {
		for _, path := range slices.Sorted(maps.Keys(open)) {
			if system.IsRegular(path) {
				r.Files = append(r.Files, system.Relative(path))
			}
		}
		r.PathsAreSet, r.SkipOtherFiles = true, true
	}
	if len(r.Files) == 0 {
		return &editor.Checked{Result: &lint.Result{}}, nil
	}
	l, err := lintcommand.RunRules(ctx, r, system.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	if l == nil && err == nil {
		return &editor.Checked{Result: &lint.Result{}}, nil
	}
	if err == nil {
		err = l.Input.Plan.Failed()
	}
	if err != nil {
		e.kept.Forget()
		return nil, err
	}
	review, page := l.ForEditor()
	return &editor.Checked{
		Input: l.Input, Result: l.Result, Manifests: r.Kept, Fixer: l.Fixer, Review: review, Page: page,
		RulePage: l.RulePage,
	}, nil
}
