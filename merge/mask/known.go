package mask

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// Known are secret values, of which copies are searched for.
type Known struct {
	forms  map[string][]Form // by their first bytes
	begins [4][256]bool      // the first bytes
	added  map[string]bool
	public map[string]bool
	// Longest is the length of the longest form.
	Longest int
}

// Form is a way to write a secret value.
type Form struct {
	Text string
	// Value is the value, of which Base64 tells that the text is an encoding.
	Value  string
	Base64 *base64.Encoding
	// Where names the place of the value.
	Where string
}

// Least is the length of the shortest text that is searched for.
const Least = 6

// NewKnown returns an empty set.
func NewKnown() *Known {
	return &Known{forms: map[string][]Form{}, added: map[string]bool{}, public: map[string]bool{}, Longest: Least}
}

// Publish says that a text is never secret: the name of an object, or of anything in it.
func (k *Known) Publish(name string) {
	if k.public[name] {
		return
	}
	k.public[name] = true
	if !k.added[name] {
		return
	}
	for begin, forms := range k.forms {
		if k.forms[begin] = slices.DeleteFunc(forms, func(f Form) bool { return f.Value == name }); len(k.forms[begin]) == 0 {
			delete(k.forms, begin)
		}
	}
}

// PublishNames publishes the names and namespaces in an object: its own, and those of
// what it has and refers to.
func (k *Known) PublishNames(v any) {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			switch name, isText := x.(string); {
			case isText && (key == "name" || key == "namespace" || key == "kind"):
				k.Publish(name)
			case isText:
			case key != "data" && key != "stringData" && key != "managedFields":
				k.PublishNames(x)
			}
		}
	case []any:
		for _, x := range v {
			k.PublishNames(x)
		}
	}
}

// Add adds a value, and if it is JSON the texts in it. Those that occur by chance are
// left out.
func (k *Known) Add(value, where string) {
	if list := parseJSON(value); list != nil {
		eachText(list, func(text string) { k.add(text, where) })
	}
	k.add(value, where)
	if trimmed := strings.TrimSpace(value); trimmed != value {
		k.add(trimmed, where)
	}
}

func (k *Known) add(value, where string) {
	if k.added[value] || k.public[value] || !telling(value) {
		return
	}
	k.added[value] = true
	quoted, _ := json.Marshal(value)
	for _, f := range []Form{
		{Text: value}, {Text: string(quoted[1 : len(quoted)-1])}, {Text: url.QueryEscape(value)}, {Text: url.PathEscape(value)},
		{Text: base64.StdEncoding.EncodeToString([]byte(value)), Base64: base64.StdEncoding},
		{Text: base64.RawStdEncoding.EncodeToString([]byte(value)), Base64: base64.RawStdEncoding},
		{Text: base64.URLEncoding.EncodeToString([]byte(value)), Base64: base64.URLEncoding},
		{Text: base64.RawURLEncoding.EncodeToString([]byte(value)), Base64: base64.RawURLEncoding},
	} {
		same := k.forms[f.Text[:Least]]
		if slices.ContainsFunc(same, func(g Form) bool { return g.Text == f.Text }) {
			continue
		}
		f.Value, f.Where = value, where
		// Longer ones first: one may begin with another.
		at, _ := slices.BinarySearchFunc(same, f, func(a, b Form) int { return len(b.Text) - len(a.Text) })
		k.forms[f.Text[:Least]] = slices.Insert(same, at, f)
		for i := range k.begins {
			k.begins[i][f.Text[i]] = true
		}
		k.Longest = max(k.Longest, len(f.Text))
	}
}

// Empty reports whether no value is known.
func (k *Known) Empty() bool { return k == nil || len(k.forms) == 0 }

// FormAt returns the form that a text has at a place, not inside a longer word.
func FormAt[T string | []byte](k *Known, text T, at int) (f Form, ok bool) {
	if at+Least > len(text) || !k.begins[0][text[at]] || !k.begins[1][text[at+1]] || !k.begins[2][text[at+2]] || !k.begins[3][text[at+3]] || at > 0 && isWordByte(text[at-1]) {
		return f, false
	}
	for _, f := range k.forms[string(text[at:at+Least])] {
		if end := at + len(f.Text); end <= len(text) && string(text[at:end]) == f.Text && !(end < len(text) && isWordByte(text[end])) {
			return f, true
		}
	}
	return f, false
}

// Replace replaces the copies in a text, and returns how many there are.
func (k *Known) Replace(text string, with func(Form) string) (replaced string, copies int) {
	if k.Empty() || len(text) < Least {
		return text, 0
	}
	var b strings.Builder
	done := 0
	for at := 0; at+Least <= len(text); at++ {
		if f, ok := FormAt(k, text, at); ok {
			b.WriteString(text[done:at])
			b.WriteString(with(f))
			done = at + len(f.Text)
			at = done - 1
			copies++
		}
	}
	if copies == 0 {
		return text, 0
	}
	return b.String() + text[done:], copies
}

// telling reports whether a value is unlikely to occur by chance: it has 8 characters,
// or 6 with letters and digits, and is no common word, no name of a host inside the
// cluster, and no certificate, which is public.
func telling(value string) bool {
	if len(value) < Least || strings.HasPrefix(value, "-----BEGIN CERTIFICATE-----") || common[strings.ToLower(value)] ||
		Token(value) != "" || strings.HasSuffix(value, ".svc") || strings.HasSuffix(value, ".svc.cluster.local") {
		return false
	}
	letters, digits := 0, 0
	for _, c := range value {
		switch {
		case isLetter(c):
			letters++
		case c >= '0' && c <= '9':
			digits++
		}
	}
	return len(value) >= 8 || letters >= 2 && digits >= 1
}

// common are words that are often the value of a Secret and never secret.
var common = func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(`
		accesskey administrator anonymous changeme clickhouse cluster-admin cockroach cockroachdb configmap container controller
		default-token deployment developer development disabled elasticsearch elastic-system enabled endpoint grafana-admin
		ingress-nginx keycloak-admin kube-public kube-system kubernetes kubernetes.io localhost localhost:6379 localhost:5432
		memcached minioadmin mongodb-root mongodb://localhost monitoring namespace password passwords postgres postgresql
		prometheus production preferred rabbitmq readonly replication replicator required root-user secretkey serviceaccount
		staging-1 superuser undefined username us-east-1 us-east-2 us-west-1 us-west-2 eu-west-1 eu-west-2 eu-central-1
		verify-full verify-ca 127.0.0.1 0.0.0.0 application/json text/plain info@example.com example.com example.org`) {
		words[word] = true
	}
	return words
}()

func isWordByte(c byte) bool { return isLetter(rune(c)) || c >= '0' && c <= '9' }
