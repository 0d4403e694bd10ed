package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// printTSV prints a line per resource, and a line per type or field.
func printTSV(w io.Writer, types map[string]*typ, resources []*resource) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "group\tversion\tkind\ttype\tplural\tnamespaced\tsince\tuntil")
	for _, r := range resources {
		fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\t%t\t%d\t%d\n", r.group, r.version, r.kind, r.typ, r.plural, r.namespaced, r.since, r.until)
	}
	fmt.Fprintln(b, "\ntype\tfield\tjson\tgo type\tomit\tpatch\tmergeKey\tlistType\tlistKeys\tatomic\tdefault\tsince\tuntil\tembedded")
	for _, name := range slices.Sorted(maps.Keys(types)) {
		t := types[name]
		fmt.Fprintf(b, "%s\t\t\t%s\t\t\t\t\t\t%t\t\t%d\t%d\n", name, t.underlying, t.atomic, t.since, t.until)
		for _, f := range t.fields {
			omit := ""
			if f.omitEmpty {
				omit = "empty"
			}
			if f.omitZero {
				omit += "zero"
			}
			omit += strings.Replace(f.required.text("q"), " q", ",required", 1)
			fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%t\t%s\t%d\t%d\t%s\n", name, f.name, f.json, f.typ, omit,
				strings.Join(f.patch, ","), f.mergeKey, f.listType, strings.Join(f.listKeys, ","), f.atomic, f.def, f.since, f.until, f.embedded)
		}
	}
	return b.Flush()
}
