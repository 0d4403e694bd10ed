package show

import (
	"slices"
	"strings"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
)

// gapWords say how much a plan does not tell: of one thing, and of several.
var gapWords = map[merge.Gap][2]string{
	merge.NoPath:          {"1 path cannot be read", "%d paths cannot be read"},
	merge.Unread:          {"1 file cannot be read", "%d files cannot be read"},
	merge.BaseUnread:      {"1 file of the base cannot be read", "%d files of the base cannot be read"},
	merge.NoDefinition:    {"1 kind has no definition", "%d kinds have no definition"},
	merge.NotExported:     {"1 kind is not in the snapshot", "%d kinds are not in the snapshot"},
	merge.OtherNamespaces: {"1 namespace is not in the snapshot", "%d namespaces are not in the snapshot"},
	merge.OtherVersion:    {"1 kind is in another version in the snapshot", "%d kinds are in another version in the snapshot"},
	merge.NoOwners:        {"the snapshot lacks managedFields", ""},
	merge.OtherApplier:    {"another program applies the live objects", "%d other programs apply the live objects"},
	merge.Refused:         {"kubectl refuses to run", "kubectl refuses to run"},
	merge.Chosen:          {"1 field that the cluster chose is unknown", "%d fields that the cluster chose are unknown"},
	merge.Undecided:       {"1 check of admission cannot be decided", "%d checks of admission cannot be decided"},
}

// Incomplete says what a plan does not tell: incomplete: 1 file cannot be read. It is ""
// if the plan is complete.
func Incomplete(unknown []merge.Unknown) string {
	var parts planLine
	var gap merge.Gap
	needs := map[string]bool{}
	say := func() { parts.add(len(needs), gapWords[gap][0], gapWords[gap][1]) }
	for _, u := range unknown {
		if u.Gap != gap {
			say()
			gap, needs = u.Gap, map[string]bool{}
		}
		needs[u.Needs] = true
	}
	say()
	if parts == nil {
		return ""
	}
	return "incomplete: " + strings.Join(parts, ", ")
}

// Lacking says what would complete a plan, once each, with the objects that are
// concerned. Those that the apply leaves unchanged are not told if changing is set.
func Lacking(plan *merge.Plan, changing bool) (lines []string) {
	objects := map[string][]string{}
	unchanged := map[manifest.Identity]bool{}
	for _, o := range plan.Outcomes {
		if _, again := unchanged[o.Identity()]; changing && !again {
			unchanged[o.Identity()] = o.Action == rehearsal.Unchanged
		}
	}
	told := map[string]bool{}
	var first []merge.Unknown
	var kinds []string // which the snapshot lacks, and the apply may delete objects of
	for _, u := range plan.Unknown {
		known := u.Object != (manifest.Identity{})
		if known && unchanged[u.Object] {
			continue
		}
		if u.Kind != "" && !told[u.Needs] {
			kinds = append(kinds, u.Kind)
		}
		if !told[u.Needs] {
			told[u.Needs], first = true, append(first, u)
		}
		if known {
			objects[u.Needs] = append(objects[u.Needs], u.Object.String())
		}
	}
	for _, u := range first {
		line, names := "needs "+visible.Line(u.Needs), ": "
		switch {
		case u.Kind != "" && u.Kind != kinds[0]:
			continue
		case u.Kind != "":
			line = "needs an export of " + strings.Join(kinds, ", ") + ", of which this apply may delete objects"
		case u.Gap == merge.NoPath, u.Gap == merge.BaseUnread, u.Gap == merge.Refused:
			line, names = u.Needs, "; unknown: "
		case u.Gap == merge.Unread:
			line, names = visible.Line(u.Path)+" cannot be read", "; unknown: "
		}
		if list := objects[u.Needs]; list != nil {
			named := phrase.Abbreviated(slices.Compact(list), 5)
			if what, command, ends := strings.Cut(u.Needs, ": "); ends && u.Gap == merge.NoOwners {
				line = "needs " + what + " of " + named + ": " + command // nothing follows a command line
			} else {
				line += names + named
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// jsonUnknown is one thing that a plan does not tell, in JSON.
type jsonUnknown struct {
	Code   merge.Gap `json:"code"`
	Object string    `json:"object,omitempty"`
	Kind   string    `json:"kind,omitempty"`
	Path   string    `json:"path,omitempty"`
	Needs  string    `json:"needs"`
}

// UnknownJSON is what JSON writes of what a plan does not tell, to be a part of another
// report.
func UnknownJSON(unknown []merge.Unknown) (list []jsonUnknown) {
	for _, u := range unknown {
		j := jsonUnknown{Code: u.Gap, Kind: u.Kind, Path: visible.Line(u.Path), Needs: u.Needs}
		if u.Object != (manifest.Identity{}) {
			j.Object = u.Object.String()
		}
		list = append(list, j)
	}
	return list
}
