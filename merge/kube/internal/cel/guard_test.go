package cel_test

import (
	"strings"
	"testing"
	"time"

	celgo "github.com/google/cel-go/cel"

	"threeway/fixtures/breadth"
	"threeway/merge/kube/internal/cel"
)

// TestHugeCalls: what would take more memory or time than there is is not done.
func TestHugeCalls(t *testing.T) {
	numbers := make([]any, 20_000)
	names := make([]any, len(numbers))
	for i := range numbers {
		numbers[i], names[i] = int64(i), "a"
	}
	object := map[string]any{"text": strings.Repeat("x", 1<<20), "list": numbers, "names": names}
	env := withObject(t, 36)
	doubled := "[[1]]" + strings.Repeat(".map(x, x + x + x + x + x + x + x + x)", 20) + "[0]"
	for i, text := range []string{
		"lists.range(9223372036854775807).size() > 0",
		"object.text.replace('', object.text).size() > 0",
		"object.names.join(object.text).size() > 0",
		"object.list.distinct().size() > 0",
		"sets.contains(object.list, object.list)",
		"sets.equivalent(object.list, object.list)",
		"object.text.matches('(a|b?c?){0,1000}')",
		"object.text.matches('(a|b?c?){0,' + string(1000) + '}')",
		"object.text.find('(a|b?c?){0,1000}') == ''",
		"object.text.findAll('x*y|x').size() > 0",
		"'%.999999999f'.format([1.0]) == ''",
		"'" + strings.Repeat("%s", 20) + "'.format([" + strings.Repeat("object.text,", 19) + "object.text]) == ''",
		doubled + " == " + doubled,
		"quantity('1e999999999').isInteger()",
		"isQuantity('1e' + '999999999')",
		"[object.text]" + strings.Repeat(".map(x, x + x)", 20) + "[0].size() > 0",
	} {
		if !breadth.Has(i+1, 4) {
			continue
		}
		if r := eval(t, env, text, map[string]any{"object": object}); !r.TooDear() {
			t.Errorf("%.60s: %v %v", text, r.Value, r.Err)
		}
	}
}

// TestGuardedCalls: within bounds, the functions do what they do.
func TestGuardedCalls(t *testing.T) {
	env := withObject(t, 36)
	for text, want := range map[string]string{
		"lists.range(3) == [0, 1, 2]":        "true",
		"'abab'.replace('a', 'xyz')":         "xyzbxyzb",
		"'abab'.replace('a', 'x', 1)":        "xbab",
		"['a', 'b'].join()":                  "ab",
		"['a', 'b'].join('-')":               "a-b",
		"[1, 1, 2].distinct() == [1, 2]":     "true",
		"sets.intersects([1, 2], [2])":       "true",
		"'%s is %.2f'.format(['x', 1.234])":  "x is 1.23",
		"'abab'.matches('^(ab)*$')":          "true",
		"'abab'.findAll('a' + 'b').size()":   "2",
		"'abab'.find('[' + '')":              "Illegal regex",
		"'abab'.findAll('a' + '', 1).size()": "1",
		"'abab'.findAll('a', dyn('x'))":      "no such overload",
		"dyn(1) + 'a'":                       "no such overload",
		"dyn(true) + dyn(true)":              "no such overload: _+_",
		"[1] + [2] == [1, 2]":                "true",
		"dyn('a').replace('a', 'b')":         "b",
		"dyn(1).replace('a', 'b')":           "no such overload",
		"object.?nope.orValue('none') + '!'": "none!",
	} {
		r := eval(t, env, text, map[string]any{"object": map[string]any{}})
		got := ""
		if r.Err != nil {
			got = r.Err.Error()
		} else {
			got = celgoText(r)
		}
		if got != want && !(r.Err != nil && strings.HasPrefix(got, want)) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzEval: no expression makes the program fail, or run for long.
func FuzzEval(f *testing.F) {
	for _, text := range []string{
		"object.all(k, object[k] != null)", "object.a.map(x, x * 2).filter(x, x > 1).sum()", "[1, 2, 3].all(x, [x].exists(y, y == x))",
		"object.a.sort().reverse().slice(0, 1)", "'%d-%s-%x'.format([1, 'a', 255])", "object.b.matches('^(a+)+$')", "object.b.find('a*')",
		"quantity(object.b).add(1).compareTo(quantity('1'))", "lists.range(10).transformMap(i, v, i + v)", "cidr('10.0.0.0/8').containsIP(object.b)",
		"duration('1h') + duration('2h')", "timestamp('2020-01-01T00:00:00Z') + duration('9999999h')", "1 / 0", "-9223372036854775808 / -1", "b'\\xff' + bytes('a')",
		"object.?a[?0].orValue({'x': [dyn(1), 'a']})", "object.b.split('').join('x').replace('x', 'xx').lowerAscii()", "[[1, [2]], [3]].flatten(5)", "url(object.b).getQuery()",
	} {
		f.Add(text)
	}
	env, err := cel.Stored(36).Extend(nil, celgo.Variable("object", celgo.DynType))
	if err != nil {
		f.Fatal(err)
	}
	object := map[string]any{"a": []any{int64(1), int64(2), 3.5, "x"}, "b": "aaaaaaaaaaaaaaaaaaaaaaaa!", "c": map[string]any{"d": nil, "e": true}}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		x, err := env.Compile(text)
		if err != nil {
			return
		}
		if _, err := x.MaxCost(nil); err != nil {
			return
		}
		p, err := x.Program()
		if err != nil {
			return
		}
		first, second := p.Eval(map[string]any{"object": object}), p.Eval(map[string]any{"object": object})
		if (first.Err == nil) != (second.Err == nil) {
			t.Errorf("%q: %v, then %v", text, first.Err, second.Err)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%q takes %v", text, took)
		}
	})
}
