package rules

import (
	"regexp"
	"strconv"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
)

// retyped says how to write the values of a manifest that are of the wrong type, and the
// edits for those of which the text tells what is meant: 3 in quotes, or true without.
func retyped(o *lint.Object) (fix string, edits []edit.Edit) {
	var words []string
	for _, f := range o.Faults() {
		if f.Wants == "" {
			continue
		}
		value, _ := o.Find(f.Path, o.Manifest.Tree)
		text, is := value.(string)
		n, err := strconv.ParseInt(text, 10, 64)
		how := "write " + f.Wants
		switch {
		case is && f.Wants == "a number" && err == nil && strconv.FormatInt(n, 10) == text:
			how = "write " + text + " without quotes"
			edits = append(edits, edit.Set(f.Path, n))
		case is && f.Wants == "true or false" && (text == "true" || text == "false"):
			how = "write " + text + " without quotes"
			edits = append(edits, edit.Set(f.Path, text == "true"))
		case f.Wants == "text" && !is:
			how = "write it in quotes"
			if text := scalarText(o, f.Path); text != "" {
				how = "write " + strconv.Quote(text) + ", with quotes"
				edits = append(edits, edit.Set(f.Path, text))
			}
		}
		words = append(words, f.Path.String()+": "+how)
	}
	return strings.Join(words, "; "), edits
}

// plainScalar is a YAML scalar without quotes, up to what may follow it.
var plainScalar = regexp.MustCompile(`^([A-Za-z0-9.+_-]+)\s*(?:[,}\]#].*)?$`)

// scalarText is how the manifest writes a number or boolean; "" if that is not one plain
// word on its line.
func scalarText(o *lint.Object, path fieldpath.Path) string {
	line, column, exact := o.Manifest.Position(path)
	source := []rune(o.Manifest.SourceLine(line))
	if !exact || column < 1 || column > len(source) {
		return ""
	}
	rest := string(source[column-1:])
	if name := path[len(path)-1].Field; name != "" {
		_, rest, _ = strings.Cut(rest, ":")
	} else {
		rest = strings.TrimPrefix(rest, "-")
	}
	m := plainScalar.FindStringSubmatch(strings.TrimSpace(rest))
	if m == nil {
		return ""
	}
	return m[1]
}
