package show

import (
	"strings"

	"threeway/merge"
	"threeway/merge/gap"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
)

// Incomplete says what a plan does not tell: incomplete: 1 file cannot be read. It is ""
// if the plan is complete.
func Incomplete(gaps gap.List) string {
	var parts planLine
	for _, code := range gap.Codes() {
		needs := map[string]bool{}
		for _, g := range gaps {
			switch {
			case g.Code != code:
			case g.Text != "":
				parts = append(parts, visible.Line(g.Text))
			default:
				needs[g.Needs] = true
			}
		}
		one, many := code.Words()
		n := len(needs)
		if many == "" {
			n = min(n, 1)
		}
		parts.add(n, one, many)
	}
	if parts == nil {
		return ""
	}
	return "incomplete: " + strings.Join(parts, ", ")
}

// Lacking says what would complete a plan, once each, with the objects that are
// concerned.
func Lacking(plan *merge.Plan) (lines []string) {
	var kinds []string // which the snapshot lacks
	at := 0
	for _, g := range plan.Gaps {
		var objects []string
		whole := false
		for _, o := range g.Objects {
			if o.Name == "" {
				kinds, whole = append(kinds, schema.Kind{Group: o.Group, Kind: o.Kind}.GroupKind()), true
			} else {
				objects = append(objects, o.String())
			}
		}
		line, names := "needs "+visible.Line(g.Needs), ": "
		switch {
		case whole && len(kinds) == 1:
			at = len(lines)
		case whole:
			continue
		case g.Code == gap.NoPath, g.Code == gap.BaseUnread, g.Code == gap.Refused:
			line, names = g.Needs, "; unknown: "
		case g.Code == gap.RulesSkipped, g.Code == gap.NotRendered:
			line = g.Needs
		case g.Code == gap.Unread:
			line, names = visible.Line(g.Place)+" cannot be read", "; unknown: "
		}
		if objects != nil {
			named := phrase.Abbreviated(objects, 5)
			if what, command, ends := strings.Cut(g.Needs, ": "); ends && g.Code == gap.NoOwners {
				line = "needs " + what + " of " + named + ": " + command // nothing follows a command line
			} else {
				line += names + named
			}
		}
		lines = append(lines, line)
	}
	if kinds != nil {
		lines[at] = "needs an export of " + strings.Join(kinds, ", ")
	}
	return lines
}

// jsonGap is what a plan does not tell of one object, in JSON.
type jsonGap struct {
	Code   gap.Code `json:"code"`
	Object string   `json:"object,omitempty"`
	Kind   string   `json:"kind,omitempty"`
	Path   string   `json:"path,omitempty"`
	Needs  string   `json:"needs"`
}

// GapsJSON is what JSON writes of what a plan does not tell, to be a part of another
// report.
func GapsJSON(gaps gap.List) (list []jsonGap) {
	for _, g := range gaps {
		j := jsonGap{Code: g.Code, Path: visible.Line(g.Place), Needs: g.Needs}
		if len(g.Objects) == 0 {
			list = append(list, j)
		}
		for _, o := range g.Objects {
			if j.Kind, j.Object = "", o.String(); o.Name == "" {
				j.Kind, j.Object = schema.Kind{Group: o.Group, Kind: o.Kind}.GroupKind(), ""
			}
			if g.Code == gap.NoOwners {
				j.Needs = "managedFields: " + manifest.ExportManagers(o)
			}
			list = append(list, j)
		}
	}
	return list
}
