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

// PruneFlags are kubectl's flags of --prune, and our own for its root.
func PruneFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "prune", Category: CategoryKubectl, Usage: "show what --prune would delete"},
		&cli.BoolFlag{Name: "all", Category: CategoryKubectl, Usage: "prune regardless of labels"},
		&cli.StringSliceFlag{Name: "prune-allowlist", Category: CategoryKubectl, Usage: "prune this `GROUP/VERSION/KIND` instead of the default kinds; repeatable"},
		&cli.StringFlag{Name: "applyset", Category: CategoryKubectl, Usage: "prune members of the ApplySet whose parent is `[RESOURCE][.GROUP]/NAME`"},
		&cli.StringFlag{Name: "prune-root", Category: CategoryOwn, Usage: "top `DIR` of all manifests (default: the top of the repository)"},
	}
}

func ThenFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "then", Category: CategoryOwn, Usage: "then apply the manifests at `PATH`, with the same flags, and print that result; repeatable"}
}
