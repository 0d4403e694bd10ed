package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
)

// write stores the tables: "resources", and an entry per API group with the
// types of all its versions. ../archive.go describes the format.
func write(name string, releases []*release, types map[string]*typ, resources []*resource) error {
	entries := map[string]*strings.Builder{"resources": {}}
	for _, r := range resources {
		in, _, _ := strings.Cut(r.typ, ".")
		scope := "cluster"
		if r.namespaced {
			scope = "namespace"
		}
		fmt.Fprintf(entries["resources"], "%s %s %s %s %s %d %d\n", r.group, in, r.kind, r.plural, scope, r.since, r.until)
	}
	last := ""
	for _, t := range slices.SortedFunc(maps.Values(types), func(a, b *typ) int { return strings.Compare(a.name, b.name) }) {
		in, _, _ := strings.Cut(t.name, ".")
		w := entries[entry(in)]
		if w == nil {
			w = &strings.Builder{}
			entries[entry(in)] = w
		}
		if in != last {
			w.WriteString("@" + in + "\n")
			last = in
		}
		writeType(w, in, t)
	}
	if err := addDeclared(releases, entries); err != nil {
		return err
	}
	return writeZip(name, entries)
}

// entry is where a package's types are: "apps" has all versions of apps, "meta"
// also the packages without a version.
func entry(pkg string) string {
	group, _, ok := strings.Cut(pkg, "/")
	switch {
	case !ok:
		return "meta"
	case group == "internal":
		return pkg
	}
	return group
}

// writeZip stores the entries in order and without times.
func writeZip(name string, entries map[string]*strings.Builder) error {
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	zw.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		w, err := zw.Create(entry)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, entries[entry].String()); err != nil {
			return err
		}
	}
	if err := zw.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, buf.Bytes(), 0o644)
}

// writeType writes a type's line, and those of its fields.
func writeType(w *strings.Builder, in string, t *typ) {
	w.WriteString(strings.TrimPrefix(t.name, in+"."))
	if t.atomic {
		w.WriteString("!")
	}
	if t.underlying != "" {
		w.WriteString(" " + local(t.underlying, in))
	}
	w.WriteString("\n")
	for _, f := range t.fields {
		w.WriteString(" " + f.name)
		if f.json != jsonName(in, f.name) {
			w.WriteString("=" + f.json)
		}
		w.WriteString(" " + local(f.typ, in) + within(f, in) + flags(f) + "\n")
	}
}

// local strips the package's own name from a type.
func local(typ, in string) string { return strings.ReplaceAll(typ, in+".", "") }

// jsonName is the usual JSON name of a Go field, which the tables leave out:
// the first word in lower case, where a word may be an initialism as in
// DNSPolicy; in internal types, which have few tags, the name itself.
func jsonName(in, name string) string {
	if strings.HasPrefix(in, "internal/") {
		return name
	}
	for i, c := range name {
		if !unicode.IsUpper(c) {
			if i > 1 {
				i--
			}
			return strings.ToLower(name[:i]) + name[i:]
		}
	}
	return strings.ToLower(name)
}

// within is the flag of a field that is in an embedded struct.
func within(f *field, in string) string {
	if f.embedded == "" {
		return ""
	}
	return " e" + local(f.embedded, in)
}

// flags are the facts of a field besides its names and type.
func flags(f *field) string {
	var s strings.Builder
	on := func(b bool, flag string) {
		if b {
			s.WriteString(" " + flag)
		}
	}
	on(f.omitEmpty, "o")
	on(f.omitZero, "z")
	s.WriteString(f.required.text("q"))
	for _, p := range f.patch {
		on(p == "merge", "m"+f.mergeKey)
		on(p == "retainKeys", "k")
		on(p == "replace", "r")
	}
	on(f.listType == "atomic", "a")
	on(f.listType == "set", "s")
	on(f.listType == "map", "l"+strings.Join(f.listKeys, ","))
	on(f.atomic, "!")
	on(f.since != 0, fmt.Sprint(">", f.since))
	on(f.until != 0, fmt.Sprint("<", f.until))
	on(f.gated, fmt.Sprint("~", f.on))
	on(f.def != "", "="+f.def)
	return s.String()
}
