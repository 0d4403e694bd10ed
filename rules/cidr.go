package rules

import (
	"net/netip"
	"slices"
)

// wider lists the address ranges of now that none of before holds. No range at all
// stands for every address, as in loadBalancerSourceRanges.
func wider(before, now []any) (list []string) {
	switch {
	case len(before) == 0:
		return nil // every address was let in
	case len(now) == 0:
		return []string{"every address"}
	}
	for _, x := range now {
		text, _ := x.(string)
		if !slices.ContainsFunc(before, func(y any) bool {
			held, _ := y.(string)
			return x == y || holdsRange(held, text)
		}) {
			list = append(list, text)
		}
	}
	return list
}

// holdsRange reports whether all addresses of the inner range are in the outer.
func holdsRange(outer, inner string) bool {
	x, err := netip.ParsePrefix(outer)
	y, err2 := netip.ParsePrefix(inner)
	return err == nil && err2 == nil && x.Bits() <= y.Bits() && x.Masked().Contains(y.Addr())
}
