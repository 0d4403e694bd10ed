package request

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/merge/rehearsal"
)

const (
	CategoryKubectl = "FLAGS OF KUBECTL"
	CategoryOwn     = "FLAGS OF THREEWAY"
	// CategoryApply are those that say how kubectl applies.
	CategoryApply = "HOW KUBECTL APPLIES"
)

// PlanFlags are what every command that rehearses an apply takes.
func PlanFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "filename", Aliases: []string{"f"}, Category: CategoryKubectl, Usage: "manifests: a `FILE`, a directory, a glob, or - for stdin; repeatable or comma-separated"},
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"R"}, Category: CategoryKubectl, Usage: "read the directories of -f recursively"},
		KustomizeFlag(),
		&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Category: CategoryKubectl, Usage: "`NAMESPACE` of objects without one; objects with another namespace are rejected"},
		&cli.StringFlag{Name: "selector", Aliases: []string{"l"}, Category: CategoryKubectl, Usage: "only manifests whose labels match `SELECTOR`"},
		&cli.StringFlag{Name: "validate", Category: CategoryApply, Usage: "what to do with unknown fields: `MODE` strict (or true) rejects the object; warn and ignore (or false) drop the fields", Value: string(rehearsal.Strict)},
		&cli.BoolFlag{Name: "show-secrets", Category: CategoryKubectl, Usage: "show the values of Secrets unmasked"},
		ConfigFlag(),
		&cli.StringSliceFlag{Name: "live", Category: CategoryOwn, Usage: "snapshot `PATH` of live objects: file, directory, archive, or - for stdin; repeatable; diff, lint, review and upgrade take NAME=PATH for each of several clusters"},
		VerboseFlag(),
		EmptyClusterFlag(),
		&cli.StringSliceFlag{Name: "last-applied", Category: CategoryOwn, Usage: "`PATH` of the last-applied manifests, for live objects without the annotation"},
		&cli.StringSliceFlag{Name: "crd", Category: CategoryOwn, Usage: "`PATH` of CustomResourceDefinitions, of a catalog's schemas (GROUP/KIND_VERSION.json), or of OpenAPI v3 of the cluster; repeatable", DefaultText: "crds of " + settings.FileName},
		&cli.StringFlag{Name: "kubernetes-version", Category: CategoryOwn, Usage: fmt.Sprintf("simulate Kubernetes `1.NN` (1.%d: %s)", rehearsal.NewestMinor, Beta), Value: fmt.Sprintf("1.%d", rehearsal.DefaultMinor), DefaultText: fmt.Sprintf("that of the snapshot, else 1.%d, the newest that was recorded", rehearsal.DefaultMinor)},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: CategoryOwn, Usage: "print no summary, warnings or notes"},
		ColorFlag(),
	}
}

// ColorFlag is --color.
func ColorFlag() cli.Flag {
	return &cli.StringFlag{Name: "color", Category: CategoryOwn, Usage: "`WHEN` to use color: auto, always, never", Value: "auto"}
}

// NoFailFlag is --no-fail, for commands without --fail-on.
func NoFailFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-fail", Category: CategoryOwn, Usage: "exit 0 instead of 1"}
}

// VerboseFlag is --verbose.
func VerboseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Category: CategoryOwn, Usage: "list what is left out otherwise: skipped files and rules, suppressed findings, fields that the cluster set"}
}

// EmptyClusterFlag is --empty-cluster.
func EmptyClusterFlag() cli.Flag {
	return &cli.BoolFlag{Name: "empty-cluster", Category: CategoryOwn, Usage: "accept an empty snapshot: the cluster has none of the exported kinds"}
}

// PathArguments is what commands take besides flags that rehearse the apply of
// manifests: they are the set, or choose what is shown of it.
const PathArguments = "[PATH...]"

// ConfigFlag is --config.
func ConfigFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: CategoryOwn, Usage: "settings `FILE`, or '' for none", DefaultText: settings.FileName + " here or in a directory above, up to the top of the repository"}
}

// IgnoreManagerFlag is --ignore-manager.
func IgnoreManagerFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "ignore-manager", Category: CategoryOwn, Usage: "ignore fields owned by `NAME` in the snapshot; repeatable"}
}

// Split takes the values of -f apart at commas, as kubectl does.
func Split(values []string) []string {
	var paths []string
	for _, v := range values {
		paths = append(paths, strings.Split(v, ",")...)
	}
	return paths
}
