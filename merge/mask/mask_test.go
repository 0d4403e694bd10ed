package mask

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
	"threeway/merge/tree"
)

// none hides the values of Secrets only.
var none *Policy

func object(t *testing.T, text string) tree.Object {
	t.Helper()
	var o tree.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func text(o tree.Object) string {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// secret makes a Secret of the fields given as JSON.
func secret(t *testing.T, fields string) tree.Object {
	t.Helper()
	if fields != "" {
		fields = "," + fields
	}
	return object(t, `{"apiVersion":"v1","kind":"Secret"`+fields+`}`)
}

// fields is the reverse: the JSON without apiVersion and kind.
func fields(o tree.Object) string {
	if o == nil {
		return "none"
	}
	c := tree.CopyObject(o)
	delete(c, "apiVersion")
	delete(c, "kind")
	return strings.TrimSuffix(strings.TrimPrefix(text(c), "{"), "}")
}

func TestIsSecret(t *testing.T) {
	for o, want := range map[string]bool{
		`{"apiVersion":"v1","kind":"Secret"}`:             true,
		`{"apiVersion":"example.org/v1","kind":"Secret"}`: true,
		`{"apiVersion":"v1beta1","kind":"Secret"}`:        true,
		`{"apiVersion":"a.b/xv1","kind":"Secret"}`:        true,
		`{"apiVersion":"v1","kind":"SecretList"}`:         false,
		`{"apiVersion":"v1","kind":"ConfigMap"}`:          false,
		`{"kind":"Secret"}`:                               true,
		`{}`:                                              false,
	} {
		if got := IsSecret(object(t, o)); got != want {
			t.Errorf("%s: %v", o, got)
		}
	}
}

func TestPair(t *testing.T) {
	for _, c := range []struct{ name, from, to, wantFrom, wantTo string }{
		{"equal", `"data":{"a":"x"}`, `"data":{"a":"x"}`, `"data":{"a":"***"}`, `"data":{"a":"***"}`},
		{"changed", `"data":{"a":"x"}`, `"data":{"a":"y"}`, `"data":{"a":"*** (before)"}`, `"data":{"a":"*** (after)"}`},
		{"one-sided", `"data":{"a":"x","c":"z"}`, `"data":{"b":"x","c":"z"}`, `"data":{"a":"***","c":"***"}`, `"data":{"b":"***","c":"***"}`},
		{"gone", `"data":{"a":"x"}`, ``, `"data":{"a":"***"}`, ``},
		{"a list is a value", `"data":{"a":["x"]}`, `"data":{"a":["x"]}`, `"data":{"a":"***"}`, `"data":{"a":"***"}`},
		{"null is no value", `"data":{"a":null}`, `"data":{"a":"x"}`, `"data":{"a":null}`, `"data":{"a":"***"}`},
		{"no data", `"data":null`, `"type":"Opaque"`, `"data":null`, `"type":"Opaque"`},
		{"stringData", `"stringData":{"a":"x"}`, `"stringData":{"a":"y"}`, `"stringData":{"a":"*** (before)"}`, `"stringData":{"a":"*** (after)"}`},
		{"data no object", `"data":"x"`, `"data":"y"`, `"data":"*** (before)"`, `"data":"*** (after)"`},
		{"data no object in one", `"data":["x"]`, `"data":{"a":"y"}`, `"data":"***"`, `"data":{"a":"***"}`},
		{"data no object in the other", `"data":{"a":"y"}`, `"data":7`, `"data":{"a":"***"}`, `"data":"***"`},
		{"fields that a Secret has not", `"Data":{"a":"x"},"type":["x"],"immutable":"x"`, `"Data":{"a":"y"},"spec":"x"`,
			`"Data":{"a":"*** (before)"},"immutable":"***","type":"***"`, `"Data":{"a":"*** (after)"},"spec":"***"`},
		{"the rest stays", `"immutable":true,"metadata":{"labels":{"data":"x"}}`, `"immutable":false`, `"immutable":true,"metadata":{"labels":{"data":"x"}}`, `"immutable":false`},
	} {
		from, to := none.Pair(secret(t, c.from), secret(t, c.to))
		if fields(from) != c.wantFrom || fields(to) != c.wantTo {
			t.Errorf("%s:\n%s\n%s", c.name, fields(from), fields(to))
		}
	}
}

func TestPairOfOne(t *testing.T) {
	from, to := none.Pair(nil, secret(t, `"data":{"a":"x"}`))
	if from != nil || fields(to) != `"data":{"a":"***"}` {
		t.Errorf("created: %v, %s", from, fields(to))
	}
	from, to = none.Pair(secret(t, `"data":{"a":"x"}`), nil)
	if to != nil || fields(from) != `"data":{"a":"***"}` {
		t.Errorf("pruned: %s, %v", fields(from), to)
	}
}

func annotated(t *testing.T, annotation string) tree.Object {
	t.Helper()
	quoted, err := json.Marshal(annotation)
	if err != nil {
		t.Fatal(err)
	}
	return secret(t, `"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":`+string(quoted)+`,"other":"kept"}}`)
}

func TestPairLastApplied(t *testing.T) {
	for _, c := range []struct{ name, from, to, wantFrom, wantTo string }{
		{"equal", `{"data":{"a":"x"}}` + "\n", `{"data":{"a":"x"}}` + "\n", `{"data":{"a":"***"}}` + "\n", `{"data":{"a":"***"}}` + "\n"},
		{"changed", `{"data":{"a":"x"},"stringData":{"b":"p"}}`, `{"data":{"a":"y"},"stringData":{"b":"q"}}`,
			`{"data":{"a":"*** (before)"},"stringData":{"b":"*** (before)"}}`, `{"data":{"a":"*** (after)"},"stringData":{"b":"*** (after)"}}`},
		{"nothing to hide", `{"kind":"Secret","metadata":{"name":"<x> & y","generation":1.0}}`, `{"metadata":{"generation":100000000000000000000}}`,
			`{"kind":"Secret","metadata":{"name":"<x> & y","generation":1.0}}`, `{"metadata":{"generation":100000000000000000000}}`},
		{"a key twice", `{"data":{"a":"x"},"data":{"b":"x"}}`, `{}`, `{"data":{"b":"***"}}`, `{}`},
		{"both unreadable", `{"data":`, `{"data":{"a":"x"}} tail`, `*** (before)`, `*** (after)`},
		{"both unreadable and equal", `secret`, `secret`, `***`, `***`},
		{"one unreadable", `["x"]`, `{"data":{"a":"x"}}`, `***`, `{"data":{"a":"***"}}`},
		{"null", `null`, `{"data":null}`, `***`, `{"data":null}`},
		{"one inside another", `{"data":{"a":"x"},"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"a\":\"x\"}}"}}}`, `{}`,
			`{"data":{"a":"***"},"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"a\":\"***\"}}"}}}`, `{}`},
	} {
		from, to := none.Pair(annotated(t, c.from), annotated(t, c.to))
		gotFrom := tree.String(from, "metadata", "annotations", tree.LastApplied)
		gotTo := tree.String(to, "metadata", "annotations", tree.LastApplied)
		if gotFrom != c.wantFrom || gotTo != c.wantTo {
			t.Errorf("%s:\n%s\n%s", c.name, gotFrom, gotTo)
		}
		if tree.String(from, "metadata", "annotations", "other") != "kept" {
			t.Errorf("%s: another annotation is gone", c.name)
		}
	}
}

func TestPairLastAppliedInOne(t *testing.T) {
	from, to := none.Pair(annotated(t, `{"data":{"a":"x"}}`), secret(t, ``))
	if got := tree.String(from, "metadata", "annotations", tree.LastApplied); got != `{"data":{"a":"***"}}` {
		t.Error(got)
	}
	if fields(to) != "" {
		t.Error(fields(to))
	}
	from, to = none.Pair(secret(t, `"metadata":{"annotations":null}`), annotated(t, `broken`))
	if got := tree.String(to, "metadata", "annotations", tree.LastApplied); got != "***" || fields(from) != `"metadata":{"annotations":null}` {
		t.Error(got, fields(from))
	}
}

func TestObject(t *testing.T) {
	if got := fields(none.Object(secret(t, `"data":{"a":"x"}`))); got != `"data":{"a":"***"}` {
		t.Error(got)
	}
	config := object(t, `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"x"}}`)
	if got := none.Object(config); text(got) != text(config) {
		t.Error(text(got))
	}
	inner := object(t, `{"apiVersion":"x/v1","kind":"Work","spec":{"manifests":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"passwort":"x"}]}}`)
	if got := text(none.Object(inner)); !strings.Contains(got, `"passwort":"***"`) {
		t.Error(got)
	}
}

func TestPatch(t *testing.T) {
	for patch, want := range map[string]string{
		`{"data":{"a":"x","b":null}}`:                                                            `{"data":{"a":"***","b":null}}`,
		`{"data":{"$patch":"replace","a":"x"}}`:                                                  `{"data":{"$patch":"replace","a":"***"}}`,
		`{"data":{"$patch":"hunter2","$retainKeys":"x"}}`:                                        `{"data":{"$patch":"***","$retainKeys":"***"}}`,
		`{"data":null,"stringData":{"a":"x"},"type":"Opaque"}`:                                   `{"data":null,"stringData":{"a":"***"},"type":"Opaque"}`,
		`{"metadata":{"annotations":{"` + tree.LastApplied + `":null}}}`:                         `{"metadata":{"annotations":{"` + tree.LastApplied + `":null}}}`,
		`{"metadata":{"annotations":{"` + tree.LastApplied + `":"{\"data\":{}}"}}}`:              `{"metadata":{"annotations":{"` + tree.LastApplied + `":"{\"data\":{}}"}}}`,
		`{"metadata":{"annotations":{"` + tree.LastApplied + `":"{\"data\":{\"a\":\"x\"}}\n"}}}`: `{"metadata":{"annotations":{"` + tree.LastApplied + `":"{\"data\":{\"a\":\"***\"}}\n"}}}`,
	} {
		if got := text(none.As(secret(t, ``), object(t, patch))); got != want {
			t.Errorf("%s\nbecomes %s", patch, got)
		}
	}
}

// Whatever the objects are, no secret survives, the originals stay as they
// were, and the same objects give the same result.
func TestNothingLeaks(t *testing.T) {
	const hidden = "hunter2"
	r := rand.New(rand.NewPCG(1, 1))
	var value func(depth int) any
	value = func(depth int) any {
		switch n := r.IntN(6); {
		case n == 0:
			return nil
		case n == 1 && depth > 0:
			return []any{value(depth - 1), hidden}
		case n == 2 && depth > 0:
			return tree.Object{"k": value(depth - 1), hidden: hidden}
		case n == 3:
			return float64(r.IntN(3))
		}
		return hidden + string(rune('a'+r.IntN(2)))
	}
	var build func(depth int) tree.Object
	build = func(depth int) tree.Object {
		o := tree.Object{"apiVersion": "v1", "kind": "Secret"}
		for _, field := range []string{"data", "stringData"} {
			switch r.IntN(4) {
			case 0:
				o[field] = value(0)
			case 1, 2:
				o[field] = tree.Object{"a": value(1), "b": value(1)}
			}
		}
		if depth > 0 {
			inner := text(build(depth - 1))
			if r.IntN(5) == 0 {
				inner = inner[:len(inner)-r.IntN(len(inner))]
			}
			tree.Set(o, inner, "metadata", "annotations", tree.LastApplied)
		}
		return o
	}
	for range breadth.Of(5000, 10) {
		a, b := build(2), build(2)
		before := text(a) + text(b)
		from, to := none.Pair(a, b)
		from2, to2 := none.Pair(a, b)
		shown := text(from) + text(to)
		if strings.Contains(shown, hidden) || strings.Contains(text(none.As(a, a)), hidden) || strings.Contains(text(none.Object(a)), hidden) || strings.Contains(text(none.As(a, nameless(a))), hidden) {
			t.Fatalf("%s\nshows as\n%s", before, shown)
		}
		if text(a)+text(b) != before {
			t.Fatal("the originals changed")
		}
		if shown != text(from2)+text(to2) {
			t.Fatal("two runs differ")
		}
		if text(tree.Map(a, "data")) == text(tree.Map(b, "data")) != (text(tree.Map(from, "data")) == text(tree.Map(to, "data"))) {
			t.Fatalf("%s\nchange shows wrongly as\n%s", before, shown)
		}
	}
}

// nameless is an object that does not say what it is.
func nameless(o tree.Object) tree.Object {
	o = tree.CopyObject(o)
	delete(o, "apiVersion")
	delete(o, "kind")
	return o
}

func BenchmarkPair(b *testing.B) {
	inner := `{"apiVersion":"v1","data":{"password":"` + strings.Repeat("aHVudGVyMg==", 50) + `","user":"YWRtaW4="},"kind":"Secret","metadata":{"name":"s"}}`
	o := tree.Object{"apiVersion": "v1", "kind": "Secret", "data": tree.Object{"password": "x", "user": "y"},
		"metadata": tree.Object{"annotations": tree.Object{tree.LastApplied: inner}}}
	b.ReportAllocs()
	for b.Loop() {
		none.Pair(o, o)
	}
}
