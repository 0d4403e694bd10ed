package mask

import (
	"slices"
	"strings"
	"testing"

	"threeway/merge/fieldpath"
)

func policy(t *testing.T) *Policy {
	t.Helper()
	env, err := ParseEnv([]string{"*_pin", "DB_*"})
	if err != nil {
		t.Fatal(err)
	}
	declared, err := ParseKind("Cred.example.com", []string{"spec.password", "spec.users.token", "spec.nested"})
	if err != nil {
		t.Fatal(err)
	}
	return &Policy{Env: env, Kinds: []Kind{declared, {Name: "Vault"}}}
}

// TestPolicyPair: values that are hidden become ***, others stay.
func TestPolicyPair(t *testing.T) {
	cred := `"apiVersion":"example.com/v1","kind":"Cred","spec":`
	app := `"apiVersion":"argoproj.io/v1alpha1","kind":"Application","operation":`
	env := func(list string) string { return `"spec":{"containers":[{"name":"a","env":` + list + `}]}` }
	for _, c := range []struct{ name, from, to, wantFrom, wantTo string }{
		{"another kind", `"kind":"X","spec":{"password":"a"}`, `"kind":"X"`, `"kind":"X","spec":{"password":"a"}`, `"kind":"X"`},
		{"another group", `"apiVersion":"v1","kind":"Cred","spec":{"password":"a"}`, ``, `"apiVersion":"v1","kind":"Cred","spec":{"password":"a"}`, ``},
		{"changed", cred + `{"password":"a","size":1}`, cred + `{"password":"b","size":2}`,
			cred + `{"password":"*** (before)","size":1}`, cred + `{"password":"*** (after)","size":2}`},
		{"null stays", cred + `{"password":null}`, cred + `{"password":5}`, cred + `{"password":null}`, cred + `{"password":"***"}`},
		{"an object keeps its keys", cred + `{"nested":{"a":{"b":1},"c":2}}`, cred + `{"nested":{"a":{"b":2},"c":2}}`,
			cred + `{"nested":{"a":"*** (before)","c":"***"}}`, cred + `{"nested":{"a":"*** (after)","c":"***"}}`},
		{"items by name", cred + `{"users":[{"name":"x","token":1},{"name":"y","token":2}]}`, cred + `{"users":[{"name":"y","token":2},{"name":"y","token":3}]}`,
			cred + `{"users":[{"name":"x","token":"***"},{"name":"y","token":"***"}]}`, cred + `{"users":[{"name":"y","token":"***"},{"name":"y","token":"***"}]}`},
		{"something else on the way", cred + `"a"`, cred + `{"users":["a",{"token":"b"}]}`, cred + `"***"`, cred + `{"users":"***"}`},
		{"a kind of any group, as a whole", `"apiVersion":"x/v1","kind":"Vault","spec":{"a":[1]},"top":2,"metadata":{"name":"n"}`, ``,
			`"apiVersion":"x/v1","kind":"Vault","metadata":{"name":"n"},"spec":{"a":"***"},"top":"***"`, ``},
		{"env", env(`[{"name":"DB_A","value":"x"},{"name":"my_pin","value":"y"},{"name":"LEVEL","value":"z"}]`), env(`[{"name":"MY_PIN","value":"y"},{"name":"DB_A","value":"w"}]`),
			env(`[{"name":"DB_A","value":"*** (before)"},{"name":"my_pin","value":"***"},{"name":"LEVEL","value":"z"}]`), env(`[{"name":"MY_PIN","value":"***"},{"name":"DB_A","value":"*** (after)"}]`)},
		{"env from elsewhere", env(`[{"name":"DB_A","valueFrom":{"fieldRef":{}}}]`), ``, env(`[{"name":"DB_A","valueFrom":{"fieldRef":{}}}]`), ``},
		{"env misshapen", env(`{"DB_A":"x","LEVEL":"z"}`), env(`["LEVEL=z","DB_A=x"]`), env(`{"DB_A":"***","LEVEL":"z"}`), env(`["LEVEL=z","DB_A=***"]`)},
		{"env misspelt", env(`[{"name":"DB_A","vaule":"x"},{"DB_B":"x"}]`), env(`"DB_A=x"`), env(`[{"name":"DB_A","vaule":"***"},{"DB_B":"***"}]`), env(`"***"`)},
		{"values of a chart", app + `{"helm":{"parameters":[{"name":"DB_A","value":"x"},{"name":"b","value":"y"}],"valuesObject":{"a":{"db_pin":"x","c":[{"DB_K":{"l":1}}]},"d":2}}}`,
			app + `{"helm":{"parameters":[{"name":"DB_A","value":"z"}]}}`,
			app + `{"helm":{"parameters":[{"name":"DB_A","value":"*** (before)"},{"name":"b","value":"y"}],"valuesObject":{"a":{"db_pin":"***","c":[{"DB_K":"***"}]},"d":2}}}`,
			app + `{"helm":{"parameters":[{"name":"DB_A","value":"*** (after)"}]}}`},
		{"values of a chart as text", app + `{"helm":{"values":"a: 1\n'my_pin' : 2"}}`, app + `{"helm":{"values":"a: {b: c}"}}`,
			app + `{"helm":{"values":"***"}}`, app + `{"helm":{"values":"a: {b: c}"}}`},
		{"env in values", app + `{"helm":{"valuesObject":{"env":[{"name":"DB_A","value":"x"}]}}}`, app + `{"helm":{"valuesObject":{"env":[{"name":"DB_A","value":"y"}]}}}`,
			app + `{"helm":{"valuesObject":{"env":[{"name":"DB_A","value":"*** (before)"}]}}}`, app + `{"helm":{"valuesObject":{"env":[{"name":"DB_A","value":"*** (after)"}]}}}`},
		{"substitutions", `"apiVersion":"kustomize.toolkit.fluxcd.io/v1","spec":{"postBuild":{"substitute":{"db_a":"x","b":"y"}}}`, ``,
			`"apiVersion":"kustomize.toolkit.fluxcd.io/v1","spec":{"postBuild":{"substitute":{"db_a":"***","b":"y"}}}`, ``},
		{"what is no value of a chart", `"spec":{"settings":{"db_a":"x","values":"db_a: x"}}`, ``, `"spec":{"settings":{"db_a":"x","values":"db_a: x"}}`, ``},
	} {
		from, to := policy(t).Pair(object(t, "{"+c.from+"}"), object(t, "{"+c.to+"}"))
		if got, want := text(from), text(object(t, "{"+c.wantFrom+"}")); got != want {
			t.Errorf("%s: from\n%s\nwant\n%s", c.name, got, want)
		}
		if got, want := text(to), text(object(t, "{"+c.wantTo+"}")); got != want {
			t.Errorf("%s: to\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestPolicyCopies: what annotations and managedFields repeat is hidden too.
func TestPolicyCopies(t *testing.T) {
	o := object(t, `{"apiVersion":"example.com/v1","kind":"Cred","metadata":{"annotations":{
		"kubectl.kubernetes.io/last-applied-configuration":"{\"spec\":{\"password\":\"hunter2\"}}\n","plain":"kept","banzaicloud.com/last-applied":"hunter2"},
		"managedFields":[{"fieldsV1":{"f:spec":{"f:nested":{"f:set":{"v:\"hunter2\"":{}}},"f:users":{"k:{\"token\":\"hunter2\"}":{"f:token":{}},"k:{\"name\":\"x\"}":{"f:token":{}}}}}}]}}`)
	before := text(o)
	masked := policy(t).Object(o)
	want := `{"apiVersion":"example.com/v1","kind":"Cred","metadata":{"annotations":{"banzaicloud.com/last-applied":"***","kubectl.kubernetes.io/last-applied-configuration":"{\"spec\":{\"password\":\"***\"}}\n","plain":"kept"},"managedFields":[{"fieldsV1":{"f:spec":{"f:nested":{"f:set":{}},"f:users":{"k:{\"name\":\"x\"}":{"f:token":{}}}}}}]}}`
	if got := text(masked); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if text(o) != before {
		t.Error("the object itself was changed")
	}
	p, err := fieldpath.Parse("spec.users[token=hunter2].name")
	if err != nil {
		t.Fatal(err)
	}
	if got := policy(t).Path(o, p).String(); got != "spec.users" {
		t.Error(got)
	}
}

func TestPolicyPatch(t *testing.T) {
	of := object(t, `{"apiVersion":"example.com/v1","kind":"Cred"}`)
	patch := object(t, `{"spec":{"password":null,"nested":{"$patch":"replace","a":"x"},"$setElementOrder/nested":["x"],"size":1}}`)
	want := `{"spec":{"$setElementOrder/nested":"***","nested":{"$patch":"replace","a":"***"},"password":null,"size":1}}`
	if got := text(policy(t).As(of, patch)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestPolicyHolds(t *testing.T) {
	for o, want := range map[string]bool{
		`{"kind":"Secret"}`: true,
		`{"kind":"Pod"}`:    false,
		`{"apiVersion":"example.com/v1","kind":"Cred"}`:                                               true,
		`{"kind":"Pod","env":[{"name":"DB_A"}]}`:                                                      false,
		`{"kind":"Pod","env":[{"name":"DB_A","value":"***"}]}`:                                        true,
		`{"metadata":{"annotations":{"a":"{\"env\":{\"DB_A\":1}}"}}}`:                                 true,
		`{"metadata":{"annotations":{"a":"env: {DB_A: 1}"}}}`:                                         false,
		`{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{broken"}}}`: true,
	} {
		if got := policy(t).Holds(object(t, o)); got != want {
			t.Errorf("%s: %v", o, got)
		}
	}
}

func TestParsePolicy(t *testing.T) {
	known, err := ParseEnv([]string{"known"})
	p := &Policy{Env: known}
	if err != nil || !p.HidesEnv("Stripe_Api_Key") || !p.HidesEnv("PGPASSWORD") || p.HidesEnv("LOG_LEVEL") || p.HidesEnv("PWD") {
		t.Error(known, err)
	}
	if _, err := ParseEnv([]string{"["}); err == nil || !strings.Contains(err.Error(), `invalid pattern "["`) {
		t.Error(err)
	}
	for _, field := range []string{"metadata.name", "kind", "spec.a[0]", "spec..a", ""} {
		if _, err := ParseKind("X", []string{field}); err == nil {
			t.Errorf("%q is taken", field)
		}
	}
	o := object(t, `{"kind":"Vault","metadata":{"annotations":{"a":"b"}},"data":1}`)
	var paths []string
	for _, p := range policy(t).Hidden(o) {
		paths = append(paths, p.String())
	}
	if !slices.Equal(paths, []string{"data", "metadata.annotations"}) {
		t.Error(paths)
	}
}

// TestPatchOfAnInnerSecret: a patch of a Secret inside another object does not say that
// it is one.
func TestPatchOfAnInnerSecret(t *testing.T) {
	of := object(t, `{"apiVersion":"example.com/v1","kind":"Work","spec":{"one":{"kind":"Secret","data":{"a":"eA=="}},"list":[{"kind":"Secret","stringData":{"a":"x"}}]}}`)
	got := text(none.As(of, object(t, `{"spec":{"one":{"data":{"a":"eQ=="}},"list":[{"stringData":{"a":"y"}}],"c":"d"}}`)))
	if want := `{"spec":{"c":"d","list":[{"stringData":{"a":"***"}}],"one":{"data":{"a":"***"}}}}`; got != want {
		t.Error(got)
	}
}
