package merge

import (
	"fmt"

	"threeway/merge/by/argocd"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
)

// AsShown is the plan as Argo CD shows it: of each object that it compares the two forms
// that it compares, and as pruned what is in no manifest. Nothing in it is what a sync
// does.
func (p *Plan) AsShown() (*Plan, error) {
	app, is := p.By.(*argocd.Application)
	if !is {
		return nil, fmt.Errorf("no Application applies these manifests, so Argo CD shows nothing of them")
	}
	as := *p
	as.Shown, as.Outcomes, as.Prune, as.Notes, as.Warnings = true, nil, nil, nil, nil
	for _, o := range p.Outcomes {
		s := app.Shows(o)
		switch s.Status {
		case argocd.NoStatus:
			continue
		case argocd.UnknownStatus:
			return nil, fmt.Errorf("no difference is shown, and the Application is Unknown, because Argo CD cannot compare %s: %s", o.Identity(), s.Failed)
		}
		as.Outcomes = append(as.Outcomes, app.As(o, s))
	}
	if unread := app.Unread(rehearsal.Results{Set: p.Set, Outcomes: p.Outcomes}); unread != "" {
		as.Notes = append(as.Notes, unread)
	}
	if p.extraneous != nil && len(p.extraneous.Candidates) > 0 {
		as.Prune = &prune.Result{}
		for _, c := range p.extraneous.Candidates {
			as.Prune.Candidates = append(as.Prune.Candidates, prune.Candidate{Live: c.Live, Fate: prune.Pruned, Why: "OutOfSync: of Application " + app.String() + ", and in no manifest"})
		}
	}
	return &as, nil
}
