package command

import "github.com/urfave/cli/v2"

func serverSideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "rehearse a server-side apply"},
		&cli.BoolFlag{Name: "force-conflicts", Category: categoryKubectl, Usage: "with --server-side: take over fields that other managers own"},
		&cli.BoolFlag{Name: "migrate", Category: categoryOwn, Usage: "with --server-side: also simulate the migration of objects that were applied client-side, which a real apply does and no dry run shows"},
		&cli.StringFlag{Name: "field-manager", Category: categoryKubectl, Usage: "`NAME` of the field manager to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
	}
}
