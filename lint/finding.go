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
	"threeway/merge/workflow"
)

// Position is a place in a file; Line and Column count from 1.
type Position struct {
	File         string
	Line, Column int
	// Width is the width of the key at the position, in characters.
	Width int
	// Source is the text of the line, without secret values.
	Source string
	// Template is the template that the manifest was rendered from, as in
	// Origin.Template; empty if unknown.
	Template string

	// Missing are the last steps of the field's path if the manifest does not have it: the
	// position is that of its nearest parent.
	Missing fieldpath.Path

	text string // the line, unmasked
}

// UTF16 returns the column of the key, and the column after it, in UTF-16 code
// units, which SARIF and editors use.
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

// Replacement replaces the text between two points of a file with Text.
type Replacement struct {
	Start, End Point
	Text       string
}

// Point is the position before the character at the column. Lines and columns
// count from 1; UTF16 is the column in UTF-16 code units.
type Point struct{ Line, Column, UTF16 int }

// Finding is what a rule found, with its position. Only the engine makes
// findings, so every finding has a position.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Message  string
	// Object is ns/Kind.group/name, Path the field. For a group, Object is the
	// first object, and Others counts those listed in the notes.
	Object string
	Others int
	Path   fieldpath.Path
	// Notes are further lines.
	Notes []string

	Against
	Advice
	Silence
	Scope

	at Position
	subject
	// effect is the part of the plan line in which the finding counts, count
	// times.
	effect impact.Effect
	count  int
}

// Against is what a finding compares with.
type Against struct {
	// Live describes the live value, and LiveAt is its position in the
	// snapshot; LiveAt.File is empty if there is none. LiveObject is the live
	// object.
	Live       string
	LiveAt     Position
	LiveObject string
}

// Advice is what to do about a finding.
type Advice struct {
	// Fix says it in words.
	Fix string
	// Remedy is how the change is made in steps; nil if no recipe is for it.
	Remedy *workflow.Remedy
	// Replacements are the fix as changes of the file, once lint/fix has
	// computed them.
	Replacements []Replacement

	edits     []edit.Edit // repair the manifest
	suggested []edit.Edit // that the fix describes but that a person must decide about
	likely    bool
	ways      []Way
	commands  []string // of Fix, rehearsed
	passed    bool     // edits are rehearsed with those of the others
}

// Silence is why a finding is not reported.
type Silence struct {
	// Suppressed is the reason of the suppression. InSource is set if the
	// suppression is in the manifest; otherwise it is in the settings or a
	// flag.
	Suppressed string
	InSource   bool
}

// Scope says on which clusters a finding is, if the manifests are rehearsed on several and it
// is not about all of them.
type Scope struct {
	Clusters []string
	// Only says the same in words: "on prod-us", "on all clusters but prod-us".
	Only string
}

// subject is what a finding is about.
type subject struct {
	id      manifest.Identity
	source  *manifest.Object
	old     *manifest.Object // the live object, if it has another name
	claimed *Fault           // of a rejection; nil if Run of the rule has found it
	secret  bool             // source has values to mask
	absent  bool             // no manifest has the object
	group   string
	also    []fieldpath.Path
}

// At returns the position of the finding.
func (f *Finding) At() Position { return f.at }

// Edits returns the manifest and the edits that repair the finding. There are
// none if a person must decide.
func (f *Finding) Edits() (*manifest.Object, []edit.Edit) { return f.source, f.edits }

// Suggested returns the edits that the fix describes but that a person must
// decide about; there may be none.
func (f *Finding) Suggested() []edit.Edit { return f.suggested }

// Likely reports whether most would make the suggested edits.
func (f *Finding) Likely() bool { return f.likely }

// Told reports whether the finding is about what a plan counts by itself.
func (f *Finding) Told() bool { return f.effect == impact.Told }

// Rejects reports whether the finding is why an object is rejected.
func (f *Finding) Rejects() bool { return f.claimed != nil }

// Affected is what the finding says of which field.
func (f *Finding) Affected() impact.Affected {
	return impact.Affected{Object: f.Object, Says: f.Shared(), Path: f.Path, Also: f.also, Count: f.count, Does: f.effect != "" && f.effect != impact.None, Stops: f.Severity == Error,
		Accepted: f.Suppressed != ""}
}

// Fingerprint identifies the finding independently of its line: a hash of rule,
// object, field and message. For a group it does not depend on the objects. It
// stays the same when the rule is renamed.
func (f *Finding) Fingerprint() string {
	h := sha256.New()
	for _, part := range f.about() {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// about is what a finding says of what.
func (f *Finding) about() []string {
	rule := f.Rule.Names()[0]
	if f.group != "" {
		return []string{rule, "", "", f.group}
	}
	return []string{rule, f.Object, f.Path.String(), f.Message}
}

// joinGroups keeps the first finding of each group and adds a note for each of
// the others. The list must be sorted.
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

// Excerpt returns the lines of the finding's object around its position, and
// the number of the first line. For an object with secrets it returns only
// At().Source.
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

// Shared is the message as objects with the same fault share it: without the names of
// list items in the path of the field.
func (f *Finding) Shared() string {
	if len(f.Path) == 0 {
		return f.Message
	}
	return strings.ReplaceAll(f.Message, f.Path.String(), f.Path.Tail().String())
}
