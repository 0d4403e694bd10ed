// Package own makes rules of the expressions that a project writes itself, in
// the Common Expression Language. A Definition is such a rule as it is written;
// Compile turns definitions into rules like those of package rules, which know
// no difference from then on.
//
// An expression sees what lint sees: trees in which the values of Secrets and
// other declared secrets are masked. It can cost no more than the API server
// allows an expression, and a rule no more than mostCost in a run.
package own

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
)

// The requests that a rule can be about.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
)

// Definition is a rule as it is written. Expression is what has to be true.
type Definition struct {
	ID, Title, Text, Why, Fix string
	Severity                  lint.Severity
	Links                     []string
	// Kinds are patterns for the kinds of objects: Deployment, *.apps,
	// Bucket.example.com; none means every kind.
	Kinds []string
	// When are the requests that the rule is about; none means Create and Update.
	When []string
	// Message says what is wrong; the title does if it is empty.
	Message string
	// Path is the field that findings are about; nil for the object.
	Path fieldpath.Path

	Expression, MessageExpression, PathExpression Source
	// File and Line are where the rule is written.
	File string
	Line int
}

// Source is an expression and where its text begins.
type Source struct {
	Text, File   string
	Line, Column int
	// Exact says that the lines and columns of the text are those of the file.
	Exact bool
}

// at is the place of a line and a column of the text, both from 1.
func (s Source) at(line, column int) string {
	if !s.Exact {
		line, column = 1, 1
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line+line-1, s.Column+column-1)
}

// Compile makes rules of definitions, sorted by ID. An error names the place of
// the first expression that does not compile.
func Compile(definitions []Definition) ([]*lint.Rule, error) {
	var rules []*lint.Rule
	for _, d := range definitions {
		c, err := compile(d)
		if err != nil {
			return nil, err
		}
		rules = append(rules, c.rule())
	}
	slices.SortFunc(rules, func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) })
	return rules, nil
}

func (c *compiled) rule() *lint.Rule {
	r := &lint.Rule{
		ID: c.ID, Title: c.Title, Text: c.Text, Why: c.Why, Fix: c.Fix, Links: c.Links,
		Severity: c.Severity, Needs: c.needs(), Origin: fmt.Sprintf("%s:%d", c.File, c.Line), Run: c.run,
	}
	if r.Severity == lint.Unset {
		r.Severity = lint.Warning
	}
	if r.Text == "" {
		r.Text = "This expression is false:\n\n  " + strings.ReplaceAll(strings.TrimSpace(c.Expression.Text), "\n", "\n  ")
	}
	return r
}

// needs are the inputs without which the rule has nothing to look at.
func (d *Definition) needs() lint.Needs {
	switch {
	case !d.on(Create) && !d.on(Update):
		return lint.Prune
	case !d.on(Create) && !d.on(Delete):
		return lint.Live
	}
	return lint.Manifests
}

// on reports whether the rule is about a request.
func (d *Definition) on(request string) bool {
	if len(d.When) == 0 {
		return request != Delete
	}
	return slices.Contains(d.When, request)
}

// about reports whether the rule is about objects of a kind.
func (d *Definition) about(k schema.Kind) bool {
	return len(d.Kinds) == 0 || slices.ContainsFunc(d.Kinds, func(pattern string) bool {
		kind, group, named := strings.Cut(pattern, ".")
		if group == coreGroup {
			group = ""
		}
		return matches(kind, k.Kind) && (!named || matches(group, k.Group))
	})
}

// coreGroup stands for the group of Pods and Services, which has no name.
const coreGroup = "core"

func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name) // CheckKind has seen the pattern
	return ok
}

// CheckKind reports what is wrong with a pattern for kinds.
func CheckKind(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil || pattern == "" || strings.Contains(pattern, "/") {
		return fmt.Errorf("%q is no pattern for kinds; write Kind or Kind.group, in which * stands for anything: Deployment, *.apps, Service.core", pattern)
	}
	return nil
}
