package show

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/textdiff"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// Sheet is an object with all that there is to show of it: what JSON says, its
// four versions side by side, who owns its fields, and its difference as text.
// Its own JSON is made to be small, since a page may hold thousands.
type Sheet struct {
	jsonObject `json:"-"`
	APIVersion string      `json:"apiVersion,omitempty"`
	Template   string      `json:"template,omitempty"`
	Rejection  string      `json:"rejection,omitempty"`
	Causes     []jsonCause `json:"causes,omitempty"`
	Warnings   []string    `json:"warnings,omitempty"`
	Patch      string      `json:"patch,omitempty"`
	PatchType  string      `json:"patchType,omitempty"`
	// Rows are the fields: depth, last step of the path, where each version is
	// (see cells), index of Owners, and the distinct values.
	Rows [][]any `json:"rows"`
	// Managers are the entries of managedFields, and Owners the sets of them
	// that own a row, the first being empty.
	Managers []jsonOwner   `json:"managers,omitempty"`
	Owners   [][]int       `json:"owners,omitempty"`
	Reasons  []sheetReason `json:"reasons,omitempty"`
	Hunks    []jsonHunk    `json:"hunks,omitempty"`
	// Added and Removed count lines of the hunks.
	Added   int `json:"-"`
	Removed int `json:"-"`
	// Starts are the pods of a new workload, or -1 if the nodes decide how many.
	Starts int `json:"-"`

	fields []explain.Field
	rows   *rowIndex // made when first asked for
	live   *yamltext.Place
	merged *yamltext.Place
}

// sheetReason is why a field is as it is: a change without its values, which the
// rows have.
type sheetReason struct {
	Path        string         `json:"path"`
	Reason      explain.Reason `json:"reason"`
	Explanation string         `json:"explanation,omitempty"`
	Owners      []string       `json:"owners,omitempty"`
	Line        int            `json:"line,omitempty"`
	Column      int            `json:"column,omitempty"`
	Row         int            `json:"row"`
	// Live and Merged are the lines in the two texts, if the field is there.
	Live   int `json:"live,omitempty"`
	Merged int `json:"merged,omitempty"`
}

// jsonHunk is a hunk of a unified diff. Marks are the spans of a line that
// changed: its index, then beginnings and ends in UTF-16 code units. Beside are
// the pairs of removed and added lines.
type jsonHunk struct {
	Old    int      `json:"old"`
	New    int      `json:"new"`
	Lines  []string `json:"lines"`
	Marks  [][]int  `json:"marks,omitempty"`
	Beside [][2]int `json:"beside,omitempty"`
}

// SheetOf is the sheet of an object of the config.
func SheetOf(o *rehearsal.Outcome, opts Options) (*Sheet, error) {
	v := opts.view(o)
	j := object(o, opts)
	s := &Sheet{
		jsonObject: j, APIVersion: j.APIVersion, Template: j.Source.Template, Rejection: j.Rejection, Causes: j.Causes, Warnings: j.Warnings,
	}
	if j.Patch != nil {
		var patch strings.Builder
		if err := writeJSON(&patch, withoutRepetition(v.Patch)); err != nil {
			return nil, err
		}
		if s.Patch, s.PatchType = patch.String(), j.PatchType; len(s.Patch) > longestPatch {
			s.Patch = fmt.Sprintf("%d bytes, which threeway merge -o patch prints", len(s.Patch))
		}
	}
	var known bool
	if s.Starts, known = impact.Starts(o); !known {
		s.Starts = -1
	}
	s.align(v.Aligned())
	s.live = s.compare(v, opts)
	for i, c := range v.Changes() {
		r := sheetReason{Path: j.Changes[i].Path, Reason: c.Reason, Explanation: c.Explanation, Owners: c.Owners, Line: j.Changes[i].Line, Column: j.Changes[i].Column, Row: s.Row(c.Path)}
		if at, exact := s.live.Find(c.Path); exact && c.InOld {
			r.Live = at.Line
		}
		if at, exact := s.merged.Find(c.Path); exact && c.InNew {
			r.Merged = at.Line
		}
		s.Reasons = append(s.Reasons, r)
	}
	return s, nil
}

// longestPatch is how many bytes of a patch a person may want to read: that of a definition
// has megabytes, which its fields have again.
const longestPatch = 1 << 16

// withoutRepetition shortens the last-applied annotation of a patch, which
// repeats the config.
func withoutRepetition(patch tree.Object) tree.Object {
	annotation, ok := tree.Get(patch, "metadata", "annotations", rehearsal.LastAppliedKey)
	text, isText := annotation.(string)
	if !ok || !isText {
		return patch
	}
	patch = tree.CopyObject(patch)
	tree.Set(patch, fmt.Sprintf("(the manifest as JSON, %d bytes)", len(text)), "metadata", "annotations", rehearsal.LastAppliedKey)
	return patch
}

// SheetOfPruned is the sheet of a live object that prune deletes.
func SheetOfPruned(c prune.Candidate, opts Options) *Sheet {
	o := c.Live.Object()
	s := &Sheet{APIVersion: o.Kind.APIVersion(), jsonObject: jsonObject{
		Object: o.ID().String(), Kind: o.Kind.Kind, Namespace: o.Namespace, Name: o.Name, Action: rehearsal.Action(c.Fate),
	}}
	withManagers := opts
	withManagers.ShowManagedFields = true
	s.align(explain.Align(&rehearsal.Outcome{Kind: o.Kind, Manifest: &manifest.Object{}, States: rehearsal.States{Before: withManagers.live(o.Tree)}}))
	s.hunks(text(opts.live(o.Tree), yamltext.Decoded), "", opts)
	return s
}

// SheetOfOther is the sheet of an object that is known by its name alone.
func SheetOfOther(name string) *Sheet {
	s := &Sheet{jsonObject: jsonObject{Object: name, Name: name}, Rows: [][]any{}}
	parts := strings.Split(name, "/")
	if n := len(parts); n == 2 || n == 3 {
		s.Name, s.Kind = parts[n-1], parts[n-2]
		s.Namespace = strings.Join(parts[:n-2], "")
	}
	return s
}

// compare adds the difference of the texts of an accepted object.
func (s *Sheet) compare(v View, opts Options) (live *yamltext.Place) {
	var before, after string
	live, s.merged = &yamltext.Place{}, &yamltext.Place{}
	if v.Action == rehearsal.Rejected || tree.Equal(v.Before, v.Result) {
		return live
	}
	if v.Before != nil {
		before, live = yamltext.DecodedPlaces(v.Before)
	}
	if v.Result != nil {
		after, s.merged = yamltext.DecodedPlaces(v.Result)
	}
	s.hunks(before, after, opts)
	return live
}

func (s *Sheet) hunks(before, after string, opts Options) {
	for _, h := range textdiff.Unified(before, after, opts.Context) {
		j := jsonHunk{Old: h.OldStart, New: h.NewStart}
		for i, spans := range h.Words() {
			l := h.Lines[i]
			j.Lines = append(j.Lines, string(byte(l.Kind))+l.Text)
			if len(spans) > 0 {
				j.Marks = append(j.Marks, append([]int{i}, utf16Spans(l.Text, spans)...))
			}
			switch l.Kind {
			case textdiff.Added:
				s.Added++
			case textdiff.Removed:
				s.Removed++
			}
		}
		for _, r := range h.Rows() {
			if r.Old != r.New && r.Old >= 0 && r.New >= 0 {
				j.Beside = append(j.Beside, [2]int{r.Old, r.New})
			}
		}
		s.Hunks = append(s.Hunks, j)
	}
}

// utf16Spans counts bytes in UTF-16 code units, as JavaScript does.
func utf16Spans(text string, spans []textdiff.Span) []int {
	var list []int
	units, done := 0, 0
	count := func(to int) {
		for _, r := range text[done:to] {
			units++
			if r > 0xFFFF {
				units++
			}
		}
		done = to
		list = append(list, units)
	}
	for _, s := range spans {
		count(s.Start)
		count(s.End)
	}
	return list
}

// Row is the index of the row of a field, or of its deepest parent that has
// one, -1 if there is none.
func (s *Sheet) Row(path fieldpath.Path) int {
	if s.rows == nil {
		s.rows = newRowIndex(s.fields)
	}
	return s.rows.row(path)
}

// Line is the line of a field, or of its deepest parent, in the merged text; 0
// if there is no such text.
func (s *Sheet) Line(path fieldpath.Path) int {
	if s.merged == nil || len(path) == 0 {
		return 0
	}
	at, _ := s.merged.Find(path)
	return at.Line
}

// Gone is the line of a field in the live text, if the merged one does not have it; 0
// otherwise.
func (s *Sheet) Gone(path fieldpath.Path) int {
	if s.live == nil || len(path) == 0 {
		return 0
	}
	if _, stays := s.merged.Find(path); stays {
		return 0
	}
	at, exact := s.live.Find(path)
	if !exact {
		return 0
	}
	return at.Line
}

// ReasonWords are the distinct reasons.
func (s *Sheet) ReasonWords() (list []string) {
	for _, r := range s.Reasons {
		if word := string(r.Reason); !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// Terms are the paths and values that change, to be searched. Those of a created
// object are all it has, and not worth it.
func (s *Sheet) Terms() string {
	var b strings.Builder
	for _, c := range s.Changes {
		if s.Action == rehearsal.Created || c.Reason == explain.Kept || c.Reason == explain.OwnedBy {
			continue
		}
		b.WriteString(c.Path)
		for _, v := range []*any{c.Old, c.New} {
			if v != nil {
				b.WriteString(" " + searched(*v))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// searched is a value as text to be searched, of a very long one the beginning.
func searched(v any) string {
	const longest = 4096
	text, ok := v.(string)
	if !ok {
		text, _ = tree.JSON(v, "", "")
	}
	return strings.ToValidUTF8(text[:min(len(text), longest)], "")
}
