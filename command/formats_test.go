package command

import (
	"maps"
	"slices"
	"testing"

	"threeway/command/request"
	"threeway/lint/report"
	"threeway/merge/show"
)

// TestFormats: each format that a command lists has a writer, and each writer is listed.
func TestFormats(t *testing.T) {
	for name, writers := range map[string][]string{
		"diff": keys(show.Differences), "merge": keys(show.Objects), "drift": keys(show.Drifts), "owners": keys(show.Ownerships), "handover": keys(show.Moves), "snapshot diff": keys(show.Exports),
		"lint": keys(report.Findings), "upgrade": keys(report.Findings), "review": keys(report.Reviews), "rules test": keys(report.Trials),
	} {
		if listed := slices.Sorted(slices.Values(request.Formats(name))); !slices.Equal(listed, writers) {
			t.Errorf("%s lists %v and writes %v", name, listed, writers)
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
