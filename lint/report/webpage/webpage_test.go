package webpage

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hostile is text that would end an element, begin another, or end a line of a
// script, if it were not escaped.
const hostile = "</script><!--<script>\u2028\u2029&lt;\x00\x1b'\"`${x}"

func page(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	err := Write(&b, Page{
		Title: "a title " + hostile, Summary: "a summary " + hostile,
		Index: map[string]string{hostile: hostile}, Parts: slices.Values([]json.RawMessage{raw(hostile), raw([]string{hostile})}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// raw is JSON that does not escape what HTML would have escaped.
func raw(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestNothingBreaksOut reads the data back from between the only tags that there
// may be.
func TestNothingBreaksOut(t *testing.T) {
	text := page(t)
	if n := strings.Count(text, "<script"); n != 4 {
		t.Errorf("%d scripts begin, want the index, the program and two parts", n)
	}
	if n := strings.Count(text, "</script>"); n != 4 {
		t.Errorf("%d scripts end", n)
	}
	data := regexp.MustCompile(`<script type="application/json" id="([^"]+)">(.*)</script>\n`).FindAllStringSubmatch(text, -1)
	if len(data) != 3 {
		t.Fatalf("%d elements with data", len(data))
	}
	for i, want := range []string{`index map[` + hostile + `:` + hostile + `]`, "part-0 " + hostile, "part-1 [" + hostile + "]"} {
		var v any
		if err := json.Unmarshal([]byte(data[i][2]), &v); err != nil {
			t.Fatal(err)
		}
		if got := data[i][1] + " " + sprint(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if strings.ContainsAny(data[i][2], "<>&\u2028\u2029") {
			t.Errorf("not escaped: %s", data[i][2])
		}
	}
	if !strings.Contains(text, "<title>a title &lt;/script&gt;&lt;!--&lt;script&gt;") {
		t.Error("the title is not escaped")
	}
}

func sprint(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			return "map[" + k + ":" + sprint(x) + "]"
		}
	case []any:
		return "[" + sprint(v[0]) + "]"
	}
	return v.(string)
}

// TestPolicyIsOfThePage holds the hashes of the policy against what is between
// the tags: if they were others, the browser would run nothing.
func TestPolicyIsOfThePage(t *testing.T) {
	text := page(t)
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]+)"`).FindStringSubmatch(text)[1]
	for directive, element := range map[string]string{"style-src": "style", "script-src": "script"} {
		inside := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`).FindStringSubmatch(text)[1]
		sum := sha256.Sum256([]byte(inside))
		if want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("the policy is %s, want in it %s", policy, want)
		}
	}
	if regexp.MustCompile(`unsafe|https?:|\*`).MatchString(policy) {
		t.Errorf("the policy is %s", policy)
	}
}

// TestAssets: every file is a part of the page, none asks for anything from
// elsewhere or makes HTML of text, and none can end its element.
func TestAssets(t *testing.T) {
	files, err := os.ReadDir("assets")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(scripts)+1 {
		t.Errorf("%d files in assets, %d in the page", len(files), len(scripts)+1)
	}
	for _, f := range files {
		data, err := os.ReadFile("assets/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(", "XMLHttpRequest", "import(", "://", "url(", "@import", "</", "<!--"} {
			if bytes.Contains(data, []byte(bad)) {
				t.Errorf("%s has %s", f.Name(), bad)
			}
		}
	}
}

func TestSamePageSameBytes(t *testing.T) {
	first, second := page(t), page(t)
	if first != second {
		t.Error("two pages of the same data differ")
	}
}
