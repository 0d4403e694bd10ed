package request

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// UnifiedFlag is -U, which says how differences are shown.
func UnifiedFlag() cli.Flag {
	return &cli.IntFlag{Name: "unified", Aliases: []string{"U"}, Category: CategoryOwn, Usage: "show diffs with `N` lines of context", Value: 3}
}

// StepsFlag is --steps, which prints the steps of remedies.
func StepsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "steps", Category: CategoryOwn, Usage: "print the steps of each remedy: what to edit, apply, run and wait for"}
}

// LintFlags are those of lint, but for --fix.
func LintFlags() []cli.Flag {
	return slices.Concat(CheckFlags(), []cli.Flag{
		PruneFlag(),
		&cli.BoolFlag{Name: "staged", Category: CategoryOwn, Usage: "for hooks: read the manifests as the next commit has them, from git's index, and skip PATHs that hold templates, live objects or no Kubernetes objects; without a snapshot they are compared with HEAD"},
	})
}

// CheckFlags are those of lint and upgrade.
func CheckFlags() []cli.Flag {
	return slices.Concat(PlanFlags(), ApplierFlags(), ServerSideFlags(), BaseFlags(), []cli.Flag{SopsFlag(), OutputsFlag("lint", CategoryOwn)}, RuleFlags())
}

// RuleFlags say what is looked for and what counts.
func RuleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "rule", Category: CategoryOwn, Usage: "`RULE=LEVEL` sets the severity of a rule: off, info, warning or error; RULE alone runs only that rule; repeatable"},
		&cli.StringSliceFlag{Name: "policy", Category: CategoryOwn, Usage: "`PATH` of ValidatingAdmissionPolicies that count as rules, besides those of the settings; repeatable"},
		&cli.StringFlag{Name: "level", Category: CategoryOwn, Usage: "lowest `LEVEL` that is listed: error, warning, info; by default warning in text and markdown, info in other formats"},
		&cli.StringFlag{Name: "fail-on", Category: CategoryOwn, Usage: "lowest `LEVEL` that makes the exit code 1: error, warning, info, never", Value: "error"},
		&cli.StringFlag{Name: "baseline", Category: CategoryOwn, Usage: "ignore the findings recorded in `FILE`"},
	}
}
