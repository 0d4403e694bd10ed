package command

import (
	"context"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/lint"
	"threeway/merge/manifest"
)

// Sources are what a rehearsal reads in place of files: what an editor or a page holds
// in memory. What is nil is read as the command line reads it.
type Sources struct {
	// In is standard input, for -f -.
	In io.Reader
	// Instead returns the text to use instead of a manifest on disk.
	Instead func(file string) (text []byte, ok bool)
	// Exports reads the snapshot of --live.
	Exports func(manifest.Options) *manifest.Snapshot
}

// Check is what a command line of lint finds, with nothing printed: the rehearsal and
// the findings. It is the one way to rehearse for all that is not a command.
func Check(ctx context.Context, args []string, sources Sources) (in lint.Input, result *lint.Result, err error) {
	stdin := sources.In
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	result = &lint.Result{}
	p := &program{std: streams{in: stdin, out: io.Discard, err: io.Discard}}
	app := p.app()
	command := app.Command("lint")
	command.Action = func(c *cli.Context) error {
		r, err := resolve(c)
		if err != nil {
			return err
		}
		r.Instead, r.Exports = sources.Instead, sources.Exports
		l, err := runRules(c.Context, r, p.std)
		if l != nil {
			in, result = l.input, l.result
		}
		return err
	}
	permuted, _, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, permuted)
	}
	return in, result, err
}
