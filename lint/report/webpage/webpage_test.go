package webpage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// hostile is text that would end an element, begin another, or end a line of a
// script, if it were not escaped.
const hostile = "</script><!--<script>\u2028\u2029&lt;\x00\x1b'\"`${x}"

func page(t *testing.T) string {
	t.Helper()
	return pageOf(t, raw(hostile), raw([]string{hostile}))
}

func pageOf(t *testing.T, parts ...json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	var p Parts
	for _, part := range parts {
		p.Add(part)
	}
	err := Write(&b, Page{Title: "a title " + hostile, Summary: "a summary " + hostile, Index: map[string]string{hostile: hostile}, Parts: &p})
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

// TestLargeIsCompressed reads all parts of a large page back, in order, and finds a
// small one as it is.
func TestLargeIsCompressed(t *testing.T) {
	var parts []json.RawMessage
	for i := range 3000 {
		parts = append(parts, json.RawMessage(fmt.Sprintf(`{"part":%d,"text":"%s"}`, i, strings.Repeat("manifest ", 100))))
	}
	text := pageOf(t, parts...)
	if len(text) > 500_000 {
		t.Errorf("%d bytes for parts of 2.7 MB", len(text))
	}
	all := unpacked(t, text)
	if want := string(bytes.Join(rawBytes(parts), []byte("\n"))) + "\n"; !strings.HasSuffix(all, "}"+want) { // the index is before them
		t.Errorf("%d bytes of parts came back, want %d", len(all), len(want))
	}
	if pageOf(t, parts...) != text {
		t.Error("the same page has other bytes")
	}
}

func rawBytes(parts []json.RawMessage) (list [][]byte) {
	for _, p := range parts {
		list = append(list, p)
	}
	return list
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

// unpacked is what the compressed elements of a page hold.
func unpacked(t *testing.T, page string) string {
	t.Helper()
	var all strings.Builder
	for _, e := range regexp.MustCompile(`<script type="application/gzip"[^>]*>([A-Za-z0-9+/=]*)</script>\n`).FindAllStringSubmatch(page, -1) {
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(e[1])))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// TestStruckIsNotCompressed: what must not be printed is taken out before it cannot be
// seen any more.
func TestStruckIsNotCompressed(t *testing.T) {
	parts := Parts{Strike: func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("hunter2"), []byte("MASKED")) }}
	parts.Add(json.RawMessage(`"` + strings.Repeat("hunter2 manifest ", plain/10) + `"`))
	var b bytes.Buffer
	if err := Write(&b, Page{Index: map[string]string{"a": "hunter2"}, Parts: &parts}); err != nil {
		t.Fatal(err)
	}
	if text := unpacked(t, b.String()); strings.Contains(text, "hunter2") || strings.Count(text, "MASKED") != plain/10+1 {
		t.Errorf("%d are masked", strings.Count(text, "MASKED"))
	}
}
