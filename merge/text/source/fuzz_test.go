package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// seed adds the files of all archives in testdata, and a few that are odd.
func seed(f *testing.F) {
	archives, _ := filepath.Glob("../../manifest/testdata/read/*.txtar")
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Add([]byte(ordinary))
	for _, s := range []string{
		"", "\ufeff{}", "a: &a {<<: *a}", "a: &a [*a]", "? {a: b}\n: c", "? [a]\n: c", "~: a", "!!binary aGk=: !!binary /w==", "a: !!str 1",
		"1.5: a\n1e3: b\n.inf: c\n0o7: 1\n0b1: 2\n08: 3\n1_0: 4\n-0: 5\n-0.0: 6", "a: 2001-01-02\nb: 1:30\nc: 18446744073709551615\nd: 1e400",
		"a: |\n  x\n  y", "a: >-\n x\n\n y\nb: 'it''s'\nc: \"\\u00e9\\x01\"", "%YAML 1.1\n---\na: 1", "--- |\n a", "a: 1\n...\nb", "{a: 1}\n{b: 2}",
		`{"a":"\ud800\udc00\ud800x\u12"}`, `{"a":01}`, `{"a":-}`, `{"a":1.}`, `{"a":1e}`, `[1]`, `{"a":` + strings.Repeat("[", 100),
		"{\"a\":\"\x80\xff\xe2\x82\"}", "\xfe\xff\x00a\x00:\x00 \x00b", "a: \x00", "a: b\r\r\nc: d\re: f", "a: \"x\u2028\n  y\u0085z\"\nb: 1",
		"- key: a\n  value: b", "- {key: a, value: b}", "a: -9223372036854775809\nb: 9223372036854774784.0",
		"\u00a0{\"a\":1}", "{\"a\":1}\u00a0\u00a0{b: 1}", "{}xxxx\ufffd",
	} {
		f.Add([]byte(s))
	}
}

// FuzzStream holds the documents of a text, and the error that ends it,
// against apimachinery's decoder and sigs.k8s.io/json.
func FuzzStream(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		text := DecodeText(data)
		theirs := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), guessSize)
		ours := NewStream("f", text)
		for {
			var raw rawJSON
			err := theirs.Decode(&raw)
			more := ours.Next()
			if err != nil {
				if more {
					t.Fatalf("they end with %v, we have %v", err, ours.Value)
				}
				want := ""
				if !errors.Is(err, io.EOF) {
					want = "error parsing f: " + err.Error()
				}
				compareFailure(t, ours.Failure, want)
				return
			}
			if !more {
				t.Fatalf("they have %s, we end with %v", raw, ours.Failure)
			}
			if len(ours.Doc.Duplicates) > 0 {
				continue // which of 1 and "1" wins is random in theirs
			}
			var want any
			if len(raw) > 0 {
				err = kjson.UnmarshalCaseSensitivePreserveInts(raw, &want)
			}
			if (err != nil) != (ours.Doc.NumberErr != nil) || err == nil && !reflect.DeepEqual(ours.Value, want) {
				t.Fatalf("%s: %v, we have %#v, %v", raw, err, ours.Value, ours.Doc.NumberErr)
			}
		}
	})
}

// rawJSON is runtime.RawExtension as far as decoding goes.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(b []byte) error {
	if !bytes.Equal(b, []byte("null")) {
		*r = bytes.Clone(b)
	}
	return nil
}

func compareFailure(t *testing.T, failure *Failure, want string) {
	got := ""
	if failure != nil {
		got = failure.Text
	}
	// Which of several bad keys or values is named is random.
	random := strings.Contains(want, "unsupported")
	if random && got == "" || !random && !strings.HasPrefix(got, want) || want == "" && got != "" {
		t.Fatalf("they end with %q, we with %q", want, got)
	}
}

// FuzzPosition checks that each path of a document leads to text that looks
// like its key.
func FuzzPosition(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		text := Whole(DecodeText(data))
		lines := strings.Split(text, "\n")
		for s := NewStream("f", text); s.Next(); {
			root, _ := s.Value.(tree.Object)
			if tree.String(root, "kind") == "" || len(s.Doc.Duplicates) > 0 || !s.Doc.IsJSON && s.Doc.nodes() == nil {
				continue // no object, or YAML 1.1 but not 1.2
			}
			eachPath(root, nil, func(p fieldpath.Path) {
				offset, exact := s.Doc.Find(p)
				line, column := s.Doc.Position(offset)
				rest := string([]rune(lines[line-1])[column-1:])
				if !exact {
					t.Errorf("%s is not found, but %d:%d %q", p, line, column, rest)
				} else if last := p[len(p)-1]; !last.IsIndex && !strings.Contains(last.Field, "\n") && !startsWithKey(rest, last.Field) {
					t.Errorf("%s: %d:%d %q", p, line, column, rest)
				}
			})
		}
	})
}

func eachPath(v any, p fieldpath.Path, f func(fieldpath.Path)) {
	if len(p) > 0 {
		f(p)
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			eachPath(x, p.Child(k), f)
		}
	case []any:
		for i, x := range v {
			eachPath(x, p.Item(i), f)
		}
	}
}

// startsWithKey reports whether text may start with a key of the name, written
// plain or in quotes. Keys that are tagged, anchored, folded or no strings to
// YAML are taken on trust.
func startsWithKey(text, name string) bool {
	if text == "" || name == "" || strings.IndexByte("!&*|>'", text[0]) >= 0 || ambiguous(text[:1]) || name == "true" || name == "false" {
		return true
	}
	if text[0] == '"' {
		var s string
		err := json.NewDecoder(strings.NewReader(text)).Decode(&s)
		return err != nil || s == name
	}
	first, _, _ := strings.Cut(name, " ")
	return strings.HasPrefix(text, first)
}

// TestDecodeTextAsKubectl holds the decoding against what golang.org/x/text
// makes of the bytes.
func TestDecodeText(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                              "plain",
		"\xef\xbb\xbfa":                      "a",
		"\xef\xbb\xbf\xef\xbb\xbfa":          "\ufeffa",
		"\xff\xfea\x00\xe4\x00":              "aä",
		"\xfe\xff\x00a\xd8\x3d\xde\x00":      "a😀",
		"\xfe\xff\xd8\x3d\x00a\x00":          "\ufffda\ufffd",
		"a\x80b\xe2\x82c\xe2\x82":            "a\ufffdb\ufffdc\ufffd",
		"\xf0\x9f\x98x\xf0\x9f\x98\xff\xc0a": "\ufffdx\ufffd\ufffd\ufffda",
		"\xe2\x82\xac\xed\xa0\x80":           "€\ufffd\ufffd\ufffd",
	} {
		if got := DecodeText([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzBlock holds the decoder of block YAML against that of all YAML: what the
// one takes, the other takes, to the same value, whether it is built or only
// looked at.
func FuzzBlock(f *testing.F) {
	seed(f)
	for _, text := range blockSeeds {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text := string(data)
		if strings.Contains(text, "\n---") {
			return // the stream takes documents apart
		}
		checkBlock(t, yamlLines(text))
	})
}

func checkBlock(t *testing.T, text string) (taken bool) {
	t.Helper()
	got, twice, ok := decodeBlock(text, Everything, 0, nil)
	if _, skipped, skipOK := decodeBlock(text, nil, 0, nil); skipOK != ok || ok && skipped != twice {
		t.Fatalf("built: taken %v, key twice %v; only looked at: %v, %v\n%s", ok, twice, skipOK, skipped, text)
	}
	if !ok {
		return false
	}
	want, wantTwice, err := decodeGeneral(text)
	if err != nil {
		t.Fatalf("taken, but wrong: %v\n%q", err, text)
	}
	if !reflect.DeepEqual(any(got), want) {
		t.Fatalf("got  %#v\nwant %#v\n%s", got, want, text)
	}
	if twice != wantTwice && !strings.Contains(text, "<<") {
		t.Fatalf("key twice: %v, want %v\n%s", twice, wantTwice, text)
	}
	return true
}

var blockSeeds = []string{
	"a: 1\nb:\n- x\n- y: z\n  w: [1, 'b', \"c\"]\nc:\n    d: |-\n      x\n\n       y\n    e: {}\n",
	"a: folded\n  over lines\n\n  and more # comment\nb: \"quoted\n  too\\n\\\n  x\"\nc: 'it''s\n  x'\n",
	"---\n# c\na: # x\n  b: >-\n    x\n    y\n  ? c\n",
	"a: |+\n  x\n\n\nb: |\n  y\n  \n# c\nc: ~\nd: 0x10\ne: 1e3\nf: -1\ng: 010\nh: 1_000\ni: .inf\nj: 2026-01-01\nk: on\nl: 1.5\n",
	"a:\n  b: |2-\n      x\n     y\n  c: |+2\n     z\n\n  d: |1\n    x\n  e: |9\n  f: >2\n     x\n", "- a\n- b\n", "a:\n  - - b\n    - c\n  -\n    d: e\n  - \"f\": g\n1: a\n'x y': b\n", "a: 1\na: 2\n", "z: 1\na: 2\nz: 3\n",
	"a: b: c\n", "a: &x 1\nb: *x\n", "a: !!str 1\n", "a: 'x\n\n  y'\n", "a:\n b\n", "a: b\n c: d\n", "a: -\n", "a: - b\n", "k:{\"name\":\"x\"}: {}\n.: {}\n",
}
