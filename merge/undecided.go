package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/rehearsal"
	"threeway/merge/server/policy"
	"threeway/merge/text/phrase"
)

// undecided says, once for each expression of an admission policy, which objects
// depend on what it needs and no file tells.
func undecided(outcomes []*rehearsal.Outcome) []string {
	type question struct{ policy, expression, needs string }
	type doubt struct {
		question
		effects, objects []string
	}
	var doubts []*doubt
	known := map[question]*doubt{}
	for _, o := range outcomes {
		for _, u := range o.Undecided {
			q := question{u.Kind + " " + u.Policy, oneSpaced(u.Expression), strings.Join(u.Needs, " or ")}
			d := known[q]
			if d == nil {
				d = &doubt{question: q}
				known[q], doubts = d, append(doubts, d)
			}
			d.effects = append(d.effects, string(u.Effect))
			d.objects = append(d.objects, o.Identity().String())
		}
	}
	slices.SortFunc(doubts, func(a, b *doubt) int {
		return cmp.Or(cmp.Compare(a.policy, b.policy), cmp.Compare(a.expression, b.expression), cmp.Compare(a.needs, b.needs))
	})
	var notes []string
	for _, d := range doubts {
		text := fmt.Sprintf("%s may %s %s: %s is unknown", d.policy, strings.Join(phrase.Distinct(d.effects), " or "), phrase.Some(phrase.Distinct(d.objects)), d.needs)
		if strings.Contains(d.needs, policy.UserInfo) {
			text += " (--as tells who applies)"
		}
		if d.expression != "" {
			text += ", which its expression needs: " + d.expression
		}
		notes = append(notes, text)
	}
	return notes
}

func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }
