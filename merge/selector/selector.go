// Package selector parses and matches label selectors as kubectl's -l takes
// them: a=b, a!=b, a in (x,y), a notin (x), a, !a, joined by commas
// (apimachinery pkg/labels/selector.go, whose package reaches the network).
package selector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// Selector is a list of requirements; labels must meet all of them. The zero
// value matches everything.
type Selector []Requirement

// Requirement is one condition on the label Key.
type Requirement struct {
	Key string
	// Op is "in", "notin", "exists", "!", ">" or "<".
	Op     string
	Values []string
}

// Matches reports whether the labels meet every requirement.
func (s Selector) Matches(labels map[string]any) bool {
	for _, r := range s {
		if !r.matches(labels) {
			return false
		}
	}
	return true
}

func (r Requirement) matches(labels map[string]any) bool {
	v, has := labels[r.Key]
	value, _ := v.(string)
	switch r.Op {
	case "in":
		return has && slices.Contains(r.Values, value)
	case "notin":
		return !has || !slices.Contains(r.Values, value)
	case "exists":
		return has
	case "!":
		return !has
	}
	n, err := strconv.ParseInt(value, 10, 64)
	limit, _ := strconv.ParseInt(r.Values[0], 10, 64)
	if !has || err != nil {
		return false
	}
	return r.Op == ">" && n > limit || r.Op == "<" && n < limit
}

// Implies reports whether labels that meet the selector meet another one too: each of its
// requirements follows from one of s.
func (s Selector) Implies(other Selector) bool {
	return !slices.ContainsFunc(other, func(o Requirement) bool {
		return !slices.ContainsFunc(s, func(r Requirement) bool { return r.implies(o) })
	})
}

func (r Requirement) implies(o Requirement) bool {
	if r.Key != o.Key {
		return false
	}
	in := func(v string) bool { return slices.Contains(o.Values, v) }
	switch o.Op {
	case "in":
		return r.Op == "in" && !slices.ContainsFunc(r.Values, func(v string) bool { return !in(v) })
	case "exists":
		return r.Op == "in" || r.Op == "exists"
	case "!":
		return r.Op == "!"
	case "notin": // which labels without the key meet, too
		return r.Op == "!" || r.Op == "in" && !slices.ContainsFunc(r.Values, in) ||
			r.Op == "notin" && !slices.ContainsFunc(o.Values, func(v string) bool { return !slices.Contains(r.Values, v) })
	}
	return r.Op == o.Op && slices.Equal(r.Values, o.Values)
}

// Parse reads a selector; the error says what is wrong with it.
func Parse(text string) (Selector, error) {
	p := parser{rest: text}
	var s Selector
	p.space()
	for p.rest != "" {
		r, err := p.requirement()
		if err != nil {
			return nil, fmt.Errorf("selector %q: %w", text, err)
		}
		s = append(s, r)
		p.space()
		if p.rest == "" {
			break
		}
		if !p.eat(",") {
			return nil, fmt.Errorf("selector %q: found %q where a comma or the end was expected", text, p.rest)
		}
		p.space()
		if p.rest == "" {
			return nil, fmt.Errorf("selector %q: nothing follows the last comma", text)
		}
	}
	return s, nil
}

type parser struct{ rest string }

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *parser) eat(token string) bool {
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

// word reads up to a character that means something.
func (p *parser) word() string {
	p.space()
	i := strings.IndexAny(p.rest, " \t\r\n,()=!<>")
	if i < 0 {
		i = len(p.rest)
	}
	w := p.rest[:i]
	p.rest = p.rest[i:]
	return w
}

func (p *parser) requirement() (Requirement, error) {
	not := p.eat("!")
	key := p.word()
	if faults := content.IsLabelKey(key); len(faults) > 0 {
		return Requirement{}, fmt.Errorf("invalid label key %q: %s", key, faults[0])
	}
	p.space()
	if not {
		return Requirement{Key: key, Op: "!"}, nil
	}
	r, err := p.condition(key)
	if err != nil {
		return r, err
	}
	for _, v := range r.Values {
		if faults := content.IsLabelValue(v); len(faults) > 0 && r.Op != ">" && r.Op != "<" {
			return r, fmt.Errorf("invalid label value %q: %s", v, faults[0])
		}
	}
	return r, nil
}

func (p *parser) condition(key string) (Requirement, error) {
	for _, op := range []struct{ token, name string }{{"==", "in"}, {"=", "in"}, {"!=", "notin"}, {">", ">"}, {"<", "<"}} {
		if !p.eat(op.token) {
			continue
		}
		value := p.word()
		if op.name == ">" || op.name == "<" {
			if _, err := strconv.ParseInt(value, 10, 64); err != nil {
				return Requirement{}, fmt.Errorf("%q after %s is not an integer", value, op.token)
			}
		}
		return Requirement{Key: key, Op: op.name, Values: []string{value}}, nil
	}
	if p.rest == "" || p.rest[0] == ',' {
		return Requirement{Key: key, Op: "exists"}, nil
	}
	op := p.word()
	if op != "in" && op != "notin" {
		return Requirement{}, fmt.Errorf("unknown operator %q; use =, ==, !=, in, notin", op+p.rest)
	}
	values, err := p.list()
	return Requirement{Key: key, Op: op, Values: values}, err
}

func (p *parser) list() ([]string, error) {
	p.space()
	if !p.eat("(") {
		return nil, fmt.Errorf("found %q where an opening parenthesis was expected", p.rest)
	}
	var values []string
	for {
		values = append(values, p.word())
		p.space()
		switch {
		case p.eat(","):
		case p.eat(")"):
			return values, nil
		default:
			return nil, fmt.Errorf("a closing parenthesis is missing")
		}
	}
}
