package show

import (
	"io"

	"threeway/merge"
)

// Writer writes the differences in one format, and reports whether there are
// any.
type Writer func(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error)

// Formats are the names of the formats of a diff, the default first.
func Formats() []string {
	return []string{"unified", "fields", "side-by-side", "json", "yaml", "kyaml", "name"}
}

// ByName returns the writer of a format, nil if there is none.
func ByName(format string) Writer {
	return map[string]Writer{
		"unified": Unified, "fields": Fields, "side-by-side": SideBySide, "json": JSON, "yaml": YAML, "kyaml": KYAML, "name": Differing,
	}[format]
}
