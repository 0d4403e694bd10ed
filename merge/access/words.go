package access

import (
	"fmt"
	"strings"
)

// Words says rights in words, verbs of one resource together: "get, list
// secrets; create pods". It names at most three resources.
func Words(list []Rule) string {
	var order []string
	verbs := map[string][]string{}
	said := map[[2]string]bool{}
	more := -3
	for _, r := range list {
		first := firstRights(r, 3)
		more += things(r) - things(first)
		for _, one := range Split([]Rule{first}) {
			what := thing(one)
			if verbs[what] == nil {
				order = append(order, what)
			}
			verb := strings.Replace(one.Verbs[0], "*", "do anything with", 1)
			if key := [2]string{what, verb}; !said[key] {
				verbs[what], said[key] = append(verbs[what], verb), true
			}
		}
	}
	var parts []string
	for _, what := range order[:min(3, len(order))] {
		parts = append(parts, strings.Join(verbs[what], ", ")+" "+what)
	}
	text := strings.Join(parts, "; ")
	if more += len(order); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// things is how many a right is about, and firstRights the right to the first n of each,
// with some verbs.
func things(r Rule) int {
	return len(r.Groups)*len(r.Resources)*max(1, len(r.Names)) + len(r.URLs)
}

func firstRights(r Rule, n int) Rule {
	return Rule{Verbs: firstOf(r.Verbs, 10), Groups: firstOf(r.Groups, n), Resources: firstOf(r.Resources, n), Names: firstOf(r.Names, n), URLs: firstOf(r.URLs, n)}
}

func firstOf(list []string, n int) []string { return list[:min(n, len(list))] }

// thing says what a split right is about.
func thing(r Rule) string {
	if r.URLs != nil {
		return strings.Replace("URL "+r.URLs[0], "URL *", "every URL", 1)
	}
	what := r.Resources[0]
	if r.Groups[0] == "*" {
		what += " of every group"
	} else if r.Groups[0] != "" {
		what += "." + r.Groups[0]
	}
	if r.Resources[0] == "*" {
		what = strings.Replace(what, "*", "everything", 1)
		if r.Groups[0] != "*" && r.Groups[0] != "" {
			what = "everything of " + r.Groups[0]
		} else if r.Groups[0] == "" {
			what = "everything of the core group"
		}
	}
	if r.Names != nil {
		what += " " + r.Names[0]
	}
	return what
}
