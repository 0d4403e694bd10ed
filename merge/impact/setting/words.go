package setting

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Change is the change of a field that a sentence of the table is about. Old or New is nil if the
// field comes or goes, Before or After if its object does.
type Change struct {
	Path          fieldpath.Path
	Old, New      any
	Before, After tree.Object
	// Find looks a path up in one of the objects; nil is [fieldpath.Path.Find].
	Find func(fieldpath.Path, any) (any, bool)

	more, less string // what the change allows and did not, and no longer
}

// Fill returns the first of the alternatives of a sentence, separated by |, whose values are known,
// and do not read alike before and after. {old} and {new} stand for the values of the field,
// {new.x} for what is in it or beside it, {new.x*y} for a product; {new:pod} counts pods. {field} is
// its name, {more} and {less} what it allows now or no longer, {exceeds} what happens at a limit of it, and {container} the container that has it.
func (c Change) Fill(words string) (text string) {
	for alternative := range strings.SplitSeq(words, "|") {
		known, was, is := true, "", ""
		text = ""
		for rest := alternative; rest != ""; {
			plain, slot, found := strings.Cut(rest, "{")
			text += plain
			if !found {
				break
			}
			slot, rest, _ = strings.Cut(slot, "}")
			value := c.slot(slot)
			known = known && value != ""
			switch slot[:3] {
			case "old":
				was += value + " "
			case "new":
				is += value + " "
			}
			text += value
		}
		if known && (was == "" || was != is) {
			break
		}
	}
	return text + c.typo()
}

// typo asks about an amount of CPU or memory whose unit looks mistyped: 100M for 100m, 128 for 128Mi.
func (c Change) typo() string {
	n, known := amount(c.New)
	text := fmt.Sprint(c.New)
	switch list := c.Path[max(len(c.Path)-2, 0):]; {
	case !known || len(list) < 2 || list[0].Field != "requests" && list[0].Field != "limits":
	case c.field() == "cpu" && strings.HasSuffix(text, "M"):
		return "; did you mean " + strings.TrimSuffix(text, "M") + "m?"
	case c.field() == "memory" && n > 0 && n < 1<<20:
		return "; the unit is bytes: is Mi or Gi missing?"
	}
	return ""
}

// exceeding is what happens to a container at its limits.
var exceeding = map[string]string{"cpu": "throttled", "memory": "OOM-killed", "ephemeral-storage": "evicted"}

// slot is what stands for a name between braces; "" if it is unknown.
func (c Change) slot(name string) string {
	name, nouns, counts := strings.Cut(name, ":")
	noun, many, _ := strings.Cut(nouns, ":")
	many = cmp.Or(many, noun+"s")
	side, at, _ := strings.Cut(name, ".")
	value := ""
	switch side {
	case "more":
		return c.more
	case "less":
		return c.less
	case "container":
		return c.container()
	case "field":
		return cmp.Or(map[string]string{"cpu": "CPU"}[c.field()], c.field())
	case "exceeds":
		return exceeding[c.field()]
	case "old":
		value = shown(c.at(c.Before, c.Old, at))
	case "new":
		value = shown(c.at(c.After, c.New, at))
	}
	switch _, err := strconv.Atoi(value); {
	case !counts || value == "":
		return value
	case err != nil:
		return value + " of the " + many
	case value != "1":
		noun = many
	}
	return value + " " + noun
}

func (c Change) field() string {
	if len(c.Path) == 0 {
		return ""
	}
	return c.Path[len(c.Path)-1].Field
}

// at is a value, or what is at a place in it or beside it. An index in one object means another item
// in the other.
func (c Change) at(in tree.Object, v any, at string) any {
	if at == "" {
		return v
	}
	find := c.Find
	if find == nil {
		find = fieldpath.Path.Find
	}
	if slices.ContainsFunc(c.Path, func(s fieldpath.Step) bool { return s.IsIndex }) {
		return nil
	}
	for n := len(c.Path); n >= 0; n-- {
		m, _ := find(c.Path[:n], in)
		one, other, product := strings.Cut(at, "*")
		value, has := tree.Get(m, strings.Split(one, ".")...)
		if has && product {
			a, _ := value.(int64)
			b, _ := tree.Map(m)[other].(int64)
			return a * b
		} else if has {
			return value
		}
	}
	return nil
}

// container names the container that the field is in, if its pod has others.
func (c Change) container() string {
	for n, step := range c.Path[:max(len(c.Path)-1, 0)] {
		if step.Field != "containers" && step.Field != "initContainers" {
			continue
		}
		spec, _ := c.Path[:n].Find(c.After)
		all := slices.Concat(tree.List(spec, "containers"), tree.List(spec, "initContainers"))
		one, _ := c.Path[:n+2].Find(c.After)
		if name := tree.String(one, "name"); len(all) > 1 && name != "" {
			return "container " + name
		}
		return "the container"
	}
	return "a container"
}

// The most that a sentence shows of a value.
const (
	longestShown = 60
	mostShown    = 3
)

// shown is a value as sentences have it: a scalar, or a few of them; "" for others, which stand
// beside the sentence.
func shown(v any) string {
	var parts []string
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		for _, item := range v {
			parts = append(parts, scalar(item))
		}
	case map[string]any:
		for _, key := range tree.Keys(v) {
			parts = append(parts, key+"="+scalar(v[key]))
		}
	default:
		parts = []string{scalar(v)}
	}
	text := fieldpath.Line(strings.Join(parts, ", "))
	if len(parts) > mostShown || len(text) > longestShown || slices.ContainsFunc(parts, func(s string) bool { return s == "" || strings.HasSuffix(s, "=") }) {
		return ""
	}
	return text
}

func scalar(v any) string {
	switch v := v.(type) {
	case string, bool, int64, float64:
		return fmt.Sprint(v)
	}
	return ""
}
