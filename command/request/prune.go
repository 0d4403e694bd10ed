package request

import (
	"cmp"
	"fmt"

	"github.com/urfave/cli/v2"
)

// PruneFlags are kubectl's flags of --prune.
func PruneFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "prune", Category: CategoryKubectl, Usage: "show what --prune would delete"},
		&cli.BoolFlag{Name: "all", Category: CategoryApply, Usage: "prune regardless of labels"},
		&cli.StringSliceFlag{Name: "prune-allowlist", Category: CategoryApply, Usage: "prune this `GROUP/VERSION/KIND` instead of the default kinds; repeatable"},
		&cli.StringFlag{Name: "applyset", Category: CategoryApply, Usage: "prune members of the ApplySet whose parent is `[RESOURCE][.GROUP]/NAME`"},
	}
}

// prune reads how the set is pruned. The selector of the settings is that of the
// set, -l, which other commands go by too.
func (v *Resolver) prune(m *Manifests, by OtherApplier) (Prune, error) {
	if by != nil {
		return Prune{}, nil // it has its own way
	}
	p := Prune{
		Prune: v.Bool("prune"), PruneAll: v.Bool("all"), Allowlist: v.StringSlice("prune-allowlist"),
		ApplySet: v.String("applyset"),
	}
	if set := v.file.Prune; set != nil && !v.noManifests && !v.IsSet("prune") {
		if v.has("selector") {
			m.Selector = v.text("selector", "apply.prune.selector", set.Selector)
		}
		if v.has("prune") && (len(m.Chosen) == 0 || v.has("fail-on")) {
			delete(v.used, "apply.prune.selector") // a part of it
			v.goBy("apply.prune")
			p.Prune = true
			p.PruneRoot = FromHere(v.file, []string{set.Root})[0]
			p.ApplySet = cmp.Or(p.ApplySet, set.ApplySet)
			if len(p.Allowlist) == 0 {
				p.Allowlist = set.Allowlist
			}
			p.PruneAll = p.PruneAll || v.open("all") && set.All
		}
	}
	if p.ApplySet != "" && !p.Prune && v.has("prune") {
		return p, fmt.Errorf("--applyset requires --prune")
	}
	if p.Prune && len(m.Chosen) > 0 && !v.has("fail-on") {
		return p, fmt.Errorf("--prune compares all manifests with the cluster; remove %s, which chooses only some of them", m.Chosen[0])
	}
	return p, nil
}
