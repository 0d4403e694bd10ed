package source

import (
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml/kyaml"
)

var flowSeeds = []string{
	"{a: 1, b: [x, 'y', \"z\"], c: {}, d: [],}\n", "---\n{\n  a: \"x\\n\\\n    y\\\n    \",\n  b: [{\n    c: 1,\n  }, {\n    d: ~,\n  }],\n}\n",
	"{a: long text that\n  goes on, 'b': 'it''s\n\n  x', \"c\": \"folded \n\n \n x \\\n\n  y\"}\n", "{a: , b: }\n", "{\"a\":1,\"b\":[1,2]}\n",
	"{a: b:c, t: 2026-01-01T00:00:00Z, i: nginx:1.2, m: 1e3, o: 0x1}\n", "{a: b, # c\n  # d\n  e: f}\n# g\n", "{a: 1, a: 2}\n", "{a: [b: c]}\n", "{a, b}\n",
	"{a: 1,, b: 2}\n", "{a: &x 1, b: *x}\n", "{a: !!str 1}\n", "{a: \"\\u00e9\\x41\\U0001f600\\/\"}\n", "{a: x#y, b: x #y\n}\n", "{a: -, b: - c}\n", "{\n---\n}\n",
	"{a: 'x\ty', b: \"x\t\n\ty\"}\n", "{? a: b}\n", "{a?b: c, d: e?}\n", "{no: yes, \"no\": 'yes', 1: 2, ~: x}\n", "{a: {b: {c: [[[]]]}}}\n", "{a: 1}\n---\n{b: 2}\n", "{a: \"\\ud800\"}\n",
	"a:\n- {b: 1,\n c: 2}\n- [x,\n  y] # z\n- {d: 1} e\n", "{a: b\n  : c}\n", "{a: b\n  c: d}\n", "{a: [b,\nc\n]}\n", "{a: \"b\" c}\n", "{\"a\" : 1, 'b' : 2}\n", "{a: 'b'c}\n",
}

// FuzzFlow holds the decoder of flow style against that of all YAML.
func FuzzFlow(f *testing.F) {
	seed(f)
	for _, text := range flowSeeds {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text := string(data)
		if strings.Contains(text, "\n---") {
			return // the stream takes documents apart
		}
		text = yamlLines(text)
		checkFlow(t, text)
		checkBlock(t, text)
		checkBlock(t, yamlLines("a:\n- "+strings.ReplaceAll(text, "\n", "\n  ")))
	})
}

func checkFlow(t *testing.T, text string) (taken bool) {
	t.Helper()
	got, twice, ok := decodeFlow(text, Everything, nil)
	if _, skipped, skipOK := decodeFlow(text, nil, nil); skipOK != ok || ok && skipped != twice {
		t.Fatalf("built: taken %v, key twice %v; only looked at: %v, %v\n%q", ok, twice, skipOK, skipped, text)
	}
	if !ok {
		return false
	}
	want, wantTwice, err := decodeGeneral(text)
	if err != nil {
		t.Fatalf("taken, but wrong: %v\n%q", err, text)
	}
	if !reflect.DeepEqual(any(got), want) {
		t.Fatalf("got  %#v\nwant %#v\n%q", got, want, text)
	}
	if twice != wantTwice && !strings.Contains(text, "<<") {
		t.Fatalf("key twice: %v, want %v\n%q", twice, wantTwice, text)
	}
	return true
}

// What kubectl writes as KYAML is taken, strings of any kind in it.
func TestFlowTakesKYAML(t *testing.T) {
	text, err := new(kyaml.Encoder).Marshal(map[string]any{
		"apiVersion": "v1", "no": "yes", "data": map[string]any{
			"script": "#!/bin/sh\n\n  a \\\"b\\\"\n\tc  \n", "emoji": "😀 é", "control": "\x01\x1b\u2028", "long": strings.Repeat("word ", 100), "empty": "", "blanks": "  \n\n ",
		},
		"list": []any{[]any{}, map[string]any{}, 1, 1.5, true, nil, "1"}, "items": []any{map[string]any{"a": "b"}, map[string]any{"c": []any{"d"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !checkFlow(t, string(text)+"\n") {
		t.Errorf("not taken:\n%s", text)
	}
}

func TestFlowTaken(t *testing.T) {
	for i, want := range []bool{
		true, true, true, true, true, true, true, true, false, false, false, false, false, false, true, false, false, true, false, false, false, true,
	} {
		if got := checkFlow(t, flowSeeds[i]); got != want {
			t.Errorf("%q: taken %v, want %v", flowSeeds[i], got, want)
		}
	}
}
