package editor

import (
	"net/url"
	"os"
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/visible"
)

// diff is the difference that an apply makes to the object at a position, as diff prints
// it with its reasons, without what every apply changes.
func (v *view) diff(at atPosition) (*virtual, error) {
	o := v.objectAt(at.Position.Line)
	if o == nil {
		return nil, nil
	}
	plan := *v.Input.Plan
	plan.Outcomes, plan.Prune = []*rehearsal.Outcome{o.Outcome}, nil
	var b strings.Builder
	opts := v.Review().Diff
	opts.Explain, opts.Digest = true, nil
	differ, err := show.Unified(&b, &plan, opts)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Rejection != nil:
		b.WriteString("# rejected: " + visible.Joined(o.Rejection.Text().String()) + "\n")
	case !differ:
		b.WriteString("# " + visible.Line(o.Identity().String()) + " is unchanged\n")
	}
	answer := &virtual{URI: (&url.URL{Scheme: "threeway", Path: "/" + o.Identity().String() + ".diff"}).String(), Text: shown(b.String())}
	for _, f := range show.Files(&plan, opts) {
		answer.Live, answer.Result = shown(f.Live), shown(f.Merged)
	}
	return answer, nil
}

// page is the page of review about the project.
func (v *view) page(atPosition) (*page, error) {
	if v.Page == nil {
		return nil, nil
	}
	var b strings.Builder
	err := v.Page(&b)
	return &page{b.String()}, err
}

// regular reports whether a path can be opened, which what is in an archive cannot.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// links leads from the name of each object to the object in the snapshot.
func (v *view) links(atPosition) ([]documentLink, error) {
	list := []documentLink{}
	for _, o := range v.objects() {
		if o.Live == nil {
			continue
		}
		at, ok := v.place(&o, fieldpath.New("metadata", "name"))
		file, line := o.Live.Origin.File, 1
		if l, _, _ := o.Live.Position(nil); l > 0 {
			line = l
		}
		if !ok || !regular(file) {
			continue
		}
		text := v.row(at.Line)
		rest := text[offset(text, position{0, at.Character}):]
		begin := at.Character + len("name: ")
		if !strings.HasPrefix(rest, "name: ") {
			begin = at.Character
		}
		list = append(list, documentLink{
			Range:  span{position{at.Line, begin}, position{at.Line, units(text, len(text))}},
			Target: uriOf(file) + "#L" + strconv.Itoa(line), Tooltip: shown("live " + o.Identity().String()),
		})
	}
	return list, nil
}
