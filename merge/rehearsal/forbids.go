package rehearsal

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/gap"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/prune"
)

// Forbids is the server's refusal of a request of the user that is not about a manifest, "" if
// it may make it, and what is unknown that may have an effect.
func (r *Run) Forbids(k schema.Kind, verb, namespace, name, effect string) (why string, unknown []gap.Gap) {
	undecided, no := r.Server.Authorize(k, verb, namespace, name)
	if no == nil && verb == "delete" {
		doubts, denied := r.deletes(k, namespace, name)
		undecided, no = append(undecided, doubts...), denied
	}
	if no != nil {
		return no.ServerMessage().String(), nil
	}
	for _, u := range undecided {
		needs := strings.Join(u.Needs, " or ")
		unknown = append(unknown, gap.Gap{
			Code: gap.Undecided, Needs: needs + " for " + u.Kind + " " + u.Policy,
			Note: fmt.Sprintf("%s %s %s: %s is unknown", u.Kind, u.Policy, effect, needs),
		})
	}
	return "", unknown
}

// deletes is what the admission policies of the cluster say of the delete of a live object.
func (r *Run) deletes(k schema.Kind, namespace, name string) ([]kube.Undecided, *fault.Rejection) {
	live := r.Live.Find(manifest.Identity{Group: k.Group, Kind: k.Kind, Namespace: namespace, Name: name})
	if live == nil {
		return nil, nil
	}
	return r.Server.Deletes(live.Kind, live.Tree)
}

// Spare keeps the objects of which the user may not do what the applier does to delete them,
// and tells each. It says what of that is unknown.
func (r *Run) Spare(result *prune.Result, verbs []string, told func(c prune.Candidate, verb, why string)) (unknown []gap.Gap) {
	for i := range result.Candidates {
		c := &result.Candidates[i]
		for _, verb := range verbs {
			if c.Fate != prune.Pruned {
				break
			}
			why, doubts := r.Forbids(c.Live.Kind, verb, c.Live.Namespace, c.Live.Name, "may keep objects from being deleted")
			unknown = append(unknown, doubts...)
			if why != "" {
				says := "the API server rejects that: "
				if _, no := r.Server.Authorize(c.Live.Kind, verb, c.Live.Namespace, c.Live.Name); no != nil {
					says = "User " + r.User.Name + " may not " + verb + " it: "
				}
				c.Fate, c.Why, c.Takes = prune.Stays, says+why, nil
				told(*c, verb, why)
			}
		}
	}
	return unknown
}

// ActAs has a controller of the cluster apply, as the user that it impersonates, or else as
// itself if that is known and the snapshot tells its rights. A user that is asked for stays.
func (o *Options) ActAs(own, other string) {
	switch {
	case o.User != nil:
	case other != "":
		o.User = &User{Name: other}
		if own != "" {
			o.Impersonator = &User{Name: own}
		}
	case own != "" && o.Live.Covers("rbac.authorization.k8s.io", "ClusterRoleBinding"):
		o.User = &User{Name: own}
	}
}

// impersonates is the refusal of all requests of a controller that may not act as the user, or
// not for what it asks first: what it lists, or what there is.
func (r *Run) impersonates() error {
	no := r.Server.Impersonates(schema.Kind{}, "get", "", "")
	if r.ListsKind.Kind != "" {
		no = cmp.Or(r.Server.Impersonates(r.ListsKind, "list", r.ListsNamespace, ""), no)
	}
	if no != nil {
		return fmt.Errorf("%s; %s applies nothing, because its controller may not act as %s", no.ServerMessage(), r.By.Claim().By(), r.User.Name)
	}
	return nil
}
