package textdiff

import (
	"fmt"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	const old = "a: 1\nb: 1\nc: 1\nd: 1\n"
	for new, want := range map[string]string{
		"a: 1\nb: 2\nc: 1\nd: 1\n":       "a: 1|a: 1 b: 1|b: 2 c: 1|c: 1 d: 1|d: 1",
		"a: 1\nd: 1\n":                   "a: 1|a: 1 b: 1| c: 1| d: 1|d: 1",
		"a: 1\nx: 1\nc: 2\nd: 1\n":       "a: 1|a: 1 b: 1|x: 1 c: 1|c: 2 d: 1|d: 1",
		"a: 1\nb: 1\nc: 1\nz: 9\nd: 1\n": "a: 1|a: 1 b: 1|b: 1 c: 1|c: 1 |z: 9 d: 1|d: 1",
		"d: 2\nc: other\n":               "a: 1| b: 1| c: 1| d: 1|d: 2 |c: other",
	} {
		var got []string
		for _, h := range Unified(old, new, 3) {
			for _, r := range h.Rows() {
				text := func(i int) string {
					if i < 0 {
						return ""
					}
					return h.Lines[i].Text
				}
				got = append(got, fmt.Sprintf("%s|%s", text(r.Old), text(r.New)))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q:\n%s, want\n%s", new, strings.Join(got, " "), want)
		}
	}
}
