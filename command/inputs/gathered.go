package inputs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
)

// GatheredNotes say what a snapshot took from archives and folders, and what was
// passed over; each file by name if verbose.
func GatheredNotes(live *manifest.Snapshot, verbose bool) (notes []string) {
	for _, g := range live.Gathered {
		path, layout := visible.Line(g.Path), ""
		if g.Layout != "" {
			layout = " (" + g.Layout + ")"
		}
		used := "no objects"
		if g.Files > 0 {
			used = phrase.Count(g.Objects, "object") + " in " + phrase.Count(g.Files, "file")
		}
		text := path + layout + ": " + used
		var passed []string
		for _, why := range slices.Sorted(maps.Keys(g.PassedOver)) {
			passed = append(passed, fmt.Sprintf("%s (%s)", phrase.Count(g.PassedOver[why], "file"), why))
		}
		if len(passed) > 0 {
			text += "; skipped: " + strings.Join(passed, ", ")
			if !verbose {
				text += "; -v names them"
			}
		}
		notes = append(notes, text)
		for _, n := range g.Names {
			if verbose {
				notes = append(notes, fmt.Sprintf("skipped: %s/%s (%s)", path, visible.Line(strings.TrimPrefix(n.Name, g.Path+"/")), n.Reason))
			}
		}
	}
	if live.Repeated > 0 {
		notes = append(notes, fmt.Sprintf("the snapshot has %s more than once; the newest state counts", phrase.Count(live.Repeated, "object")))
	}
	return notes
}
