package command

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge"
)

// Plan is the rehearsal that a command line of diff or merge asks for, with
// nothing printed; with --then the last one. The recorded answers of the real
// server are compared with it.
func Plan(ctx context.Context, args []string, in io.Reader) (*merge.Plan, error) {
	p := &run.Program{Std: system.Streams{In: in, Out: io.Discard, Err: io.Discard}}
	app := newApp(p)
	var result *merge.Plan
	for _, c := range app.Commands {
		c.Action = func(c *cli.Context) error {
			r, err := request.Resolve(c)
			if err != nil {
				return err
			}
			if r.Command == "diff" {
				opts, err := inputs.Read(c.Context, &r.Inputs, p.Std)
				if err == nil {
					result, err = inputs.Rehearsed(&r.Inputs, opts)
				}
				return err
			}
			plans, err := inputs.Sequence(c.Context, &r.Inputs, p.Std)
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
