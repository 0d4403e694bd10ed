package rehearsal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/gap"
	"threeway/merge/kube"
	"threeway/merge/text/phrase"
)

// Asked is an admission webhook of the snapshot that the server asks about objects of
// the run.
type Asked struct {
	kube.Webhook
	// Objects are those that it is asked about. Needs are what else it depends on whether it
	// is asked about Perhaps.
	Objects, Perhaps []*Outcome
	Needs            []string
	// Fails are those that the server rejects without asking, because matchConditions
	// fail with Failure.
	Fails   []*Outcome
	Failure fault.Text
}

// AskedWebhooks finds who is asked about what is sent: mutating webhooks first, then by the
// names of configuration and webhook.
func (r *Run) AskedWebhooks(outcomes []*Outcome) (list []Asked) {
	at := map[kube.Webhook]int{}
	for _, o := range outcomes {
		if o.Result == nil || o.Action == Rejected || o.Action == Unchanged || o.Skipped != "" {
			continue // nothing is sent, or what was answered before is sent again
		}
		old := o.Before
		if o.Recreated {
			old = nil
		}
		for _, call := range r.Server.Calls(r.Catalog.Mapped(o.Kind), o.Result, old) {
			i, known := at[call.Webhook]
			if !known {
				i, at[call.Webhook] = len(list), len(list)
				list = append(list, Asked{Webhook: call.Webhook})
			}
			switch a := &list[i]; {
			case !call.Failure.Empty():
				a.Fails, a.Failure = append(a.Fails, o), call.Failure
			case call.Needs != nil:
				a.Perhaps, a.Needs = append(a.Perhaps, o), phrase.Distinct(append(a.Needs, call.Needs...))
			default:
				a.Objects = append(a.Objects, o)
			}
		}
	}
	slices.SortFunc(list, func(a, b Asked) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Configuration, b.Configuration), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Gap is the answer.
func (a Asked) Gap() gap.Gap {
	g := gap.Gap{Code: gap.Webhook, Note: a.String()}
	for _, o := range slices.Concat(a.Objects, a.Perhaps, a.Fails) {
		g.Objects = append(g.Objects, o.Identity())
	}
	g.Needs = fmt.Sprintf("the answer of %s, which kubectl apply --dry-run=server asks", a.who())
	return g
}

// who is asked.
func (a Asked) who() string {
	kind := "validating"
	if a.Mutates() {
		kind = "mutating"
	}
	return fmt.Sprintf("%s webhook %s of %s", kind, a.Name, a.Configuration)
}

// String is the line about the webhook: who is asked about what, and that the answer is
// unknown.
func (a Asked) String() string {
	policy, may := "Fail", "reject"
	if a.Mutates() {
		may = "change or reject"
	}
	if a.Ignored {
		policy = "Ignore"
	}
	who := fmt.Sprintf("%s (%s)", a.who(), policy)
	var lines []string
	if a.Objects != nil {
		lines = append(lines, fmt.Sprintf("asks %s: answer unknown; it may %s %s", who, may, phrase.Some(identities(a.Objects))))
	}
	if a.Perhaps != nil {
		lines = append(lines, fmt.Sprintf("asks %s if its conditions hold, which need %s: answer unknown; it may %s %s", who, strings.Join(a.Needs, ", "), may, phrase.Some(identities(a.Perhaps))))
	}
	if a.Fails != nil {
		lines = append(lines, fmt.Sprintf("the API server rejects %s without asking %s: %s", phrase.Some(identities(a.Fails)), who, a.Failure))
	}
	return strings.Join(lines, "; ")
}

func identities(outcomes []*Outcome) (names []string) {
	for _, o := range outcomes {
		names = append(names, o.Identity().String())
	}
	return names
}
