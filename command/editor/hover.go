package editor

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/setting"
	"threeway/merge/text/markdown"
	"threeway/merge/tree"
)

// hover says what a field is in the four versions of its object and why, and explains
// the findings on its line.
func (v *view) hover(at atPosition) (*hover, error) {
	var parts []markdown.Text
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
	return &hover{Contents: markup{"markdown", string(markdown.Join(parts, "\n\n---\n\n"))}}, nil
}

// describe is a field in words.
func (v *view) describe(o *object, f explain.Field, aligned explain.Aligned) markdown.Text {
	text := "**" + markdown.Escape(f.Path.String()) + "** of " + markdown.Escape(o.Identity().String()+": "+string(o.Action)) + "\n\n"
	text += "| | |\n|---|---|\n"
	for _, version := range []struct {
		name markdown.Text
		explain.Version
	}{{"manifest", f.Manifest}, {"last-applied", f.Last}, {"live", f.Live}, {"result", f.Result}} {
		if version.name == "result" && o.Result == nil {
			text += markdown.Row("result", "none: the object is rejected")
			continue
		}
		text += markdown.Row(version.name, shownValue(version.Version))
	}
	if value, ok := v.defaultOf(o, f.Path); ok {
		text += markdown.Row("default", markdown.Code(lint.Value(value)))
	}
	if owners := ownersOf(f, aligned); owners != "" {
		text += markdown.Row("owner", markdown.Escape(owners))
	}
	if c := changeAt(o, f.Path); c != nil {
		text += "\n" + markdown.Escape(string(c.Reason)+": "+c.Explanation) + "\n"
	}
	if a := setting.AreaOf(o.Kind, f.Path); a != nil && a.Class == setting.Nothing {
		text += "\n" + markdown.Escape(fmt.Sprintf("a change of it changes nothing that runs (%s)", a.Change)) + "\n"
	} else if a != nil {
		text += "\n" + markdown.Escape(fmt.Sprintf("a change of it touches %s: %s", a.Class, a.Change)) + "\n"
	}
	return text
}

func shownValue(v explain.Version) markdown.Text {
	switch {
	case !v.There:
		return "not set"
	case v.Parts:
		return "set"
	}
	return markdown.Code(lint.Value(v.Value))
}

func ownersOf(f explain.Field, aligned explain.Aligned) string {
	var list []string
	for _, i := range f.Owners {
		o := aligned.Owners[i]
		text := o.String() + ", " + o.Operation
		if o.Time != "" {
			text += " at " + o.Time
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// defaultOf is what the server sets if the manifest does not have the field. A field
// with a value that is masked has none.
func (v *view) defaultOf(o *object, path fieldpath.Path) (any, bool) {
	left, ok := path.Without(o.shown.Manifest.Tree).(tree.Object)
	again := o.Run
	if !ok || again == nil || again.CreateRejection(o.Kind, left) != nil {
		return nil, false // such as a field that is required
	}
	value, ok := path.Find(again.Completed(o.Kind, left))
	if _, compound := value.(map[string]any); compound {
		return nil, false
	}
	return value, ok
}

// explainRule is the page of a rule without its examples.
func (v *view) explainRule(f *lint.Finding) markdown.Text {
	message, details := report.Words(f)
	text := "**" + markdown.Escape(f.Severity.String()) + "**: " + markdown.Escape(message) + "\n" + markdown.Listed(details)
	name := markdown.Code(f.Rule.ID)
	if page := v.RulePage(f.Rule); page != "" {
		name = markdown.Link(f.Rule.ID, page)
	}
	words := report.InMarkdown(f.Rule)
	text += "\n" + name + ": " + words(f.Rule.Text)
	if f.Rule.Why != "" {
		text += "\n\n**Why.** " + words(f.Rule.Why)
	}
	if f.Rule.Fix != "" {
		text += "\n\n**Fix.** " + words(f.Rule.Fix)
	}
	return text
}
