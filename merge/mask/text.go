package mask

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// packed are annotations whose copy of the object may be compressed.
var packed = []string{"objectset.rio.cattle.io/applied", "banzaicloud.com/last-applied"}

// CopiesObject reports whether an annotation holds a copy of its object, by its key.
func CopiesObject(key string) bool { return key == tree.LastApplied || slices.Contains(packed, key) }

// deepest is how many texts may be inside each other.
const deepest = 8

// inner is a text that has objects inside.
type inner struct {
	holder  *Spot
	content string
	objects []any
	json    bool
	script  []heredoc // of which the objects are
}

// text finds what is in a text: in the version of an object that what tells about,
// or in objects of any kind. A text that seems to have a Secret inside and cannot be
// parsed is hidden as a whole.
func (f *finder) text(in any, here step, content string, what as) {
	copies := what.form != public || len(what.declared) > 0 || CopiesObject(here.key) && f.p != nil && len(f.p.Env) > 0
	version := copies || looksLikeJSON(content) && f.p != nil && len(f.p.Env) > 0
	if !version && !mayMention(content) || content == "" || f.done() {
		return
	}
	t := &inner{content: content, json: true, objects: parseJSON(content)}
	if t.objects == nil && !CopiesObject(here.key) {
		t.json, t.objects = false, parseYAML(content)
	}
	if t.objects == nil && !CopiesObject(here.key) && !f.inScript {
		t.script = heredocs(content)
		for _, part := range t.script {
			t.objects = append(t.objects, part.objects...)
		}
	}
	if t.objects != nil && CopiesObject(here.key) && tree.Map(t.objects[0]) == nil {
		t.objects = nil
	}
	if t.objects == nil || f.nested == deepest {
		if copies && CopiesObject(here.key) || MentionsSecret(content) && setsData(content) {
			f.spot(in, here).Copied = true
		}
		return
	}
	if t.holder = f.at(in, here); f.seen[t.holder.id] != nil {
		return // hidden as a whole
	}
	texts, spots, path, within := len(f.found.texts), len(f.found.Spots), f.path, f.within
	f.found.texts = append(f.found.texts, t)
	if f.nested == 0 {
		f.path = len(f.steps) + 1
	}
	f.nested++
	inScript := f.inScript
	f.inScript = f.inScript || t.script != nil
	if what.form != public {
		f.within++
	}
	f.in(here, func() {
		for i, o := range t.objects {
			m, isObject := o.(tree.Object)
			f.in(step{list: true, index: i}, func() {
				if !isObject {
					f.value(o)
					return
				}
				own := f.p.as(f.within == 0, m)
				own.declared = append(own.declared, what.declared...)
				if CopiesObject(here.key) || hasData(m) {
					own.form = max(own.form, what.form)
				}
				f.object(m, own)
			})
		}
	})
	f.nested, f.path, f.within, f.inScript = f.nested-1, path, within, inScript
	if len(f.found.Spots) == spots {
		f.found.texts = slices.Delete(f.found.texts, texts, texts+1)
	}
}

// encoded is the text of the objects: JSON in kubectl's form with sorted keys, no
// blanks, a newline at the end if there was one; or YAML.
func (t *inner) encoded() string {
	var b strings.Builder
	if t.script != nil {
		for _, part := range t.script {
			b.WriteString(part.encoded())
		}
		return b.String()
	}
	if t.json {
		_ = json.NewEncoder(&b).Encode(t.objects[0]) // decoded JSON always encodes
		if !strings.HasSuffix(t.content, "\n") {
			return strings.TrimSuffix(b.String(), "\n")
		}
		return b.String()
	}
	for i, o := range t.objects {
		if i > 0 || strings.HasPrefix(t.content, "---") {
			b.WriteString("---\n")
		}
		if m, ok := o.(tree.Object); ok {
			b.WriteString(yamltext.YAML(m))
			continue
		}
		part, _ := yaml.Marshal(o) // decoded YAML always encodes
		b.Write(part)
	}
	return b.String()
}

// Text is a value as a text: JSON, if it is none.
func Text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v) // decoded JSON always encodes
	return string(b)
}

func looksLikeJSON(content string) bool {
	content = strings.TrimLeft(content, " \t\r\n")
	return content != "" && (content[0] == '{' || content[0] == '[')
}

// parseJSON parses one object or list and keeps numbers as written; nil if the text is
// anything else.
func parseJSON(content string) []any {
	if !looksLikeJSON(content) {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(content))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return []any{v}
}

// parseYAML parses documents with objects or lists; nil if one is neither.
func parseYAML(content string) (list []any) {
	for i, part := range strings.Split("\n"+content, "\n---") {
		var v any
		if i > 0 {
			_, part, _ = strings.Cut(part, "\n")
		}
		if yaml.Unmarshal([]byte(part), &v, keepNumbers) != nil {
			return nil
		}
		switch v.(type) {
		case nil:
		case tree.Object, []any:
			list = append(list, v)
		default:
			return nil
		}
	}
	return list
}

func keepNumbers(d *json.Decoder) *json.Decoder {
	d.UseNumber()
	return d
}

// MentionsSecret reports whether a text has a kind that is Secret, or almost, in JSON,
// in YAML, or in JSON inside JSON; or the field that only Secrets have.
func MentionsSecret(content string) bool { return mentions(content, false) }

// mentions is MentionsSecret, or, escaped, the same of the text without the escapes of
// HTML, which few need to be copied for.
func mentions(content string, escaped bool) bool {
	if strings.Contains(content, "stringData") {
		return true
	}
	for left := content; ; {
		_, after, found := strings.Cut(left, "kind")
		if !found {
			return false
		}
		left = after
		// Quotes and a colon are between the key and the word, and in YAML more.
		rest := strings.TrimLeft(strings.TrimLeft(after, `"'\ `), betweenWords)
		if len(rest) == len(after) {
			continue
		}
		for rest != "" && strings.IndexByte("&!>|#", rest[0]) >= 0 {
			end := " \t\r\n"
			if strings.IndexByte("&!", rest[0]) < 0 {
				end = "\n"
			}
			rest = strings.TrimLeft(rest[max(0, strings.IndexAny(rest+end, end)):], betweenWords)
		}
		if digits, is := strings.CutPrefix(rest, "u00"); is && escaped && isHTML(digits) {
			return MentionsSecret(unescapedHTML(content))
		}
		end := strings.IndexFunc(rest, func(c rune) bool { return !isLetter(c) })
		if end < 0 {
			end = len(rest)
		}
		if word := rest[:end]; nearSecret(strings.TrimSuffix(word, "List")) {
			return true
		}
	}
}

const betweenWords = ": \t\"'\\\r\n"

// mayMention reports whether a text mentions a Secret, or would where it has escapes.
func mayMention(content string) bool {
	if strings.IndexByte(content, '\\') < 0 {
		return MentionsSecret(content)
	}
	escaped := strings.Contains(content, `\u00`)
	return mentions(content, escaped) || escaped && escapesMore(content) || strings.Contains(content, `\x`)
}

// escapesMore reports whether a text has escapes that unescapedHTML does not know.
func escapesMore(content string) bool {
	for found := true; found; {
		if _, content, found = strings.Cut(content, `\u00`); found && !isHTML(content) {
			return true
		}
	}
	return false
}

// isHTML reports whether the digits of an escape are those of a character of HTML.
func isHTML(digits string) bool {
	return strings.HasPrefix(digits, "3c") || strings.HasPrefix(digits, "3e") || strings.HasPrefix(digits, "26")
}

// setsData reports whether a text has a key that ends in data.
func setsData(content string) bool {
	content = strings.ToLower(content)
	return strings.Contains(content, "data:") || strings.Contains(content, `data":`) || strings.Contains(content, `data\":`)
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
