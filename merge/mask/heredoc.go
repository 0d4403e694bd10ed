package mask

import (
	"fmt"
	"regexp"
	"strings"
)

// heredoc is a part of a script: text, or the objects of a here document that has a Secret.
type heredoc struct {
	text      string
	objects   []any
	variables []string
}

var (
	// opening begins a here document of a shell.
	opening = regexp.MustCompile(`<<-?[ \t]*(\\?['"]?)([A-Za-z_]\w*)`)
	// variable is a reference to one and nothing else, and standIn what YAML reads in its place.
	variable = regexp.MustCompile(`\$\{\w+\}|\$[A-Za-z_]\w*`)
	standIn  = regexp.MustCompile(`threewayVariable(\d+)E`)
)

// heredocs divides a script into its here documents with Secrets and the text around them; nil
// if it has none, if one cannot be parsed, or if there is a Secret in the text around them.
func heredocs(script string) (parts []heredoc) {
	if standIn.MatchString(script) {
		return nil
	}
	var around, body strings.Builder
	end, literal, found := "", false, false // literal: the shell replaces no variables
	for line := range strings.Lines(script) {
		switch {
		case end == "":
			around.WriteString(line)
			if m := opening.FindAllStringSubmatch(line, 2); len(m) == 1 {
				literal, end = m[0][1] != "", m[0][2]
			}
		case strings.TrimLeft(strings.TrimRight(line, "\n"), "\t") != end:
			body.WriteString(line)
		default:
			if text := body.String(); MentionsSecret(text) && setsData(text) {
				h := heredoc{}
				objects := parseYAML(variable.ReplaceAllStringFunc(text, func(name string) string {
					if literal {
						return name
					}
					h.variables = append(h.variables, name)
					return fmt.Sprintf("threewayVariable%dE", len(h.variables)-1)
				}))
				if objects == nil {
					return nil
				}
				h.objects, found = objects, true
				parts = append(parts, heredoc{text: around.String()}, h)
				around.Reset()
			} else {
				around.WriteString(text)
			}
			body.Reset()
			around.WriteString(line)
			end = ""
		}
	}
	around.WriteString(body.String())
	parts = append(parts, heredoc{text: around.String()})
	rest := ""
	for _, p := range parts {
		rest += p.text
	}
	if !found || MentionsSecret(rest) && setsData(rest) {
		return nil
	}
	return parts
}

// encoded is the part as a script has it.
func (h heredoc) encoded() string {
	if h.objects == nil {
		return h.text
	}
	text := (&inner{objects: h.objects}).encoded()
	return standIn.ReplaceAllStringFunc(text, func(name string) string {
		i := 0
		_, _ = fmt.Sscanf(name, "threewayVariable%dE", &i)
		return h.variables[i]
	})
}
