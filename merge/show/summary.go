package show

import (
	"fmt"
	"strings"

	"threeway/merge"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
)

// Counts are the numbers of objects by what happens to them.
type Counts struct {
	Objects    int `json:"objects"`
	Created    int `json:"created"`
	Renamed    int `json:"renamed,omitempty"`
	Configured int `json:"configured"`
	Unchanged  int `json:"unchanged"`
	Rejected   int `json:"rejected"`
	Stopped    int `json:"stopped,omitempty"`
	Pruned     int `json:"pruned"`
	Removed    int `json:"removed"`
}

// Count counts the outcomes of a plan. One of which nothing that is shown changes is
// unchanged.
func Count(plan *merge.Plan, opts Options) Counts {
	if opts.Digest != nil && opts.Digest.facts.Plan == plan {
		return opts.Digest.counts
	}
	return countOf(plan, opts, impact.Renames(plan))
}

func countOf(plan *merge.Plan, opts Options, renames []impact.Rename) Counts {
	early := len(plan.RejectedEarly())
	c := Counts{Objects: len(plan.Outcomes) + early, Rejected: early}
	created := map[manifest.Identity]bool{}
	for _, o := range plan.Outcomes {
		switch {
		case o.Stopped:
			c.Stopped++
		case o.Action == rehearsal.Created && created[o.Identity()]: // defined twice
			c.Configured++
		case o.Action == rehearsal.Created:
			created[o.Identity()] = true
			c.Created++
		case o.Action == rehearsal.Configured && opts.Differs(o):
			c.Configured++
		case o.Action == rehearsal.Unchanged, o.Action == rehearsal.Configured:
			c.Unchanged++
		case o.Action == rehearsal.Rejected:
			c.Rejected++
		}
	}
	c.Pruned = len(plan.Prune.Pruned())
	if !plan.Unread() {
		c.Removed = len(plan.Left)
	}
	for _, r := range renames {
		c.Created, c.Renamed = c.Created-1, c.Renamed+1
		if r.Gone {
			c.Pruned--
		} else {
			c.Removed--
		}
	}
	return c
}

// Summary is the line at the end: 12 objects: 1 created, 3 configured, …
func Summary(plan *merge.Plan, opts Options) string {
	c := Count(plan, opts)
	type part struct {
		n    int
		word rehearsal.Action
	}
	words := []part{{c.Created, rehearsal.Created}, {c.Renamed, "renamed"}, {c.Configured, rehearsal.Configured}, {c.Unchanged, rehearsal.Unchanged}, {c.Rejected, rehearsal.Rejected}, {c.Stopped, rehearsal.NotApplied}, {c.Pruned, "pruned"}, {c.Removed, "removed from the manifests"}}
	if plan.Shown {
		words = []part{{c.Created + c.Configured, "OutOfSync"}, {c.Unchanged, "Synced"}, {c.Pruned, "OutOfSync in no manifest"}}
	}
	var parts []string
	for _, p := range words {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	noun := "objects"
	if c.Objects == 1 {
		noun = "object"
	}
	text := fmt.Sprintf("%d %s", c.Objects, noun)
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if plan.Shown {
		text += "; as Argo CD shows it before the sync"
	}
	return text + "; " + Rehearsed(plan)
}

// Rehearsed says what was rehearsed: kubernetes 1.36; client-side apply.
func Rehearsed(plan *merge.Plan) string {
	how := plan.By.Title(plan.Mode())
	if plan.Parts != nil {
		how = "each object as its own program applies it"
	}
	return "kubernetes " + kubernetes(plan) + "; " + how
}

func kubernetes(plan *merge.Plan) string { return fmt.Sprintf("1.%d", plan.Minor) }
