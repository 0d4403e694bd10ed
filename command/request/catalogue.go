package request

import (
	"slices"
	"strings"

	"threeway/command/settings"
	"threeway/lint"
	"threeway/rules"
	"threeway/rules/own"
)

// RuleIDs are the IDs that rules have and had.
func RuleIDs(catalogue []*lint.Rule) (ids []string) {
	for _, r := range catalogue {
		ids = append(ids, r.Names()...)
	}
	return ids
}

// Catalogue is every rule: those of threeway, and those of the settings.
func Catalogue(cfg *settings.Config) ([]*lint.Rule, error) {
	all := rules.All()
	if cfg.PolicyCommand.Run != nil {
		all = append(all, own.OfProgram(cfg.File))
	}
	compiled, err := own.Compile(cfg.Policies, RuleIDs(all))
	if err != nil {
		return nil, err
	}
	all = append(all, compiled...)
	slices.SortFunc(all, func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// Rule is the rule that has an ID, or had it, or nil.
func Rule(all []*lint.Rule, id string) *lint.Rule {
	if i := slices.IndexFunc(all, func(r *lint.Rule) bool { return r.Named(id) }); i >= 0 {
		return all[i]
	}
	return nil
}
