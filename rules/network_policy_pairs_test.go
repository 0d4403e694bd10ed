package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"threeway/merge/impact/setting"
	"threeway/merge/tree"
)

// pairwise is what newly answers, by comparing each peer and port of a rule with each of
// the rules before.
func pairwise(before []any, rule any, field string) (peers, ports []string) {
	holdsOne := func(list []any, one any, holds func(outer, inner any) bool) bool {
		return len(list) == 0 || one != nil && slices.ContainsFunc(list, func(x any) bool { return holds(x, one) })
	}
	for _, peer := range orAll(tree.List(rule, field)) {
		for _, port := range orAll(tree.List(rule, "ports")) {
			if slices.ContainsFunc(before, func(b any) bool {
				return holdsOne(tree.List(b, field), peer, peerWithin) && holdsOne(tree.List(b, "ports"), port, setting.HoldsPort)
			}) {
				continue
			}
			if text := peerText(peer); !slices.Contains(peers, text) {
				peers = append(peers, text)
			}
			if text := portText(port); text != "" && !slices.Contains(ports, text) {
				ports = append(ports, text)
			}
		}
	}
	return peers, ports
}

func peerWithin(outer, inner any) bool {
	a, b := tree.String(outer, "ipBlock", "cidr"), tree.String(inner, "ipBlock", "cidr")
	if a != "" && b != "" {
		within := setting.HoldsRange(a, b)
		for _, except := range tree.List(outer, "ipBlock", "except") {
			gap := fmt.Sprint(except)
			apart := !setting.HoldsRange(gap, b) && !setting.HoldsRange(b, gap)
			within = within && (apart || slices.ContainsFunc(tree.List(inner, "ipBlock", "except"), func(x any) bool {
				return setting.HoldsRange(fmt.Sprint(x), gap)
			}))
		}
		return within
	}
	x, hasX := tree.Get(outer, "namespaceSelector")
	y, hasY := tree.Get(inner, "namespaceSelector")
	if !narrower(tree.Map(outer, "podSelector"), tree.Map(inner, "podSelector")) { // a peer without one selects all pods
		return false
	}
	if everywhere := hasX && len(tree.Map(x)) == 0; !everywhere && (hasX != hasY || !narrower(tree.Map(x), tree.Map(y))) {
		return false
	}
	return a == b
}

// randomPolicy makes rules of peers and ports that often hold each other.
type randomPolicy struct{ *rand.Rand }

func (r randomPolicy) one(of ...any) any { return of[r.IntN(len(of))] }

func (r randomPolicy) some(most int, make func() any) (list []any) {
	for range r.IntN(most + 1) {
		list = append(list, make())
	}
	return list
}

func (r randomPolicy) selector() any {
	s := tree.Object{}
	for _, key := range []string{"a", "b"} {
		if r.IntN(2) == 0 {
			tree.Set(s, r.one("x", "y"), "matchLabels", key)
		}
	}
	if r.IntN(4) == 0 {
		s["matchExpressions"] = []any{tree.Object{"key": "c", "operator": r.one("Exists", "DoesNotExist")}}
	}
	return s
}

func (r randomPolicy) peer() any {
	switch r.IntN(4) {
	case 0:
		block := tree.Object{"cidr": r.one("0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.0/24", "10.1.2.3/32", "::/0", "fd00::/8", "fd00:1::/32")}
		if except := r.some(2, func() any { return r.one("10.1.0.0/16", "10.1.2.0/24", "10.1.2.3/32", "10.200.0.0/16", "fd00:1::/32") }); except != nil {
			block["except"] = except
		}
		return tree.Object{"ipBlock": block}
	case 1:
		return tree.Object{"podSelector": r.selector()}
	case 2:
		return tree.Object{"namespaceSelector": r.selector()}
	}
	return tree.Object{"podSelector": r.selector(), "namespaceSelector": r.selector()}
}

func (r randomPolicy) port() any {
	p := tree.Object{}
	if r.IntN(2) == 0 {
		p["protocol"] = r.one("TCP", "UDP")
	}
	switch r.IntN(4) {
	case 0:
		p["port"] = r.one("http", "https")
	case 1:
		first := int64(80 + r.IntN(4))
		p["port"], p["endPort"] = first, first+int64(r.IntN(4))
	case 2:
		p["port"] = int64(80 + r.IntN(5))
	}
	return p
}

func (r randomPolicy) rule() any {
	rule := tree.Object{}
	if from := r.some(3, r.peer); from != nil {
		rule["from"] = from
	}
	if ports := r.some(3, r.port); ports != nil {
		rule["ports"] = ports
	}
	return rule
}

// TestPairs compares the indexes with a comparison of all pairs.
func TestPairs(t *testing.T) {
	r := randomPolicy{rand.New(rand.NewPCG(1, 2))}
	wide, kept := 0, 0
	for range 6_000 {
		before := r.some(4, r.rule)
		a := newAllowed(before, "from")
		for _, rule := range append(r.some(3, r.rule), before...) {
			peers, ports := a.newly(rule)
			wantPeers, wantPorts := pairwise(before, rule, "from")
			if fmt.Sprintf("%q %q", peers, ports) != fmt.Sprintf("%q %q", wantPeers, wantPorts) {
				t.Fatalf("%v\nafter %v\nallows %q %q, not %q %q", rule, before, peers, ports, wantPeers, wantPorts)
			}
			if peers != nil {
				wide++
			} else {
				kept++
			}
		}
	}
	if min(wide, kept) < 3_000 {
		t.Errorf("%d rules allow more, %d do not", wide, kept)
	}
}

// TestTooManyPairs holds the comparison of many ranges of ports to its bound.
func TestTooManyPairs(t *testing.T) {
	ranges := func(last int64) []any {
		var ports []any
		for i := range int64(1200) {
			ports = append(ports, tree.Object{"port": 100 + i, "endPort": last + i})
		}
		return []any{tree.Object{"ports": ports}}
	}
	a := newAllowed(ranges(3000), "from")
	if a.newly(ranges(30000)[0]); !a.tooMany() {
		t.Errorf("%d comparisons", a.ports.compared)
	}
}
