package setting

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// certificates are those of an Ingress by host.
func certificates(_ string, v any) any {
	var list []any
	for _, entry := range tree.List(v) {
		hosts := tree.List(entry, "hosts")
		for _, host := range orAny(hosts) {
			list = append(list, map[string]any{"host": host, "secretName": tree.Map(entry)["secretName"]})
		}
	}
	return sorted(list)
}

// secures orders certificates of hosts: 1 if more hosts have one, -1 if one goes.
func secures(was, is any) (order int, ok bool) {
	return map[bool]int{true: 1, false: -1}[subset(was, is)], !tree.Equal(was, is)
}

// addresses are the fewest ranges that have the addresses of others, as texts; without any, all
// (k8s.io/cloud-provider/service/helpers DefaultLoadBalancerSourceRanges).
func addresses(_ string, v any) any {
	var all []netip.Prefix
	list := tree.List(v)
	if len(list) == 0 {
		list = []any{"0.0.0.0/0"}
	}
	for _, text := range list {
		s, _ := text.(string)
		p, err := netip.ParsePrefix(strings.TrimSpace(s))
		if err != nil {
			return Canonical(v)
		}
		all = append(all, p.Masked())
	}
	list = nil
	for _, p := range fewest(all) {
		list = append(list, p.String())
	}
	return sorted(list)
}

// fewest are the fewest ranges that have the addresses of all of some.
func fewest(all []netip.Prefix) []netip.Prefix {
	for i := 0; i < len(all); i++ {
		for j := range all {
			switch a, b := all[i], all[j]; {
			case i == j:
				continue
			case prefixHolds(a, b):
			case a.Bits() > 0 && a.Bits() == b.Bits() && netip.PrefixFrom(a.Addr(), a.Bits()-1).Contains(b.Addr()):
				all[i] = netip.PrefixFrom(a.Addr(), a.Bits()-1).Masked() // the two halves of it
			default:
				continue
			}
			all, i = slices.Delete(all, j, j+1), -1
			break
		}
	}
	return all
}

// without are the ranges of a range that has an exception: the other half, and what is left of
// the half that has it.
func without(all, except netip.Prefix) (left []netip.Prefix) {
	for all.Bits() < except.Bits() && all.Contains(except.Addr()) {
		low := netip.PrefixFrom(all.Addr(), all.Bits()+1)
		end := low.Addr().AsSlice()
		end[all.Bits()/8] |= 0x80 >> (all.Bits() % 8)
		addr, _ := netip.AddrFromSlice(end) // of the length that it had
		high := netip.PrefixFrom(addr, all.Bits()+1)
		if low.Contains(except.Addr()) {
			all, left = low, append(left, high)
		} else {
			all, left = high, append(left, low)
		}
	}
	if prefixHolds(except, all) {
		return left
	}
	return append(left, all)
}

// block are the ranges that an ipBlock allows; nil if it has a text that is none,
// or they are too many.
func block(ipBlock any) []netip.Prefix {
	all, err := netip.ParsePrefix(tree.String(ipBlock, "cidr"))
	if err != nil {
		return nil
	}
	left := []netip.Prefix{all.Masked()}
	for _, text := range tree.List(ipBlock, "except") {
		except, err := netip.ParsePrefix(tree.String(text))
		if err != nil {
			return nil
		}
		var parts []netip.Prefix
		for _, p := range left {
			parts = append(parts, without(p, except.Masked())...)
		}
		if left = parts; len(left) > mostProducts {
			return nil
		}
	}
	return left
}

// inRanges reports whether ranges have only addresses that others have.
func inRanges(inner, outer any) bool {
	return eachIn(inner, outer, func(a, b any) bool { return a == b || HoldsRange(fmt.Sprint(b), fmt.Sprint(a)) })
}

// HoldsRange reports whether all addresses of the inner range are in the outer; of texts that are no
// ranges it is false.
func HoldsRange(outer, inner string) bool {
	x, err := netip.ParsePrefix(outer)
	y, err2 := netip.ParsePrefix(inner)
	return err == nil && err2 == nil && prefixHolds(x, y)
}

func prefixHolds(outer, inner netip.Prefix) bool {
	return outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())
}

// routes are the paths of an Ingress by host, of those that are the same the first. The order
// of paths counts among those whose type leaves it to the controller.
func routes(_ string, v any) any {
	var list []any
	seen := map[string]bool{}
	places := map[string]int64{}
	for _, rule := range tree.List(v) {
		host := tree.String(rule, "host")
		paths := tree.List(rule, "http", "paths")
		if len(paths) == 0 {
			list = append(list, map[string]any{"host": host})
		}
		for _, p := range paths {
			route := tree.CopyObject(tree.Map(p))
			route["host"] = host
			if path := tree.String(route, "path"); route["pathType"] == "Prefix" && len(path) > 1 {
				route["path"] = strings.TrimSuffix(path, "/") // it matches whole elements
			}
			if kind := tree.String(route, "pathType"); kind != "Exact" && kind != "Prefix" {
				places[host]++
				route["place"] = places[host]
			} else if key := fmt.Sprintf("%q", []string{host, kind, tree.String(route, "path")}); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			list = append(list, map[string]any(route))
		}
	}
	return sorted(list)
}

// serves orders the routes of an Ingress: 1 if the new ones serve only requests that the old ones
// serve, to the same Services, -1 if it is the other way round.
func serves(was, is any) (order int, ok bool) {
	served := func(a, b any) bool { return servedBy(tree.Map(a), tree.Map(b)) }
	switch less, more := eachIn(is, was, served), eachIn(was, is, served); {
	case less && !more:
		return 1, true
	case more && !less:
		return -1, true
	}
	return 0, false
}

// unserved says which routes of one Ingress another does not have, and which Service gets the requests.
func unserved(inner, outer any) string {
	plain := func(v any) (list []tree.Object) {
		for _, route := range tree.List(v) {
			route := tree.CopyObject(tree.Map(route))
			delete(route, "place")
			list = append(list, route)
		}
		return list
	}
	first, count, ofHost := "", 0, map[any][]tree.Object{}
	for _, b := range plain(outer) {
		ofHost[b["host"]] = append(ofHost[b["host"]], b)
	}
	for _, route := range plain(inner) {
		others := ofHost[route["host"]]
		if slices.ContainsFunc(others, func(b tree.Object) bool { return servedBy(route, b) }) {
			continue
		}
		if count++; count > 1 {
			continue
		}
		instead, longest := "", -1
		for _, b := range others {
			open := tree.CopyObject(b)
			open["backend"] = route["backend"]
			if n := len(tree.String(b, "path")); n > longest && servedBy(route, open) {
				instead, longest = ", which "+backend(b)+" gets instead", n
			}
		}
		first = cmp.Or(tree.String(route, "host"), "every host") + cmp.Or(tree.String(route, "path"), "/") + " (" + tree.String(route, "pathType") + ") to " + backend(route) + instead
	}
	if count > 1 {
		first += fmt.Sprintf(", and %d more", count-1)
	}
	return first
}

func backend(route tree.Object) string {
	if service := tree.String(route, "backend", "service", "name"); service != "" {
		return "Service " + service
	}
	return tree.String(route, "backend", "resource", "kind") + " " + tree.String(route, "backend", "resource", "name")
}

// servedBy reports whether one route serves all requests of another, to the same Service. A Prefix
// matches whole elements of a path.
func servedBy(inner, outer tree.Object) bool {
	path, within := tree.String(outer, "path"), tree.String(inner, "path")
	in := tree.String(inner, "pathType")
	return tree.Equal(inner, outer) || inner["host"] == outer["host"] && tree.Equal(inner["backend"], outer["backend"]) &&
		tree.String(outer, "pathType") == "Prefix" && (in == "Prefix" || in == "Exact") && strings.HasPrefix(strings.TrimSuffix(within, "/")+"/", strings.TrimSuffix(path, "/")+"/")
}

// anyAddress is the address that a port of the node is open on: none stands for every one.
func anyAddress(_ string, v any) any {
	if v == nil || v == "" || v == "::" {
		return "0.0.0.0"
	}
	return v
}

// denies orders actions of a binding of a policy: those that do not reject requests before the others.
func denies(v any) int { return map[bool]int{true: 1}[slices.Contains(tree.List(v), any("Deny"))] }

// mostProducts is how many pairs are compared; more are compared as they are written.
const mostProducts = 256

// connections are the pairs of peers and ports that rules of a NetworkPolicy allow, of addresses
// the fewest ranges.
func connections(peers string) func(string, any) any {
	return func(namespace string, v any) any {
		var list []any
		ranges := map[string][]netip.Prefix{} // by port
		byName := map[string]any{}
		for _, rule := range tree.List(v) {
			from, ports := orAny(tree.List(rule, peers)), orAny(tree.List(rule, "ports"))
			if len(from)*len(ports)+len(list)+len(ranges) > mostProducts {
				return Canonical(v)
			}
			for _, peer := range from {
				for _, port := range ports {
					if peer == nil && port == nil { // allows all that the others do
						return []any{map[string]any{"peer": nil, "port": nil}}
					}
					port = onePort(port)
					if of := block(tree.Map(peer)["ipBlock"]); of != nil {
						name := fmt.Sprint(port)
						if byName[name], ranges[name] = port, append(ranges[name], of...); len(ranges[name]) > mostProducts {
							return Canonical(v)
						}
						continue
					}
					list = append(list, map[string]any{"peer": onePeer(namespace, peer), "port": port})
				}
			}
		}
		for name, all := range ranges {
			for _, p := range fewest(all) {
				list = append(list, map[string]any{"peer": map[string]any{"ipBlock": map[string]any{"cidr": p.String()}}, "port": byName[name]})
			}
		}
		return sorted(inRows(list))
	}
}

// inRows are pairs of peers and ports in which numbers that follow each other are one range.
func inRows(pairs []any) (list []any) {
	slices.SortStableFunc(pairs, func(a, b any) int { return cmp.Compare(firstPort(a), firstPort(b)) })
	rows := map[string]tree.Object{} // the last of a peer and protocol
	for _, pair := range pairs {
		peer, port := Canonical(tree.Map(pair)["peer"]), tree.Map(pair, "port")
		if first := firstPort(pair); first > 0 {
			port = tree.CopyObject(port)
			key := fmt.Sprintf("%#v %s", peer, tree.String(port, "protocol"))
			if row := rows[key]; row != nil && first <= lastPort(row)+1 {
				if last := lastPort(port); last > lastPort(row) {
					row["endPort"] = last
				}
				continue
			}
			rows[key], pair = port, map[string]any{"peer": peer, "port": map[string]any(port)}
		}
		list = append(list, pair)
	}
	return list
}

// firstPort is the first number of a pair of a peer and ports; 0 if it has a name, or all.
func firstPort(pair any) int64 {
	n, _ := tree.Int(pair, "port", "port")
	return n
}

func lastPort(port any) int64 {
	first, _ := tree.Int(port, "port")
	last, _ := tree.Int(port, "endPort")
	return max(first, last)
}

// HoldsPort reports whether a port of a NetworkPolicy allows all that another does.
func HoldsPort(outer, inner any) bool {
	protocol := func(p any) string { return cmp.Or(tree.String(p, "protocol"), "TCP") }
	x, y := tree.Map(outer)["port"], tree.Map(inner)["port"]
	first, number := x.(int64)
	from, too := y.(int64)
	return protocol(outer) == protocol(inner) && (x == nil || x == y && !number || number && too && first <= from && lastPort(inner) <= lastPort(outer))
}

func orAny(list []any) []any {
	if len(list) == 0 {
		return []any{nil}
	}
	return list
}

// narrower reports whether a canonical label selector selects nothing that another does not: it
// asks for all labels that the other asks for.
func narrower(a, b any) bool {
	return hasLabels(tree.Map(a, "matchLabels"), tree.Map(b, "matchLabels")) && subset(tree.Map(b)["matchExpressions"], tree.Map(a)["matchExpressions"])
}

// hasLabels reports whether labels have all of others.
func hasLabels(a, b any) bool {
	for key, value := range tree.Map(b) {
		if tree.Map(a)[key] != value {
			return false
		}
	}
	return true
}

// connects reports whether pairs of peers and ports allow nothing that others do not: a
// selector with more labels selects fewer pods.
func connects(inner, outer any) bool {
	return eachIn(inner, outer, func(a, b any) bool {
		p, q := tree.Map(a, "peer"), tree.Map(b, "peer")
		of, paired := tree.Map(b)["peer"]
		switch {
		case !paired: // rules of too many pairs
			return tree.Equal(a, b)
		case tree.Map(b)["port"] != nil && (tree.Map(a)["port"] == nil || !HoldsPort(tree.Map(b)["port"], tree.Map(a)["port"])):
			return false
		case of == nil || tree.Equal(p, q):
			return true
		case p["ipBlock"] != nil && q["ipBlock"] != nil:
			return HoldsRange(tree.String(q, "ipBlock", "cidr"), tree.String(p, "ipBlock", "cidr"))
		}
		return len(p) > 0 && p["ipBlock"] == nil && q["ipBlock"] == nil && tree.Has(p, "namespaceSelector") == tree.Has(q, "namespaceSelector") &&
			narrower(p["namespaceSelector"], q["namespaceSelector"]) && narrower(p["podSelector"], q["podSelector"])
	})
}

// onePeer leaves out that all pods of the namespaces are meant, and that the namespace is that of
// the policy, which the server labels with its name.
func onePeer(namespace string, peer any) any {
	own := map[string]any{"matchLabels": map[string]any{"kubernetes.io/metadata.name": namespace}}
	if of, has := tree.Get(peer, "namespaceSelector"); has && tree.Has(peer, "podSelector") && tree.Equal(Canonical(of), own) {
		return map[string]any{"podSelector": tree.Map(peer)["podSelector"]}
	}
	if pods, has := tree.Get(peer, "podSelector"); has && tree.Has(peer, "namespaceSelector") && len(tree.Map(pods)) == 0 {
		one := tree.CopyObject(tree.Map(peer))
		delete(one, "podSelector")
		return map[string]any(one)
	}
	return peer
}

// onePort has the protocol that a port has if it does not say, and no range of one.
func onePort(port any) any {
	if port == nil {
		return nil
	}
	one := tree.CopyObject(tree.Map(port))
	if tree.String(one, "protocol") == "" {
		one["protocol"] = "TCP"
	}
	if one["endPort"] != nil && tree.Equal(one["endPort"], one["port"]) {
		delete(one, "endPort")
	}
	return map[string]any(one)
}
