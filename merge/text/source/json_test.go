package source

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// TestSmallJSON holds the reading of JSON, with values and without, against
// sigs.k8s.io/json on every small document.
func TestSmallJSON(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		n                   int
		parts               []string
		positions           bool
	}{
		{"structure", "", "", 5, []string{"{", "}", "[", "]", `"a"`, ":", ",", "1", " "}, true},
		{"object", `{"a":`, "}", 5, []string{`"b"`, ":", ",", "1", `{"c":[0]}`, "[0,{}]", " ", `"d":`}, true},
		{"number", `{"a":`, "}", 5, []string{"0", "1", "-", "+", ".", "e", "E"}, false},
		{"long number", `{"a":`, "}", 4, []string{"9223372036854775807", "9223372036854775808", "1e308", "1e309", "-", "0", "."}, false},
		{"string", `{"a":"`, `"}`, 3, []string{`\`, `"`, "u", "0041", "d83d", "de00", "n", "/", "x", "\x00", "\n", "\u2028", "é", "G"}, false},
		{"surrogates", `{"a":"`, `"}`, 4, []string{`\u`, "d83d", "de00", "0041", "00e9", "D8", "x", `\n`}, false},
		{"literal", `{"a":`, "}", 3, []string{"t", "true", "rue", "false", "nul", "null", "l", " ", "\t", "\n", "\r", "\v"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			valid := 0
			texts(c.n, c.parts, func(text string) {
				text = c.before + text + c.after
				value, ok := checkJSON(t, text)
				if !ok {
					return
				}
				valid++
				if object, _ := value.(tree.Object); object != nil && c.positions {
					checkJSONPositions(t, text, object)
				}
			})
			if valid < 100 {
				t.Errorf("only %d documents are valid", valid)
			}
		})
	}
}

// checkJSON decodes a text in all ways.
func checkJSON(t *testing.T, text string) (value any, ok bool) {
	t.Helper()
	var want any
	err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &want)
	if sent, e := json.Marshal(want); err == nil && e == nil { // as kubectl sends it: 1.0 as 1
		err = kjson.UnmarshalCaseSensitivePreserveInts(sent, &want)
	}
	p := &jsonParser{text: text}
	got, ok := p.document()
	ok = ok && p.skipSpace() == 0 && p.pos == len(text) && p.numberErr == nil
	if ok != (err == nil) || ok && !reflect.DeepEqual(got, want) {
		t.Errorf("%q: %v %v, want %v %v", text, got, ok, want, err)
	}
	skipper := newSkipper(text, new(Scratch))
	s := &skipper
	_, taken := s.value(nil)
	taken = taken && s.skipSpace() == 0 && s.pos == len(text)
	if taken && (!ok || p.duplicates != nil) {
		t.Errorf("%q is skipped over, though it is wrong", text)
	}
	// It may refuse what is out of the ordinary.
	if ok && !taken && p.duplicates == nil && !strings.ContainsAny(text, "eE.\\") && len(text) < 20 {
		t.Errorf("%q is not skipped over", text)
	}
	return got, ok
}

// checkJSONPositions compares with the parser of YAML, of which JSON is a part.
func checkJSONPositions(t *testing.T, text string, root tree.Object) {
	t.Helper()
	p := &jsonParser{text: text}
	if _, ok := p.document(); !ok || p.duplicates != nil {
		return // which YAML does not allow
	}
	d := &Document{Text: strings.TrimLeft(text, " "), Line: 1, Column: 1}
	if d.nodes() == nil {
		return // {"a"1:} is a mapping to YAML, and the like
	}
	check := func(p fieldpath.Path) {
		offset, found := d.findJSON(p)
		if wantOffset, wantFound := d.findYAML(p); offset != wantOffset || found != wantFound {
			t.Errorf("%q: %s: %d %v, want %d %v", text, p, offset, found, wantOffset, wantFound)
		}
	}
	eachPath(root, nil, func(p fieldpath.Path) {
		check(p)
		check(p.Child("none"))
		check(p.Item(1))
	})
}
