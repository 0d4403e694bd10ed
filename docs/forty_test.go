package docs_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestForty holds the table of the README to the stored one, and the row of threeway to
// what it says of the changes now. The other rows and the times are of make forty. Which changes
// are rejected is what a real server answered (fixtures/forty/ask).
func TestForty(t *testing.T) {
	table := read(t, "fixtures/forty/table.md")
	for _, page := range []string{"README.md", "README.zh-CN.md"} {
		_, rows, _ := strings.Cut(table, "\n")
		if text := read(t, page); !strings.Contains(text, rows) {
			t.Errorf("%s does not have the table of fixtures/forty/table.md", page)
		}
	}
	_, answers, _ := strings.Cut(read(t, "fixtures/forty/answers.txt"), "\n")
	found := map[string]int{}
	for kind, want := range map[string]int{"rejected": 20, "dangerous": 10, "harmless": 10} {
		changes, _ := filepath.Glob(filepath.Join("fixtures/forty", kind, "*"))
		if len(changes) != want {
			t.Errorf("%d changes are %s, not %d", len(changes), kind, want)
		}
		for _, change := range changes {
			code := 0
			if kind == "rejected" {
				code = 1
			}
			if answer := fmt.Sprintf("-- %s/%s %d\n", kind, filepath.Base(change), code); !strings.Contains(answers, answer) {
				t.Errorf("the server did not answer %s", answer)
			}
			_, out := printed([]string{"threeway", "review", "-q", "-f", filepath.Join(change, "after.yaml"), "--base", filepath.Join(change, "before.yaml"), "-o", "guard"})
			var answer struct{ Verdict, Text string }
			if err := json.Unmarshal([]byte(out), &answer); err != nil {
				t.Fatalf("%s: %v\n%s", change, err, out)
			}
			risky := !strings.HasPrefix(answer.Text, "No risks found") && !strings.HasPrefix(answer.Text, "No changes")
			if kind == "rejected" && answer.Verdict == "deny" || kind != "rejected" && risky {
				found[kind]++
			} else if kind != "harmless" {
				t.Logf("not found: %s", change)
			}
		}
	}
	if row := fmt.Sprintf("| threeway | %d | %d | %d |", found["rejected"], found["dangerous"], found["harmless"]); !strings.Contains(table, row) {
		t.Errorf("the table does not have %s: run make forty", row)
	}
}
