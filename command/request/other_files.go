package request

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/command/survey"
)

// WithoutOtherFiles returns the request without the files that lint is told to
// pass over, and notes that name these by what they are.
func (r *Request) WithoutOtherFiles() (kept *Request, skipped []string) {
	if !r.SkipOtherFiles || !r.PathsAreSet {
		return r, nil
	}
	copied := *r
	copied.Files = nil
	others := map[string][]string{}
	for _, path := range r.Files {
		what := survey.File(path, r.Instead)
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
