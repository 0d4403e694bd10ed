package owners

import (
	"errors"
	"strconv"
	"strings"

	smd "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Fields reads the fields of one entry of managedFields. An element is an error
// where it is one for structured-merge-diff, and so is a value that is no object.
func Fields(entry any) (*smd.Set, error) {
	fields, _ := tree.Get(entry, "fieldsV1")
	return readSet(fields)
}

// readSet reads the FieldsV1 format
// (structured-merge-diff fieldpath/serialize.go readIterV1).
func readSet(value any) (*smd.Set, error) {
	set := smd.NewSet()
	fields, ok := value.(tree.Object)
	if !ok && value != nil {
		return nil, errors.New("the fields are no object")
	}
	for _, text := range tree.Keys(fields) { // adding to a set is fastest in sorted order
		if text == "." {
			continue
		}
		element, err := smd.DeserializePathElement(text)
		if err == smd.ErrUnknownPathElementType {
			continue
		}
		if err != nil {
			return nil, err
		}
		if inside, isObject := fields[text].(tree.Object); isObject && len(inside) == 0 { // as most are
			set.Members.Insert(element)
			continue
		}
		below, err := readSet(fields[text])
		if err != nil {
			return nil, err
		}
		if _, itself := tree.Map(fields[text])["."]; itself || below.Empty() {
			set.Members.Insert(element)
		}
		if !below.Empty() {
			*set.Children.Descend(element) = *below
		}
	}
	return set, nil
}

// FieldsV1 returns a set in the format of managedFields. Errors are those of
// structured-merge-diff.
func FieldsV1(set *smd.Set) (tree.Object, error) {
	fields := tree.Object{}
	for element := range set.Members.All() {
		text, err := smd.SerializePathElement(element)
		if err != nil {
			return nil, err
		}
		fields[text] = tree.Object{}
	}
	for _, element := range children(set) {
		below, _ := set.Children.Get(element)
		inner, err := FieldsV1(below)
		if err != nil {
			return nil, err
		}
		text, err := smd.SerializePathElement(element)
		if err != nil {
			return nil, err
		}
		if _, itself := fields[text]; itself {
			inner["."] = tree.Object{}
		}
		fields[text] = inner
	}
	return fields, nil
}

// children are the elements that a set owns something below. A loop over
// SetNodeMap.All panics if it is left early.
func children(set *smd.Set) (list []smd.PathElement) {
	set.Children.Iterate(func(element smd.PathElement) { list = append(list, element) })
	return list
}

// PathOf converts a path of structured-merge-diff.
func PathOf(p smd.Path) fieldpath.Path {
	path := make(fieldpath.Path, 0, len(p))
	for _, element := range p {
		if step, ok := stepOf(element); ok {
			path = append(path, step)
		}
	}
	return path
}

func stepOf(e smd.PathElement) (fieldpath.Step, bool) {
	switch {
	case e.FieldName != nil:
		return fieldpath.Step{Field: *e.FieldName}, true
	case e.Key != nil:
		keys := make([]fieldpath.Key, len(*e.Key))
		for i, k := range *e.Key {
			keys[i] = fieldpath.Key{Name: k.Name, Value: k.Value.Unstructured()}
		}
		return fieldpath.Step{Keys: keys}, true
	case e.Value != nil:
		return fieldpath.Step{Keys: []fieldpath.Key{{Value: (*e.Value).Unstructured()}}}, true
	case e.Index != nil:
		return fieldpath.Step{Index: *e.Index, IsIndex: true}, true
	}
	return fieldpath.Step{}, false
}

// Forget removes from the managedFields of an object the items of lists in a
// field: values of sets, and keys. It changes the object.
func Forget(obj tree.Object, field fieldpath.Path) {
	for _, entry := range tree.List(obj, "metadata", "managedFields") {
		forgetIn(tree.Map(entry, "fieldsV1"), field)
	}
}

// forgetIn goes down to the field, through the items of lists, and removes the
// items in it.
func forgetIn(fields tree.Object, field fieldpath.Path) {
	for name, below := range fields {
		inside, _ := below.(tree.Object)
		switch item := strings.HasPrefix(name, "k:") || strings.HasPrefix(name, "v:"); {
		case item && (len(field) == 0 || strings.Contains(name, strconv.Quote(field[0].Field)+":")):
			delete(fields, name)
		case item, len(field) == 0:
			forgetIn(inside, field)
		case name == "f:"+field[0].Field:
			forgetIn(inside, field[1:])
		}
	}
}
