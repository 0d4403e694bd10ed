package request

import (
	"github.com/urfave/cli/v2"
)

// ServerSideFlags are --server-side and what goes with it.
func ServerSideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "server-side", Category: CategoryApply, Usage: "rehearse a server-side apply"},
		&cli.BoolFlag{Name: "force-conflicts", Category: CategoryApply, Usage: "with --server-side: take over fields that other managers own"},
		&cli.StringFlag{Name: "field-manager", Category: CategoryApply, Usage: "`NAME` of the field manager to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
	}
}

// MigrateFlag is --migrate, for commands that rehearse a dry run.
func MigrateFlag() cli.Flag {
	return &cli.BoolFlag{Name: "migrate", Category: CategoryOwn, Usage: "with --server-side: also simulate the migration of objects that were applied client-side, which a real apply does and no dry run shows"}
}

// ThenFlag is --then.
func ThenFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "then", Category: CategoryOwn, Usage: "then apply the manifests at `PATH`, with the same flags, and print that result; repeatable"}
}
