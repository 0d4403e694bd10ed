package rules

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// route is a host and path that an Ingress serves.
type route struct {
	host, at, pathType string
	backend            string // Service api, or another kind and name
	path               fieldpath.Path
}

// same reports whether two routes serve the same requests.
func (r route) same(s route) bool { return r.requests() == s.requests() }

// requests are those that the route serves, by their host and path.
func (r route) requests() [2]string { return [2]string{r.host, r.at} }

// String is the route as an address: shop.example.com/api.
func (r route) String() string {
	return cmp.Or(r.host, "every host") + strings.TrimSuffix(r.at, "/") + map[bool]string{true: "/"}[r.at == "/"]
}

// ingressRoutes are the routes of an Ingress, its default backend as the last one.
func ingressRoutes(ingress tree.Object) (list []route) {
	for i, rule := range tree.List(ingress, "spec", "rules") {
		at := fieldpath.New("spec", "rules").Item(i)
		for n, p := range tree.List(rule, "http", "paths") {
			requested := cmp.Or(tree.String(p, "path"), "/")
			if tree.String(p, "pathType") == "Prefix" { // of whole elements
				requested = cmp.Or(strings.TrimSuffix(requested, "/"), "/")
			}
			list = append(list, route{
				host: tree.String(rule, "host"), at: requested, pathType: tree.String(p, "pathType"),
				backend: backendName(tree.Map(p, "backend")), path: at.Child("http", "paths").Item(n),
			})
		}
	}
	if b := tree.Map(ingress, "spec", "defaultBackend"); b != nil {
		list = append(list, route{at: "/", backend: backendName(b), path: fieldpath.New("spec", "defaultBackend")})
	}
	return list
}

// requestsOf are the requests that routes serve.
func requestsOf(routes []route) map[[2]string]bool {
	all := map[[2]string]bool{}
	for _, r := range routes {
		all[r.requests()] = true
	}
	return all
}

func backendName(b tree.Object) string {
	if r := tree.Map(b, "resource"); r != nil {
		return fmt.Sprintf("%s %s", tree.String(r, "kind"), tree.String(r, "name"))
	}
	return "Service " + tree.String(b, "service", "name")
}
