package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var ingressLosesRoute = &lint.Rule{
	ID:    "ingress-loses-route",
	Title: "a host or path is no longer served",
	Text: "Apply removes a host or a path from an Ingress, or --prune would delete the Ingress, and no other Ingress of the manifests or the " +
		"snapshot serves it; or the class of an Ingress changes.",
	Why:      "Requests to it go to a different backend, or get a 404, at once.",
	Fix:      "Keep the route until no client uses it.",
	Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/ingress/#the-ingress-resource"},
	Severity: lint.Warning,
	Effect:   impact.CutsTraffic,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		path := fieldpath.New("spec", "rules")
		for o := range p.Accepted() {
			if !o.Is(ingressKind) || o.Live == nil || departed(p, o, path) {
				continue
			}
			if was, is := impact.IngressClass(o.Before), impact.IngressClass(o.Result); was != "" && is != "" && was != is {
				class := fieldpath.New("spec", "ingressClassName")
				p.Report(o, lint.Report{Path: class, LivePath: class,
					Message: fmt.Sprintf("Ingress class %s instead of %s serves the hosts: their address may change", is, was),
					Fix:     "keep the class until the names of the hosts lead to the new address"})
			}
			for _, lost := range c.lostRoutes(o.Before, o.Result) {
				p.Report(o, lint.Report{Path: path, LivePath: lost.path, Message: "the Ingress no longer routes " + lost.String() + ": " + c.instead(lost),
					Fix: "restore the route until no client uses it"})
			}
		}
		for _, d := range p.Plan.Prune.Pruned() {
			if d.Live.Kind.GroupKind() != ingressKind {
				continue
			}
			live := d.Live.Object()
			var texts []string
			for _, lost := range c.lostRoutes(live.Tree, nil) {
				texts = append(texts, lost.String())
			}
			if texts != nil {
				p.ReportAt(live, lint.Report{Path: path, Message: fmt.Sprintf("%s%s: no Ingress serves %s then", deleting(p), d.Live.ID(), phrase.Some(texts)),
					Notes: []string{d.Why}, Fix: "keep the Ingress until no client uses its routes"})
			}
		}
	},
}

const ingressKind = "Ingress.networking.k8s.io"

// lostRoutes are those of an Ingress that no Ingress serves after the apply: none
// with the same host and path, and none with the same backend at a path above.
func (c *cluster) lostRoutes(before, after tree.Object) (list []route) {
	known := requestsOf(ingressRoutes(after))
	for _, r := range ingressRoutes(before) {
		if known[r.requests()] {
			continue
		}
		if above := c.serves(r); above == nil || !above.same(r) && above.backend != r.backend {
			known[r.requests()], list = true, append(list, r)
		}
	}
	return list
}

// routesAfter are the routes of all Ingresses after the apply, by host.
type routesAfter map[string][]route

// serves is the route that requests to a lost one meet, nil if there is none: the
// one with the longest path above it, of its host, or else of every host.
func (c *cluster) serves(lost route) *route {
	all := lint.SharedByRun(c.p, func() routesAfter {
		all := routesAfter{}
		for k := range c.ofKind(ingressKind) {
			for _, r := range ingressRoutes(k.after) {
				all[r.host] = append(all[r.host], r)
			}
		}
		return all
	})
	for _, host := range []string{lost.host, wildcard(lost.host), ""} {
		var best *route
		for _, r := range all[host] {
			if covers := r.at == lost.at || r.pathType != "Exact" && above(r.at, lost.at); covers && (best == nil || len(r.at) > len(best.at)) {
				best = &r
			}
		}
		if best != nil && host == lost.host {
			return best
		}
		if best != nil {
			other := *best
			other.host = host
			return &other
		}
	}
	return nil
}

// wildcard is the host that stands for all beside one: *.example.com.
func wildcard(host string) string {
	_, domain, _ := strings.Cut(host, ".")
	return "*." + domain
}

// above reports whether a path is one that holds another, element by element.
func above(path, other string) bool {
	path = strings.TrimSuffix(path, "/")
	return other == path || strings.HasPrefix(other, path+"/")
}

// instead says what becomes of requests to a route that is lost.
func (c *cluster) instead(lost route) string {
	if r := c.serves(lost); r != nil {
		return "requests go to " + r.backend + ", by " + r.String()
	}
	return "no other Ingress in the manifests or the snapshot does"
}
