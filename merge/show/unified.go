package show

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/merge"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/textdiff"
	"threeway/merge/text/visible"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// File is one object as two texts, named as kubectl diff names its files.
type File struct {
	Name         string
	Live, Merged string // empty: there is no such file
	// Outcome is what happens to the object, nil if it is pruned; then
	// Candidate says why.
	Outcome   *rehearsal.Outcome
	Candidate *prune.Candidate
}

// Differs reports whether there is anything to show.
func (f File) Differs() bool { return f.Live != f.Merged }

// Files lists the accepted objects of a plan as the two directories that
// kubectl diff would compare, sorted by name.
func Files(plan *merge.Plan, opts Options) []File {
	files := named(plan.Outcomes, plan.Prune)
	opts.Cores.Do(len(files), func(i int) {
		live, merged := files[i].trees(opts)
		files[i].Live, files[i].Merged = string(opts.Secrets.Strike([]byte(text(live, yamltext.YAML)))), string(opts.Secrets.Strike([]byte(text(merged, yamltext.YAML))))
	})
	return files
}

// ChangedFiles lists those of Files that differ, and all of objects that are pruned, without
// their texts: of a large set most are never shown.
func ChangedFiles(plan *merge.Plan, opts Options) []File {
	files := named(plan.Outcomes, plan.Prune)
	same := make([]bool, len(files))
	opts.Cores.Do(len(files), func(i int) {
		if o := files[i].Outcome; o != nil && !opts.ShowManagedFields && o.Before != nil && tree.Equal(o.Before, o.Result) {
			same[i] = true // nor does it without what is not compared
		} else if live, merged := files[i].trees(opts); live != nil && merged != nil {
			live, merged = tree.Apart(live, merged)
			same[i] = yamltext.Decoded(live) == yamltext.Decoded(merged)
		}
	})
	var list []File
	for i, f := range files {
		if !same[i] {
			list = append(list, f)
		}
	}
	return list
}

// named lists the files without their texts. Of an object that the config has
// twice the last one counts: it overwrites the file of the first.
func named(outcomes []*rehearsal.Outcome, pruned *prune.Result) []File {
	var files []File
	for _, o := range outcomes {
		if o.Action != rehearsal.Rejected {
			files = append(files, File{Name: name(o.Manifest), Outcome: o})
		}
	}
	for _, c := range pruned.Pruned() {
		files = append(files, File{Name: name(c.Live.Object()), Candidate: &c})
	}
	slices.Reverse(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(files, func(a, b File) bool { return a.Name == b.Name })
}

// trees are what the texts are of.
func (f File) trees(opts Options) (live, merged tree.Object) {
	if f.Candidate != nil {
		opts.ShowManagedFields = true // kubectl prints what it prunes as it is
		return opts.live(f.Candidate.Live.Object().Tree), nil
	}
	v := opts.view(f.Outcome)
	return v.Before, v.Result
}

// differing makes the texts of a file, and reports whether they differ. Most
// do not, and comparing trees is much faster than printing them.
func (f *File) differing(opts Options) bool {
	live, merged := f.trees(opts)
	if live != nil && merged != nil && tree.Equal(live, merged) {
		return false
	}
	f.Live, f.Merged = text(live, yamltext.YAML), text(merged, yamltext.YAML)
	return f.Differs()
}

func text(obj tree.Object, print func(tree.Object) string) string {
	if obj == nil {
		return ""
	}
	return print(obj)
}

// Unified writes the differences as kubectl diff prints them, and reports
// whether there are any. The names carry no times and no temporary directory,
// so that the same inputs give the same bytes.
func Unified(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	files := named(plan.Outcomes, plan.Prune)
	return inParts(w, opts.Cores, len(files), "", func(out *bufio.Writer, i int) {
		f := files[i]
		if !f.differing(opts) {
			return
		}
		live, merged := "LIVE/"+f.Name, "MERGED/"+f.Name
		out.WriteString(opts.paint(Header, "diff -u -N "+live+" "+merged) + "\n")
		writeTexts(out, live, merged, f.Live, f.Merged, opts)
		writeWhy(out, f, opts)
	})
}

// Texts writes the difference of two texts.
func Texts(w io.Writer, oldName, newName, old, new string, opts Options) error {
	out := bufio.NewWriter(w)
	if old != new {
		writeTexts(out, header(oldName), header(newName), old, new, opts)
	}
	return out.Flush()
}

// header is the name of a file in the head of a diff, in quotes if it would be another one
// or several lines without, as git writes it (quote.c quote_c_style). A name with a space
// ends with a tab: patch takes the space for the end of the name without (diff.c). Other characters
// than those of ASCII are quoted if one of them does something to a terminal.
func header(name string) string {
	var b strings.Builder
	acts := strings.ContainsFunc(name, visible.Acts)
	for _, c := range []byte(name) {
		switch {
		case c < ' ' || c == 0x7f || c >= 0x80 && acts:
			fmt.Fprintf(&b, `\%03o`, c)
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		default:
			b.WriteByte(c)
		}
	}
	switch {
	case b.Len() == len(name) && strings.Contains(name, " "):
		return name + "\t"
	case b.Len() == len(name):
		return name
	}
	return `"` + b.String() + `"`
}

func writeTexts(out *bufio.Writer, oldName, newName, old, new string, opts Options) {
	out.WriteString(opts.paint(Header, "--- "+oldName) + "\n")
	out.WriteString(opts.paint(Header, "+++ "+newName) + "\n")
	writeHunks(out, old, new, opts)
}

func writeHunks(out *bufio.Writer, old, new string, opts Options) (added, removed int) {
	for _, h := range textdiff.Unified(old, new, opts.Context) {
		writeHunk(out, h, opts)
		for _, l := range h.Lines {
			switch l.Kind {
			case textdiff.Added:
				added++
			case textdiff.Removed:
				removed++
			}
		}
	}
	return added, removed
}

// Hunks is the difference without the names, for people to read, and how many lines come
// and go.
func (f File) Hunks(opts Options) (hunks string, added, removed int) {
	live, merged := f.trees(opts)
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	added, removed = writeHunks(out, text(live, yamltext.Decoded), text(merged, yamltext.Decoded), opts)
	writeWhy(out, f, opts)
	out.Flush()
	return b.String(), added, removed
}

// writeWhy writes the reasons of a file's changes as comments, which patch
// passes over.
func writeWhy(out *bufio.Writer, f File, opts Options) {
	if !opts.Explain {
		return
	}
	if opts.Width > 0 {
		opts.Width = max(opts.Width-2, 1)
	}
	var b bytes.Buffer
	why := bufio.NewWriter(&b)
	switch {
	case f.Candidate != nil:
		why.WriteString(Candidate(*f.Candidate, opts))
	case f.Outcome.Action == rehearsal.Created:
		fmt.Fprintf(why, "%s %s: the snapshot has no such object\n", f.Outcome.Identity(), actionText(f.Outcome, opts))
	default:
		writeChanges(why, brief(opts.shown(opts.view(f.Outcome).Changes()), false), opts)
	}
	why.Flush()
	for line := range strings.Lines(b.String()) {
		out.WriteString(opts.paint(Muted, "#") + " " + line)
	}
}

func writeHunk(out *bufio.Writer, h textdiff.Hunk, opts Options) {
	out.WriteString(opts.paint(HunkHeader, h.Header()) + "\n")
	var words [][]textdiff.Span
	if opts.Paint != nil {
		words = h.Words()
	}
	for i, l := range h.Lines {
		switch l.Kind {
		case textdiff.Removed:
			out.WriteString(highlight(l, at(words, i), Removal, RemovedWord, opts))
		case textdiff.Added:
			out.WriteString(highlight(l, at(words, i), Addition, AddedWord, opts))
		default:
			out.WriteString(" " + l.Text)
		}
		out.WriteByte('\n')
		if l.NoEOL {
			out.WriteString(textdiff.NoNewline + "\n")
		}
	}
}

func at(words [][]textdiff.Span, i int) []textdiff.Span {
	if words == nil {
		return nil
	}
	return words[i]
}

// highlight colours a changed line, and more strongly the words that changed.
func highlight(l textdiff.Line, spans []textdiff.Span, line, word Style, opts Options) string {
	var b strings.Builder
	sign, end := string(byte(l.Kind)), 0
	for _, s := range spans {
		b.WriteString(opts.paint(line, sign+l.Text[end:s.Start]))
		b.WriteString(opts.paint(word, l.Text[s.Start:s.End]))
		sign, end = "", s.End
	}
	b.WriteString(opts.paint(line, sign+l.Text[end:]))
	return b.String()
}
