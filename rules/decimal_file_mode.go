package rules

import (
	"fmt"
	"strconv"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var decimalFileMode = &lint.Rule{
	ID:    "decimal-file-mode",
	Title: "a file mode is written as a decimal number",
	Text:  "The mode of a volume, or of one of its items, is a number such as 400 or 440: a usual mode in octal, and a surprising one in decimal: 400 is 0620, which lets the group write the file. An error above 0777, which the server rejects: 644 is 01204.",
	Why: "YAML reads 0400 as octal, and 400 as decimal. Programs such as ssh refuse a key that others may read or write, and others " +
		"read a Secret that they should not.",
	Fix:      "Write the mode with a zero in front, in JSON its decimal number: 0400 is 256.",
	Repair:   "Writes the number that the digits are in octal.",
	Links:    []string{"https://kubernetes.io/docs/concepts/configuration/secret/#secret-files-permissions", issue + "34982"},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		v, _ := o.Find(f.Path, o.Manifest.Tree)
		n, is := v.(int64)
		octal, ok := octalMode(n)
		if name := f.Path[max(len(f.Path)-1, 0):]; f.Code != fault.Invalid || !is || !ok || n <= 0o777 || len(name) == 0 || !fileModes[name[0].Field] {
			return nil
		}
		return &lint.Report{Path: f.Path, LivePath: f.Path, Message: "apply is rejected: " + firstLine(f.Text),
			Fix: fmt.Sprintf("write 0%d, in JSON %d", n, octal), Edits: []edit.Edit{edit.Set(f.Path, octal)}}
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			at, spec := podSpec(o.Kind, o.Manifest.Tree)
			eachMode(spec["volumes"], at.Child("volumes"), func(path fieldpath.Path, n int64) {
				octal, ok := octalMode(n)
				if !ok || n > 0o777 {
					return
				}
				path = o.Keyed(path, o.Manifest.Tree)
				p.Report(o, lint.Report{Path: path, LivePath: path,
					Message: fmt.Sprintf("%s %d is decimal, and 0%o in octal", path, n, n),
					Fix:     fmt.Sprintf("write 0%d, in JSON %d", n, octal), Edits: []edit.Edit{edit.Set(path, octal)}})
			})
		}
	},
}

// fileModes are the fields that have a mode of files.
var fileModes = map[string]bool{"mode": true, "defaultMode": true}

// eachMode yields the modes in a value.
func eachMode(v any, at fieldpath.Path, yield func(fieldpath.Path, int64)) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			eachMode(item, at.Item(i), yield)
		}
	case map[string]any:
		for _, key := range tree.Keys(v) {
			if n, is := v[key].(int64); is && fileModes[key] {
				yield(at.Child(key), n)
			} else {
				eachMode(v[key], at.Child(key), yield)
			}
		}
	}
}

// octalMode is the mode that the digits of a decimal number are in octal, if it is a usual one:
// the owner may do all that the group may, and the group all that others may.
func octalMode(n int64) (mode int64, usual bool) {
	mode, err := strconv.ParseInt(strconv.FormatInt(n, 10), 8, 64)
	if err != nil || n < 100 || n > 777 {
		return 0, false
	}
	owner, group, other := mode>>6, mode>>3&7, mode&7
	for _, bits := range []int64{owner, group, other} {
		if bits != 0 && bits < 4 {
			return 0, false // which may not read
		}
	}
	return mode, owner != 0 && group&^owner == 0 && other&^group == 0
}
