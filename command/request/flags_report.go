package request

import (
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/system"
)

// DiffFlags say how differences are shown.
func DiffFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "show-managed-fields", Category: CategoryKubectl, Usage: "include managedFields in the diff"},
		&cli.BoolFlag{Name: "all-fields", Category: CategoryOwn, Usage: "in -o fields and --explain, also show what the cluster itself set, such as allocated addresses and annotations of controllers"},
		&cli.BoolFlag{Name: "explain", Category: CategoryOwn, Usage: "after each diff, give the reason for every changed field"},
		&cli.IntFlag{Name: "unified", Aliases: []string{"U"}, Category: CategoryOwn, Usage: "show `N` lines of context", Value: 3},
	}
}

func LintFlags() []cli.Flag {
	return slices.Concat(PlanFlags(), ApplierFlags(), ServerSideFlags(), PruneFlags(), BaseFlags(), []cli.Flag{SopsFlag()}, RuleFlags(), []cli.Flag{
		OutputsFlag("lint", CategoryOwn),
		&cli.StringFlag{Name: "write-baseline", Category: CategoryOwn, Usage: "write the findings to `FILE` and exit 0"},
		&cli.BoolFlag{Name: "staged", Category: CategoryOwn, Usage: "read the manifests as the next commit has them, from git's index; without a snapshot they are compared with HEAD; for hooks"},
	})
}

// RuleFlags say what is looked for and what counts.
func RuleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "only", Category: CategoryOwn, Usage: "run only this `RULE`; repeatable"},
		&cli.StringSliceFlag{Name: "rule", Category: CategoryOwn, Usage: "set the severity of a rule: `RULE=LEVEL`, with off, info, warning or error; RULE alone runs an opt-in rule; repeatable"},
		&cli.StringFlag{Name: "level", Category: CategoryOwn, Usage: "lowest `LEVEL` that is listed: error, warning, info; by default warning in text and markdown, info in other formats"},
		&cli.StringFlag{Name: "fail-on", Category: CategoryOwn, Usage: "lowest `LEVEL` that makes the exit code 1: error, warning, info, never", Value: "error"},
		&cli.StringFlag{Name: "baseline", Category: CategoryOwn, Usage: "ignore the findings recorded in `FILE`"},
		&cli.BoolFlag{Name: "no-suppressions", Category: CategoryOwn, Usage: "also report findings suppressed by comments, annotations and settings"},
		&cli.BoolFlag{Name: "show-suppressed", Category: CategoryOwn, Usage: "list suppressed findings with their reasons"},
		&cli.BoolFlag{Name: "skip-other-files", Category: CategoryOwn, Usage: "skip PATHs that hold templates, live objects or no Kubernetes objects; for hooks"},
		&cli.StringFlag{Name: "rule-pages", Category: CategoryOwn, Usage: "`URL` of a site with the pages of the rules, to which SARIF links them", Value: system.Site},
		IgnoreManagerFlag(),
		&cli.StringSliceFlag{Name: "ignore-path", Category: CategoryOwn, Usage: "suppress findings about a field: `KIND:PATH`, such as Deployment:spec.replicas"},
	}
}
