package source

import (
	"testing"

	"threeway/merge/fieldpath"
)

// TestAlone: an item of a List has lines of its own in block YAML, elsewhere where no other
// item stands on them.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		text, within string
		line         int
		json, want   bool
	}{
		{"items:\n- a: 1\n- b: 2\n", "items[0]", 2, false, true},
		{"items:\n- items: [{a: 1}, {b: 2}]\n- c: 3\n", "items[0].items[0]", 2, false, false},
		{"items:\n- items: [{a: 1}, {b: 2}]\n- c: 3\n", "items[0]", 2, false, true},
		{"{\"items\": [{\"a\": 1}, {\"b\": 2}]}", "items[0]", 1, true, false},
		{"{\"items\": [\n{\"a\": 1},\n{\"b\": 2}]}", "items[0]", 2, true, true},
		{"{\"items\": [\n{\"a\": 1},\n{\"b\": 2}]}", "items[1]", 2, true, false},
	} {
		within, err := fieldpath.Parse(c.within)
		if err != nil {
			t.Fatal(err)
		}
		d := &Document{Text: c.text, Line: 1, Column: 1, IsJSON: c.json, isBlock: !c.json}
		if got := d.Alone(within, c.line); got != c.want {
			t.Errorf("%s, line %d of\n%s\nis alone: %t", c.within, c.line, c.text, got)
		}
	}
}

// TestItemsOfLists: only a list has items.
func TestItemsOfLists(t *testing.T) {
	for text, want := range map[string]bool{`[1]`: true, `[]`: false, `{"a": 1}`: false, `"a"`: false, ``: false} {
		if _, ok := (jsonSource{text, 0}).item(0); ok != want {
			t.Errorf("%s has an item: %t", text, ok)
		}
	}
}
