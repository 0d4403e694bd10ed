package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// link is one of Markdown, outside of code.
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inCode  = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
)

// pagesOf are the pages that people write: all but those of the rules.
func pagesOf(t *testing.T) []string {
	t.Helper()
	pages, _ := filepath.Glob("docs/*.md")
	inside, err := filepath.Glob("docs/internals/*.md")
	if err != nil || len(pages) == 0 || len(inside) == 0 {
		t.Fatalf("there are no pages: %v", err)
	}
	return append(pages, inside...)
}

// TestLinks: every link between the pages, and to files of the repository, leads
// to something, down to the heading.
func TestLinks(t *testing.T) {
	top, _ := filepath.Glob("*.md")
	checked, known := 0, map[string]map[string]bool{}
	for _, page := range append(pagesOf(t), top...) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(inCode.ReplaceAllString(string(data), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			checked++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if info, err := os.Stat(target); err == nil && info.IsDir() && anchor == "" {
				continue
			}
			if known[target] == nil {
				text, err := os.ReadFile(target)
				if err != nil {
					t.Errorf("%s: %s leads nowhere", page, m[1])
					continue
				}
				known[target] = anchors(string(text))
			}
			if anchor != "" && !known[target][anchor] {
				t.Errorf("%s: %s has no heading %s", page, target, anchor)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d links were checked", checked)
	}
}

// anchors are the names that GitHub gives to the headings of a page, and the IDs in it.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	outside := regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
	for _, m := range heading.FindAllStringSubmatch(outside, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	for _, m := range regexp.MustCompile(`<a id="([^"]+)">`).FindAllStringSubmatch(outside, -1) {
		names[m[1]] = true
	}
	return names
}

// TestMenu: every page in the menu of the site exists.
func TestMenu(t *testing.T) {
	config, err := os.ReadFile("site/.vitepress/config.mjs")
	if err != nil {
		t.Fatal(err)
	}
	pages := regexp.MustCompile(`page\('[^']+', '([^']+)'\)`).FindAllStringSubmatch(string(config), -1)
	if len(pages) < 10 {
		t.Errorf("only %d pages were found", len(pages))
	}
	for _, m := range pages {
		if _, err := os.Stat("docs/" + m[1] + ".md"); err != nil {
			t.Errorf("the menu leads to %s: %v", m[1], err)
		}
	}
}
