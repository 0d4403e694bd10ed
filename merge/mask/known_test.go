package mask

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestKnownAlike: values that begin alike, as tokens and keys do, cost no more than
// others, and of a key each line is known, however it is indented.
func TestKnownAlike(t *testing.T) {
	k := NewKnown()
	filled := 0
	k.FillWith(func() {
		filled++
		for i := range 5000 {
			k.Add(fmt.Sprintf("-----BEGIN PRIVATE KEY-----\n%s%04d\n-----END PRIVATE KEY-----\n", strings.Repeat("MIIEvQ", 10), i), "")
		}
	})
	if filled > 0 {
		t.Fatal("filled before it is needed")
	}
	text := fmt.Sprintf("key: |\n    -----BEGIN PRIVATE KEY-----\n    %s4999\n", strings.Repeat("MIIEvQ", 10))
	if got, n := k.Replace(text, masked); n != 1 || strings.Contains(got, "4999") {
		t.Errorf("%d copies: %s", n, got)
	}
	if k.Replace("x", masked); filled != 1 {
		t.Errorf("filled %d times", filled)
	}
	for begin, of := range k.forms.starts {
		if len(of.lengths) > 4 {
			t.Errorf("%q is compared with %d lengths", begin, len(of.lengths))
		}
	}
	k.Publish("shop-db-name")
	if k.Add("shop-db-name", ""); strings.Contains(fmt.Sprint(k.Replace("is shop-db-name", masked)), Value) {
		t.Error("a public name is masked")
	}
}

// TestKnownWords: a value that no word has inside by chance is found in longer ones;
// words, addresses and certificates are no secrets.
func TestKnownWords(t *testing.T) {
	k := NewKnown()
	for _, value := range []string{"s3cretValue99", "hunterpass", "critical", "http://prometheus.monitoring.svc:9090/", "db.shop.svc.cluster.local:5432", "https://example.com/",
		"https://hooks.example.com/T0/B0", "-----BEGIN CERTIFICATE-----\n" + strings.Repeat("MIIC", 16) + "\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIE", 16) + "\n"} {
		k.Add(value, "")
	}
	for text, want := range map[string]string{
		"mysql -ps3cretValue99":          "mysql -p***",
		"Basic dXNlcjpzM2NyZXRWYWx1ZTk5": "Basic dXNlcjp***5",
		"x: hunterpasses, hunterpass":    "x: hunterpasses, ***",
		"critical at http://prometheus.monitoring.svc:9090/ and db.shop.svc.cluster.local:5432 and https://example.com/": "critical at http://prometheus.monitoring.svc:9090/ and db.shop.svc.cluster.local:5432 and https://example.com/",
		"to https://hooks.example.com/T0/B0":                                    "to ***",
		"  " + strings.Repeat("MIIC", 16) + "\n  " + strings.Repeat("MIIE", 16): "  " + strings.Repeat("MIIC", 16) + "\n  ***",
	} {
		if got, _ := k.Replace(text, masked); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestKnownBeginnings: of values that are beginnings of each other the longest is
// found, of a long one its beginning too, and neither costs what the square of a text does.
func TestKnownBeginnings(t *testing.T) {
	k := NewKnown()
	for n := 8; n < 500; n++ {
		k.Add(strings.Repeat("a", n), "")
	}
	long := strings.Repeat("k3yM", 200)
	k.Add(long, "")
	for text, want := range map[string]string{
		strings.Repeat("a", 499) + " x":                       "*** x",
		strings.Repeat("a", 499) + "x":                        strings.Repeat("a", 499) + "x",
		"is " + long + ".":                                    "is ***.",
		"is " + long[:600] + ".":                              "is ***.",
		"is " + long[:520] + "other":                          "is ***other",
		strings.Repeat(strings.Repeat("a", 600)+" ", 300):     strings.Repeat(strings.Repeat("a", 600)+" ", 300),
		strings.Repeat("a", 7) + " " + strings.Repeat("a", 8): strings.Repeat("a", 7) + " ***",
	} {
		if got, _ := k.Replace(text, masked); got != want {
			t.Errorf("%.60q… becomes %.60q…, want %.60q…", text, got, want)
		}
	}
}

// TestKnownPartOfLong: a beginning of a long value is a value of its own, so that it is
// not taken for the whole.
func TestKnownPartOfLong(t *testing.T) {
	k := NewKnown()
	long := strings.Repeat("k3yM", 200)
	k.Add(long, "")
	var values []string
	for _, text := range []string{long, long[:longest], long[:600]} {
		k.Replace(text, func(f Form) string {
			values = append(values, f.Value)
			return Value
		})
	}
	if !slices.Equal(values, []string{long, long[:longest], long[:600]}) {
		t.Errorf("%d values: %.80q", len(values), values)
	}
}

// TestNamesAreNotSecret: the name of an object is public, and what no object can be called,
// or is a hidden value itself, is not.
func TestNamesAreNotSecret(t *testing.T) {
	kind, err := ParseKind("Cred", []string{"spec.name"})
	if err != nil {
		t.Fatal(err)
	}
	p := &Policy{Kinds: []Kind{kind}, Known: NewKnown()}
	p.Learn(object(t, `{"kind":"Cred","metadata":{"name":"shop-db-name"},"spec":{"name":"hidden-name","other":{"name":"hunterPass"}}}`))()
	for _, value := range []string{"shop-db-name", "hunterPass"} {
		p.Known.Add(value, "")
	}
	if got, _ := p.Known.Replace("shop-db-name, hidden-name, hunterPass", masked); got != "shop-db-name, ***, ***" {
		t.Errorf("it shows %s", got)
	}
}
