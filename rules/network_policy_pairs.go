package rules

import (
	"fmt"
	"net/netip"
	"slices"

	"threeway/merge/tree"
)

// allowed are the rules of a policy before the apply for one direction, by the peers and
// the ports that they let through.
type allowed struct {
	field        string
	peers, ports *holders
}

func newAllowed(rules []any, field string) *allowed {
	return &allowed{field, newHolders(rules, field, peerHolds, peerKey, peerKeys), newHolders(rules, "ports", portHolds, portKey, portKeys)}
}

// newly are the peers and ports of a rule in pairs that none of the rules before lets
// through.
func (a *allowed) newly(rule any) (peers, ports []string) {
	nowPorts := orAll(tree.List(rule, "ports"))
	alike := map[*held][]int{} // ports that the same rules let through
	by := map[int][]*held{}    // those, by rule
	unsaid := make([]int, len(nowPorts))
	for i, port := range nowPorts {
		h := a.ports.of(port)
		if alike[h] == nil {
			for _, r := range h.rules {
				by[r] = append(by[r], h)
			}
		}
		alike[h], unsaid[i] = append(alike[h], i), i
	}
	listed := map[string]bool{}
	once := func(list []string, what, text string) []string {
		if text == "" || listed[what+text] {
			return list
		}
		listed[what+text] = true
		return append(list, text)
	}
	open := map[*held]bool{} // peers that the same rules let through are let through at the same ports
	for _, peer := range orAll(tree.List(rule, a.field)) {
		h := a.peers.of(peer)
		isOpen, seen := open[h]
		if !seen {
			let := map[int]bool{}
			for _, r := range h.rules {
				for _, same := range by[r] {
					if !let[alike[same][0]] {
						for _, i := range alike[same] {
							let[i] = true
						}
					}
				}
				if len(let) == len(nowPorts) {
					break
				}
			}
			isOpen = len(let) < len(nowPorts)
			open[h] = isOpen
			if isOpen {
				unsaid = slices.DeleteFunc(unsaid, func(i int) bool {
					if !let[i] {
						ports = once(ports, "port ", portText(nowPorts[i]))
					}
					return !let[i]
				})
			}
		}
		if isOpen {
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

// holders are the peers or ports in the rules of a policy. What holds an item has a key
// that is among the item's keys.
type holders struct {
	holds func(outer, inner any) bool
	keys  func(any) []string
	all   *held // rules with an empty list, which hold all; only they hold nil
	by    map[string][]*held
	items map[string]*held // what was asked for
	unite map[string]*held // by the numbers of those that hold an item
}

// held is a peer or port, and the rules that have it, ascending.
type held struct {
	number int
	item   any
	rules  []int
}

func newHolders(rules []any, field string, holds func(outer, inner any) bool, key func(any, map[string]int) string, keys func(any) []string) *holders {
	h := &holders{holds, keys, &held{}, map[string][]*held{}, map[string]*held{}, map[string]*held{}}
	shared := map[string]int{} // how many have a key
	different := map[string]*held{}
	var order []*held
	for r, rule := range rules {
		list := tree.List(rule, field)
		if len(list) == 0 {
			h.all.rules = append(h.all.rules, r)
		}
		for _, item := range list {
			text := fmt.Sprintf("%#v", item)
			if different[text] == nil {
				different[text] = &held{number: len(order) + 1, item: item}
				order = append(order, different[text])
				for _, k := range keys(item) {
					shared[k]++
				}
			}
			if one := different[text]; len(one.rules) == 0 || one.rules[len(one.rules)-1] != r {
				one.rules = append(one.rules, r)
			}
		}
	}
	for _, one := range order {
		k := key(one.item, shared)
		h.by[k] = append(h.by[k], one)
	}
	return h
}

// of are the rules that hold an item: the same ones for items that the same ones hold.
func (h *holders) of(item any) *held {
	if item == nil {
		return h.all
	}
	text := fmt.Sprintf("%#v", item)
	if h.items[text] != nil {
		return h.items[text]
	}
	numbers, parts := []int{0}, []*held{h.all}
	for _, k := range h.keys(item) {
		for _, one := range h.by[k] {
			if h.holds(one.item, item) {
				numbers, parts = append(numbers, one.number), append(parts, one)
			}
		}
	}
	slices.Sort(numbers)
	which := fmt.Sprint(numbers)
	if h.unite[which] == nil {
		var rules []int
		for _, one := range parts {
			rules = append(rules, one.rules...)
		}
		slices.Sort(rules)
		h.unite[which] = &held{rules: slices.Compact(rules)}
	}
	h.items[text] = h.unite[which]
	return h.items[text]
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
