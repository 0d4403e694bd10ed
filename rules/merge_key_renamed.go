package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/promise"
	"threeway/merge/tree"
)

var mergeKeyRenamed = &lint.Rule{
	ID:    "merge-key-renamed",
	Title: "a renamed list item: the old item is removed or left behind",
	Text: "An item of a list that merges by key has another key and is otherwise the same: a container with a new name, a port with a new " +
		"number. Reported if fields that only the live object has are lost with the old item, or if the old item stays because last-applied does not have it.",
	Why: "Changes made to the live item by hand are not carried over. An old item that stays runs beside the new one: both containers run.",
	Fix: "Add the fields of the live item that you want to keep. Remove an old item that stays by hand, or once with null or $patch: " +
		"delete.",
	Links:    []string{declarative + "#merging-changes-for-fields-of-type-list", "https://github.com/FloSch62/Kubus/issues/36"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run:      func(p *lint.Pass) { mergingLists(p, renamedItems) },
}

// mostRenamed are how many removed items of a list are looked for under other names: where
// more are gone, the list is another one.
const mostRenamed = 100

// renamedItems reports the items of a list that are new and were another.
func renamedItems(p *lint.Pass, o *lint.Object, list lint.List) {
	path := list.Path
	at, key := o.Keyed(path, o.Manifest.Tree), list.Field.MergeKey
	before, last, after := items(o.Before, at), items(o.LastApplied(), at), items(o.Result, at)
	if len(before) == 0 {
		return
	}
	config := counts(list.Items, key)
	removed := slices.DeleteFunc(slices.Clone(before), func(old any) bool { return config[valueOf(old, key)] > 0 })
	if len(removed) == 0 {
		return
	}
	wasLive, wasLast, stays := counts(before, key), counts(last, key), counts(after, key)
	isNew := func(item any) bool {
		name := valueOf(item, key)
		return name != nil && wasLive[name] == 0 && wasLast[name] == 0
	}
	for _, old := range removed[:min(mostRenamed, len(removed))] {
		was := tree.Map(old)[key]
		i := successor(list.Items, old, key, isNew)
		if i < 0 {
			continue
		}
		name := tree.Map(list.Items[i])[key]
		r := lint.Report{Path: path.Item(i), LivePath: at.Select(fieldpath.Key{Name: key, Value: was})}
		r.Live = fmt.Sprintf("%s %v", key, was)
		stays := stays[valueOf(old, key)] > 0
		switch lost := lostWith(o, r.LivePath, find(last, key, was), find(after, key, name)); {
		case stays && path[len(path)-1].Field != "env":
			r.Message = fmt.Sprintf("%s is new; the live item %v, which looks like its old name, stays beside it: last-applied does not have it", describe(path, key, name), was)
			r.Fix = fmt.Sprintf("remove the item %v from the live object, or keep its name", was)
		case !stays && len(last) > 0 && len(lost) > 0:
			r.Message = fmt.Sprintf("%s was %v before: apply deletes the old item with %s, which only the live object has", describe(path, key, name), was, strings.Join(lost, ", "))
			r.Fix = "add what you want to keep to " + o.Where()
		default:
			continue
		}
		p.Report(o, r)
	}
}

// successor is the index of the item that a removed one has become: of the new
// items the one that is most like it; -1 if there is none, or several are, as
// when generated items of one form are added.
func successor(list []any, old any, key string, isNew func(item any) bool) int {
	best, at := 0, -1
	for i, item := range list {
		if !isNew(item) {
			continue
		}
		switch n := likeness(item, old, key); {
		case n > best:
			best, at = n, i
		case n == best:
			at = -1
		}
	}
	return at
}

func describe(path fieldpath.Path, key string, name any) string {
	return path.Select(fieldpath.Key{Name: key, Value: name}).String()
}

func items(root tree.Object, path fieldpath.Path) []any {
	v, _ := path.Find(root)
	list, _ := v.([]any)
	return list
}

// find is the item with the key, or nil.
func find(list []any, key string, value any) tree.Object {
	for _, item := range list {
		if m := tree.Map(item); tree.Equal(m[key], value) {
			return m
		}
	}
	return nil
}

// likeness counts the fields of an item that are those of the old one, of an
// image all but the version; 0 if most are not.
func likeness(item, old any, key string) int {
	same, all := 0, 0
	for field, value := range tree.Map(item) {
		if field == key || field == "protocol" || tree.Empty(value) {
			continue
		}
		all++
		have := tree.Map(old)[field]
		text, _ := value.(string)
		other, _ := have.(string)
		if promise.Covers(have, value) || field == "image" && setting.Repository(text) == setting.Repository(other) {
			same++
		}
	}
	if 2*same < all {
		return 0
	}
	return same
}

// lostWith names the fields below a removed item that no config had and that the
// new item has not got either: defaults it has.
func lostWith(o *lint.Object, removed fieldpath.Path, last, item tree.Object) []string {
	var lost []string
	for _, c := range o.Changes() {
		if c.Reason != explain.Cleared || !c.Path.HasPrefix(removed) || len(c.Path) == len(removed) || !hasManager(o, c.Path) {
			continue
		}
		field := c.Path[len(removed):]
		applied, wasApplied := field.Find(last)
		now, is := field.Find(item)
		if list, ok := c.Old.([]any); ok && len(promise.OnlyIn(list, applied, now)) > 0 || !ok && !wasApplied && !(is && tree.Equal(now, c.Old)) {
			lost = append(lost, field.String())
		}
	}
	return lost
}
