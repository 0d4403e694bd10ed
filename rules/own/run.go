package own

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/text/visible"
)

// mostCost is what the expressions of one rule may cost in a run: a hundred
// times what a rule costs that looks at every container of 10,000 workloads.
const mostCost = 50_000_000

// longest is how many characters of a text that an expression makes are shown.
const longest = 500

// looking is one rule in one run.
type looking struct {
	*compiled
	pass   *lint.Pass
	budget *kube.Budget
}

func (c *compiled) run(p *lint.Pass) {
	l := &looking{c, p, kube.NewBudget(mostCost)}
	for o := range p.Accepted() {
		request := Update
		if o.Live == nil {
			request = Create
		}
		if !c.on(request) || !c.about(o.Kind) {
			continue
		}
		r := l.look(func(name string) any { return ofApplied(p, o, name) })
		if r == nil {
			continue
		}
		if len(r.Path) > 0 {
			if _, ok := o.Find(r.Path, o.Before); ok {
				r.LivePath = r.Path
			}
			r.Path = o.InConfig(r.Path)
		}
		if p.Report(o, *r); l.budget.Exhausted() {
			return
		}
	}
	if c.on(Delete) && p.Plan.Prune != nil {
		l.deletions()
	}
}

// deletions looks at what --prune would delete.
func (l *looking) deletions() {
	for _, candidate := range l.pass.Plan.Prune.Pruned() {
		if !l.about(candidate.Live.Kind) {
			continue
		}
		live := candidate.Live.Object()
		r := l.look(func(name string) any { return ofDeleted(l.pass, live, name) })
		if r == nil {
			continue
		}
		r.Notes = append(r.Notes, "--prune would delete it: "+candidate.Why)
		if l.pass.ReportAt(live, *r); l.budget.Exhausted() {
			return
		}
	}
}

// look evaluates the rule for one object; it returns nil if the expression is
// true. An expression that fails is reported, since it says nothing about the
// object.
func (l *looking) look(value func(name string) any) *lint.Report {
	result := l.eval(l.holds, value)
	switch {
	case l.budget.Exhausted():
		return &lint.Report{
			Message: fmt.Sprintf("the rule stops here: its expression costs too much (%s); neither this object nor those after it are checked", l.Expression.at(1, 1)),
			Fix:     "name fewer kinds, or go through shorter lists",
		}
	case result.Err != nil:
		return &lint.Report{
			Message: fmt.Sprintf("the rule cannot be evaluated for this object: %s (%s)", line(result.Err.Error()), l.Expression.at(1, 1)),
			Fix:     "test for the field first: has(object.spec.field), or object.?spec.field.orValue(…)",
		}
	case result.True():
		return nil
	}
	r := &lint.Report{Path: l.Path, Message: l.Message, Fix: l.Fix}
	if r.Message == "" {
		r.Message = l.Title
	}
	if text, why := l.text(l.message, value); why != "" {
		r.Notes = append(r.Notes, "message-expression gives no text: "+why)
	} else if text != "" {
		r.Message = text
	}
	text, why := l.text(l.path, value)
	path, err := fieldpath.Parse(text)
	switch {
	case why == "" && err != nil:
		why = line(err.Error())
	case text != "":
		r.Path = path
	}
	if why != "" {
		r.Notes = append(r.Notes, "path-expression gives no field: "+why)
	}
	return r
}

func (l *looking) eval(p *program, value func(name string) any) kube.Evaluated {
	vars := map[string]any{}
	for _, name := range p.uses {
		vars[name] = value(name)
	}
	result := p.Eval(vars)
	if result.TooDear() {
		l.budget.Exhaust()
	} else if result.Err == nil {
		l.budget.Spend(result.Cost)
	}
	return result
}

// text is what an expression gives, on one line; why says why it gives none.
// Both are empty without an expression.
func (l *looking) text(p *program, value func(name string) any) (text, why string) {
	if p == nil {
		return "", ""
	}
	result := l.eval(p, value)
	if result.Err != nil {
		return "", line(result.Err.Error())
	}
	s, ok := result.Value.(types.String)
	if !ok {
		return "", "it is of type " + result.Value.Type().TypeName()
	}
	return line(string(s)), ""
}

// line makes one short line of a text.
func line(text string) string {
	text = strings.TrimSpace(text)
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest-1]) + "…"
	}
	return visible.Line(text)
}
