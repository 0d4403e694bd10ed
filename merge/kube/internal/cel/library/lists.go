package library

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Lists has isSorted, sum, min, max, indexOf and lastIndexOf of lists.
func Lists() cel.EnvOption {
	type named struct {
		name string
		typ  *cel.Type
		zero ref.Val // of what can be summed
	}
	comparable := []named{
		{"int", cel.IntType, types.Int(0)},
		{"uint", cel.UintType, types.Uint(0)},
		{"double", cel.DoubleType, types.Double(0)},
		{"duration", cel.DurationType, types.Duration{}},
		{"bool", cel.BoolType, nil},
		{"timestamp", cel.TimestampType, nil},
		{"string", cel.StringType, nil},
		{"bytes", cel.BytesType, nil},
	}
	lib := &functions{name: "kubernetes.lists", overloads: map[string][]cel.FunctionOpt{}}
	add := func(name, id string, result *cel.Type, of named, f func(ref.Val) ref.Val) {
		lib.overloads[name] = append(lib.overloads[name], method(id, takes(cel.ListType(of.typ)), result, cel.UnaryBinding(f)))
	}
	for _, t := range comparable {
		add("isSorted", "list_"+t.name+"_is_sorted_bool", cel.BoolType, t, isSorted)
		add("max", "list_"+t.name+"_max_"+t.name, t.typ, t, extreme("max", types.IntNegOne))
		add("min", "list_"+t.name+"_min_"+t.name, t.typ, t, extreme("min", types.IntOne))
		if t.zero != nil {
			add("sum", "list_"+t.name+"_sum_"+t.name, t.typ, t, sum(t.zero))
		}
	}
	item := cel.TypeParamType("A")
	lib.overloads["indexOf"] = []cel.FunctionOpt{
		method("list_a_index_of_int", takes(cel.ListType(item), item), cel.IntType, cel.BinaryBinding(indexOf))}
	lib.overloads["lastIndexOf"] = []cel.FunctionOpt{
		method("list_a_last_index_of_int", takes(cel.ListType(item), item), cel.IntType, cel.BinaryBinding(lastIndexOf))}
	return cel.Lib(lib)
}

// Includes is whether a list has an item, or a value that is no list is equal to it.
func Includes() cel.EnvOption {
	return cel.Function("includes", method("list_includes_dyn_dyn", takes(cel.DynType, cel.DynType), cel.BoolType, cel.BinaryBinding(includes)))
}

func includes(target, item ref.Val) ref.Val {
	if _, isList := target.(traits.Lister); isList {
		return types.Bool(indexOf(target, item) != types.Int(-1))
	}
	return types.Bool(target.Equal(item) == types.True)
}

func isSorted(list ref.Val) ref.Val {
	iterable, ok := list.(traits.Iterable)
	if !ok {
		return types.MaybeNoSuchOverloadErr(list)
	}
	var before traits.Comparer
	for it := iterable.Iterator(); it.HasNext() == types.True; {
		next := it.Next()
		item, ok := next.(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(next)
		}
		if before != nil && before.Compare(next) == types.IntOne {
			return types.False
		}
		before = item
	}
	return types.True
}

func sum(zero ref.Val) func(ref.Val) ref.Val {
	return func(list ref.Val) ref.Val {
		iterable, ok := list.(traits.Iterable)
		if !ok {
			return types.MaybeNoSuchOverloadErr(list)
		}
		total := zero.(traits.Adder)
		for it := iterable.Iterator(); it.HasNext() == types.True; {
			next := it.Next()
			if _, ok := next.(traits.Adder); !ok {
				return types.MaybeNoSuchOverloadErr(next)
			}
			added := total.Add(next)
			if total, ok = added.(traits.Adder); !ok {
				return types.MaybeNoSuchOverloadErr(added)
			}
		}
		return total.(ref.Val)
	}
}

// extreme returns the item that compared to the best before it is worse than
// none: better is how the best compares to an item that takes its place.
func extreme(name string, better ref.Val) func(ref.Val) ref.Val {
	return func(list ref.Val) ref.Val {
		iterable, ok := list.(traits.Iterable)
		if !ok {
			return types.MaybeNoSuchOverloadErr(list)
		}
		var best traits.Comparer
		for it := iterable.Iterator(); it.HasNext() == types.True; {
			next := it.Next()
			item, ok := next.(traits.Comparer)
			if !ok {
				return types.MaybeNoSuchOverloadErr(next)
			}
			if best == nil || best.Compare(next) == better {
				best = item
			}
		}
		if best == nil {
			return types.NewErr("%s called on empty list", name)
		}
		return best.(ref.Val)
	}
}

func indexOf(list, item ref.Val) ref.Val {
	lister, ok := list.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(list)
	}
	size := lister.Size().(types.Int)
	for i := types.Int(0); i < size; i++ {
		if lister.Get(i).Equal(item) == types.True {
			return i
		}
	}
	return types.Int(-1)
}

func lastIndexOf(list, item ref.Val) ref.Val {
	lister, ok := list.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(list)
	}
	for i := lister.Size().(types.Int) - 1; i >= 0; i-- {
		if lister.Get(i).Equal(item) == types.True {
			return i
		}
	}
	return types.Int(-1)
}
