package system

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPager writes to a terminal of four lines: what fits is written as it is, what does
// not goes through the program, and one that is left takes nothing away from the run.
func TestPager(t *testing.T) {
	if _, err := Which("sed"); err != nil {
		t.Skip("no sed")
	}
	for _, c := range []struct {
		program string
		lines   int
		want    string
	}{
		{"sed s/line/paged/", 3, "line 1|line 2|line 3"},
		{"sed s/line/paged/", 4, "paged 1|paged 2|paged 3|paged 4"},
		{"sed 2q", 100000, "line 1|line 2"},
		{"false", 100000, ""},
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("PAGER", c.program)
		p := &pager{file: f, program: pagerWords(), width: 80, rows: 4}
		for i := range c.lines {
			if _, err := fmt.Fprintf(p, "line %d\n", i+1); err != nil {
				t.Fatal(err)
			}
		}
		p.end()
		data, err := os.ReadFile(f.Name())
		if got := strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", "|"); err != nil || got != c.want {
			t.Errorf("%s, %d lines: %q, %v", c.program, c.lines, got, err)
		}
		f.Close()
	}
	for _, named := range []string{"", "cat", "no-such-program", "'"} {
		if t.Setenv("PAGER", named); pagerWords() != nil {
			t.Errorf("PAGER=%q pages", named)
		}
	}
	p := &pager{file: os.Stdout, width: 10, rows: 4}
	_, _ = p.Write([]byte("\x1b[31m0123456789\x1b[0m\n0123456789a\n"))
	if p.lines != 3 {
		t.Errorf("two lines, one of them wider than the terminal, are %d", p.lines)
	}
}
