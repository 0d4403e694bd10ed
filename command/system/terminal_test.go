package system

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want, rest string }{
		{"plain é 漢\tand\n", "plain é 漢\tand\n", ""},
		{Marked("\x1b[31m") + "red" + Marked("\x1b[0;22m"), "\x1b[31mred\x1b[0;22m", ""},
		{"\x1b[31mof a file\x1b[0m", `\x1b[31mof a file\x1b[0m`, ""},
		{"\x1b[8mhidden", `\x1b[8mhidden`, ""},
		{"\x1b]0;title\a", `\x1b]0;title\x07`, ""},
		{"\x1b[2J\r\b\x7f\x00", `\x1b[2J\r\x08\x7f\x00`, ""},
		{"a\u202eb\u2066c\u200fd\u2028e\u009bf", `a\u202eb\u2066c\u200fd\u2028e\u009bf`, ""},
		{"bad \xff.", `bad \xff.`, ""},
		{"half \xe6\xbc", "half ", "\xe6\xbc"},
		{"half \x1b", "half ", "\x1b"},
	} {
		shown, used := shownOf([]byte(c.text))
		if shown != c.want || c.text[used:] != c.rest {
			t.Errorf("%q is shown as %q, and then %q", c.text, shown, c.text[used:])
		}
	}
}

// TestShownOnce holds the escaping of a long text to a few copies of it.
func TestShownOnce(t *testing.T) {
	text := []byte(strings.Repeat("long é\n", 2000))
	took := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			shownOf(text)
		}
	}).AllocedBytesPerOp()
	if took > 10*int64(len(text)) {
		t.Errorf("%d bytes are allocated to show %d", took, len(text))
	}
}

// TestLogOfAJob: in a job no line of a text or of JSON is a command to the service,
// however it is written, and the JSON keeps its values; outside nothing is changed.
func TestLogOfAJob(t *testing.T) {
	const text = "::error::x\n  ::add-mask::x\n\u00a0\u3000::set-output name=a::b\n::1 localhost\na ::error::x\n##[add-mask]x\n# ##[group]\n###[a]\n##vso[task.setvariable]x\n##teamcity[a]\n## [a]\n# a\n" +
		"section_start:1:a\r\x1b[0K\n::warning::at the end"
	const want = "\\u003a:error::x\n  \\u003a:add-mask::x\n\u00a0\u3000\\u003a:set-output name=a::b\n::1 localhost\na ::error::x\n\\u0023#[add-mask]x\n# \\u0023#[group]\n#\\u0023#[a]\n\\u0023#vso[task.setvariable]x\n\\u0023#teamcity[a]\n## [a]\n# a\n" +
		`section_start:1:a\r\x1b[0K` + "\n\\u003a:warning::at the end"
	const object = `{"a": "::error::x", "b": "##[add-mask]\u001b \\##vso[x]` + "\u202e\x7f\"}\n"
	written := func(what string, kind func(*Screen), size int) string {
		var b strings.Builder
		s := NewScreen(&b, false)
		kind(s)
		for len(what) > 0 {
			n := min(size, len(what))
			if _, err := s.Write([]byte(what[:n])); err != nil {
				t.Fatal(err)
			}
			what = what[n:]
		}
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	people, forJSON, data := func(*Screen) {}, func(s *Screen) { Data(s, true) }, func(s *Screen) { Data(s, false) }
	for _, variable := range jobs {
		t.Setenv(variable, "")
	}
	for _, kind := range []func(*Screen){people, forJSON, data} {
		if got := written(text, kind, 7); got != text {
			t.Errorf("outside of a job: %q", got)
		}
	}
	for _, variable := range jobs {
		t.Setenv(variable, "true")
		for _, size := range []int{1, 2, 3, 10, 1000} {
			if got := written(text, people, size); got != want {
				t.Errorf("%s, %d bytes at a time:\n%q, want\n%q", variable, size, got, want)
			}
			if got := written(text, data, size); got != text {
				t.Errorf("data: %q", got)
			}
			got := written(object, forJSON, size)
			var before, after any
			if json.Unmarshal([]byte(object), &before) != nil || json.Unmarshal([]byte(got), &after) != nil || !reflect.DeepEqual(before, after) || orders.MatchString(got) {
				t.Errorf("JSON: %q", got)
			}
		}
		t.Setenv(variable, "")
	}
}

// TestMessagesFold: on a terminal a message breaks between words, and a word stays
// whole, so that it can be copied.
func TestMessagesFold(t *testing.T) {
	var b strings.Builder
	s := &Screen{to: &b, escape: true, columns: 20}
	const text = "Warning: resource namespaces/otel-demo lacks it\n  short\nno end of the line here"
	if _, err := s.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if want := "Warning: resource\n  namespaces/otel-demo\n  lacks it\n  short\nno end of the line here"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
