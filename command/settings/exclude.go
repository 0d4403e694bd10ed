package settings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pattern is a line in gitignore's syntax (git help gitignore).
type pattern struct {
	text     string
	matches  *regexp.Regexp
	included bool // by a ! in front
	onlyDirs bool
}

// exclude reads the patterns.
func (r *reader) exclude(n *yaml.Node, c *Config) {
	for i, text := range r.texts(n) {
		p, err := parsePattern(text)
		if err != nil {
			r.fail(n.Content[i], "exclude: %v", err)
		}
		c.exclude = append(c.exclude, p)
	}
}

func parsePattern(text string) (p pattern, err error) {
	p.text = text
	for strings.HasSuffix(text, " ") && !strings.HasSuffix(text, `\ `) {
		text = text[:len(text)-1]
	}
	text, p.included = strings.CutPrefix(text, "!")
	text, p.onlyDirs = strings.CutSuffix(text, "/")
	expression := "^"
	if !strings.Contains(text, "/") {
		expression += "(?:.*/)?"
	}
	p.matches, err = regexp.Compile(expression + translated(strings.TrimPrefix(text, "/")) + "$")
	return p, err
}

// translated is a pattern as a regular expression.
func translated(text string) string {
	var b strings.Builder
	for first := true; text != ""; first = false {
		rest, n := "", 1
		switch end := strings.IndexByte(text[min(2, len(text)):], ']'); {
		case first && strings.HasPrefix(text, "**/"):
			rest, n = "(?:.*/)?", 3
		case strings.HasPrefix(text, "/**/"):
			rest, n = "/(?:.*/)?", 4
		case text == "/**":
			rest, n = "/.+", 3
		case strings.HasPrefix(text, "*"):
			rest, n = "[^/]*", len(text)-len(strings.TrimLeft(text, "*"))
		case text[0] == '?':
			rest = "[^/]"
		case text[0] == '[' && end >= 0:
			n = end + 3
			class, negated := strings.CutPrefix(text[1:n-1], "!")
			if rest = "["; negated {
				rest += "^/"
			}
			rest += class + "]"
		case text[0] == '\\' && len(text) > 1:
			rest, n = regexp.QuoteMeta(text[1:2]), 2
		default:
			rest = regexp.QuoteMeta(text[:1])
		}
		b.WriteString(rest)
		text = text[n:]
	}
	return b.String()
}

// Exclude are the patterns of what is no manifest, as they are written.
func (c *Config) Exclude() (texts []string) {
	for _, p := range c.exclude {
		texts = append(texts, p.text)
	}
	return texts
}

// Excludes reports whether a file is excluded, or a directory that it is in.
func (c *Config) Excludes(file string) bool {
	if len(c.exclude) == 0 {
		return false
	}
	dir, err := filepath.Abs(filepath.Dir(c.File))
	if err != nil {
		return false
	}
	if file, err = filepath.Abs(file); err != nil {
		return false
	}
	below, err := filepath.Rel(dir, file)
	below = filepath.ToSlash(below)
	if err != nil || below == "." || strings.HasPrefix(below, "../") {
		return false
	}
	for i := range below + "/" {
		if i == len(below) || below[i] == '/' {
			if c.excludesOne(below[:i], i < len(below) || isDir(file)) {
				return true
			}
		}
	}
	return false
}

func isDir(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.IsDir()
}

// excludesOne goes by the last pattern that matches.
func (c *Config) excludesOne(name string, isDir bool) (excluded bool) {
	for _, p := range c.exclude {
		if (isDir || !p.onlyDirs) && p.matches.MatchString(name) {
			excluded = !p.included
		}
	}
	return excluded
}
