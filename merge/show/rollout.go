package show

import (
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
)

// jsonRollout is what an apply does to the pods of a workload, in JSON.
type jsonRollout struct {
	How         impact.How   `json:"how"`
	Pods        *int         `json:"pods,omitempty"`
	Kept        int          `json:"kept,omitempty"`
	Surge       int          `json:"surge,omitempty"`
	Unavailable int          `json:"unavailable,omitempty"`
	AllDown     impact.Cause `json:"allDown,omitempty"`
	Released    bool         `json:"released,omitempty"`
	Blocks      []jsonBlock  `json:"blocks,omitempty"`
	Scale       *jsonScale   `json:"scale,omitempty"`
	Text        string       `json:"text"`
}

// jsonScale is another number of replicas: how many pods there are and will be, and what
// is left without any.
type jsonScale struct {
	From int      `json:"from"`
	To   int      `json:"to"`
	Cut  []string `json:"cut,omitempty"`
}

type jsonBlock struct {
	Object   string `json:"object"`
	Certain  bool   `json:"certain"`
	Mode     string `json:"mode,omitempty"`
	Resource string `json:"resource,omitempty"`
	Hard     string `json:"hard,omitempty"`
	Needs    string `json:"needs,omitempty"`
	Text     string `json:"text"`
}

func rolloutJSON(r *impact.Rollout) *jsonRollout {
	j := &jsonRollout{How: r.How, Kept: r.Kept, Surge: r.Surge, Unavailable: r.Unavailable, AllDown: r.AllDown, Released: r.Released, Text: r.Words()}
	if r.Counted {
		j.Pods = &r.Pods
	}
	if s := r.Scaling; s != nil {
		j.Scale = &jsonScale{From: s.From, To: s.To}
		for _, id := range s.Cut {
			j.Scale.Cut = append(j.Scale.Cut, id.String())
		}
	}
	for _, b := range r.Blocks {
		j.Blocks = append(j.Blocks, jsonBlock{b.Object.String(), b.Certain, b.Mode, b.Resource, b.Hard, b.Needs, b.Words()})
	}
	return j
}

// rolloutLine is what an apply does to the pods of a workload, which comes of its replicas if
// no pod is replaced.
func rolloutLine(r *impact.Rollout) Line {
	l := Line{Text: r.Words()}
	if r.Scaling != nil && !r.Restarts() {
		l.Paths = []fieldpath.Path{replicas}
	}
	return l
}
