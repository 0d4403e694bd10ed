package library

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Cost tells what calls cost, in the units of CEL: the actual cost of a call
// (interpreter.ActualCostEstimator), and before there are values the estimated
// one (checker.CostEstimator), which decides which rules a definition may have.
//
// Source: k8s.io/apiserver/pkg/cel/library/cost.go.
type Cost struct {
	// Sizes says how large a value can be that is no literal; nil if anything
	// can have any size.
	Sizes checker.CostEstimator
}

// fixed are the functions that cost the same whatever they are called with.
var fixed = map[string]uint64{
	// An authorizer's answer is so dear that an expression can ask twice.
	"check":          350000,
	"serviceAccount": 1, "path": 1, "group": 1, "resource": 1, "subresource": 1, "namespace": 1, "name": 1,
	"allowed": 1, "reason": 1, "error": 1, "errored": 1,

	"masked": 1, "prefixLength": 1, "family": 1, "isUnspecified": 1, "isLoopback": 1,
	"isLinkLocalMulticast": 1, "isLinkLocalUnicast": 1, "isGlobalUnicast": 1,

	"sign": 1, "asInteger": 1, "isInteger": 1, "asApproximateFloat": 1, "isGreaterThan": 1, "isLessThan": 1,
	"compareTo": 1, "add": 1, "sub": 1, "major": 1, "minor": 1, "patch": 1,

	"getScheme": 1, "getHostname": 1, "getHost": 1, "getPort": 1, "getEscapedPath": 1, "getQuery": 1,

	"format.named": 1,
}

// read are the functions that read their first argument, and how often.
var read = map[string]float64{
	"url": 1, "lowerAscii": 1, "upperAscii": 1, "substring": 1, "trim": 1, "jsonpatch.escapeKey": 1,
	"replace": 2, "split": 2,
	"cidr": 1, "isIP": 1, "isCIDR": 1, "ip.isCanonical": 2,
	"quantity": 1, "isQuantity": 1, "semver": 1, "isSemver": 1,
}

// CallCost is what a call has cost; nil leaves it to CEL.
func (*Cost) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if cost, ok := fixed[function]; ok {
		return &cost
	}
	if times, ok := read[function]; ok && len(args) >= 1 {
		return traversed(size(args[0]), times)
	}
	switch function {
	case "fieldSelector", "labelSelector":
		if len(args) >= 2 {
			n := size(args[1])
			cost := selectorCost(checker.SizeEstimate{Min: n, Max: n}).Max
			return &cost
		}
	case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes":
		cost := uint64(0)
		if len(args) > 0 {
			cost = walk(args[0])
		}
		return &cost
	case "join":
		if len(args) >= 1 {
			return traversed(size(result), 2)
		}
	case "find", "findAll":
		if len(args) >= 2 {
			return matched(size(args[0]), float64(size(args[1])))
		}
	case "ip":
		if len(args) >= 1 {
			if overload == "cidr_ip" {
				cost := uint64(1)
				return &cost
			}
			return traversed(size(args[0]), 1)
		}
	case "containsIP", "containsCIDR":
		if len(args) >= 2 {
			return contained(function, overload, size(args[0]), size(args[1]))
		}
	case "validate":
		if len(args) >= 2 {
			if f, ok := args[0].Value().(apiservercel.Format); ok {
				return matched(size(args[1]), float64(f.MaxRegexSize))
			}
		}
	case "_==_":
		if len(args) == 2 && isOfKubernetes(args[0]) {
			cost := uint64(1)
			return &cost
		}
	}
	return nil
}

// traversed is the cost of reading a text of the size that many times.
func traversed(size uint64, times float64) *uint64 {
	cost := uint64(math.Ceil(float64(size) * times * common.StringTraversalCostFactor))
	return &cost
}

// matched is the cost of a regular expression on a text, which is read even if
// it is empty.
func matched(size uint64, pattern float64) *uint64 {
	text := uint64(math.Ceil((1.0 + float64(size)) * common.StringTraversalCostFactor))
	cost := text * uint64(math.Ceil(pattern*common.RegexStringLengthCostFactor))
	return &cost
}

// contained is the cost of looking for an address or a range in a range.
func contained(function, overload string, outer, inner uint64) *uint64 {
	cost := *traversed(outer+outer, 1)
	if function == "containsCIDR" {
		cost += *traversed(outer, 1) + 1
	}
	if overload == "cidr_contains_ip_string" || overload == "cidr_contains_cidr_string" {
		cost += *traversed(inner, 1)
	}
	return &cost
}

// isOfKubernetes reports whether a value is of a type that Kubernetes adds;
// comparing two of them costs 1.
func isOfKubernetes(v ref.Val) bool {
	switch v.(type) {
	case *apiservercel.Quantity, apiservercel.Quantity, *apiservercel.IP, apiservercel.IP,
		*apiservercel.CIDR, apiservercel.CIDR, *apiservercel.Format, apiservercel.Format,
		*apiservercel.URL, apiservercel.URL, *apiservercel.Semver, apiservercel.Semver:
		return true
	}
	return false
}

// size is the size of a text, list or map, of an address in bytes; 1 for
// anything else.
func size(v ref.Val) uint64 {
	if sized, ok := v.(traits.Sizer); ok {
		return uint64(sized.Size().(types.Int))
	}
	return 1
}

// walk is the cost of reading all of a value.
func walk(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(float64(len(string(v))) * common.StringTraversalCostFactor)
	case types.Bytes:
		return uint64(float64(len([]byte(v))) * common.StringTraversalCostFactor)
	case traits.Lister:
		cost := uint64(0)
		for it := v.Iterator(); it.HasNext() == types.True; {
			cost += walk(it.Next())
		}
		return cost
	case traits.Mapper:
		cost := uint64(0)
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next() // nil for a field that the schema does not know
			cost += walk(key) + walk(v.Get(key))
		}
		return cost
	}
	return 1
}
