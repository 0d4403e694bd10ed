package editor

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/text/markdown"
	"threeway/merge/tree"
)

// What a hover has at most: changes below a field, and findings. With them it is not
// longer than 15 lines.
const (
	mostBelow    = 6
	mostFindings = 3
)

// hover says what the apply does to a field and why, what the field is in the four versions
// of its object, and what is found on its line. It is lines, and not a table, which some
// editors show as it is written.
func (v *view) hover(at atPosition) (*hover, error) {
	var parts []markdown.Text
	line := at.Position.Line
	findings := v.findingsOn(line, line)
	if o := v.objectAt(line); o != nil {
		if f, aligned := v.fieldAt(o, at.Position); f != nil {
			text, changes := v.describe(o, f.Field, aligned)
			if changes || len(findings) > 0 || !v.settings.BesideYAML {
				parts = append(parts, text)
			}
		}
	}
	if len(findings) > 0 && !v.settings.ShowsFindings {
		parts = append(parts, v.listed(findings))
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return &hover{Contents: markup{"markdown", string(markdown.Join(parts, "\n"))}}, nil
}

// describe is a field in words, and whether the apply changes it or something in it.
func (v *view) describe(o *object, f explain.Field, aligned explain.Aligned) (text markdown.Text, changes bool) {
	text = markdown.Code(f.Path.String()) + ": "
	below := v.changesBelow(o, f.Path)
	c := changeAt(o, f.Path)
	switch {
	case o.Result == nil:
		text += "the object is rejected, and apply changes nothing of it"
	case len(below) > 0:
		text += markdown.Escape(countBelow(len(below))) + "\n\n"
		for _, b := range below[:min(len(below), mostBelow)] {
			text += "- " + markdown.Code(b.Path[len(f.Path):].String()) + ": " + whatChanges(b) + "\n"
		}
		return text, true
	case c == nil || c.InOld == c.InNew && tree.Equal(c.Old, c.New):
		text += "apply does not change it"
	default:
		text, changes = text+whatChanges(*c), true
	}
	if c != nil {
		text += markdown.Escape("; " + c.Explanation)
	}
	text += "\n\n" + v.versions(o, f)
	if value, ok := v.defaultOf(o, f.Path); ok {
		text += "- default: " + markdown.Code(lint.Value(value)) + "\n"
	}
	if owners := ownersOf(f, aligned); owners != "" {
		text += "- owner: " + markdown.Escape(owners) + "\n"
	}
	if a := setting.AreaOf(o.Kind, f.Path); a != nil && a.Class == setting.Nothing {
		text += "- " + markdown.Escape(fmt.Sprintf("a change of it changes nothing that runs (%s)", a.Change)) + "\n"
	} else if a != nil {
		text += "- " + markdown.Escape(fmt.Sprintf("a change of it touches %s: %s", a.Class, a.Change)) + "\n"
	}
	return text, changes
}

// changesBelow are the changes of fields in a field.
func (v *view) changesBelow(o *object, path fieldpath.Path) []explain.Change {
	return slices.DeleteFunc(v.Review().Diff.Digest.Changes(o.Outcome), func(c explain.Change) bool {
		return len(c.Path) <= len(path) || !c.Path.HasPrefix(path)
	})
}

func countBelow(n int) string {
	if n == 1 {
		return "apply changes 1 field in it"
	}
	if n > mostBelow {
		return fmt.Sprintf("apply changes %d fields in it, among them", n)
	}
	return fmt.Sprintf("apply changes %d fields in it", n)
}

// whatChanges says what an apply does to a field.
func whatChanges(c explain.Change) markdown.Text {
	switch {
	case !c.InOld:
		return "apply adds " + markdown.Code(lint.Value(c.New))
	case !c.InNew:
		return "apply removes " + markdown.Code(lint.Value(c.Old))
	}
	before, after := lint.Contrast(c.Old, c.New)
	return "apply changes " + markdown.Code(before) + " to " + markdown.Code(after)
}

// versions are the values of a field, those that are equal on one line.
func (v *view) versions(o *object, f explain.Field) (text markdown.Text) {
	var names []string
	var values []markdown.Text
	for _, version := range []struct {
		name string
		explain.Version
	}{{"manifest", f.Manifest}, {"last-applied", f.Last}, {"live", f.Live}, {"after the apply", f.Result}} {
		value := shownValue(version.Version)
		if version.name == "after the apply" && o.Result == nil {
			continue
		}
		if i := slices.Index(values, value); i >= 0 {
			names[i] += ", " + version.name
			continue
		}
		names, values = append(names, version.name), append(values, value)
	}
	for i, name := range names {
		text += "- " + markdown.Escape(name) + ": " + values[i] + "\n"
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

// listed are findings, each on a line: its rule with its page, the
// message, and what to do.
func (v *view) listed(findings []*lint.Finding) (text markdown.Text) {
	for i, f := range findings {
		if i == mostFindings {
			return text + markdown.Escape(fmt.Sprintf("and %d more findings on this line", len(findings)-i)) + "\n"
		}
		message, _ := report.Here(f)
		name := markdown.Code(f.Rule.ID)
		if page := v.RulePage(f.Rule); page != "" {
			name = markdown.Link(f.Rule.ID, page)
		}
		text += "- **" + markdown.Escape(f.Severity.String()) + "** " + name + ": " + markdown.Escape(message)
		if f.Fix != "" {
			text += ". **Fix:** " + markdown.Escape(f.Fix)
		}
		text += "\n"
	}
	return text
}
