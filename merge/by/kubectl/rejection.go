package kubectl

import (
	"errors"
	"fmt"
	"slices"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// around is how apply and diff wrap the message about a request
// (cmdutil.AddSourceToErr); nil if they do not. An apply quotes the patch.
func around(r *rehearsal.Run, o *rehearsal.Outcome, verb string) func(fault.Text) fault.Text {
	if r.Diff && verb == "creating" {
		return nil
	}
	if verb == "retrieving" {
		if r.Diff || r.ServerSide != nil {
			return nil
		}
		return r.Retrieving(o)
	}
	file := fmt.Sprintf("%q: ", o.Manifest.Origin.File)
	doing := fault.Words("error when %s %s", verb, file)
	if verb == "creating" || r.Diff {
		return func(message fault.Text) fault.Text { return fault.Join(doing, message) }
	}
	patch := fault.Quote(func() string {
		if o.Patch == nil {
			return "\nto:\n" + r.Info(o) + "\n"
		}
		return compact(o.Patch) + "\nto:\n" + r.Info(o) + "\n"
	}, "")
	head := fault.Join(fault.Words("error when applying patch:\n"), patch, fault.Words("for: %s", file), doing)
	return func(message fault.Text) fault.Text { return fault.Join(head, message) }
}

// uncomputed is kubectl's refusal of an object for which it cannot compute a
// patch: it quotes all that it has computed it from.
func uncomputed(r *rehearsal.Run, o *rehearsal.Outcome, lastApplied string, modified tree.Object, err error) *fault.Rejection {
	why := fault.Of(err)
	f := fault.Fault{Code: fault.Invalid, Detail: why}
	if errors.Is(err, rehearsal.ErrBadLastApplied) {
		f.Code = fault.BadRecord
	}
	if lacks := (*kube.MergeKeyError)(nil); errors.As(err, &lacks) {
		f.Code, f.Key = fault.NoMergeKey, lacks.Key
		f.Path = itemWithout(lacks.Key, o.Manifest.Tree, schema.Lookup(o.Kind))
	}
	from := func() string {
		m, _ := rehearsal.EncodeLastApplied(modified)
		c, _ := rehearsal.EncodeLastApplied(o.Before)
		return fmt.Sprintf("original:\n%s\nmodified:\n%s\ncurrent:\n%s\n", lastApplied, m, c)
	}
	doing := fmt.Sprintf("error when patching %q: creating patch with:\n", o.Manifest.Origin.File)
	head := fault.Join(fault.Words("%s", doing), fault.Quote(from, ""))
	if !r.Diff {
		all := func() string {
			return "\nto:\n" + r.Info(o) + fmt.Sprintf("\nfor: %q: ", o.Manifest.Origin.File) + doing + from()
		}
		head = fault.Join(fault.Words("error when applying patch:\n"), fault.Quote(all, ""))
	}
	return fault.Refuse(why, f).Around(func(message fault.Text) fault.Text {
		return fault.Join(head, fault.Words("for: "), message)
	})
}

// itemWithout is the first item, in a list that merges by the key, that lacks
// it; nil if the object, which is of the type, has none.
func itemWithout(key string, v any, t *schema.Type) fieldpath.Path {
	m, _ := v.(tree.Object)
	for _, name := range tree.Keys(m) {
		ft, f := t.Child(name)
		list, isList := m[name].([]any)
		if !isList {
			if p := itemWithout(key, m[name], ft); p != nil {
				return fieldpath.New(name).Join(p)
			}
			continue
		}
		if f != nil && f.Merge && f.MergeKey == key {
			lacks := func(item any) bool { m, ok := item.(tree.Object); return ok && m[key] == nil }
			if i := slices.IndexFunc(list, lacks); i >= 0 {
				return fieldpath.New(name).Item(i)
			}
		}
		for i, item := range list {
			if ft == nil {
				break
			}
			if p := itemWithout(key, item, ft.Elem); p != nil {
				return fieldpath.New(name).Item(i).Join(p)
			}
		}
	}
	return nil
}

func compact(obj tree.Object) string {
	s, err := rehearsal.EncodeLastApplied(obj)
	if err != nil {
		return ""
	}
	return s[:len(s)-1]
}
