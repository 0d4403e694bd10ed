package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/survey"
)

// withoutOtherFiles returns the request without the files that lint is told to
// pass over, which it lists by what they are.
func withoutOtherFiles(r *request.Request) (kept *request.Request, skipped map[string][]string) {
	if !r.SkipOtherFiles || !r.PathsAreSet {
		return r, nil
	}
	copied := *r
	copied.Files, skipped = nil, map[string][]string{}
	for _, path := range r.Files {
		if what := survey.File(path, r.Instead); what != "" {
			skipped[what] = append(skipped[what], path)
		} else {
			copied.Files = append(copied.Files, path)
		}
	}
	return &copied, skipped
}

// skippedNotes name the files that were passed over.
func skippedNotes(skipped map[string][]string) (notes []string) {
	for _, what := range slices.Sorted(maps.Keys(skipped)) {
		notes = append(notes, fmt.Sprintf("skipped (%s): %s", what, strings.Join(skipped[what], ", ")))
	}
	return notes
}
