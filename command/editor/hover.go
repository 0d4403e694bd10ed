package editor

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/setting"
	"threeway/merge/tree"
)

// hover says what a field is in the four versions of its object and why, and explains
// the findings on its line.
func (v *view) hover(at atPosition) (*hover, error) {
	var parts []string
	line := at.Position.Line
	if o := v.objectAt(line); o != nil {
		if f, aligned := v.fieldAt(o, at.Position); f != nil {
			parts = append(parts, v.describe(o, f.Field, aligned))
		}
	}
	for _, f := range v.findingsOn(line, line) {
		parts = append(parts, v.explainRule(f))
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return &hover{Contents: markup{"markdown", strings.Join(parts, "\n\n---\n\n")}}, nil
}

// describe is a field in words.
func (v *view) describe(o *object, f explain.Field, aligned explain.Aligned) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** of %s: %s\n\n", literal(f.Path.String()), literal(o.Identity().String()), o.Action)
	b.WriteString("| | |\n|---|---|\n")
	for _, version := range []struct {
		name string
		explain.Version
	}{{"manifest", f.Config}, {"last-applied", f.Last}, {"live", f.Live}, {"result", f.Result}} {
		if version.name == "result" && o.Result == nil {
			fmt.Fprintf(&b, "| result | none: the object is rejected |\n")
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |\n", version.name, shownValue(version.Version))
	}
	if value, ok := v.defaultOf(o, f.Path); ok {
		fmt.Fprintf(&b, "| default | %s |\n", code(lint.Value(value)))
	}
	if owners := ownersOf(f, aligned); owners != "" {
		fmt.Fprintf(&b, "| owner | %s |\n", owners)
	}
	if c := changeAt(o, f.Path); c != nil {
		fmt.Fprintf(&b, "\n%s: %s\n", c.Reason, literal(c.Explanation))
	}
	if a := setting.AreaOf(o.Kind, f.Path); a != nil && a.Class == setting.Nothing {
		fmt.Fprintf(&b, "\na change of it changes nothing that runs (%s)\n", a.Change)
	} else if a != nil {
		fmt.Fprintf(&b, "\na change of it touches %s: %s\n", a.Class, a.Change)
	}
	return b.String()
}

func shownValue(v explain.Version) string {
	switch {
	case !v.There:
		return "not set"
	case v.Parts:
		return "set"
	}
	return code(lint.Value(v.Value))
}

func ownersOf(f explain.Field, aligned explain.Aligned) string {
	var list []string
	for _, i := range f.Owners {
		o := aligned.Owners[i]
		text := literal(o.String()) + ", " + literal(o.Operation)
		if o.Time != "" {
			text += " at " + literal(o.Time)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// defaultOf is what the server sets if the manifest does not have the field. A field
// with a value that is masked has none.
func (v *view) defaultOf(o *object, path fieldpath.Path) (any, bool) {
	left, ok := path.Without(o.shown.Config.Tree).(tree.Object)
	again := v.Input.Plan.Rehearsal()
	if !ok || again.Create(o.Kind, left) != nil {
		return nil, false // such as a field that is required
	}
	value, ok := path.Find(again.Completed(o.Kind, left))
	if _, compound := value.(map[string]any); compound {
		return nil, false
	}
	return value, ok
}

// explainRule is the page of a rule without its examples.
func (v *view) explainRule(f *lint.Finding) string {
	text, details := report.Words(f)
	lines := []string{"**" + f.Severity.String() + "**: " + literal(text)}
	for _, d := range details {
		lines = append(lines, "- "+literal(d))
	}
	name := code(f.Rule.ID)
	if page := v.RulePage(f.Rule); page != "" {
		name = "[" + f.Rule.ID + "](" + page + ")"
	}
	lines = append(lines, "", name+": "+f.Rule.Text)
	for _, part := range [][2]string{{"Why", f.Rule.Why}, {"Fix", f.Rule.Fix}} {
		if part[1] != "" {
			lines = append(lines, "", "**"+part[0]+".** "+part[1])
		}
	}
	return strings.Join(lines, "\n")
}

// code is a text as code in a cell of a table.
func code(text string) string {
	ticks := "`"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	space := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		space = " "
	}
	return ticks + space + strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(text) + space + ticks
}

// literal is a text of which nothing is Markdown or HTML.
func literal(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r':
			r = ' '
		case strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
