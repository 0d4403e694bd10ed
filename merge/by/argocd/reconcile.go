package argocd

import (
	"slices"
	"strings"

	"threeway/merge/applier/argocd"
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// protected is the annotation of what kubectl auth reconcile leaves alone.
const protected = "rbac.authorization.kubernetes.io/autoupdate"

// applyReconciled is a client-side apply of an RBAC object after kubectl auth reconcile,
// which makes the object, or adds to it what is missing, as the user agent of Argo CD.
// A binding whose role has changed is deleted and recreated
// (gitops-engine/pkg/utils/kube/resource_ops.go rbacReconcile, k8s.io/component-helpers
// auth/rbac/reconciliation).
func applyReconciled(r kubectl.Requests, o *rehearsal.Outcome) {
	live := o.Before
	// kubectl compares the manifest without the server's defaults.
	if ref := tree.Map(live, "roleRef"); ref != nil && !tree.Equal(o.Marked["roleRef"], any(ref)) {
		o.Recreated, live = true, nil
	}
	var res kube.Result
	verb := "patching"
	if live == nil {
		verb, res = "creating", r.Server.Create(o.Kind, o.Marked)
	} else if more := reconciled(live, o.Marked); !tree.Equal(more, live) && tree.String(live, "metadata", "annotations", protected) != "false" {
		res = r.Server.Update(o.Kind, live, more)
	} else {
		res.Object = live
	}
	if res.Rejection != nil {
		o.Recreated, o.Action, o.PatchType, o.Patch = false, rehearsal.Rejected, rehearsal.Put, o.Marked
		o.Refuse(res.Rejection.Bare(reconciling))
		return
	}
	before := o.Before
	o.Before = res.Owned(argocd.UserAgent, r.Live.NewestWrite)
	r.UpdateFrom(o)
	made := o.Before
	o.Before = before
	switch {
	case o.Rejection != nil:
		of(o).reconciled = !tree.Equal(made, before)
	case before == nil:
		o.Action = rehearsal.Created
	case o.Action == rehearsal.Unchanged && !tree.Equal(made, before):
		o.Action, o.Result = rehearsal.Configured, made
	}
	if o.Patch == nil && o.Action != rehearsal.Unchanged {
		o.Patch, o.PatchType = o.Marked, map[string]rehearsal.PatchType{"creating": rehearsal.Create, "patching": rehearsal.Put}[verb]
	}
}

// reconciling words an error of kubectl auth reconcile.
func reconciling(message fault.Text) fault.Text {
	return fault.Join(fault.Words("error running kubectl auth reconcile: "), message)
}

// reconciled is a live object with the labels, annotations, rules and subjects of a
// target that it does not have.
func reconciled(live, target tree.Object) tree.Object {
	out := tree.CopyObject(live)
	for _, field := range []string{"labels", "annotations"} {
		for key, v := range tree.Map(target, "metadata", field) {
			if !tree.Has(out, "metadata", field, key) {
				tree.Set(out, v, "metadata", field, key)
			}
		}
	}
	add := func(field string, missing []any) {
		if len(missing) > 0 {
			out[field] = slices.Concat(tree.List(live, field), missing)
		}
	}
	add("subjects", slices.DeleteFunc(slices.Clone(tree.List(target, "subjects")), func(subject any) bool {
		return slices.ContainsFunc(tree.List(live, "subjects"), func(has any) bool { return sameSubject(has, subject) })
	}))
	add("rules", slices.DeleteFunc(brokenDown(tree.List(target, "rules")), func(rule any) bool {
		return slices.ContainsFunc(tree.List(live, "rules"), func(has any) bool { return covers(has, rule) })
	}))
	return out
}

// sameSubject compares two subjects as Go values, in which an empty text is none.
func sameSubject(a, b any) bool {
	for _, field := range []string{"kind", "apiGroup", "name", "namespace"} {
		if tree.String(a, field) != tree.String(b, field) {
			return false
		}
	}
	return true
}

// brokenDown are rules as ones of a single verb, group, resource and name, or URL
// (k8s.io/component-helpers auth/rbac/validation/policy_comparator.go BreakdownRule).
func brokenDown(rules []any) (single []any) {
	for _, rule := range rules {
		for _, group := range tree.List(rule, "apiGroups") {
			for _, resource := range tree.List(rule, "resources") {
				for _, verb := range tree.List(rule, "verbs") {
					one := tree.Object{"apiGroups": []any{group}, "resources": []any{resource}, "verbs": []any{verb}}
					names := tree.List(rule, "resourceNames")
					if len(names) == 0 {
						single = append(single, one)
					}
					for _, name := range names {
						named := tree.Shallow(one)
						named["resourceNames"] = []any{name}
						single = append(single, named)
					}
				}
			}
		}
		for _, url := range tree.List(rule, "nonResourceURLs") {
			for _, verb := range tree.List(rule, "verbs") {
				single = append(single, tree.Object{"nonResourceURLs": []any{url}, "verbs": []any{verb}})
			}
		}
	}
	return single
}

// covers reports whether a rule grants all that a single one does (ruleCovers).
func covers(rule, single any) bool {
	grants := func(field string, matches func(has, wanted string) bool) bool {
		wanted, is := first(single, field)
		return !is || slices.ContainsFunc(tree.List(rule, field), func(v any) bool {
			has, _ := v.(string)
			return has == "*" || has == wanted || matches(has, wanted)
		})
	}
	never := func(string, string) bool { return false }
	subresource := func(has, wanted string) bool {
		_, below, is := strings.Cut(wanted, "/")
		return is && has == "*/"+below
	}
	prefix := func(has, wanted string) bool {
		head, is := strings.CutSuffix(has, "*")
		return is && strings.HasPrefix(wanted, head)
	}
	name, named := first(single, "resourceNames")
	names := tree.List(rule, "resourceNames")
	return grants("verbs", never) && grants("apiGroups", never) && grants("resources", subresource) && grants("nonResourceURLs", prefix) &&
		(len(names) == 0 || named && slices.Contains(names, any(name)))
}

func first(rule any, field string) (string, bool) {
	list := tree.List(rule, field)
	if len(list) == 0 {
		return "", false
	}
	text, is := list[0].(string)
	return text, is
}
