package request

import (
	"github.com/urfave/cli/v2"
)

// GitBase is what a --base in git begins with.
const GitBase = "git:"

// BaseFlags are --base and --trust.
func BaseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "base", Category: CategoryOwn, Usage: "compare with other manifests instead of a snapshot: those at `PATH` (a file, a directory, an archive, or - for stdin), or those of -f at git:REVISION; assumes that the cluster matches them; repeatable"},
		trustFlag(),
	}
}

// KustomizeFlag is -k.
func KustomizeFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "kustomize", Aliases: []string{"k"}, Category: CategoryKubectl, Usage: "manifests rendered by 'kubectl kustomize `DIR`', or 'kustomize build' if there is no kubectl; that program may fetch remote bases; repeatable, each overlay separately"}
}

// KeyVariable holds the key itself, as jobs get their secrets.
const KeyVariable = "THREEWAY_KEY"

// KeyFileVariable holds the name of its file.
const KeyFileVariable = "THREEWAY_KEY_FILE"

// KeyFlag is --key-file, for commands that write redacted snapshots.
func KeyFlag() cli.Flag {
	return &cli.StringFlag{Name: "key-file", Category: CategoryOwn, Usage: "`FILE` with the key that redacts the values of the snapshot", DefaultText: "$" + KeyVariable}
}

// SopsFlag is --sops.
func SopsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "sops", Category: CategoryOwn, Usage: "decrypt the manifests of -f that SOPS has encrypted, with 'sops decrypt FILE'; their values stay masked. That program may ask a key service"}
}
