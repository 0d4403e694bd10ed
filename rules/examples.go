package rules

import (
	"strings"

	"threeway/lint"
)

// Examples reads those of a rule from testdata/RULE/examples: bad, good,
// near-miss and, where --fix leaves the bad one alone, repairable.
func Examples(r *lint.Rule) lint.Examples {
	read := func(name string) lint.Example {
		return example(func(file string) string {
			text, err := exampleFiles.ReadFile("testdata/" + r.ID + "/examples/" + name + "/" + file)
			if err != nil {
				return "" // an example has only the files that it needs
			}
			return string(text)
		})
	}
	return lint.Examples{Bad: read("bad"), Good: read("good"), NearMiss: read("near-miss"), Repairable: read("repairable")}
}

// example is put together from its files.
func example(file func(name string) string) lint.Example {
	return lint.Example{
		Applied:       file("applied.yaml"),
		Live:          file("live.yaml"),
		Manifest:      file("config.yaml"),
		Elsewhere:     file("elsewhere.yaml"),
		Kustomization: file("kustomization.yaml"),
		Args:          strings.TrimSpace(file("args")),
	}
}
