package request

import (
	"github.com/urfave/cli/v2"
)

func ServerSideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "server-side", Category: CategoryKubectl, Usage: "rehearse a server-side apply"},
		&cli.BoolFlag{Name: "force-conflicts", Category: CategoryKubectl, Usage: "with --server-side: take over fields that other managers own"},
		&cli.BoolFlag{Name: "migrate", Category: CategoryOwn, Usage: "with --server-side: also simulate the migration of objects that were applied client-side, which a real apply does and no dry run shows"},
		&cli.StringFlag{Name: "field-manager", Category: CategoryKubectl, Usage: "`NAME` of the field manager to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
	}
}

func ThenFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "then", Category: CategoryOwn, Usage: "then apply the manifests at `PATH`, with the same flags, and print that result; repeatable"}
}
