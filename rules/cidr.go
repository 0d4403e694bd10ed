package rules

import (
	"fmt"
	"iter"
	"net/netip"
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
	held := rangesOf(before)
	for _, x := range now {
		if text := fmt.Sprint(x); !held.hold(text) {
			list = append(list, text)
		}
	}
	return list
}

// ranges are address ranges by themselves, and by their texts.
type ranges map[any]bool

func rangesOf(list []any) ranges {
	of := ranges{}
	for _, x := range list {
		text := fmt.Sprint(x)
		of[text] = true
		if p, err := netip.ParsePrefix(text); err == nil {
			of[p.Masked()] = true
		}
	}
	return of
}

// hold reports whether all addresses of a range are in one of the ranges.
func (r ranges) hold(text string) bool {
	if r[text] {
		return true
	}
	for outer := range around(text) {
		if r[outer] {
			return true
		}
	}
	return false
}

// around yields the ranges that an address range is in, with itself.
func around(text string) iter.Seq[netip.Prefix] {
	return func(yield func(netip.Prefix) bool) {
		p, err := netip.ParsePrefix(text)
		for bits := p.Bits(); err == nil && bits >= 0; bits-- {
			outer, err := p.Addr().Prefix(bits)
			if err != nil || !yield(outer) {
				return
			}
		}
	}
}
