package docs_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"threeway/command"
)

// TestReadme holds the README's example to what it prints.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const prompt = "\n$ go run . "
	_, example, ok := strings.Cut(string(data), prompt)
	example, _, closed := strings.Cut(example, "```")
	line, want, _ := strings.Cut(example, "\n")
	if !ok || !closed {
		t.Fatalf("README.md has no example that begins with %q", prompt)
	}
	if n := strings.Count(string(data), "go run . "+line+"\n"); n != 2 {
		t.Errorf("the README has the command %d times, want the example and the line to copy", n)
	}
	var both bytes.Buffer
	command.Run(context.Background(), append([]string{"threeway"}, strings.Fields(line)...), strings.NewReader(""), &both, &both)
	if both.String() != want {
		t.Errorf("got\n%s\nwant\n%s", both.String(), want)
	}
	for _, reason := range []string{" set ", " cleared ", " kept ", "the list merges by name"} {
		if !strings.Contains(want, reason) {
			t.Errorf("the example shows no field with %q", reason)
		}
	}
}
