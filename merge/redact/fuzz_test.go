package redact

import (
	"strings"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// FuzzFile: of a redacted dump every Secret has hashes in place of its values,
// all else is as it was, redacting it again changes nothing, and with the key
// Reveal brings the values back.
func FuzzFile(f *testing.F) {
	const list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a, annotations: {x: 'hunter2-or-so'}}\n  stringData: {p: hunter2-or-so, q: '', r: null, s: 7}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {p: hunter2-or-so}}\n"
	for _, text := range []string{dump, list, strings.ReplaceAll(dump, "\n", "\r\n"), "---\n" + list + "---\n" + list,
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"p":"aHVudGVyMg==","q":"no base64","r":["x"],"s":{"t":"u"}}}`,
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: &d {p: &p aHVudGVyMg==}\nstringData: {q: *p, r: |\n  a\n  b\n}\n",
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: aHVudGVyMg==\nstringData: [a]\ntype: b\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k := key(t, "0123456789abcdef")
		got, err := (&Redactor{Key: k}).File("f", []byte(text))
		if err != nil {
			return
		}
		if again, err := (&Redactor{Key: key(t, "another key of enough bytes")}).File("f", []byte(got)); err != nil || again != got {
			t.Errorf("%q\nredacted again is\n%q, %v", got, again, err)
		}
		before, refused := trees(text)
		if refused {
			return // no command reads it as objects; what looks like a Secret is masked all the same
		}
		after, _ := trees(got)
		if len(before) != len(after) {
			t.Fatalf("%d objects become %d:\n%q\n%q", len(before), len(after), text, got)
		}
		for i := range before {
			if !mask.IsSecret(before[i]) {
				if !strings.Contains(text, "Secret") && !(*mask.Policy)(nil).Holds(before[i]) && !tree.Equal(before[i], after[i]) {
					t.Errorf("%v becomes %v", before[i], after[i])
				}
				continue
			}
			revealed, assumed := Reveal(before[i], after[i], k)
			if revealed == nil {
				revealed = after[i]
			}
			if len(assumed) > 0 {
				t.Errorf("assumed %v", assumed)
			}
			for _, field := range []string{"data", "stringData"} {
				for name, v := range tree.Map(before[i], field) {
					was, _ := decoded(field, v)
					now, _ := decoded(field, tree.Map(after[i], field)[name])
					back, _ := decoded(field, tree.Map(revealed, field)[name])
					if v == nil || was == "" || token.Find(was) != "" {
						continue
					}
					if token.Find(now) == "" {
						t.Errorf("%s.%s of %v is %q", field, name, before[i], now)
					}
					if _, isText := v.(string); isText && back != was && tree.Map(before[i], "stringData")[name] == nil {
						t.Errorf("%s.%s of %v is revealed as %q, not %q", field, name, before[i], back, was)
					}
				}
			}
		}
	})
}

func trees(text string) (list []tree.Object, refused bool) {
	snapshot := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	for o := range snapshot.Objects() {
		list = append(list, o.Tree)
	}
	return list, len(list) == 0 && manifest.Err(snapshot.Problems) != nil
}
