package library

import (
	"errors"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/format"
)

// Quantity has quantity, isQuantity, their comparison, sum and difference. Without copies
// a sum changes the first quantity if that has more digits than an integer: until 1.36
// they had them in common.
func Quantity(copies bool) cel.EnvOption {
	of := func(q *resource.Quantity) resource.Quantity { return *q }
	if copies {
		of = func(q *resource.Quantity) resource.Quantity { return q.DeepCopy() }
	}
	q := apiservercel.QuantityType
	return cel.Lib(&functions{name: "kubernetes.quantity", overloads: map[string][]cel.FunctionOpt{
		"quantity":   {overload("string_to_quantity", takes(cel.StringType), q, unary(toQuantity))},
		"isQuantity": {overload("is_quantity_string", takes(cel.StringType), cel.BoolType, unary(isQuantity))},
		"sign": {overload("quantity_sign", takes(q), cel.IntType,
			unary(func(q *resource.Quantity) ref.Val { return types.Int(q.Sign()) }))},
		"isGreaterThan": {method("quantity_is_greater_than", takes(q, q), cel.BoolType,
			binary(func(a, b *resource.Quantity) ref.Val { return types.Bool(a.Cmp(*b) == 1) }))},
		"isLessThan": {method("quantity_is_less_than", takes(q, q), cel.BoolType,
			binary(func(a, b *resource.Quantity) ref.Val { return types.Bool(a.Cmp(*b) == -1) }))},
		"compareTo": {method("quantity_compare_to", takes(q, q), cel.IntType,
			binary(func(a, b *resource.Quantity) ref.Val { return types.Int(a.Cmp(*b)) }))},
		"asApproximateFloat": {method("quantity_get_float", takes(q), cel.DoubleType,
			unary(func(q *resource.Quantity) ref.Val { return types.Double(q.AsApproximateFloat64()) }))},
		"asInteger": {method("quantity_get_int", takes(q), cel.IntType, unary(asInteger))},
		"isInteger": {method("quantity_is_integer", takes(q), cel.BoolType, unary(isInteger))},
		"add": {
			method("quantity_add", takes(q, q), q, binary(func(a, b *resource.Quantity) ref.Val { return add(of(a), *b) })),
			method("quantity_add_int", takes(q, cel.IntType), q,
				binary(func(a *resource.Quantity, b int64) ref.Val { return add(of(a), whole(b)) })),
		},
		"sub": {
			method("quantity_sub", takes(q, q), q, binary(func(a, b *resource.Quantity) ref.Val { return sub(of(a), *b) })),
			method("quantity_sub_int", takes(q, cel.IntType), q,
				binary(func(a *resource.Quantity, b int64) ref.Val { return sub(of(a), whole(b)) })),
		},
	}})
}

func toQuantity(s string) ref.Val {
	q, err := format.Quantity(s)
	if err != nil {
		return types.WrapErr(err)
	}
	return apiservercel.Quantity{Quantity: &q}
}

func isQuantity(s string) ref.Val {
	_, err := format.Quantity(s)
	return types.Bool(err == nil)
}

func asInteger(q *resource.Quantity) ref.Val {
	n, ok := q.AsInt64()
	if !ok {
		return types.WrapErr(errors.New("cannot convert value to integer"))
	}
	return types.Int(n)
}

func isInteger(q *resource.Quantity) ref.Val {
	_, ok := q.AsInt64()
	return types.Bool(ok)
}

func whole(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalExponent) }

func add(a, b resource.Quantity) ref.Val {
	a.Add(b)
	return &apiservercel.Quantity{Quantity: &a}
}

func sub(a, b resource.Quantity) ref.Val {
	a.Sub(b)
	return &apiservercel.Quantity{Quantity: &a}
}
