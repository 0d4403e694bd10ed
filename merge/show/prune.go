package show

import (
	"fmt"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/text/visible"
)

// place is file:line of an object.
func place(o *manifest.Object) string {
	line, _, _ := o.Position(nil)
	return fmt.Sprintf("%s:%d", visible.Line(o.Origin.File), line)
}

// Accidents warns of the pruned objects whose manifest is elsewhere in the set.
func Accidents(pruned *prune.Result) (warnings []string) {
	for _, c := range pruned.Pruned() {
		if c.Manifest != nil {
			warnings = append(warnings, fmt.Sprintf("%s would be pruned although its manifest exists in %s, which was not passed to this run", c.Live.ID(), place(c.Manifest)))
		}
	}
	return warnings
}

// Candidate says, in lines, what becomes of a candidate of a prune, why, and
// what goes with it.
func Candidate(c prune.Candidate, opts Options) string {
	out := &strings.Builder{}
	style := Muted
	if c.Fate == prune.Pruned {
		style = Removal
	}
	fmt.Fprintf(out, "%s %s\n  why  %s\n", opts.paint(Strong, c.Live.ID().String()), opts.paint(style, string(c.Fate)), c.Why)
	if c.Manifest != nil && c.Fate == prune.Pruned {
		fmt.Fprintf(out, "  but  its manifest is in %s, which is not part of this run: apply all manifests together\n", place(c.Manifest))
	}
	if c.LastFile != "" {
		fmt.Fprintf(out, "  was  in %s\n", c.LastFile)
	}
	for _, t := range c.Takes {
		fmt.Fprintf(out, "  takes %s: %s\n", t.Live.ID(), t.Why)
	}
	return out.String()
}

// jsonPruned is a candidate in the JSON report.
type jsonPruned struct {
	Object   string      `json:"object"`
	Fate     prune.Fate  `json:"fate"`
	Why      string      `json:"why"`
	Manifest string      `json:"manifest,omitempty"`
	LastFile string      `json:"lastFile,omitempty"`
	Takes    []jsonTaken `json:"takes,omitempty"`
}

type jsonTaken struct {
	Object string `json:"object"`
	Why    string `json:"why"`
	Depth  int    `json:"depth"`
}

// PruneJSON is what JSON writes of a prune, to be a part of another report.
func PruneJSON(r *prune.Result) []jsonPruned {
	if r == nil {
		return nil
	}
	list := []jsonPruned{}
	for _, c := range r.Candidates {
		j := jsonPruned{Object: c.Live.ID().String(), Fate: c.Fate, Why: c.Why, LastFile: c.LastFile}
		if c.Manifest != nil {
			j.Manifest = place(c.Manifest)
		}
		for _, t := range c.Takes {
			j.Takes = append(j.Takes, jsonTaken{t.Live.ID().String(), t.Why, t.Depth})
		}
		list = append(list, j)
	}
	return list
}
