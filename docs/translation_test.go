package docs_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestReadmeTranslation: README.zh-CN.md has the headings, blocks, tables, links
// and pictures of README.md, in its order; blocks are the same to the letter.
func TestReadmeTranslation(t *testing.T) {
	for what, find := range map[string]*regexp.Regexp{
		"block":           readmeBlock,
		"heading (level)": regexp.MustCompile(`(?m)^#+ `),
		"row of a table":  regexp.MustCompile("(?m)^\\| (`[a-z]+`|[0-9])"),
		"link":            regexp.MustCompile(`\]\([^)]+\)`),
	} {
		original, translated := parts(t, "README.md", find), parts(t, "README.zh-CN.md", find)
		if len(original) == 0 {
			t.Errorf("README.md has no %s", what)
		}
		for i := range max(len(original), len(translated)) {
			if x, y := nth(original, i), nth(translated, i); x != y {
				t.Errorf("%s %d: README.md has\n%s\nand README.zh-CN.md\n%s", what, i+1, x, y)
				break
			}
		}
	}
}

var readmeBlock = regexp.MustCompile("(?ms)^```.*?^```$")

// parts finds what a file has outside of blocks, or the blocks. Links to the
// other language and to the Chinese guide are left out.
func parts(t *testing.T, file string, find *regexp.Regexp) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if find != readmeBlock {
		data = readmeBlock.ReplaceAll(data, nil)
	}
	return slices.DeleteFunc(find.FindAllString(string(data), -1), func(s string) bool {
		return s == "](README.md)" || s == "](README.zh-CN.md)" || s == "](docs/zh-CN.md)"
	})
}

func nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}
