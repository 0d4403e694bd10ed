package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var envReferenceOrder = &lint.Rule{
	ID:    "env-reference-order",
	Title: "an env var refers to one that is defined later",
	Text:  "In the merged object, the value of an env var has $(NAME), and NAME is defined after it in the same container.",
	Why: "The kubelet resolves references in the order of the list and cannot resolve a reference to a later variable: the container gets " +
		"the literal text $(NAME). A merge can change the order, because live items come first.",
	Fix:      "Define the variable before the one that refers to it.",
	Links:    []string{issue + "47248", issue + "40373", "https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/"},
	Severity: lint.Warning,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			template, ok := workload(o)
			if !ok {
				continue
			}
			for _, field := range []string{"initContainers", "containers"} {
				at := template.Child("spec", field)
				list, _ := o.Find(at, o.Result)
				containers, _ := list.([]any)
				for _, c := range containers {
					reportReferences(p, o, at.Select(fieldpath.Key{Name: "name", Value: tree.String(c, "name")}), c)
				}
			}
		}
	},
}

func reportReferences(p *lint.Pass, o *lint.Object, at fieldpath.Path, c any) {
	if len(tree.List(c, "envFrom")) > 0 {
		return // may define any name
	}
	env := tree.List(c, "env")
	for i, e := range env {
		name, value := tree.String(e, "name"), tree.String(e, "value")
		for _, later := range env[i+1:] {
			ref := tree.String(later, "name")
			if ref == "" || !refers(value, ref) || defined(env[:i], ref) {
				continue
			}
			path := at.Child("env").Select(fieldpath.Key{Name: "name", Value: name}).Child("value")
			p.Report(o, lint.Report{
				Path:    path,
				Message: fmt.Sprintf("%s refers to $(%s), which comes later in the merged list: the container gets the literal text $(%s)", name, ref, ref),
				Fix:     "move " + ref + " before " + name,
			})
		}
	}
}

// refers reports whether a value has $(name), not escaped as $$(name).
func refers(value, name string) bool {
	for from := 0; ; {
		i := strings.Index(value[from:], "$("+name+")")
		if i < 0 {
			return false
		}
		i += from
		dollars := 0
		for j := i - 1; j >= 0 && value[j] == '$'; j-- {
			dollars++
		}
		if dollars%2 == 0 {
			return true
		}
		from = i + 1
	}
}

func defined(env []any, name string) bool {
	for _, e := range env {
		if tree.String(e, "name") == name {
			return true
		}
	}
	return false
}
