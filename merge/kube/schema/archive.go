package schema

import (
	"archive/zip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// archive has the tables. To read them:
//
//	unzip -p tables.zip apps
//
// The entry "resources" has the kinds; any other the types of an API group.
// There, "@apps/v1" begins a package, a line without indentation begins a type,
// and the lines below it are the fields of a struct:
//
//	LabelSelector!                             ! atomic
//	 MatchLabels map[string]string o           Go name and type, flags
//	Protocol string                            a type that is not a struct
//	 ObjectMeta=metadata meta/v1.ObjectMeta o  =JSON name, if it is not the usual one
//
// The flags: o omitempty, z omitzero, q required, q37- since 1.37, q0-36 until 1.36, mKEY merge by KEY, k retainKeys,
// r replace, eTYPE of an embedded struct of an internal type, a atomic list, s set, lKEY,KEY list map, ! atomic,
// >30 since 1.30, <36 until 1.36, ~36 dropped before 1.36 and ~0 always, =JSON the default, which comes last.
//
//go:generate go -C generate run .
//go:embed tables.zip
var archive string

// entries returns the archive's entries by name.
var entries = sync.OnceValue(func() map[string]*zip.File {
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic("merge/kube/schema: tables.zip: " + err.Error())
	}
	byName := make(map[string]*zip.File, len(z.File))
	for _, f := range z.File {
		byName[f.Name] = f
	}
	return byName
})

// read returns an entry of the archive, or "".
func read(entry string) string {
	f, ok := entries()[entry]
	if !ok {
		return ""
	}
	r, err := f.Open()
	if err != nil {
		panic("merge/kube/schema: tables.zip: " + entry + ": " + err.Error())
	}
	text := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, text); err != nil {
		panic("merge/kube/schema: tables.zip: " + entry + ": " + err.Error())
	}
	return string(text)
}

// entryOf returns the name of the entry with the types of a package.
func entryOf(pkg string) string {
	group, _, ok := strings.Cut(pkg, "/")
	switch {
	case !ok:
		return "meta"
	case group == "internal":
		return pkg
	}
	return group
}

// load splits an entry into the lines of its types.
func (t *table) load(entry string) {
	if t.loaded[entry] {
		return
	}
	t.loaded[entry] = true
	text := read(entry)
	pkg, name, start := "", "", 0
	for at := 0; at < len(text); at += strings.IndexByte(text[at:], '\n') + 1 {
		if text[at] == ' ' {
			continue
		}
		if name != "" {
			t.source[name] = text[start:at]
		}
		name, start = "", at
		head := text[at : at+strings.IndexByte(text[at:], '\n')]
		if text[at] == '@' {
			pkg = head[1:]
			continue
		}
		head, _, _ = strings.Cut(head, " ")
		name = pkg + "." + strings.TrimSuffix(head, "!")
	}
	if name != "" {
		t.source[name] = text[start:]
	}
}
