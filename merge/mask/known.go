package mask

import (
	"encoding/base64"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// Known are secret values, of which copies are searched for. A text is compared with them
// by hash, so that 10,000 tokens or keys that begin alike cost no more than others, and
// values that are beginnings of each other little more.
type Known struct {
	unread []func() // they add values when one is first asked for
	full   atomic.Bool
	fill   sync.Mutex
	forms  *forms
	added  map[string]bool
	public publicNames
	met    []*Known // what was learned elsewhere
	under  []*Known // those of them that have values
}

// MinLength is the length of the shortest text that is searched for.
const MinLength = fault.LeastMasked

// NewKnown returns an empty set.
func NewKnown() *Known {
	return &Known{forms: newForms(), added: map[string]bool{}, public: publicNames{map[string]bool{}}}
}

// publicNames are texts that are never secret, of a set and of those under it.
type publicNames []map[string]bool

func (n publicNames) has(text string) bool {
	for _, m := range n {
		if m[text] {
			return true
		}
	}
	return false
}

// Under makes the values of another set, to which nothing is added any more, known in this
// one, too.
func (k *Known) Under(other *Known) {
	if slices.Contains(k.met, other) {
		return
	}
	k.met = append(append(k.met, other), other.met...)
	if len(other.forms.starts) > 0 {
		k.under = append(k.under, other)
	}
	k.under = append(k.under, other.under...)
	k.public = append(k.public, other.public...)
}

// FillWith says what adds more values, when one is next asked for: a run that prints
// nothing of an object does not need them.
func (k *Known) FillWith(fill func()) {
	k.unread = append(k.unread, fill)
	k.full.Store(false)
}

// Publish says that a text is never secret: the name of an object, or of anything in it. A
// text with other characters than those of objects' names is none.
func (k *Known) Publish(name string) {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.:_") == "" {
		k.public[0][name] = true
	}
}

// PublishPath publishes the names in the path of a file, which messages say.
func (k *Known) PublishPath(file string) {
	for name := range strings.SplitSeq(filepath.ToSlash(file), "/") {
		k.Publish(name)
		k.Publish(strings.TrimSuffix(name, path.Ext(name)))
	}
}

// PublishNames publishes the names and namespaces in an object: its own, those of what it
// has and refers to, and those of its application.
func (k *Known) PublishNames(v any) {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			switch name, isText := x.(string); {
			case isText && key == "kind":
				k.public[0][name] = true
			case isText && (strings.HasPrefix(key, "app.kubernetes.io/") || key == "name" || key == "namespace"):
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

// Add adds a value and the secrets in it. Texts that occur by chance are left out.
func (k *Known) Add(value, where string) {
	for _, a := range additions(value, where) {
		k.add(a)
	}
}

// addition is a value to be added, and how its forms begin: what takes time of adding it.
type addition struct {
	form   Form
	begins []begin
}

// additions are what Add adds.
func additions(value, where string) (list []addition) {
	secretsIn(value, func(text string) {
		if distinctive(text) {
			f := Form{Value: text, Where: where, inside: unlikely(text)}
			list = append(list, addition{f, f.begins()})
		}
	})
	return list
}

func (k *Known) add(a addition) {
	if value := a.form.Value; !k.added[value] {
		k.added[value] = true
		k.forms.value(a.form, a.begins)
	}
}

// secretsIn calls f with a value and the secrets in it: the texts of JSON, those that partsOf
// finds, and of a private key the lines, which may be indented in another text.
func secretsIn(value string, f func(text string)) {
	if list := parseJSON(value); list != nil {
		eachText(list, func(text string) {
			f(text)
			partsOf(text, f)
		})
	}
	partsOf(value, f)
	f(value)
	if trimmed := strings.TrimSpace(value); trimmed != value {
		f(trimmed)
	}
	private := false
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "-----") {
			private = strings.HasPrefix(line, "-----BEGIN") && strings.Contains(line, "PRIVATE KEY")
		} else if private && len(line) >= longLine {
			f(line)
		}
	}
}

// longLine is the length from which a line of a key is searched for.
const longLine = 32

// unlikelyLength is the length from which a value can be unlikely.
const unlikelyLength = 12

// unlikely reports whether a value has so many characters, of three sorts, that no other
// word has it inside: -pVALUE.
func unlikely(value string) bool {
	const small, large, digit = 1, 2, 4
	sorts := 0
	for i := range len(value) {
		switch c := value[i]; {
		case c >= 'a' && c <= 'z':
			sorts |= small
		case c >= 'A' && c <= 'Z':
			sorts |= large
		case c >= '0' && c <= '9':
			sorts |= digit
		}
	}
	return len(value) >= unlikelyLength && (sorts == small|large|digit || len(value) >= 16 && sorts&digit != 0)
}

// Empty reports whether no value is known.
func (k *Known) Empty() bool {
	if k != nil && !k.full.Load() {
		k.read()
	}
	return k == nil || len(k.forms.starts) == 0 && len(k.under) == 0
}

// read asks for what adds values, for each once: after a panic in one, the message of which
// is searched for values, too, the others are asked.
func (k *Known) read() {
	k.fill.Lock()
	defer k.fill.Unlock()
	for len(k.unread) > 0 {
		fill := k.unread[0]
		k.unread = k.unread[1:]
		fill()
	}
	k.full.Store(true)
}

// Longest is the length of the longest form.
func (k *Known) Longest() int {
	longest := MinLength
	for value := range k.added {
		Form{Value: value}.written(value, func(text string, _ *base64.Encoding) { longest = max(longest, len(text)) })
	}
	return longest
}

// FormAt returns the form that a text has at a place, and its length. What may occur by
// chance does not count inside a longer word.
func FormAt[T string | []byte](k *Known, text T, at int) (f Form, length int) {
	f, length = formAt(k.forms, text, at, k.public)
	for _, u := range k.under {
		if g, n := formAt(u.forms, text, at, k.public); n > length {
			f, length = g, n
		}
	}
	return f, length
}

// In reports whether a text has a copy.
func (k *Known) In(text string) bool {
	return len(text) >= MinLength && !k.Empty() && (k.forms.in(text, k.public) || slices.ContainsFunc(k.under, func(u *Known) bool { return u.forms.in(text, k.public) }))
}

// Replace replaces the copies in a text, and returns how many there are.
func (k *Known) Replace(text string, with func(Form) string) (replaced string, copies int) {
	if !k.In(text) {
		return text, 0
	}
	b, copies := replaceForms(k, text, func(Form) bool { return true }, with)
	return string(b), copies
}

// replaceForms replaces the forms in a text that count, and returns how many there are; of
// none, replaced is the text.
func replaceForms[T string | []byte](k *Known, text T, counts func(Form) bool, with func(Form) string) (replaced []byte, n int) {
	done := 0
	for at := 0; at+MinLength <= len(text); at++ {
		if f, length := FormAt(k, text, at); length > 0 && counts(f) {
			replaced = append(append(replaced, text[done:at]...), with(f)...)
			done = at + length
			at = done - 1
			n++
		}
	}
	if n == 0 {
		return []byte(text), 0
	}
	return append(replaced, text[done:]...), n
}
