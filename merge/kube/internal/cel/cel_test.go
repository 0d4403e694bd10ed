package cel_test

import (
	"slices"
	"strings"
	"testing"

	celgo "github.com/google/cel-go/cel"

	"threeway/merge/kube/internal/cel"
)

// eval compiles and evaluates an expression with the object as variable.
func eval(t *testing.T, env *cel.Env, text string, vars any, options ...cel.Option) cel.Result {
	t.Helper()
	x, err := env.Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p, err := x.Program(options...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p.Eval(vars)
}

func withObject(t *testing.T, minor int) *cel.Env {
	t.Helper()
	env, err := cel.Stored(minor).Extend(nil, celgo.Variable("object", celgo.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func TestEval(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"replicas": int64(3), "image": "registry.io/app:v1.2", "items": []any{int64(1), int64(2)}}}
	env := withObject(t, 37)
	for text, want := range map[string]string{
		"object.spec.replicas < 5":                          "true",
		"object.spec.replicas + 1":                          "4",
		"object.spec.nope == 1":                             "no such key: nope",
		"object.spec.replicas / 0":                          "division by zero",
		"object.spec.items.sum()":                           "3",
		"object.spec.image.find('v[0-9.]+')":                "v1.2",
		"quantity('1500m').compareTo(quantity('1.5')) == 0": "true",
		"cidr('10.0.0.0/8').containsIP('10.1.2.3')":         "true",
		"cidr('10.0.0.0/8').containsIP('x')":                "no such overload",
		"ip('::ffff:1.2.3.4')":                              `IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed`,
		"url('https://a:80/b?c=d').getPort()":               "80",
		"isSemver('v1.2', true)":                            "true",
		"format.dns1123Label().validate('a.b').value()[0]":  "must not contain dots",
		"format.named('nope').hasValue()":                   "false",
		"[3, 1, 2].sort() == [1, 2, 3]":                     "true",
		"[1, 2].all(i, v, v == i + 1)":                      "true",
		"['a', 'b'].indexOf('b')":                           "1",
		"[quantity('9999999999999999999999')].all(x, x.add(1).compareTo(x.add(2)) == -1)": "true",
		"object.spec.items.includes(2)":                 "true",
		"object.spec.items.includes('2')":               "false",
		"object.spec.image.includes(object.spec.image)": "true",
		"object.spec.?nope.orValue('none')":             "none",
	} {
		r := eval(t, env, text, map[string]any{"object": object})
		got := ""
		if r.Err != nil {
			got = r.Err.Error()
		} else if got, _ = r.Value.Value().(string); got == "" {
			got = strings.TrimSpace(celgoText(r))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if r.Cost <= 0 && !strings.HasPrefix(text, "format") && !strings.HasPrefix(text, "[") {
			t.Errorf("%s costs %d", text, r.Cost)
		}
	}
}

func celgoText(r cel.Result) string {
	s, err := r.Value.ConvertToType(celgo.StringType).Value().(string)
	if !err {
		return "no text"
	}
	return s
}

// TestEnvironments builds every environment, and asks for what was added last.
func TestEnvironments(t *testing.T) {
	since := map[string]int{
		"quantity('1').sign() == 1 || true": 28, "sets.contains([1], [1])": 29, "isIP('1.2.3.4')": 30,
		"format.named('uri').hasValue()": 31, "[1].all(i, v, v > 0)": 32, "isSemver('1.0.0')": 33, "[1].distinct() == [1]": 34, "[1].includes(1)": 37,
	}
	for minor := 28; minor <= 37; minor++ {
		for text, first := range since {
			text = strings.Replace(text, "quantity('1').sign() == 1 || true", "isQuantity('1')", 1)
			if _, err := cel.Stored(minor).Compile(text); (err == nil) != (minor >= first) {
				t.Errorf("1.%d: %s: %v", minor, text, err)
			}
			if _, err := cel.New(minor).Compile(text); (err == nil) != (minor > first) {
				t.Errorf("1.%d, new: %s: %v", minor, text, err)
			}
		}
	}
}

func TestAdmission(t *testing.T) {
	full := cel.Variables{Params: true, Authorizer: true, Patches: true}
	for _, c := range []struct {
		has  cel.Variables
		text string
		want string // the error, or the type
	}{
		{cel.Variables{}, "request.operation == 'CREATE'", "bool"},
		{cel.Variables{}, "request.nope", "undefined field 'nope'"},
		{cel.Variables{}, "params.x", "undeclared reference to 'params'"},
		{cel.Variables{}, "Object{}", "undeclared reference to 'Object'"},
		{full, "params.x", "dyn"},
		{full, "authorizer.requestResource.check('get').allowed()", "bool"},
		{full, "authorizer.group('').resource('pods').namespace('a').check('list').reason()", "string"},
		{full, "Object{spec: Object.spec{replicas: 1}}", "Object"},
		{full, "[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: 1}]", "list(JSONPatch)"},
		{full, "JSONPatch{op: 1}", "expected type of field 'op' is 'string' but provided type is 'int'"},
		{full, "namespaceObject.metadata.labels['a']", "string"},
	} {
		x, err := cel.Stored(36).Admission(c.has).Compile(c.text)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = x.Type().String()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestComposition: a variable is known to what comes after it, with its type.
func TestComposition(t *testing.T) {
	c := cel.NewComposition()
	env, err := c.In(cel.Stored(36), cel.Variables{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := env.Compile("variables.names"); err == nil {
		t.Error("a variable is known before it is declared")
	}
	x, err := env.Compile("['a', 'b']")
	if err != nil {
		t.Fatal(err)
	}
	c.Declare("names", x)
	c.Declare("broken", nil)
	if _, err := env.Compile("variables.names[0] + 1"); err == nil || !strings.Contains(err.Error(), "applied to '(string, int)'") {
		t.Errorf("the type of a variable is lost: %v", err)
	}
	if x, err = env.Compile("variables.broken"); err != nil || x.Type() != celgo.DynType {
		t.Errorf("a variable that does not compile: %v", err)
	}
}

func TestUnknown(t *testing.T) {
	env := cel.Stored(36).Admission(cel.Variables{Authorizer: true})
	for text, want := range map[string]string{
		"request.userInfo.username == 'a'":                                        "request.userInfo",
		"request.operation == 'UPDATE' && request.userInfo.username == 'a'":       "false",
		"request.operation == 'CREATE' || request.userInfo.username == 'a'":       "true",
		"authorizer.group('').resource('pods').check('get').allowed()":            "authorizer",
		"authorizer.requestResource.check('get').allowed()":                       "authorizer",
		"request.operation == 'CREATE' ? true : request.userInfo.groups == ['a']": "true",
	} {
		authorizer, resource := cel.Authorizers(func(cel.Question) cel.Answer { return cel.Answer{Needs: []string{"authorizer"}} }, cel.Question{})
		vars, err := cel.Unknown(map[string]any{"request": map[string]any{"operation": "CREATE"}, "authorizer": authorizer, "authorizer.requestResource": resource}, "request.userInfo")
		if err != nil {
			t.Fatal(err)
		}
		r := eval(t, env, text, vars, cel.Partial)
		if r.Err != nil {
			t.Errorf("%s: %v", text, r.Err)
			continue
		}
		got := strings.Join(slices.Compact(r.Unknown), " ")
		if got == "" {
			got = celgoText(r)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestBounds: an expression that runs for long is stopped, one that is written
// to be huge is not read.
func TestBounds(t *testing.T) {
	env := withObject(t, 36)
	list := make([]any, 2000)
	for i := range list {
		list[i] = int64(i)
	}
	r := eval(t, env, "object.all(a, object.all(b, object.all(c, a + b + c >= 0)))", map[string]any{"object": list})
	if !r.TooDear() {
		t.Errorf("%v", r.Err)
	}
	if b := cel.NewBudget(100); !b.Spend(40) || !b.Spend(60) || !b.Spent() || b.Spend(1) {
		t.Error("a budget of 100 does not add up")
	}
	for _, text := range []string{strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), strings.Repeat("1+", 60000) + "1"} {
		if _, err := env.Compile(text); err == nil {
			t.Errorf("an expression of %d characters compiles", len(text))
		}
	}
}

func TestDevices(t *testing.T) {
	for text, want := range map[string]string{
		"device.driver == 'a'":                                                  "bool",
		"device.attributes['dra.example.com'].fast":                             "google.protobuf.Any",
		"device.capacity['dra.example.com'].mem.isGreaterThan(quantity('1Gi'))": "bool",
		"cel.bind(dra, device.attributes['dra.example.com'], dra.a && dra.b)":   "bool",
		"device.allowMultipleAllocations":                                       "bool",
		"device.nope":                                                           "undefined field 'nope'",
	} {
		x, err := cel.New(36).Devices(true).Compile(text)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = x.Type().String()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, err := cel.New(35).Devices(false).Compile("device.allowMultipleAllocations"); err == nil {
		t.Error("a server of 1.35 knows devices that are allocated several times")
	}
}

// TestEstimates: comparing two values of a type that Kubernetes adds costs a step, beside one for
// each that is made; upstream's estimates, which conformance-cel compares.
func TestEstimates(t *testing.T) {
	for text, want := range map[string]uint64{
		"quantity('1') == quantity('2')": 3, "ip('1.1.1.1') == ip('1.1.1.2')": 3, "semver('1.0.0') == semver('1.0.1')": 3,
		"url('http://a') == url('http://b')": 3, "'a' == 'b'": 1,
	} {
		x, err := cel.New(37).Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if cost, err := x.MaxCost(nil); cost != want || err != nil {
			t.Errorf("%s costs %d, %v; want %d", text, cost, err, want)
		}
	}
}
