package fieldpath

import "testing"

func TestString(t *testing.T) {
	containers := New("spec", "template", "spec", "containers")
	for want, p := range map[string]Path{
		"": nil,
		"spec.template.spec.containers[name=web].image": containers.Select(Key{"name", "web"}).Child("image"),
		"spec.template.spec.containers[0].env[1].name":  containers.Item(0).Child("env").Item(1).Child("name"),
		"spec.ports[port=80,protocol=TCP]":              New("spec", "ports").Select(Key{"port", int64(80)}, Key{"protocol", "TCP"}),
		"metadata.finalizers[=a/b]":                     New("metadata", "finalizers").Element("a/b"),
		"metadata.labels[app.kubernetes.io/name]":       New("metadata", "labels", "app.kubernetes.io/name"),
		`data["a=b"]`:   New("data", "a=b"),
		`data[""].x`:    New("data", "", "x"),
		"[a.b]":         New("a.b"),
		"items[3].spec": New("items").Item(3).Join(New("spec")),
	} {
		if got := p.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, err := Parse(want); err != nil || !got.Equal(p) {
			t.Errorf("%s is parsed as %v, %v", want, got, err)
		}
	}
}

func TestParse(t *testing.T) {
	for in, want := range map[string]Path{
		"spec.containers[0].env[1].name": New("spec", "containers").Item(0).Child("env").Item(1).Child("name"),
		"metadata.annotations[a.b/c]":    New("metadata", "annotations", "a.b/c"),
		"webhooks[1].clientConfig":       New("webhooks").Item(1).Child("clientConfig"),
		"a[b]c].d":                       New("a", "b]c", "d"),
		"a[b[0]]":                        New("a", "b[0]"),
		"a[x=1,2]":                       New("a").Select(Key{"x", "1,2"}),
		"a[-1]":                          New("a", "-1"),
		`a[port=80,protocol="TCP"].b`:    New("a").Select(Key{"port", "80"}, Key{"protocol", "TCP"}).Child("b"),
	} {
		if got, err := Parse(in); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %v, %v", in, got, err)
		}
	}
	for _, in := range []string{".a", "a.", "a..b", "a.[b]", "a[b", "["} {
		if p, err := Parse(in); err == nil {
			t.Errorf("%s is parsed as %v", in, p)
		}
	}
}

// Siblings built from one parent must not overwrite each other.
func TestSiblings(t *testing.T) {
	parent := New("a", "b", "c")
	x, y := parent.Child("x"), parent.Item(1)
	z := parent.Select(Key{"k", "v"})
	for want, p := range map[string]Path{"a.b.c": parent, "a.b.c.x": x, "a.b.c[1]": y, "a.b.c[k=v]": z} {
		if p.String() != want {
			t.Errorf("got %s, want %s", p, want)
		}
	}
}

func TestHasPrefix(t *testing.T) {
	p := New("a").Select(Key{"k", int64(1)}).Child("b")
	for prefix, want := range map[string]bool{"": true, "a": true, "a[k=1]": true, "a[k=1].b": true, "a[k=2]": false, "b": false, "a[k=1].b.c": false, "a[0]": false} {
		q, err := Parse(prefix)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.HasPrefix(q); got != want {
			t.Errorf("%s begins with %q: %v", p, prefix, got)
		}
	}
}

// An element is found by all keys, or else by some, as long as it has no other
// value for the rest.
func TestFindByKeys(t *testing.T) {
	list := []any{map[string]any{"port": int64(80), "protocol": "UDP"}, map[string]any{"port": int64(80), "name": "web"}, map[string]any{"name": "rest"}}
	for keys, want := range map[string]any{"port=80,protocol=UDP": nil, `port=80,protocol="TCP"`: "web", "port=81": nil, "protocol=UDP": nil} {
		p, err := Parse("[" + keys + "]")
		if err != nil {
			t.Fatal(err)
		}
		v, _ := p.Find(list)
		m, _ := v.(map[string]any)
		if m["name"] != want {
			t.Errorf("[%s] finds %v", keys, v)
		}
	}
}

// What has no key is found by null.
func TestFindByNull(t *testing.T) {
	list := []any{map[string]any{"name": "a"}, map[string]any{}}
	if v, ok := New().Select(Key{"name", nil}).Find(list); !ok || len(v.(map[string]any)) != 0 {
		t.Errorf("[name=null] finds %v, %v", v, ok)
	}
}

// FuzzParse checks that what is parsed prints as something that is parsed the
// same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b[0]", "a[b=c,d=e].f", "a[=x]", `a["x=y"]`, "a[b]c]", `["\x00"]`, "[007]", `[a="b,c=\"d\""]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			return
		}
		if q, err := Parse(p.String()); err != nil || !q.Equal(p) {
			t.Errorf("%q is %#v, printed %s, which is %#v, %v", s, p, p, q, err)
		}
	})
}

func BenchmarkChild(b *testing.B) {
	parent := New("spec", "template", "spec", "containers").Item(0)
	b.ReportAllocs()
	for b.Loop() {
		_ = parent.Child("image")
	}
}
