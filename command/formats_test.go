package command

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint/report"
	"threeway/merge/show"
)

// TestFormats: each format that a command lists has a writer, and each writer is listed.
func TestFormats(t *testing.T) {
	for name, writers := range map[string][]string{
		"diff": keys(show.Differences), "merge": keys(show.Objects), "drift": keys(show.Drifts), "owners": keys(show.Ownerships), "handover": keys(show.Moves),
		"lint": keys(report.Findings), "upgrade": keys(report.Findings), "review": keys(report.Reviews), "rules test": keys(report.Trials),
	} {
		if listed := slices.Sorted(slices.Values(request.Formats[name])); !slices.Equal(listed, writers) {
			t.Errorf("%s lists %v and writes %v", name, listed, writers)
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// TestFormatsAreExplained: the page lists the formats that the commands write.
func TestFormatsAreExplained(t *testing.T) {
	text := load(t, "../docs/review.md")
	for part, command := range map[string]string{"review and lint": "review", "diff": "diff", "merge": "merge"} {
		_, table, _ := strings.Cut(text, "\n## Formats of "+part+"\n")
		_, table, _ = strings.Cut(table, "\n|---|")
		table, _, _ = strings.Cut(table, "\n\n")
		var listed []string
		for _, m := range regexp.MustCompile(`(?m)^\| (.*?) \|`).FindAllStringSubmatch(table, -1) {
			for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(m[1], -1) {
				listed = append(listed, name[1])
			}
		}
		want := slices.Clone(request.Formats[command])
		if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
			t.Errorf("docs/review.md lists the formats of %s as %v, and %s writes %v", part, listed, command, want)
		}
	}
}

// TestFormatsForPrograms: in a job, each format is data for programs or else text for people,
// in which characters that act are escapes.
func TestFormatsForPrograms(t *testing.T) {
	t.Setenv("CI", "true")
	people := []string{"text", "wide", "unified", "fields", "name", "patch", "markdown", "baseline", "commands", "script", "rbac"}
	for command, formats := range request.Formats {
		for _, format := range formats {
			var printed bytes.Buffer
			screen := system.NewScreen(&printed, false)
			run.ForPrograms(system.Streams{Out: screen}, command, []request.Output{{Format: format}})
			fmt.Fprintln(screen, "\u202e")
			if escaped := printed.String() != "\u202e\n"; escaped != slices.Contains(people, format) {
				t.Errorf("%s -o %s: escaped: %v", command, format, escaped)
			}
		}
	}
}
