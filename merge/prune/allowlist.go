package prune

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/selector"
)

// defaultAllowlist has the kinds that kubectl prunes by default
// (pkg/util/prune/prune.go), the same in kubectl 1.30 to 1.37.
var defaultAllowlist = []Kind{
	{schema.Kind{Version: "v1", Kind: "ConfigMap"}, true},
	{schema.Kind{Version: "v1", Kind: "Endpoints"}, true},
	{schema.Kind{Version: "v1", Kind: "PersistentVolumeClaim"}, true},
	{schema.Kind{Version: "v1", Kind: "Pod"}, true},
	{schema.Kind{Version: "v1", Kind: "ReplicationController"}, true},
	{schema.Kind{Version: "v1", Kind: "Secret"}, true},
	{schema.Kind{Version: "v1", Kind: "Service"}, true},
	{schema.Kind{Group: "batch", Version: "v1", Kind: "Job"}, true},
	{schema.Kind{Group: "batch", Version: "v1", Kind: "CronJob"}, true},
	{schema.Kind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}, true},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "DaemonSet"}, true},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"}, true},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "ReplicaSet"}, true},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "StatefulSet"}, true},
	{schema.Kind{Version: "v1", Kind: "Namespace"}, false},
	{schema.Kind{Version: "v1", Kind: "PersistentVolume"}, false},
}

// DefaultKinds returns the kinds that kubectl prunes by default.
func DefaultKinds() []Kind { return slices.Clone(defaultAllowlist) }

// Allowlist are the options of a prune by kind and label.
type Allowlist struct {
	// Kinds replaces the default allowlist, unless it is empty.
	Kinds []Kind
	// Selector and its text; both are empty with kubectl's --all.
	Selector     selector.Selector
	SelectorText string
	// Namespace is that of -n, or empty. It counts as visited.
	Namespace string
	Forbids   Forbids
}

// ParseKinds reads the values of --prune-allowlist: group/version/Kind, with
// "core" for the core group. scope reports whether a kind is namespaced, and
// whether the cluster serves it. The errors are kubectl's.
func ParseKinds(values []string, scope func(schema.Kind) (namespaced, served bool)) ([]Kind, error) {
	var kinds []Kind
	for _, v := range values {
		parts := strings.Split(v, "/")
		if len(parts) != 3 {
			return nil, fmt.Errorf("invalid GroupVersionKind format: %s, please follow <group/version/kind>", v)
		}
		k := schema.Kind{Group: parts[0], Version: parts[1], Kind: parts[2]}
		if k.Group == "core" {
			k.Group = ""
		}
		namespaced, served := scope(k)
		if !served {
			return nil, fmt.Errorf("no matches for kind %q in version %q", k.Kind, k.APIVersion())
		}
		kinds = append(kinds, Kind{k, namespaced})
	}
	return kinds, nil
}

// ByAllowlist previews a prune by kind and label.
func ByAllowlist(live *manifest.Snapshot, visited Visited, opts Allowlist) *Result {
	r := &Result{}
	kinds, which := opts.Kinds, "in --prune-allowlist"
	if len(kinds) == 0 {
		kinds, which = defaultAllowlist, "in kubectl's default allowlist"
		r.Notes = append(r.Notes, "by default kubectl prunes Namespaces and PersistentVolumes in the whole cluster, even with -n; to keep them, list the kinds to prune with --prune-allowlist")
	}
	namespaces := map[string]bool{}
	for ns := range visited.Namespaces {
		namespaces[ns] = true
	}
	if opts.Namespace != "" {
		namespaces[opts.Namespace] = true
	}
	a := &allowlistRun{Allowlist: opts, lister: newLister(live), visited: visited, namespaces: namespaces, result: r, which: which, seen: map[*manifest.Entry]bool{}}
	for _, ns := range sorted(namespaces) {
		for _, k := range kinds {
			if k.Namespaced {
				a.look(k, ns)
			}
		}
	}
	for _, k := range kinds {
		if !k.Namespaced {
			a.look(k, "")
		}
	}
	a.nearMisses(live, kinds)
	r.Kinds, r.Uncovered = kinds, uncovered(live, kinds)
	r.weigh(live)
	return r
}

// allowlistRun is the state of one preview.
type allowlistRun struct {
	Allowlist
	lister     *lister
	visited    Visited
	namespaces map[string]bool
	result     *Result
	which      string
	seen       map[*manifest.Entry]bool
}

// look decides about the objects of a kind that the cluster would list in a
// namespace.
func (a *allowlistRun) look(k Kind, namespace string) {
	a.ask("list", k, namespace, "")
	for _, o := range a.lister.list(k, namespace) {
		if a.seen[o] || a.visited.has(o) {
			continue
		}
		a.seen[o] = true
		if miss, why := a.saved(o); miss != 0 {
			a.result.Candidates = append(a.result.Candidates, Candidate{Live: o, Fate: Stays, Why: why, Miss: miss})
			continue
		}
		if a.ask("delete", k, namespace, o.Name); a.result.Failed != "" {
			a.result.Candidates = append(a.result.Candidates, Candidate{Live: o, Fate: Stays, Why: a.result.Failed})
			continue
		}
		a.result.Candidates = append(a.result.Candidates, Candidate{Live: o, Fate: Pruned, Why: a.selected(k, namespace)})
	}
}

// ask ends the prune if the user may not do what comes next
// (kubectl pkg/cmd/apply/prune.go pruneAll).
func (a *allowlistRun) ask(verb string, k Kind, namespace, name string) {
	if a.Forbids == nil || a.result.Failed != "" {
		return
	}
	if why := a.Forbids(verb, k, namespace, name); why != "" {
		scope := "namespaced"
		if !k.Namespaced {
			scope = "nonNamespaced"
		}
		a.result.Failed = fmt.Sprintf("error pruning %s object %s/%s, Kind=%s: %s", scope, k.Group, k.Version, k.Kind.Kind, why)
	}
}

func (a *allowlistRun) saved(o *manifest.Entry) (miss Miss, why string) {
	switch {
	case !a.Selector.Matches(o.Labels()):
		return NotSelected, "its labels do not match -l " + a.SelectorText
	case !o.LastApplied:
		return NeverApplied, "no last-applied annotation: it was not created by kubectl apply"
	}
	return 0, ""
}

func (a *allowlistRun) selected(k Kind, namespace string) string {
	why := "in no manifest, has last-applied, " + k.GroupKind() + " is " + a.which
	if a.SelectorText != "" {
		why += ", matches -l " + a.SelectorText
	}
	switch {
	case !k.Namespaced:
		why += ", cluster-scoped kinds are pruned in the whole cluster"
	case a.Namespace == namespace:
		why += ", namespace " + namespace + " is that of -n"
	default:
		why += ", namespace " + namespace + " has objects of the manifests"
	}
	return why
}

// nearMisses adds the objects that kubectl once applied and that match the
// selector, but that prune does not look at.
func (a *allowlistRun) nearMisses(live *manifest.Snapshot, kinds []Kind) {
	allowed := map[string]bool{}
	for _, k := range kinds {
		allowed[k.GroupKind()] = true
	}
	for _, o := range live.Entries {
		if a.seen[o] || a.visited.has(o) || !o.LastApplied || !a.Selector.Matches(o.Labels()) {
			continue
		}
		miss, why := NotRecorded, o.Kind.GroupKind()+" is not "+a.which
		if allowed[o.Kind.GroupKind()] {
			miss, why = NotVisited, "namespace "+o.Namespace+" is not visited: no manifest has an object in it"
		}
		a.result.Candidates = append(a.result.Candidates, Candidate{Live: o, Fate: Stays, Why: why, Miss: miss})
	}
}

// uncovered lists the kinds that the snapshot does not cover: their objects may
// be live although it has none.
func uncovered(live *manifest.Snapshot, kinds []Kind) []Kind {
	var list []Kind
	for _, k := range kinds {
		if !live.Covers(k.Group, k.Kind.Kind) {
			list = append(list, k)
		}
	}
	return list
}
