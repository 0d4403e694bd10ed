package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/merge/rehearsal"
	"threeway/rules"
)

// UpgradeCommand is threeway upgrade.
func UpgradeCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "upgrade",
		Usage:     "find what an upgrade of Kubernetes changes for your manifests",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway upgrade --to 1.NN [PATH...] | threeway upgrade --to 1.NN -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Rehearses the apply on the Kubernetes of the cluster and on another version, and
reports what is different: versions of kinds that are gone, objects that
start or stop being rejected, fields that start or stop having an effect, defaults
that change, and new warnings.

The version of the cluster is that of --kubernetes-version or .threeway.yaml, else
the version your snapshot reveals: by the output of 'kubectl version -o yaml' among
its files, by its Nodes, or by what the server prints. If it is unknown, the
version before that of --to is taken, and a note says so.

--fix rewrites an apiVersion if a rehearsal shows that the cluster stores the same
object for the new one and that the other version of Kubernetes accepts it.

-f, the PATHs, .threeway.yaml, suppressions and baselines mean the same as for
'threeway lint'.

Exit code: 0, 1 findings at or above --fail-on, 2 bad input or settings.

Examples:
  threeway upgrade --to 1.37 -f deploy/ --live snapshot.yaml
  threeway upgrade --to 1.37 -f deploy/ --live snapshot.yaml -o sarif=up.sarif
  threeway upgrade --to 1.37 --kubernetes-version 1.33 -f deploy/ --fix=diff`,
		Flags:  append(slices.Concat(upgradeFlags(), fixFlags()), request.FromEnvironment(request.CheckFlags())...),
		Action: p.Does(runUpgrade),
	}
}

func upgradeFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{Name: "to", Category: request.CategoryOwn, Usage: fmt.Sprintf("compare with Kubernetes `1.NN` (1.%d: %s)", rehearsal.NewestMinor, request.Beta)}}
}

// runUpgrade is a lint by the rules that compare.
func runUpgrade(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	if r.To == 0 {
		return 0, fmt.Errorf("pass the version to upgrade to: --to 1.NN")
	}
	if len(r.Only) == 0 {
		for _, rule := range rules.All() {
			asked := rule.Needs&lint.Upgrade != 0 || slices.Contains(alsoUpgrade, rule.ID)
			if asked && !slices.ContainsFunc(r.Levels, func(pair string) bool { id, off := strings.CutSuffix(pair, "=off"); return off && rule.Named(id) }) {
				r.Only = append(r.Only, rule.ID)
			}
		}
	}
	return runLint(ctx, r, std)
}

// alsoUpgrade are the rules that an upgrade asks besides its own: what keeps
// stored objects from being read.
var alsoUpgrade = []string{"crd-drops-stored-version"}
