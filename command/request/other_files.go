package request

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/survey"
	"threeway/merge/manifest"
)

// WithoutOtherFiles returns the request without the files that lint is told to
// pass over, and notes that name these by what they are.
func (r *Request) WithoutOtherFiles() (kept *Request, skipped []string) {
	if len(r.Unchosen) > 0 {
		skipped = append(skipped, fmt.Sprintf("skipped (%s): %s", survey.Unnamed, strings.Join(r.Unchosen, ", ")))
	}
	if !r.SkipOtherFiles || !r.PathsAreSet {
		return r, skipped
	}
	copied := *r
	copied.Files = nil
	others := map[string][]string{}
	for _, path := range r.Files {
		what := survey.File(path, r.Instead)
		switch {
		case slices.Contains(r.Gone.Files, path):
			what = "" // what it was is judged
		case r.Staged && !manifest.IsManifest(path) && filepath.Ext(path) != "": // a submodule has none
			what = "no manifest by its name"
		}
		if r.Settings.Excludes(path) {
			what = "excluded by " + r.Settings.File
		}
		if what != "" {
			others[what] = append(others[what], path)
		} else {
			copied.Files = append(copied.Files, path)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(others)) {
		skipped = append(skipped, fmt.Sprintf("skipped (%s): %s", what, strings.Join(others[what], ", ")))
	}
	return &copied, skipped
}
