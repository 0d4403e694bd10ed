package show

import (
	"slices"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

// brief leaves out of an object's changes what the other lines say: name and
// namespace of a created object, and the merge key of a list item that comes,
// goes or stays as a whole, since the paths of its other fields have it. Those
// say instead, unless the object is new, that the list merges.
func brief(changes []explain.Change, created bool) []explain.Change {
	whole := map[string]bool{} // items of which the key is among the changes
	others := map[string]int{} // how many fields besides
	for _, c := range changes {
		item, key := itemOf(c)
		if isKey(c, item, key) || len(item) == len(c.Path) && len(item) > 0 {
			whole[itemID(item, c)] = true
		} else {
			others[itemID(item, c)]++
		}
	}
	var kept []explain.Change
	for _, c := range changes {
		item, key := itemOf(c)
		switch id := itemID(item, c); {
		case created && (c.Path.Equal(fieldpath.New("metadata", "name")) || c.Path.Equal(fieldpath.New("metadata", "namespace"))):
			continue
		case isKey(c, item, key) && others[id] > 0:
			continue
		case whole[id] && !created:
			c.Explanation += "; the list merges by " + key
		}
		kept = append(kept, c)
	}
	return kept
}

// shown leaves out of an object's changes what the cluster keeps for itself,
// unless all fields are to be shown.
func (o Options) shown(changes []explain.Change) []explain.Change {
	if o.AllFields {
		return changes
	}
	return slices.DeleteFunc(changes, func(c explain.Change) bool { return c.Bookkeeping })
}

// itemOf is the innermost item of a list merged by key that a change is or lies
// in, and the name of the key; "" if there is none.
func itemOf(c explain.Change) (item fieldpath.Path, key string) {
	for at := len(c.Path); at > 0; at-- {
		if keys := c.Path[at-1].Keys; len(keys) == 1 && keys[0].Name != "" {
			return c.Path[:at], keys[0].Name
		}
	}
	return nil, ""
}

func isKey(c explain.Change, item fieldpath.Path, key string) bool {
	return key != "" && len(c.Path) == len(item)+1 && c.Path[len(item)].Field == key
}

// itemID tells apart an item's changes that have different reasons.
func itemID(item fieldpath.Path, c explain.Change) string {
	return item.String() + " " + string(c.Reason)
}
