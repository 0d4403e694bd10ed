package command

import "github.com/urfave/cli/v2"

func serverSideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "rehearse a server-side apply"},
		&cli.BoolFlag{Name: "force-conflicts", Category: categoryKubectl, Usage: "with --server-side: take over fields that others own"},
		&cli.BoolFlag{Name: "migrate", Category: categoryOwn, Usage: "with --server-side: what a real apply leaves of objects that were applied client-side, which every dry run hides"},
		&cli.StringFlag{Name: "field-manager", Category: categoryKubectl, Usage: "`NAME` to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
	}
}
