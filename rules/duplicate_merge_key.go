package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var duplicateMergeKey = &lint.Rule{
	ID:    "duplicate-merge-key",
	Title: "two items of a merging list have the same key",
	Text: "A list that merges by key has two items with the same key, such as an env var that is set twice. An error if an item of the " +
		"manifest is missing from the result, or server-side apply rejects the object.",
	Why:      "A merge takes the first live item with the key. With two, it changes the wrong item, keeps a removed one, or drops both.",
	Fix:      "Remove one of the two items.",
	Repair:   "Removes one of two items that are equal in every field.",
	Links:    []string{issue + "86163", issue + "93265", issue + "65106", "https://github.com/kubernetes/kubectl/issues/1750"},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.DuplicateKey {
			return nil
		}
		list, _ := o.Find(f.Path, o.Manifest.Tree)
		path := f.Path.Item(secondOf(tree.List(list), f.Item))
		return &lint.Report{
			Path: path, Message: f.Path.String() + " has two items with the key " + f.Item.String() + "; a server-side apply is rejected",
			Fix: "remove one of the two",
		}
	},
	Run: func(p *lint.Pass) { mergingLists(p, reportDuplicates) },
}

// mergingLists visits the lists of the config that merge by a key, of the
// objects that would be accepted.
func mergingLists(p *lint.Pass, visit func(*lint.Pass, *lint.Object, lint.List)) {
	for o := range p.Accepted() {
		for _, list := range o.Lists() {
			if list.Merges() {
				visit(p, o, list)
			}
		}
	}
}

func reportDuplicates(p *lint.Pass, o *lint.Object, list lint.List) {
	path, key := list.Path, list.Field.MergeKey
	config, now := counts(list.Items, key), lasting(o, path, key)
	places := map[string][]int{} // of the items with the same keys
	var keys []string
	for i, item := range list.Items {
		id := keyText(list, item)
		if places[id] == nil {
			keys = append(keys, id)
		}
		places[id] = append(places[id], i)
	}
	for _, id := range keys {
		at := places[id]
		item := list.Items[at[0]]
		value := valueOf(item, key)
		switch {
		case tree.Map(item)[key] == nil:
		case len(at) == 1: // missing-from-result reports one that is live twice
		default:
			r := lint.Report{
				Path:    path.Item(at[1]),
				Message: fmt.Sprintf("%s has %s items with %s %q (also item %d); ", path, []string{"two", "three"}[min(len(at), 3)-2], key, id, at[0]),
				Fix:     "remove one of the two",
			}
			if len(at) > 2 {
				r.Message = fmt.Sprintf("%s has %d items with %s %q, from item %d on; ", path, len(at), key, id, at[0])
				r.Fix = "remove all of them but one"
			}
			for n, i := range at[1:] {
				r.Suggested = append(r.Suggested, edit.Remove(path.Item(i)))
				if slices.ContainsFunc(at[:n+1], func(j int) bool { return tree.Equal(list.Items[i], list.Items[j]) }) {
					r.Edits = append(r.Edits, edit.Remove(path.Item(i)))
				}
			}
			if now != nil && now[value] == 0 {
				r.Severity = lint.Error
				r.Message += "this apply removes them all, and the next one adds them again"
			} else if now != nil && now[value] < config[value]-len(r.Edits) { // what is equal in every field is not gone
				r.Severity = lint.Error
				r.Message += "after this apply " + map[bool]string{true: "one of them is gone", false: "some of them are gone"}[len(at) == 2]
			} else {
				r.Message += "the next apply may change or drop the wrong one"
			}
			if r.Edits != nil {
				r.Suggested = nil
			}
			p.Report(o, r)
		}
	}
}

// keyText are the values of an item by which an API server tells it from others, with the
// defaults of the server.
func keyText(list lint.List, item any) string {
	values := []string{fmt.Sprint(tree.Map(item)[list.Field.MergeKey])}
	for _, more := range list.Field.ListKeys {
		if more == list.Field.MergeKey {
			continue
		}
		if value := tree.Map(item)[more]; value != nil {
			values = append(values, fmt.Sprint(value))
		} else if _, f := list.Field.Type.Elem.Child(more); f != nil && f.Default != "" {
			values = append(values, strings.Trim(f.Default, `"`))
		}
	}
	return strings.Join(values, " ")
}

// lasting counts the items of a list in the result; nil if what it is in is not there.
func lasting(o *lint.Object, path fieldpath.Path, key string) map[any]int {
	path = o.Keyed(path, o.Manifest.Tree)
	after, has := path.Find(o.Result)
	if _, in := path[:len(path)-1].Find(o.Result); !has && !in {
		return nil
	}
	return counts(tree.List(after), key)
}

// counts tells how many items have a value of a key.
func counts(items []any, key string) map[any]int {
	of := make(map[any]int, len(items))
	for _, item := range items {
		of[valueOf(item, key)]++
	}
	return of
}

// valueOf is the value of a key of an item, as its text if it is a list or a map.
func valueOf(item any, key string) any {
	v := tree.Map(item)[key]
	switch v.(type) {
	case []any, tree.Object:
		return fmt.Sprint(v)
	}
	return v
}

// secondOf is the index of the second item that the step selects.
func secondOf(items []any, step fieldpath.Path) int {
	first := true
	for i, item := range items {
		if _, ok := step.Find([]any{item}); ok {
			if !first {
				return i
			}
			first = false
		}
	}
	return 0
}
