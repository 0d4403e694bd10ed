package request

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// PruneFlag is --prune, with what kubectl has in flags of their own.
func PruneFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "prune", Category: CategoryKubectl, Usage: "show what --prune would delete; `[=WHAT]` is all (regardless of labels), GROUP/VERSION/KIND (instead of the default kinds), or applyset=[RESOURCE][.GROUP]/NAME; repeatable"}
}

// pruned reads --prune.
func (v *Resolver) pruned() (p Prune) {
	for _, what := range v.StringSlice("prune") {
		on, err := strconv.ParseBool(what)
		set, named := strings.CutPrefix(what, "applyset=")
		p.Prune = on || err != nil
		switch {
		case err == nil:
		case what == "all":
			p.PruneAll = true
		case named:
			p.ApplySet = set
		default:
			p.Allowlist = append(p.Allowlist, what)
		}
	}
	return p
}

// prune reads how the set is pruned. The selector of the settings is that of the
// set, -l, which other commands go by too.
func (v *Resolver) prune(m *Manifests, by OtherApplier) (Prune, error) {
	if by != nil {
		return Prune{}, nil // it has its own way
	}
	p := v.pruned()
	if set := v.file.Prune; set != nil && !v.noManifests && !v.IsSet("prune") {
		if v.has("selector") {
			m.Selector = v.text("selector", "apply.prune.selector", set.Selector)
		}
		if v.has("prune") && (len(m.Chosen) == 0 || v.has("fail-on")) {
			delete(v.used, "apply.prune.selector") // a part of it
			v.goBy("apply.prune")
			p = Prune{Prune: true, PruneAll: set.All, Allowlist: set.Allowlist, ApplySet: set.ApplySet, PruneRoot: FromHere(v.file, []string{set.Root})[0]}
		}
	}
	if p.Prune && len(m.Chosen) > 0 && !v.has("fail-on") {
		return p, fmt.Errorf("--prune compares all manifests with the cluster; remove %s, which chooses only some of them", m.Chosen[0])
	}
	return p, nil
}
