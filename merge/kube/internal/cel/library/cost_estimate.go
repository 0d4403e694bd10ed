package library

import (
	"math"
	"slices"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// EstimateCallCost is what a call can cost; nil leaves it to CEL. It counts
// what the server counts, also where that is not what the call will cost:
// which rules a definition may have depends on it.
func (c *Cost) EstimateCallCost(function, overload string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	if cost, ok := fixed[function]; ok {
		return costs(checker.FixedCostEstimate(cost))
	}
	switch function {
	case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf":
		if target != nil {
			return costs(c.search(*target))
		}
	case "includes":
		if target != nil && element(*target) != nil {
			return costs(c.search(*target))
		} else if target != nil {
			return costs(c.size(*target).MultiplyByCost(checker.FixedCostEstimate(1)))
		}
	case "lowerAscii", "upperAscii", "substring", "trim":
		if target != nil {
			n := c.size(*target)
			return &checker.CallEstimate{CostEstimate: traversal(n, 1), ResultSize: &n}
		}
	case "replace":
		if target != nil && len(args) >= 2 {
			n := c.size(*target)
			result := replaced(n, c.size(args[0]), c.size(args[1]))
			return &checker.CallEstimate{CostEstimate: traversal(n, 2), ResultSize: &result}
		}
	case "split":
		if target != nil {
			n := c.size(*target)
			return &checker.CallEstimate{CostEstimate: traversal(n, 2), ResultSize: &checker.SizeEstimate{Max: parts(n, args)}}
		}
	case "join":
		if target != nil {
			n := c.joined(*target, args)
			return &checker.CallEstimate{CostEstimate: traversal(n, 1), ResultSize: &n}
		}
	case "find", "findAll":
		if target != nil && len(args) >= 1 {
			n := c.size(*target)
			text := traversal(n.Add(checker.FixedSizeEstimate(1)), 1)
			pattern := c.size(args[0]).MultiplyByCostFactor(common.RegexStringLengthCostFactor)
			// At worst each character is a result.
			return &checker.CallEstimate{CostEstimate: text.Multiply(pattern), ResultSize: &checker.SizeEstimate{Max: n.Max}}
		}
	default:
		return c.ofArguments(function, overload, args)
	}
	return nil
}

// ofArguments estimates calls that cost by their arguments alone.
func (c *Cost) ofArguments(function, overload string, args []checker.AstNode) *checker.CallEstimate {
	if function == "_==_" {
		return equality(args)
	}
	if overload == "cidr_ip" {
		return costs(checker.FixedCostEstimate(1))
	}
	if len(args) == 0 {
		return nil
	}
	switch function {
	case "fieldSelector", "labelSelector":
		if len(args) == 1 {
			return costs(selectorCost(c.size(args[0])))
		}
	case "url", "jsonpatch.escapeKey":
		if len(args) == 1 {
			n := c.size(args[0])
			return &checker.CallEstimate{CostEstimate: traversal(n, 1), ResultSize: &n}
		}
	case "cidr", "isIP", "isCIDR", "ip.isCanonical", "quantity", "isQuantity", "semver", "isSemver":
		return costs(traversal(c.size(args[0]), read[function]))
	case "ip":
		return costs(traversal(c.size(args[0]), 1))
	case "containsIP", "containsCIDR":
		address := checker.SizeEstimate{Min: 4, Max: 16} // of 4 or 6
		cost := traversal(address.Add(address), 1)
		if function == "containsCIDR" {
			cost = cost.Add(traversal(address, 1)).Add(checker.FixedCostEstimate(1))
		}
		if overload == "cidr_contains_ip_string" || overload == "cidr_contains_cidr_string" {
			cost = cost.Add(traversal(c.size(args[0]), 1))
		}
		return costs(cost)
	case "validate":
		return costs(traversal(c.size(args[0]), 1).MultiplyByCostFactor(apiservercel.MaxNameFormatRegexSize * common.RegexStringLengthCostFactor))
	}
	return nil
}

func costs(cost checker.CostEstimate) *checker.CallEstimate {
	return &checker.CallEstimate{CostEstimate: cost}
}

func traversal(size checker.SizeEstimate, times float64) checker.CostEstimate {
	return size.MultiplyByCostFactor(times * common.StringTraversalCostFactor)
}

// selectorCost is that of reading a selector of the length: a requirement of
// two characters, a struct and a list of values.
func selectorCost(length checker.SizeEstimate) checker.CostEstimate {
	requirements := length.MultiplyByCostFactor(.5).MultiplyByCostFactor(common.ListCreateBaseCost + common.StructCreateBaseCost)
	return checker.FixedCostEstimate(common.ListCreateBaseCost).Add(traversal(length, 1)).Add(requirements)
}

// search compares each item of a list, or reads a text.
func (c *Cost) search(target checker.AstNode) checker.CostEstimate {
	item := element(target)
	if item == nil {
		return traversal(c.size(target), 1)
	}
	each := checker.FixedCostEstimate(1)
	if kind := item.Type().Kind(); kind == types.StringKind || kind == types.BytesKind {
		each = each.Add(traversal(c.size(item), 1))
	}
	return c.size(target).MultiplyByCost(each)
}

// replaced is the size of a text in which a part is replaced wherever it is. An
// empty part is found around each character.
func replaced(text, part, by checker.SizeEstimate) checker.SizeEstimate {
	var times, kept checker.SizeEstimate
	times.Max, kept.Max = parted(text.Max, part.Min, by.Max <= part.Min)
	times.Min, kept.Min = parted(text.Min, part.Max, part.Max <= by.Min)
	return times.Multiply(by).Add(kept)
}

// parted is how often a part of a size is in a text, and what the text has besides.
func parted(text, part uint64, shorter bool) (times, kept uint64) {
	switch {
	case part == 0 && text < math.MaxUint64:
		return text + 1, text
	case part == 0:
		return text, text
	case shorter:
		return 0, text
	}
	return uint64(math.Ceil(float64(text) / float64(part))), 0
}

// parts is how many parts a text can be split into: one for each character
// unless the call says how many.
func parts(text checker.SizeEstimate, args []checker.AstNode) uint64 {
	if len(args) > 1 {
		if v := args[1].Expr().AsLiteral(); v != nil {
			if n, ok := v.Value().(int64); ok {
				return uint64(n)
			}
		}
	}
	return text.Max
}

// joined is the size of the items of a list with separators between them.
func (c *Cost) joined(list checker.AstNode, args []checker.AstNode) checker.SizeEstimate {
	var n checker.SizeEstimate
	items := c.size(list)
	if item := element(list); item != nil {
		n = items.Multiply(c.size(item))
	}
	if len(args) > 0 {
		var separators checker.SizeEstimate
		if items.Min > 0 {
			separators.Min = items.Min - 1
		}
		if items.Max > 0 {
			separators.Max = items.Max - 1
		}
		n = n.Add(c.size(args[0]).Multiply(separators))
	}
	return n
}

// equality estimates what it costs to compare two values of a type that
// Kubernetes adds.
func equality(args []checker.AstNode) *checker.CallEstimate {
	if len(args) != 2 || args[0].Type().Equal(args[1].Type()) != types.True {
		return nil
	}
	typ := args[0].Type()
	if typ.Kind() == types.OpaqueKind {
		if name := typ.TypeName(); name == apiservercel.IPType.TypeName() || name == apiservercel.CIDRType.TypeName() {
			return costs(checker.FixedCostEstimate(1))
		}
	}
	if typ.Kind() != types.StructKind {
		return nil
	}
	switch typ {
	case apiservercel.QuantityType, AuthorizerType, PathCheckType, GroupCheckType, ResourceCheckType, DecisionType, apiservercel.SemverType:
		return costs(checker.FixedCostEstimate(1))
	case apiservercel.FormatType:
		return costs(once(checker.CostEstimate{Min: 1, Max: apiservercel.MaxFormatSize}))
	case apiservercel.URLType:
		largest := uint64(1)
		if n := args[1].ComputedSize(); n != nil {
			largest = n.Max // of the right side alone, so upstream
		}
		return costs(once(checker.CostEstimate{Min: 1, Max: largest}))
	}
	return nil
}

func once(cost checker.CostEstimate) checker.CostEstimate {
	return cost.MultiplyByCostFactor(common.StringTraversalCostFactor)
}

func (c *Cost) size(node checker.AstNode) checker.SizeEstimate {
	if n := node.ComputedSize(); n != nil {
		return *n
	}
	if n := c.EstimateSize(node); n != nil {
		return *n
	}
	return checker.UnknownSizeEstimate()
}

// EstimateSize is how large a value can be; nil if nothing is known.
func (c *Cost) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if c.Sizes == nil {
		return nil
	}
	return c.Sizes.EstimateSize(node)
}

// element is any item of a list, with its path if the list has one; nil if the
// node is no list.
func element(list checker.AstNode) checker.AstNode {
	params := list.Type().Parameters()
	if len(params) == 0 {
		return nil
	}
	node := &itemNode{typ: params[0]}
	if path := list.Path(); path != nil {
		node.path = append(slices.Clip(path), "@items")
	}
	return node
}

// itemNode stands for the items of a list.
type itemNode struct {
	path []string
	typ  *types.Type
}

// Path, Type, Expr and ComputedSize are those of checker.AstNode.
func (n *itemNode) Path() []string                      { return n.path }
func (n *itemNode) Type() *types.Type                   { return n.typ }
func (n *itemNode) Expr() ast.Expr                      { return nil }
func (n *itemNode) ComputedSize() *checker.SizeEstimate { return nil }
