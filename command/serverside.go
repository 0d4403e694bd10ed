package command

import (
	"github.com/urfave/cli/v2"

	"threeway/merge"
)

func serverSideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "rehearse a server-side apply"},
		&cli.BoolFlag{Name: "force-conflicts", Category: categoryKubectl, Usage: "with --server-side: take over fields that others own"},
		&cli.BoolFlag{Name: "migrate", Category: categoryOwn, Usage: "with --server-side: what a real apply leaves of objects that were applied client-side, which every dry run hides"},
		&cli.StringFlag{Name: "field-manager", Category: categoryKubectl, Usage: "`NAME` to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
	}
}

// serverSide reads the flags; nil is a client-side apply. The error is
// kubectl's.
func serverSide(c *cli.Context) (*merge.ServerSide, error) {
	if !c.Bool("server-side") {
		if c.Bool("force-conflicts") {
			return nil, usageError("--force-conflicts only works with --server-side")
		}
		if c.Bool("migrate") {
			return nil, usageError("--migrate only works with --server-side: a client-side apply migrates nothing")
		}
		return nil, nil
	}
	s := &merge.ServerSide{Force: c.Bool("force-conflicts"), Manager: merge.DefaultManager, Migrate: c.Bool("migrate")}
	if c.IsSet("field-manager") {
		s.Manager = c.String("field-manager")
	}
	return s, nil
}
