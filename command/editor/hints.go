package editor

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var namePath = fieldpath.New("metadata", "name")

func itoa(n int) string { return strconv.Itoa(n) }

// isFile reports whether a path can be opened, which what is in an archive cannot.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// The hints, by their names in the settings.
const (
	hintKept      = "kept"
	hintDefaulted = "defaulted"
	hintReverts   = "reverts"
)

// hintOf is the hint that a change is worth; "" if none.
func hintOf(o *object, c explain.Change) string {
	switch {
	case c.Bookkeeping:
		return ""
	case (c.Reason == explain.Kept || c.Reason == explain.OwnedBy) && c.InOld:
		return hintKept
	case c.Reason == explain.Defaulted && c.InNew:
		return hintDefaulted
	case reverts(o, c):
		return hintReverts
	}
	return ""
}

// reverts reports whether the apply undoes a change of the live object: the manifest has
// the value that was applied last.
func reverts(o *object, c explain.Change) bool {
	applied, was := c.Path.Find(o.Original)
	config, is := c.Path.Find(o.Target())
	return (c.Reason == explain.Set || c.Reason == explain.Added) && was && is && o.Before != nil && tree.Equal(applied, config)
}

// mostInHint is how many fields a hint names.
const mostInHint = 3

// hints are the inlay hints that the settings ask for: at the end of the line of a field,
// or of what it would be in.
func (v *view) hints(at atPosition) ([]inlayHint, error) {
	list := []inlayHint{}
	if len(v.settings.Hints) == 0 {
		return list, nil
	}
	for _, o := range v.objects() {
		type key struct {
			line int
			kind string
		}
		var order []key
		named := map[key][]string{}
		for _, c := range explain.Of(o.shown) {
			kind := hintOf(&o, c)
			if !slices.Contains(v.settings.Hints, kind) {
				continue
			}
			line, column, _ := o.Manifest.Position(c.Path)
			p, ok := v.column(line, column)
			if !ok || p.Line < at.Range.Start.Line || p.Line > at.Range.End.Line {
				continue
			}
			k := key{p.Line, kind}
			if named[k] == nil {
				order = append(order, k)
			}
			named[k] = append(named[k], hintText(c, kind))
		}
		for _, k := range order {
			list = append(list, inlayHint{
				Position: position{k.line, units(lineOf(v.text, k.line), len(v.text))},
				Label:    shown(k.kind + ": " + shortened(named[k], mostInHint)), Tooltip: shown(strings.Join(named[k], "\n")), PaddingLeft: true,
			})
		}
	}
	return list, nil
}

func hintText(c explain.Change, kind string) string {
	switch kind {
	case hintReverts:
		if !c.InOld {
			return "not in the live object"
		}
		return "live " + lint.Value(c.Old)
	case hintKept:
		return c.Path.String() + " = " + lint.Value(c.Old)
	}
	return c.Path.String() + " = " + lint.Value(c.New)
}

func shortened(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:most], ", ") + " and " + itoa(len(list)-most) + " more"
}
