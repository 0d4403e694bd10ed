package show

import (
	"fmt"
	"strings"

	"threeway/merge/impact"
)

// Rollout says what an apply does to the pods of a workload.
func Rollout(r *impact.Rollout) string {
	text := rolloutWords(r)
	if s := scaleWords(r); s != "" && (r.How == impact.NoPods || r.Scaling.From == 0) {
		text = s
	} else if s != "" {
		text = s + "; " + text
	}
	if r.Released {
		text += "; the template has changed before, and this apply lets it roll out"
	}
	return text
}

// scaleWords say how many pods stop or start because of another number of replicas; ""
// if there is none.
func scaleWords(r *impact.Rollout) string {
	switch s := r.Scaling; {
	case s == nil:
		return ""
	case s.To == 0:
		return "stops " + countOf(s.From, "pod") + " (scaled to 0)"
	case s.Stops() > 0:
		return fmt.Sprintf("stops %d of %s", s.Stops(), countOf(s.From, "pod"))
	}
	return "adds " + countOf(r.Scaling.Adds(), "pod")
}

func rolloutWords(r *impact.Rollout) string {
	kind := r.Outcome.Kind.Kind
	switch r.How {
	case impact.Unaffected:
		if kind == "CronJob" {
			return "restarts no pods: the job template is unchanged"
		}
		if r.Scaling != nil && r.Scaling.To == 0 {
			return "the pod template is unchanged"
		} else if r.Scaling != nil {
			return "restarts no others: the pod template is unchanged"
		}
		return "restarts no pods: the pod template is unchanged"
	case impact.NoPods:
		return "restarts no pods: there are none"
	case impact.InPlace:
		return "restarts the changed containers of the Pod"
	case impact.NextRun:
		return "restarts no pods: the next Jobs use the new template, those that run keep the old one"
	case impact.NewPods:
		return "restarts no pods: a " + kind + " uses its template for new pods only" + keeping(r)
	case impact.OnDelete:
		return "restarts no pods: with the updateStrategy OnDelete they keep the old template until they are deleted" + keeping(r)
	case impact.Held:
		return "restarts no pods: all are below the partition" + keeping(r)
	case impact.Paused:
		return "restarts no pods: the Deployment is paused" + keeping(r)
	case impact.Recreate:
		starts := "new ones"
		if r.Pods == 1 {
			starts = "the new one"
		}
		return "stops " + all(r.Pods) + ", then starts " + starts + " (strategy Recreate)"
	}
	return "replaces " + pods(r) + rolling(r) + keeping(r)
}

// keeping says how many pods stay as they are.
func keeping(r *impact.Rollout) string {
	switch {
	case r.Kept == 0:
		return ""
	case r.How == impact.Rolling:
		return fmt.Sprintf("; below the partition %s stay as they are", countOf(r.Kept, "pod"))
	}
	return fmt.Sprintf(" (%s)", countOf(r.Kept, "pod"))
}

func pods(r *impact.Rollout) string {
	if !r.Counted {
		return "its pods"
	}
	return countOf(r.Pods, "pod")
}

// rolling says how the pods of a rolling update are replaced.
func rolling(r *impact.Rollout) string {
	switch {
	case !r.Counted:
		return ""
	case r.AllDown == impact.OnePod:
		return ": it stops before its replacement starts"
	case r.AllDown == impact.AllUnavailable:
		return ", all at the same time: maxUnavailable allows it"
	case r.Surge > 0 && r.Unavailable > 0:
		return fmt.Sprintf("; up to %d more may run meanwhile, and up to %d fewer", r.Surge, r.Unavailable)
	case r.Surge > 0:
		return atATime(r, r.Surge) + "; the new one is ready before the old one stops"
	}
	return atATime(r, r.Unavailable) + "; the old one stops before the new one starts"
}

// atATime says how many pods are replaced at a time, if there are more.
func atATime(r *impact.Rollout, n int) string {
	if r.Pods <= n {
		return ""
	}
	return fmt.Sprintf(", %d at a time", n)
}

func all(n int) string {
	if n == 1 {
		return "its only pod"
	}
	return fmt.Sprintf("all %d pods", n)
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Block says what keeps the new pods of a rollout from starting.
func Block(b impact.Block) string {
	switch b.Mode {
	case "ReadWriteOncePod":
		return fmt.Sprintf("%s is ReadWriteOncePod: a new pod cannot use it before the old one stops, which it does only when the new one is ready", b.Object)
	case "ReadWriteOnce":
		return fmt.Sprintf("%s is ReadWriteOnce: a new pod on another node cannot use it before the old one stops, which it does only when the new one is ready", b.Object)
	}
	return fmt.Sprintf("%s allows %s %s, and the rollout needs %s", b.Object, b.Hard, strings.TrimPrefix(b.Resource, "count/"), b.Needs)
}

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
	j := &jsonRollout{How: r.How, Kept: r.Kept, Surge: r.Surge, Unavailable: r.Unavailable, AllDown: r.AllDown, Released: r.Released, Text: Rollout(r)}
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
		j.Blocks = append(j.Blocks, jsonBlock{b.Object.String(), b.Certain, b.Mode, b.Resource, b.Hard, b.Needs, Block(b)})
	}
	return j
}
