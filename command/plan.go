package command

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"threeway/merge"
)

// Plan is the rehearsal that a command line of diff or merge asks for, with
// nothing printed; with --then the last one. The recorded answers of the real
// server are compared with it.
func Plan(ctx context.Context, args []string, in io.Reader) (*merge.Plan, error) {
	p := &program{std: streams{in: in, out: io.Discard, err: io.Discard}}
	app := newApp(p)
	var result *merge.Plan
	for _, c := range app.Commands {
		c.Action = func(c *cli.Context) error {
			r, err := resolve(c)
			if err != nil {
				return err
			}
			if r.Command == "diff" {
				opts, err := read(c.Context, r, p.std, true)
				if err == nil {
					result, err = rehearsed(r, opts)
				}
				return err
			}
			plans, err := sequence(c.Context, r, p.std)
			if err == nil {
				result = plans[len(plans)-1]
			}
			return err
		}
	}
	permuted, _, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, permuted)
	}
	return result, err
}
