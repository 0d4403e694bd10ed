package manifest

import (
	"strings"
	"testing"
)

// A last line without a line break that fills kubectl's buffer is not in what
// kubectl reads, and nothing tells so. In a snapshot and in what is rewritten
// it stays.
func TestLostLine(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: b\n"
	for n, lost := range map[int]bool{100: false, 4095: false, 4096: true, 4097: false, 8192: true} {
		text := head + "  c: " + strings.Repeat("x", n-len("  c: "))
		_, has := objects("f", text)[0].(map[string]any)["data"].(map[string]any)["c"]
		set := ReadFiles([]File{{"f.yaml", []byte(text)}}, Limits{})
		if has == lost || (len(set.Problems) == 1) != lost || lost && !strings.HasPrefix(set.Problems[0].String(), "f.yaml:6:1: warning: kubectl drops the last line") {
			t.Errorf("%d bytes: read %v, with %v", n, has, set.Problems)
		}
		ended := ReadFiles([]File{{"f.yaml", []byte(text + "\n")}}, Limits{})
		if data := ended.Objects[0].Tree["data"].(map[string]any); len(data) != 2 || len(ended.Problems) > 0 {
			t.Errorf("%d bytes and a line break: read %d keys, with %v", n, len(data), ended.Problems)
		}
		snapshot := ReadSnapshot(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
		for o := range snapshot.Objects() {
			if len(o.Tree["data"].(map[string]any)) != 2 || len(snapshot.Problems) > 0 {
				t.Errorf("%d bytes in a snapshot: %v", n, snapshot.Problems)
			}
		}
		if got, err := Rewrite("f", []byte(text), swap("new")); err != nil || strings.TrimSuffix(got, "\n") != text {
			t.Errorf("%d bytes, rewritten: %v, %d bytes", n, err, len(got))
		}
	}
}
