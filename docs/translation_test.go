package docs_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestTranslation prints what the Chinese pages lack of the English ones, in blocks, links
// and headings; a translation that lags fails nothing.
func TestTranslation(t *testing.T) {
	for _, what := range []struct {
		name string
		find *regexp.Regexp
	}{
		{"block", regexp.MustCompile("(?ms)^```.*?^```$")},
		{"heading", regexp.MustCompile(`(?m)^#+ `)},
		{"link", regexp.MustCompile(`\]\([^)]+\)`)},
	} {
		original, translated := parts(t, "README.md", what.find), parts(t, "README.zh-CN.md", what.find)
		if len(original) == 0 {
			t.Errorf("README.md has no %s", what.name)
		}
		for _, part := range original {
			if i := slices.Index(translated, part); i >= 0 {
				translated = slices.Delete(translated, i, i+1)
			} else if part != "](README.zh-CN.md)" {
				t.Logf("README.zh-CN.md lacks the %s %s", what.name, part)
			}
		}
		for _, part := range translated {
			if part != "](README.md)" && part != "](docs/zh-CN.md)" {
				t.Logf("README.zh-CN.md has the %s %s, README.md does not", what.name, part)
			}
		}
	}
}

func parts(t *testing.T, file string, find *regexp.Regexp) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return find.FindAllString(string(data), -1)
}
