package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf16"

	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
)

// Position is a place in a file; Line and Column count from 1.
type Position struct {
	File         string
	Line, Column int
	// Width is that of the key at the place, in characters.
	Width int
	// Source is the text of the line, without secret values.
	Source string
	// Template is what the place was rendered from, as Origin.Template, if the
	// file says so.
	Template string

	text string // the line as it is
}

// UTF16 counts the column, and that after the key, in UTF-16 code units, as
// SARIF and editors do.
func (p Position) UTF16() (start, end int) {
	start, end = p.Column, p.Column+max(p.Width, 1)
	n := 0
	for _, r := range p.text {
		if n++; n >= p.Column+max(p.Width, 1) {
			break
		}
		wide := utf16.RuneLen(r) - 1
		if n < p.Column {
			start += wide
		}
		end += wide
	}
	return start, end
}

// Replacement puts Text in the place of what is between two points of a file.
type Replacement struct {
	Start, End Point
	Text       string
}

// Point is between two characters: before the one at the column. Lines and
// columns count from 1; UTF16 is the column in UTF-16 code units.
type Point struct{ Line, Column, UTF16 int }

// Finding is what a rule found, at a place. Only the engine makes findings,
// so that there is none without one.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Message  string
	// Object is ns/Kind.group/name, Path the field. Of a group it is the first,
	// and Others counts those that the notes list.
	Object string
	Others int
	Path   fieldpath.Path
	// Live says what the snapshot has there, and LiveAt where; LiveAt.File is
	// empty if there is no such place. LiveObject is whose it is.
	Live       string
	LiveAt     Position
	LiveObject string
	// Notes are further lines, Fix is the way out.
	Notes []string
	Fix   string
	// Suppressed is the reason given for silencing it; InSource says that it
	// stands in the manifest, else it is in the config file or a flag.
	Suppressed string
	InSource   bool
	// Replacements make the fix in the file of the finding, if it has been
	// worked out; see lint/fix.
	Replacements []Replacement

	at Position
	id manifest.Identity
	// object is the one of the config set that the finding is about, if any.
	object *Object
	// edits mend the text of source.
	edits  []edit.Edit
	source *manifest.Object
	// suggested are those that the fix describes and a person decides on.
	suggested []edit.Edit
	secret    bool // source has values that are hidden
	group     string
	// effect is what it counts as, count times, in the plan line.
	effect impact.Effect
	count  int
}

// At is the finding's place.
func (f *Finding) At() Position { return f.at }

// Edits are the changes of an object's config that repair the finding, none if
// that needs a person.
func (f *Finding) Edits() (*manifest.Object, []edit.Edit) { return f.source, f.edits }

// Suggested are the changes of the object's manifest that the fix describes and
// that are for a person to decide; none if it describes no such change.
func (f *Finding) Suggested() []edit.Edit { return f.suggested }

// Fingerprint identifies the finding whatever line it is on: a hash of rule,
// object, field and message. That of a group is the same whatever objects are
// in it.
func (f *Finding) Fingerprint() string {
	parts := []string{f.Rule.ID, f.Object, f.Path.String(), f.Message}
	if f.group != "" {
		parts = []string{f.Rule.ID, "", "", f.group}
	}
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// joinGroups leaves one finding of each group, the first, with a note for each of
// the others. The list is sorted.
func joinGroups(list []*Finding) []*Finding {
	type key struct{ rule, group string }
	first := map[key]*Finding{}
	var joined []*Finding
	for _, f := range list {
		k := key{f.Rule.ID, f.group}
		if one := first[k]; one != nil {
			one.Notes = append(one.Notes, At(f.at.File, f.at.Line)+": also "+f.Object)
			one.Others++
			continue
		}
		if f.group != "" {
			first[k] = f
		}
		joined = append(joined, f)
	}
	return joined
}

func sortFindings(list []*Finding) {
	slices.SortStableFunc(list, func(a, b *Finding) int {
		return cmp.Or(
			cmp.Compare(a.at.File, b.at.File),
			cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Column, b.at.Column),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Object, b.Object),
			cmp.Compare(a.Message, b.Message))
	})
}

// Excerpt returns the lines of the finding's object around its place, and the
// number of the first. Of one with secrets it is no more than At().Source.
func (f *Finding) Excerpt(around int) (first int, lines []string) {
	if f.at.Source == "" {
		return 0, nil
	}
	if f.source == nil {
		return f.at.Line, []string{f.at.Source}
	}
	text, start, ok := f.source.Text()
	if !ok || f.at.File != f.source.Origin.File || f.secret {
		return f.at.Line, []string{f.at.Source}
	}
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	at := f.at.Line - start
	if at < 0 || at >= len(all) {
		return f.at.Line, []string{f.at.Source}
	}
	from, to := max(0, at-around), min(len(all), at+around+1)
	for from < at && strings.TrimSpace(all[from]) == "" {
		from++
	}
	return start + from, all[from:to]
}
