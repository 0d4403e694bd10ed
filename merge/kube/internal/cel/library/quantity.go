package library

import (
	"maps"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// QuantityUntil36 is Quantity before 1.37: a sum changes the first quantity if that has
// more digits than an integer, because both have the digits in common.
func QuantityUntil36() cel.EnvOption {
	overloads := maps.Clone(quantityLibraryDecls)
	q := apiservercel.QuantityType
	for name, compute := range map[string]func(a *resource.Quantity, b resource.Quantity){
		"add": (*resource.Quantity).Add, "sub": (*resource.Quantity).Sub,
	} {
		binding := cel.BinaryBinding(func(of, with ref.Val) ref.Val {
			a := *of.Value().(*resource.Quantity)
			if n, ok := with.Value().(int64); ok {
				compute(&a, *resource.NewQuantity(n, resource.DecimalExponent))
			} else {
				compute(&a, *with.Value().(*resource.Quantity))
			}
			return &apiservercel.Quantity{Quantity: &a}
		})
		overloads[name] = []cel.FunctionOpt{
			method("quantity_"+name, takes(q, q), q, binding), method("quantity_"+name+"_int", takes(q, cel.IntType), q, binding),
		}
	}
	return cel.Lib(&library{name: "kubernetes.quantity", overloads: overloads})
}
