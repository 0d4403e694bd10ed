package rules

import (
	"fmt"
	"net/netip"
	"slices"

	"threeway/merge/tree"
)

// newlyAllowed are the peers and ports of a rule in pairs that none of the rules
// before lets through.
func newlyAllowed(before []any, rule any, field string) (peers, ports []string) {
	nowPeers, nowPorts := orAll(tree.List(rule, field)), orAll(tree.List(rule, "ports"))
	peersBy := holders(before, field, nowPeers, peerHolds, peerKey, peerKeys)
	portsBy := holders(before, "ports", nowPorts, portHolds, portKey, portKeys)
	listed := map[string]bool{}
	once := func(list []string, what, text string) []string {
		if listed[what+text] {
			return list
		}
		listed[what+text] = true
		return append(list, text)
	}
	open := map[string]bool{} // peers held by the same rules are let through at the same ports
	for i, peer := range nowPeers {
		key := fmt.Sprint(peersBy[i])
		isOpen, seen := open[key]
		for j := 0; j < len(nowPorts) && !seen; j++ {
			if meet(peersBy[i], portsBy[j]) {
				continue
			}
			isOpen = true
			if text := portText(nowPorts[j]); text != "" {
				ports = once(ports, "port ", text)
			}
		}
		if open[key] = isOpen; isOpen {
			peers = once(peers, "peer ", peerText(peer))
		}
	}
	return peers, ports
}

// orAll is a list of peers or ports, or nil, which stands for all, if it is empty.
func orAll(list []any) []any {
	if len(list) == 0 {
		return []any{nil}
	}
	return list
}

// meet reports whether two ascending lists have a number in common.
func meet(a, b []int) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// holders are, for each peer or port, the rules whose list in a field holds it; an empty
// list holds all, and only that holds nil. What holds an item has a key that is among the
// item's keys.
func holders(rules []any, field string, items []any, holds func(outer, inner any) bool, key func(any, map[string]int) string, keys func(any) []string) [][]int {
	by := make([][]int, len(items))
	for r, rule := range rules {
		list := tree.List(rule, field)
		shared := map[string]int{} // how many have a key
		for _, outer := range list {
			for _, k := range keys(outer) {
				shared[k]++
			}
		}
		having := map[string][]any{}
		for _, outer := range list {
			k := key(outer, shared)
			having[k] = append(having[k], outer)
		}
		for i, item := range items {
			held := len(list) == 0
			if item != nil && !held {
				held = slices.ContainsFunc(keys(item), func(k string) bool {
					return slices.ContainsFunc(having[k], func(outer any) bool { return holds(outer, item) })
				})
			}
			if held {
				by[i] = append(by[i], r)
			}
		}
	}
	return by
}

// peerKey is the address range of a peer, or else the rarest of its labels: a peer that it
// holds is in the range, or has the label.
func peerKey(peer any, shared map[string]int) string {
	if cidr := tree.String(peer, "ipBlock", "cidr"); cidr != "" {
		if p, err := netip.ParsePrefix(cidr); err == nil {
			return p.Masked().String()
		}
	}
	keys := peerKeys(peer)
	return slices.MinFunc(keys, func(a, b string) int {
		if a == "" || b == "" { // what has no labels
			return len(b) - len(a)
		}
		return shared[a] - shared[b]
	})
}

// peerKeys are the labels of a peer, all ranges that its address range is in, and "".
func peerKeys(peer any) (keys []string) {
	for _, field := range []string{"podSelector", "namespaceSelector"} {
		for key, value := range tree.Map(peer, field, "matchLabels") {
			keys = append(keys, fmt.Sprint(field, " ", key, "=", value))
		}
	}
	slices.Sort(keys)
	if p, err := netip.ParsePrefix(tree.String(peer, "ipBlock", "cidr")); err == nil {
		for bits := range p.Bits() + 1 {
			if outer, err := p.Addr().Prefix(bits); err == nil {
				keys = append(keys, outer.String())
			}
		}
	}
	return append(keys, "")
}

// portKey is the number or name of a port; "" for a range, and for a protocol.
func portKey(port any, _ map[string]int) string {
	v, ok := tree.Get(port, "port")
	if _, isRange := tree.Int(port, "endPort"); !ok || v == nil || isRange {
		return ""
	}
	return fmt.Sprint(tree.String(port, "protocol"), " ", v)
}

// portKeys are those of the ports that may hold a port.
func portKeys(port any) []string {
	v, _ := tree.Get(port, "port")
	if p := tree.String(port, "protocol"); p != "" && p != "TCP" {
		return []string{fmt.Sprint(p, " ", v), ""}
	}
	return []string{fmt.Sprint(" ", v), fmt.Sprint("TCP ", v), ""}
}
