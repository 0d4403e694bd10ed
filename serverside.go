package main

import (
	"github.com/urfave/cli/v2"

	"threeway/merge"
)

func serverSideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "rehearse a server-side apply"},
		&cli.BoolFlag{Name: "force-conflicts", Category: categoryKubectl, Usage: "with --server-side: take over fields that others own"},
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
		return nil, nil
	}
	s := &merge.ServerSide{Force: c.Bool("force-conflicts"), Manager: merge.DefaultManager}
	if c.IsSet("field-manager") {
		s.Manager = c.String("field-manager")
	}
	return s, nil
}
