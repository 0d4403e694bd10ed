package rehearsal

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// changed lists the fields at or below a path in which the rejected object differs from
// the live one, both as the server compares them: with their defaults.
func (o *Outcome) changed(p fieldpath.Path) (list []fieldpath.Path) {
	p = o.spelled(p)
	if p[len(p)-1].Field == "persistentvolumesource" { // the server's name for all of them
		p = p[:len(p)-1]
	}
	missing := false // counts as a change of an empty value
	var walk func(fieldpath.Path)
	walk = func(p fieldpath.Path) {
		was, _ := p.Find(o.Rejection.Old)
		is, _ := p.Find(o.Rejection.Object)
		switch steps := o.shared(p, was, is); {
		case tree.Equal(was, is) || !missing && tree.Empty(was) && tree.Empty(is):
		case steps == nil:
			list = append(list, o.inManifest(p))
		default:
			for _, step := range steps {
				walk(p.Join(step))
			}
		}
	}
	if walk(p); list == nil {
		missing = true
		walk(p)
	}
	return slices.DeleteFunc(list, func(p fieldpath.Path) bool {
		twin := o.CopyOf(p)
		return twin != nil && slices.ContainsFunc(list, twin.Equal)
	})
}

// CopyOf is the field that the manifest sets and that the server copies to another one, which the manifest
// does not have; nil if that is no copy.
func (o *Outcome) CopyOf(p fieldpath.Path) fieldpath.Path {
	other := twins[p[len(p)-1].Field]
	if twin := p[:len(p)-1].Child(other); other != "" && !o.Has(p, o.Manifest.Tree) && o.Has(twin, o.Manifest.Tree) {
		return twin
	}
	return nil
}

// twins are fields of which the server copies one to the other.
var twins = map[string]string{
	"serviceAccount": "serviceAccountName", "serviceAccountName": "serviceAccount",
	"dataSource": "dataSourceRef", "dataSourceRef": "dataSource",
	"clusterIP": "clusterIPs", "clusterIPs": "clusterIP",
}

// shared are the steps to the fields or items of two values, which a list has only if it
// has keys or the length of the other; nil if the values differ as a whole.
func (o *Outcome) shared(p fieldpath.Path, was, is any) (steps []fieldpath.Path) {
	switch x := was.(type) {
	case map[string]any:
		y, _ := is.(map[string]any)
		for _, key := range tree.Keys(y) {
			steps = append(steps, fieldpath.New(key))
		}
		for _, key := range tree.Keys(x) {
			if _, both := y[key]; y != nil && !both {
				steps = append(steps, fieldpath.New(key))
			}
		}
	case []any:
		y, _ := is.([]any)
		for i := range y {
			steps = append(steps, o.item(p, i, o.Rejection.Object))
		}
		for i := range x {
			if s := o.item(p, i, o.Rejection.Old); !slices.ContainsFunc(steps, s.Equal) {
				steps = append(steps, s)
			}
		}
		if len(x) != len(y) && (len(y) == 0 || steps[0][0].IsIndex) {
			return nil
		}
	}
	return steps
}

// item is the last step to an item of a list of an object.
func (o *Outcome) item(p fieldpath.Path, i int, in tree.Object) fieldpath.Path {
	path := o.Keyed(p.Item(i), in)
	return path[len(path)-1:]
}
