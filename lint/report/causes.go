package report

import (
	"bufio"
	"cmp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/text/visible"
)

// mostWhole is how many findings a review shows with their lines. Of more it has the message and
// the fix, so that they fit a screen.
const mostWhole = 4

// alikeFinding is a finding with those of other objects that say the same.
type alikeFinding struct {
	*lint.Finding
	also []*lint.Finding
}

// once are findings of a severity, those that say the same as one.
func once(list []*lint.Finding, severity lint.Severity) (kept []*alikeFinding) {
	first := map[[3]string]*alikeFinding{}
	for _, f := range list {
		if f.Severity != severity {
			continue
		}
		says := [3]string{f.Rule.ID, f.Shared(), f.Fix + f.Suppressed + f.Only}
		if of := first[says]; of != nil {
			of.also = append(of.also, f)
			continue
		}
		first[says] = &alikeFinding{Finding: f}
		kept = append(kept, first[says])
	}
	return kept
}

// writeCauses writes what is to be fixed and then what is to be decided: the findings, and what
// else the plan does that is dangerous, each cause once.
func writeCauses(out *bufio.Writer, r *Review, opts Options) {
	fix, decide := r.causes(opts)
	for i, text := range append(fix, decide...) {
		if i > 0 && strings.HasPrefix(text, "\n") {
			out.WriteByte('\n')
		}
		out.WriteString(strings.TrimPrefix(text, "\n"))
	}
}

// causes are those as text: what is to be fixed, and what is to be decided. One that begins with a line
// break is to be apart from the one before.
func (r *Review) causes(opts Options) (fix, decide []string) {
	list := opts.listed(r.Lint)
	dangers := untold(r.Diff.Digest.Dangers(), list)
	apart := "\n"
	if len(list) > mostWhole && !opts.Diffs {
		opts.Brief, apart = true, ""
	}
	of := func(level show.Level, severities ...lint.Severity) (texts []string) {
		for _, severity := range severities {
			for _, f := range once(list, severity) {
				texts = append(texts, apart+written(func(out *bufio.Writer) { writeFinding(out, f.Finding, opts) })+f.others(opts))
			}
		}
		if text := written(func(out *bufio.Writer) { writeDangers(out, show.Of(dangers, level), opts) }); text != "" {
			texts = append(texts, text)
		}
		return texts
	}
	return of(show.Stop, lint.Error), of(show.Look, lint.Warning, lint.Info)
}

// others names the objects of which the same is found; "" if there are none.
func (f *alikeFinding) others(opts Options) string {
	if f.also == nil {
		return ""
	}
	var names []string
	for _, also := range f.also {
		names = append(names, manifest.Title(also.Object)+" ("+lint.At(also.At().File, also.At().Line)+")")
	}
	return opts.line("   ", "also  "+show.Shared{Objects: names}.Line(mostNamed))
}

// written is what a function writes.
func written(write func(*bufio.Writer)) string {
	var b strings.Builder
	out := bufio.NewWriter(&b)
	write(out)
	_ = out.Flush() // a Builder does not fail
	return b.String()
}

// untold are the dangers that stop an apply or are to be looked at and that no finding of a list
// tells, each with what is left of it; the first are the worst.
func untold(dangers []show.Danger, list []*lint.Finding) (left []show.Danger) {
	says := map[[2]string]bool{}
	counted := map[string]bool{} // objects that a finding is about which the plan counts by itself
	rejected := map[string]bool{}
	for _, f := range list {
		if f.Suppressed != "" {
			continue
		}
		says[[2]string{f.Object, f.Shared()}] = true
		if f.Told() {
			counted[f.Object] = true
		}
		if f.Severity == lint.Error {
			rejected[f.Object] = true
		}
	}
	tells := func(d show.Danger, s show.Shared, object string) bool {
		switch {
		case s.Finding:
			return says[[2]string{object, s.Text}]
		case d.Code == show.CodeRejected:
			return rejected[object]
		}
		return counted[cmp.Or(s.Cause, object)] || d.Code == show.CodeLeft && counted[object]
	}
	for _, level := range []show.Level{show.Stop, show.Look} {
		for _, d := range show.Of(dangers, level) {
			none := d.Shared == nil
			d.Shared = slices.DeleteFunc(d.Untold(), func(s show.Shared) bool {
				return len(s.Objects) == 0 && tells(d, s, "") || len(s.Objects) > 0 && !slices.ContainsFunc(s.Objects, func(object string) bool { return !tells(d, s, object) })
			})
			if none || len(d.Shared) > 0 {
				d.Shared = byText(d.Shared)
				left = append(left, d)
			}
		}
	}
	return left
}

// byText are causes with each text once. Where the fields of objects change otherwise, what
// changes has them.
func byText(list []show.Shared) (once []show.Shared) {
	at := map[[2]string]int{}
	for _, s := range list {
		key := [2]string{s.On, s.Text}
		i, known := at[key]
		if !known {
			at[key], once = len(once), append(once, s)
			continue
		}
		first := &once[i]
		if first.Objects = append(slices.Clip(first.Objects), s.Objects...); !slices.Equal(first.Changes, s.Changes) {
			first.Changes = nil
		}
	}
	return once
}

// causeLine is a cause of a danger on one line: its objects, and what is to be said of them.
func causeLine(d show.Danger, s show.Shared) string {
	if s.Text == "" && s.Changes == nil {
		s.Text = d.Text
	}
	titled := s
	titled.Objects = nil
	for _, object := range s.Objects {
		titled.Objects = append(titled.Objects, manifest.Title(object))
	}
	return visible.Joined(titled.Line(mostNamed))
}
