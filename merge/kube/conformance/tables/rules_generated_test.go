package tables

import (
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"

	"threeway/merge/tree"
)

// pairs is how many objects TestGeneratedRules holds against generated rules.
var pairs = flag.Int("pairs", 3000, "objects that TestGeneratedRules holds against generated rules")

// seed makes other schemas, rules and objects.
var seed = flag.Int64("seed", 1, "of TestGeneratedRules")

// pairsOfSchema is how many of them share a schema and its rules.
const pairsOfSchema = 100

// maker makes schemas, rules about their values, and values.
type maker struct{ *rand.Rand }

func (m maker) chance(percent int) bool { return m.Intn(100) < percent }

func (m maker) one(of ...string) string { return of[m.Intn(len(of))] }

// inOrder are the keys of a map: the same seed makes the same cases.
func inOrder(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// names are those of properties: plain ones, ones that are escaped, words of the
// language, and one that cannot be written.
var names = []string{"a", "b", "c", "namespace", "my-key", "x.y", "__dunder__", "a/b", "in", "1bad", "kind", "name"}

// schema is a random schema; deep is how many levels it may have below.
func (m maker) schema(deep int) tree.Object {
	kinds := []string{"integer", "number", "string", "boolean", "int-or-string", "string", "integer"}
	if deep > 0 {
		kinds = append(kinds, "object", "object", "map", "list", "set", "list map", "preserved", "embedded")
	}
	s := tree.Object{}
	switch kind := m.one(kinds...); kind {
	case "string":
		s["type"] = "string"
		switch m.Intn(8) {
		case 0:
			s["format"] = m.one("duration", "date", "date-time", "byte")
		case 1:
			s["maxLength"] = int64(m.Intn(20) + 1)
		case 2:
			s["enum"] = []any{"a", "bb", "ccc"}
		}
	case "int-or-string":
		s["x-kubernetes-int-or-string"] = true
	case "object", "embedded":
		s = m.object(deep)
		if kind == "embedded" {
			s["x-kubernetes-embedded-resource"] = true
			if m.chance(30) {
				s["x-kubernetes-preserve-unknown-fields"] = true
			}
		}
	case "preserved":
		s["type"], s["x-kubernetes-preserve-unknown-fields"] = "object", true
	case "map":
		s["type"], s["additionalProperties"] = "object", m.schema(deep-1)
		if m.chance(50) {
			s["maxProperties"] = int64(5)
		}
	case "list":
		s["type"], s["items"] = "array", m.schema(deep-1)
		if m.chance(50) {
			s["maxItems"] = int64(5)
		}
	case "set":
		s["type"], s["x-kubernetes-list-type"] = "array", "set"
		s["items"] = tree.Object{"type": m.one("string", "integer")}
	case "list map":
		item := m.object(deep)
		key := m.one("a", "b", "my-key", "namespace")
		properties := tree.Map(item, "properties")
		properties[key] = tree.Object{"type": m.one("string", "integer")}
		item["required"] = []any{key}
		s["type"], s["x-kubernetes-list-type"], s["x-kubernetes-list-map-keys"], s["items"] = "array", "map", []any{key}, item
	default:
		s["type"] = kind
	}
	if m.chance(10) && s["x-kubernetes-int-or-string"] == nil {
		s["nullable"] = true
	}
	return s
}

func (m maker) object(deep int) tree.Object {
	properties := tree.Object{}
	for range m.Intn(4) + 1 {
		properties[names[m.Intn(len(names))]] = m.schema(deep - 1)
	}
	return tree.Object{"type": "object", "properties": properties}
}

// rule gives rules to a schema and to those within it.
func (m maker) rule(s tree.Object) {
	if m.chance(60) {
		var rules []any
		for range m.Intn(3) + 1 {
			rules = append(rules, m.oneRule(s))
		}
		s["x-kubernetes-validations"] = rules
	}
	for _, name := range inOrder(tree.Map(s, "properties")) {
		m.rule(tree.Map(s, "properties", name))
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if sub := tree.Map(s, key); sub != nil {
			m.rule(sub)
		}
	}
}

func (m maker) oneRule(s tree.Object) tree.Object {
	rule := tree.Object{"rule": m.expression(s, 3)}
	if m.chance(30) {
		rule["message"] = "must be as it should"
	}
	if m.chance(20) {
		rule["messageExpression"] = m.one("'plain'", "string(self)", "'' + ''", "'a\\nb'", "'%s'.format([self])", "'size ' + string(size(self))", "string(1 / 0)")
	}
	if m.chance(30) {
		rule["reason"] = m.one("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
	}
	if m.chance(15) {
		rule["fieldPath"] = m.one(".a", ".b", ".namespace", "['my-key']", ".nope", ".a.b")
	}
	if m.chance(15) {
		rule["optionalOldSelf"] = true
		rule["rule"] = strings.ReplaceAll(tree.String(rule, "rule"), "oldSelf", m.one("oldSelf.value()", "oldSelf.orValue(self)", "oldSelf"))
	}
	return rule
}

// part is a value that an expression can name.
type part struct {
	text   string
	schema tree.Object
}

// parts are what can be named in a value; some cannot be written like that.
func (m maker) parts(text string, s tree.Object, to *[]part) {
	*to = append(*to, part{text, s})
	for _, name := range inOrder(tree.Map(s, "properties")) {
		escaped := strings.NewReplacer("__", "__underscores__", "-", "__dash__", ".", "__dot__", "/", "__slash__").Replace(name)
		if name == "namespace" && m.chance(50) || name == "in" {
			escaped = "__" + name + "__"
		}
		m.parts(text+"."+escaped, tree.Map(s, "properties", name), to)
	}
	if s["x-kubernetes-embedded-resource"] == true {
		*to = append(*to, part{text + ".metadata.name", tree.Object{"type": "string"}}, part{text + ".kind", tree.Object{"type": "string"}})
	}
	if items := tree.Map(s, "items"); items != nil {
		m.parts(text+"[0]", items, to)
	}
	if items := tree.Map(s, "additionalProperties"); items != nil {
		m.parts(text+"['k']", items, to)
	}
}

// templates are expressions about values of a type: «a» is the value, «b» one of the
// same type, if there is another.
var templates = map[string][]string{
	"integer":  {"«a» < «b»", "«a» == «b»", "«a» + «b» > 3", "«a» / «b» > 1", "«a» % 3 == 1", "«a» * «a» > 10", "«a» in [1, 2, 3]", "«a» > 1.5", "string(«a») != '3'", "«a» - 9223372036854775807 < 0"},
	"number":   {"«a» < «b»", "«a» == «b»", "«a» > 1", "«a» * 2.0 >= 1.5", "int(«a») > 0", "«a» / 0.0 > 1.0"},
	"boolean":  {"«a»", "!«a»", "«a» == «b»", "«a» ? !«b» : «b»"},
	"dyn":      {"type(«a») == int ? «a» > 1 : «a» == 'x'", "«a» == 1", "«a» > 1", "string(«a») == '1'", "«a» == «b»", "«a».size() > 1", "«a» in [dyn(1), 'x']"},
	"duration": {"«a» > duration('1h')", "«a».getHours() >= 1", "«a» == «b»", "«a» + «b» < duration('100h')"},
	"time":     {"«a» > timestamp('2020-01-01T00:00:00Z')", "«a».getFullYear() == 2020", "«a» == «b»", "«a» - «b» < duration('1h')"},
	"bytes":    {"«a» == b'abc'", "«a».size() > 1", "«a» == «b»", "string(«a») == 'abc'"},
	"string": {"«a» == «b»", "«a».startsWith('a')", "«a».matches('^[a-z]+$')", "«a».size() > 1", "«a».contains(«b»)", "«a».lowerAscii() == «b»", "«a».split('').size() > 1",
		"«a».find('[a-z]+') != ''", "«a».findAll('[a-z]').size() < 2", "«a» + «b» == 'ab'", "isURL(«a»)", "isQuantity(«a»)", "«a».replace('a', 'bb') == «b»", "«a».charAt(0) == 'a'", "«a».indexOf(«b») >= 0",
		"«a» in ['a', 'b']", "format.dns1123Label().validate(«a»).hasValue()", "isIP(«a»)", "«a».trim() == «a»", "«a» < «b»", "quantity(«a»).isGreaterThan(quantity('1'))", "duration(«a») > duration('1s')",
		"int(«a») > 1", "url(«a»).getHost() != ''", "isSemver(«a», true)", "«a».substring(1) == ''", "['a', «a»].join('-') != «b»", "«a».reverse() == «a»", "cidr('10.0.0.0/8').containsIP(«a»)", "«a».matches(«b»)", "«a»[0] == 'a'"},
	"list": {"«a».size() < 3", "«a»[0] == «a»[1]", "«a» == «b»", "«a» + «b» == «b» + «a»", "«a» == «a»", "«a»[0] in «a»", "«a».exists(x, x == «a»[0])", "«a».all(x, x != «a»[0])", "«a».exists_one(x, x == x)",
		"«a».map(x, x).size() == «a».size()", "«a».filter(x, x == «a»[0]).size() > 0", "(«a» + «b»).size() > 2", "«a».indexOf(«a»[0]) == 0", "«a».all(i, v, i < 3)", "«a».distinct().size() == «a».size()", "sets.contains(«a», «b»)", "«a».slice(0, 1) == «a»", "«a».reverse() == «a»", "«a»[9] == «a»[0]"},
	"scalars": {"«a».isSorted()", "«a».min() == «a».max()", "«a».sort() == «a»"},
	"map": {"«a».all(k, k.size() < 3)", "'k' in «a»", "«a».size() < 2", "«a» == «b»", "has(«a».k)", "«a».exists(k, «a»[k] == «a»['k'])", "«a».map(k, k).size() > 1", "«a»['nope'] == «a»['k']", "«a».?k.hasValue()",
		"«a».transformList(k, v, k).size() > 0", "«a».all(k, v, v == «a»['k'])"},
	"object": {"«a» == «b»", "has(«a».a)", "has(«a».b) && has(«a».a)", "«a».?a.hasValue()", "has(«a».__namespace__)", "has(«a».my__dash__key)", "!has(«a».c)", "«a» == «a»", "«a».a == «a».a", "dyn(«a») == dyn(«b»)", "size(dyn(«a»)) > 1", "type(«a») == type(«b»)"},
}

// class is the key of templates for a schema.
func class(s tree.Object) string {
	switch typ := tree.String(s, "type"); {
	case tree.Bool(s, "x-kubernetes-int-or-string"):
		return "dyn"
	case typ == "string":
		switch tree.String(s, "format") {
		case "duration":
			return "duration"
		case "date", "date-time":
			return "time"
		case "byte":
			return "bytes"
		}
		return "string"
	case typ == "array":
		return "list"
	case typ == "object" && tree.Map(s, "additionalProperties") != nil:
		return "map"
	default:
		return typ
	}
}

// expression is one about a value of the schema, of type bool if it compiles.
func (m maker) expression(s tree.Object, deep int) string {
	if deep > 0 && m.chance(35) {
		a, b := m.expression(s, deep-1), m.expression(s, deep-1)
		return fmt.Sprintf(m.one("(%s) && (%s)", "(%s) || (%s)", "!(%s) && (%s)", "[%s, %s].all(x, x)", "(%s) ? (%s) : true", "(%s) == (%s)"), a, b)
	}
	var all []part
	m.parts("self", s, &all)
	a := all[m.Intn(len(all))]
	key := class(a.schema)
	if key == "list" && m.chance(30) {
		if item := class(tree.Map(a.schema, "items")); item == "string" || item == "integer" || item == "number" {
			key = "scalars"
		}
	}
	b := a
	for range 5 {
		if other := all[m.Intn(len(all))]; class(other.schema) == class(a.schema) {
			b = other
		}
	}
	if m.chance(20) {
		b.text = "oldSelf" + strings.TrimPrefix(b.text, "self")
	}
	text := m.one(templates[key]...)
	// One that is not there is an error; half of the rules look first.
	if i := strings.LastIndex(a.text, "."); i > 0 && !strings.HasSuffix(a.text, "]") && m.chance(50) {
		text = "!has(«a») || " + text
	}
	return strings.NewReplacer("«a»", a.text, "«b»", b.text).Replace(text)
}

// value is one of the schema, most of the time.
func (m maker) value(s tree.Object) any {
	if tree.Bool(s, "nullable") && m.chance(30) {
		return nil
	}
	switch class(s) {
	case "integer":
		return int64(m.Intn(5))
	case "number":
		if m.chance(50) {
			return int64(m.Intn(3))
		}
		return float64(m.Intn(5)) / 2
	case "boolean":
		return m.chance(50)
	case "dyn":
		if m.chance(50) {
			return int64(m.Intn(3))
		}
		return m.one("x", "1", "25%")
	case "string":
		return m.one("", "a", "b", "ab", "abc", "A", "1", "1Gi", "10.0.0.1", "http://a/b", "x y ", "1.2.3", "ü", "5s")
	case "duration":
		return m.one("1h", "5s", "3 days", "0", "1h30m")
	case "time":
		if tree.String(s, "format") == "date" {
			return m.one("2020-01-02", "1999-12-31")
		}
		return m.one("2020-01-02T03:04:05Z", "1999-12-31T23:59:59.5+01:00")
	case "bytes":
		return m.one("YWJj", "", "YQ==", "AA==")
	case "list":
		return m.list(s)
	case "map":
		values := tree.Object{}
		for range m.Intn(3) {
			values[m.one("k", "a", "x.y")] = m.value(tree.Map(s, "additionalProperties"))
		}
		return values
	}
	values := tree.Object{}
	for _, name := range inOrder(tree.Map(s, "properties")) {
		if m.chance(75) {
			values[name] = m.value(tree.Map(s, "properties", name))
		}
	}
	if tree.Bool(s, "x-kubernetes-preserve-unknown-fields") && m.chance(60) {
		values[m.one("extra", "other")] = m.one("x", "y")
	}
	if tree.Bool(s, "x-kubernetes-embedded-resource") {
		values["apiVersion"], values["kind"], values["metadata"] = "v1", m.one("Pod", "Job"), tree.Object{"name": m.one("x", "y")}
	}
	return values
}

func (m maker) list(s tree.Object) []any {
	items := []any{}
	seen := map[string]bool{}
	for range m.Intn(4) {
		item := m.value(tree.Map(s, "items"))
		id := item
		if key := tree.List(s, "x-kubernetes-list-map-keys"); len(key) > 0 {
			fields, ok := item.(tree.Object)
			if !ok {
				continue
			}
			name := key[0].(string)
			if fields[name] == nil {
				fields[name] = m.value(tree.Map(s, "items", "properties", name))
			}
			id = fields[name]
		}
		text := fmt.Sprintf("%T %v", id, id)
		if s["x-kubernetes-list-type"] != nil && seen[text] {
			continue
		}
		seen[text] = true
		items = append(items, item)
	}
	return items
}

// changed is a value with some of it made anew.
func (m maker) changed(x any, s tree.Object) any {
	if m.chance(15) {
		return m.value(s)
	}
	switch x := x.(type) {
	case map[string]any:
		c := tree.Object{}
		for _, name := range inOrder(x) {
			v, sub := x[name], tree.Map(s, "properties", name)
			if sub == nil {
				sub = tree.Map(s, "additionalProperties")
			}
			if sub == nil {
				c[name] = v
			} else {
				c[name] = m.changed(v, sub)
			}
		}
		return c
	case []any:
		c := []any{}
		for _, v := range x {
			if m.chance(85) {
				c = append(c, v)
			}
		}
		return c
	}
	return x
}

// TestGeneratedRules holds generated objects, created and updated, against
// generated rules with upstream's evaluator and with ours: the same errors,
// warnings and costs.
func TestGeneratedRules(t *testing.T) {
	m := maker{rand.New(rand.NewSource(*seed))}
	var f figures
	warned := 0
	for f.cases < *pairs {
		s := m.object(3)
		m.rule(s)
		if !strings.Contains(fmt.Sprint(s), "x-kubernetes-validations") {
			continue
		}
		h, err := hold(s, m.chance(30))
		if err != nil || h.theirs == nil {
			continue
		}
		for range pairsOfSchema {
			x := m.value(s)
			var old any
			if m.chance(60) {
				old = m.changed(x, s)
			}
			update := old != nil && m.chance(80)
			f.cases++
			want, got, ok := h.agree(x, old, update, 10_000_000)
			if !ok {
				rules, _ := json.Marshal(s)
				obj, _ := json.Marshal(x)
				was, _ := json.Marshal(old)
				t.Fatalf("%s\n%s\nwas %s, update %v\nours\n\t%s\nupstream\n\t%s", rules, obj, was, update, got, want)
			}
			f.equal++
			if len(want.errors) > 0 {
				f.rejected++
			}
			if len(want.warnings) > 0 {
				warned++
			}
		}
	}
	t.Logf("generated rules: %v, %d warned of", f, warned)
}
