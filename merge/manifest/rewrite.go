package manifest

import (
	"errors"
	"strings"

	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Rewrite returns the text of a file after change has replaced strings in its
// objects. change gets the root of each document, or the items of a List one by
// one. The rest of the text stays the same, except that line breaks become \n.
// If the position of a string is unknown, or change does more than replace
// strings, the document or item is written as kubectl writes it.
func Rewrite(file string, data []byte, change func(root tree.Object)) (string, error) {
	text := source.Whole(source.DecodeText(data))
	items, rest := rewriteItems(file, text, change)
	documents, failure := source.Rewrite(text[rest:], change)
	if failure != nil {
		return "", errors.New(failed(file, failure).String())
	}
	rewritten := items + documents
	if strings.HasPrefix(rewritten, source.ByteOrderMark) {
		rewritten = source.ByteOrderMark + rewritten // readers drop the first
	}
	return rewritten, nil
}

// rewriteItems rewrites the List at the beginning of a text, if its items can
// be found without decoding the whole List. It returns the new text, and where
// the rest begins.
func rewriteItems(file, text string, change func(tree.Object)) (out string, rest int) {
	f := &sourceFile{file: file, text: text, Limits: Limits{Input: source.Accepted}, held: true, size: int64(len(text))}
	x, ok := f.index()
	if !ok || len(x.parts) == 0 || x.parts[0].form != source.FormItem || x.parts[0].frame == "" || strings.Contains(text, "\r\n") {
		return "", 0
	}
	list := x.parts[0]
	if _, frame, ok := list.decode(file, source.Accepted); !ok || tree.String(frame, "kind") == "" {
		return "", 0
	}
	if same, failure := source.Rewrite(list.frame, func(tree.Object) {}); failure != nil || same != list.frame {
		return "", 0
	}
	var b strings.Builder
	done := 0
	for _, e := range list.entries {
		obj, item, err := e.text.decode(nil)
		if err != nil || tree.String(obj, "kind") == "" { // the List says which kind its items are
			return "", 0
		}
		d := &source.Document{Text: e.text.form.Shown(item)}
		begin, end := int(e.text.offset), int(e.text.offset+e.text.length)
		b.WriteString(text[done:begin])
		indent := strings.IndexByte(text[begin:], '-')
		b.WriteString(text[begin:begin+indent] + "-" + d.Rewritten(obj, change)[indent+1:])
		done = end
	}
	_, after, more := strings.Cut(text[max(done-1, 0):], "\n---") // the items may end with the line before
	rest = len(text)
	if more {
		rest -= len("---") + len(after)
	}
	b.WriteString(text[done:rest])
	return b.String(), rest
}
