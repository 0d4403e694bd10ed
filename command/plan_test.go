package command

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"threeway/merge"
)

// planOf runs a command line up to the plan, the last one with --then.
func planOf(t *testing.T, args []string) *merge.Plan {
	t.Helper()
	std := streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	app := (&program{std: std}).app()
	var p *merge.Plan
	for _, c := range app.Commands {
		c.Action = func(c *cli.Context) error {
			r, err := resolve(c)
			if err != nil {
				return err
			}
			if r.Command == "diff" {
				p, err = plan(c.Context, r, std, true)
				return err
			}
			plans, err := sequence(c.Context, r, std)
			if err == nil {
				p = plans[len(plans)-1]
			}
			return err
		}
	}
	permuted, _, err := permute(app, args)
	if err == nil {
		err = app.RunContext(context.Background(), permuted)
	}
	if err != nil {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return p
}
