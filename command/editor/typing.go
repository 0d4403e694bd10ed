package editor

import (
	"strings"
	"unicode/utf8"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// mark stands for the word that is being typed while its document is read. It is a valid
// name of everything.
const mark = "threeway0typed0here"

// typing is a word that is being typed, in the object that it is in.
type typing struct {
	*manifest.Object
	// path is the field whose value is typed, or the object or list item of which a key is.
	path fieldpath.Path
	// key says that the word is a key, or can only be one; valued that a value follows.
	key, valued bool
	// alone says that nothing else is on the line.
	alone bool
	// quoted says that the word is within quotes.
	quoted bool
	word   string
	at     span
}

// typedAt finds what is being typed at a position of a text. The document is read with a
// mark in place of the word: as a value or a whole key, then as a key without its value, and,
// if it cannot be read as what follows is incomplete, without that.
func typedAt(file, text string, p position) (*typing, bool) {
	here := offset(text, p)
	begin, doc := 0, text
	for _, d := range documents(text) {
		doc = d
		if here < begin+len(d) {
			break
		}
		begin += len(d)
	}
	if begin == len(text) { // behind the last line
		begin -= len(doc)
	}
	from, to := here-begin, here-begin
	for from > 0 && !ends(doc, from-1) {
		from--
	}
	for to < len(doc) && !ends(doc, to) {
		to++
	}
	line := rowsOf(text).row(p.Line)
	t := &typing{word: doc[from:to], at: span{positionOf(text, begin+from), positionOf(text, begin+to)}}
	t.alone = strings.TrimLeft(line, " -") == t.word || strings.TrimLeft(line, " -") == t.word+":"
	t.valued = strings.HasPrefix(doc[to:], ":")
	t.quoted = from > 0 && strings.IndexByte(`"'`, doc[from-1]) >= 0
	end := to
	if i := strings.IndexByte(doc[to:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(doc)
	}
	for _, after := range []string{doc[to:], doc[to:end] + "\n"} {
		for _, word := range []string{mark, mark + ": 0"} {
			set := manifest.ReadFiles([]manifest.File{{Name: file, Data: []byte(doc[:from] + word + after)}}, manifest.Limits{})
			for _, o := range set.Objects {
				if path, key, found := find(o.Tree, nil); found {
					t.Object, t.path, t.key = o, path, key
					return t, true
				}
			}
		}
	}
	return nil, false
}

// ends reports whether the character at an offset is not part of a word.
func ends(text string, at int) bool {
	switch c := text[at]; c {
	case ' ', '\t', '\r', '\n', '{', '}', '[', ']', ',', '"', '\'', '#':
		return true
	case ':':
		return at+1 == len(text) || strings.IndexByte(" \r\n", text[at+1]) >= 0
	default:
		return c >= utf8.RuneSelf
	}
}

// find is where the mark is in a tree: the field with it, or what has it as a key.
func find(v any, at fieldpath.Path) (path fieldpath.Path, key, found bool) {
	switch v := v.(type) {
	case string:
		return at, false, v == mark
	case []any:
		for i, item := range v {
			if path, key, found = find(item, at.Item(i)); found {
				return path, key, true
			}
		}
	case map[string]any:
		for name, value := range v {
			if name == mark {
				return at, true, true
			}
			if path, key, found = find(value, at.Child(name)); found {
				return path, key, true
			}
		}
	}
	return nil, false, false
}

// siblings are the keys beside a key that is typed.
func (t *typing) siblings() tree.Object {
	v, _ := t.path.Find(t.Tree)
	return tree.Map(v)
}
