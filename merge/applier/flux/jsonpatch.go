package flux

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// The operations of a JSON patch that are made here.
const (
	adds     = "add"
	replaces = "replace"
	removes  = "remove"
)

// operation is one of a JSON patch (RFC 6902).
type operation struct {
	verb, path string
	value      any
	// size is the length of the operation as the library counts it.
	size int
}

// difference is the JSON patch that makes one value of another. Where one operation is
// shorter than all those below it, it stands for them, and so removes what was left out of
// both values (github.com/wI2L/jsondiff v0.7.1 differ.go, with Rationalize). One
// for the whole object, which the server would not take, is not made here.
func difference(was, now tree.Object) []operation {
	return compared("", was, now)
}

func compared(path string, was, now any) []operation {
	if tree.Equal(was, now) {
		return nil
	}
	var ops []operation
	switch a := was.(type) {
	case map[string]any:
		b, same := now.(map[string]any)
		if !same {
			return []operation{replacing(path, now)}
		}
		ops = comparedMaps(path, a, b)
	case []any:
		b, same := now.([]any)
		if !same {
			return []operation{replacing(path, now)}
		}
		ops = comparedLists(path, a, b)
	default:
		return []operation{replacing(path, now)}
	}
	size := len(ops) - 1
	for _, o := range ops {
		size += o.size
	}
	if one := replacing(path, now); path != "" && size > one.size {
		return []operation{one}
	}
	return ops
}

func comparedMaps(path string, was, now map[string]any) (ops []operation) {
	keys := tree.Keys(was)
	for _, key := range tree.Keys(now) {
		if _, both := was[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		at := path + "/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
		a, inWas := was[key]
		b, inNow := now[key]
		switch {
		case inWas && inNow:
			ops = append(ops, compared(at, a, b)...)
		case inWas:
			ops = append(ops, removing(at))
		default:
			ops = append(ops, adding(at, b))
		}
	}
	return ops
}

// comparedLists compares by index.
func comparedLists(path string, was, now []any) (ops []operation) {
	both := min(len(was), len(now))
	for range was[both:] {
		ops = append(ops, removing(path+"/"+strconv.Itoa(both)))
	}
	for i := range both {
		ops = append(ops, compared(path+"/"+strconv.Itoa(i), was[i], now[i])...)
	}
	for _, item := range now[both:] {
		ops = append(ops, adding(path+"/-", item))
	}
	return ops
}

// size is that of {"op":"","path":""} with the texts, and of ,"value":. The library counts
// no value of an add.
func sizeOf(verb, path string) int { return 19 + len(verb) + len(path) }

func removing(path string) operation {
	return operation{verb: removes, path: path, size: sizeOf(removes, path)}
}

func adding(path string, value any) operation {
	return operation{verb: adds, path: path, value: value, size: sizeOf(adds, path) + 9}
}

func replacing(path string, value any) operation {
	text, err := json.Marshal(value)
	if err != nil {
		text = nil // values of a tree are JSON
	}
	return operation{verb: replaces, path: path, value: value, size: sizeOf(replaces, path) + 9 + len(text)}
}

// patched is an object with operations applied to it.
func patched(o tree.Object, ops []operation) tree.Object {
	out := tree.CopyObject(o)
	for _, op := range ops {
		holder, key := parent(out, op.path)
		list, isList := holder.([]any)
		switch {
		case op.verb == removes:
			remove(out, op.path)
		case isList && key == "-":
			above, at := parent(out, strings.TrimSuffix(op.path, "/-"))
			put(above, at, append(slices.Clone(list), op.value))
		default:
			put(holder, key, op.value)
		}
	}
	return out
}
