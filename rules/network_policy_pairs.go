package rules

import (
	"fmt"
	"iter"
	"maps"
	"net/netip"
	"slices"

	"threeway/merge/impact"
	"threeway/merge/tree"
)

// mostCompared are how many peers and ports of a policy are compared, for a direction: an
// index leaves few, so only what overlaps by the thousand takes more.
const mostCompared = 1_000_000

// allowed are the rules of a policy before the apply for one direction, by the peers and
// the ports that they let through.
type allowed struct {
	field        string
	peers, ports *holders
}

func newAllowed(rules []any, field string) *allowed {
	return &allowed{field, newHolders(rules, field, peerHolds, peerKey, peerKeys), newHolders(rules, "ports", portHolds, portKey, portKeys)}
}

// tooMany reports whether peers or ports were too many to compare them all.
func (a *allowed) tooMany() bool { return max(a.peers.compared, a.ports.compared) > mostCompared }

// newly are the peers and ports of a rule in pairs that none of the rules before lets
// through.
func (a *allowed) newly(rule any) (peers, ports []string) {
	if a.peers.all.meets(a.ports.all) {
		return nil, nil
	}
	nowPorts := orAll(tree.List(rule, "ports"))
	alike := map[*held][]int{} // ports that the same rules let through, for some peers only
	by := map[int][]*held{}    // those, by rule
	var unsaid []int
	for i, port := range nowPorts {
		h := a.ports.of(port)
		if h.meets(a.peers.all) {
			continue
		}
		if alike[h] == nil {
			for _, r := range h.rules {
				by[r] = append(by[r], h)
			}
		}
		alike[h], unsaid = append(alike[h], i), append(unsaid, i)
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
			let := map[*held]bool{}
			for r := range h.among(by) {
				for _, same := range by[r] {
					let[same] = true
				}
				if len(let) == len(alike) {
					break
				}
			}
			isOpen = len(let) < len(alike) && !h.meets(a.ports.all)
			open[h] = isOpen
			if isOpen {
				unsaid = slices.DeleteFunc(unsaid, func(i int) bool {
					if let[a.ports.of(nowPorts[i])] {
						return false
					}
					ports = once(ports, "port ", portText(nowPorts[i]))
					return true
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
	holds    func(inner any, compared *int) func(outer any) bool
	keys     func(any) []string
	all      *held // rules with an empty list, which hold all; only they hold nil
	by       map[string][]*held
	items    map[string]*held // what was asked for
	unite    map[string]*held // by their rules
	compared int
}

// held is a peer or port, and the rules that have it, ascending.
type held struct {
	item  any
	rules []int
}

func newHolders(rules []any, field string, holds func(any, *int) func(any) bool, key func(any, map[string]int) string, keys func(any) []string) *holders {
	h := &holders{holds: holds, keys: keys, all: &held{}, by: map[string][]*held{}, items: map[string]*held{"<nil>": {}}, unite: map[string]*held{}}
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
				different[text] = &held{item: item}
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

// of are the rules with an item that holds another: the same held for the same rules.
func (h *holders) of(item any) *held {
	text := fmt.Sprintf("%#v", item)
	if h.items[text] != nil {
		return h.items[text]
	}
	var rules []int
	holds := h.holds(item, &h.compared)
	for _, k := range h.keys(item) {
		for _, one := range h.by[k] {
			if h.compared++; h.compared > mostCompared {
				break
			}
			if holds(one.item) {
				rules = append(rules, one.rules...)
				h.compared += len(one.rules)
			}
		}
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	which := fmt.Sprint(rules)
	if h.unite[which] == nil {
		h.unite[which] = &held{rules: rules}
	}
	h.items[text] = h.unite[which]
	return h.items[text]
}

// meets reports whether two have a rule in common.
func (h *held) meets(other *held) bool {
	few, many := h.rules, other.rules
	if len(few) > len(many) {
		few, many = many, few
	}
	return slices.ContainsFunc(few, func(r int) bool {
		_, in := slices.BinarySearch(many, r)
		return in
	})
}

// among yields the rules that are keys of a map too.
func (h *held) among(by map[int][]*held) iter.Seq[int] {
	if len(h.rules) <= len(by) {
		return slices.Values(h.rules)
	}
	return func(yield func(int) bool) {
		for r := range maps.Keys(by) {
			if _, in := slices.BinarySearch(h.rules, r); in && !yield(r) {
				return
			}
		}
	}
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

// peerKeys are the labels that a peer asks for and their keys, all ranges that its address
// range is in, and "".
func peerKeys(peer any) (keys []string) {
	for _, field := range []string{"podSelector", "namespaceSelector"} {
		selects, _ := impact.Selector(tree.Map(peer, field))
		for _, r := range selects {
			if keys = append(keys, field+" "+r.Key); r.Op == "in" && len(r.Values) == 1 {
				keys = append(keys, field+" "+r.Key+"="+r.Values[0])
			}
		}
	}
	slices.Sort(keys)
	for outer := range around(tree.String(peer, "ipBlock", "cidr")) {
		keys = append(keys, outer.String())
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
