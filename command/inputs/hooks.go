package inputs

import (
	"cmp"
	"fmt"
	"slices"

	"threeway/command/request"
	"threeway/merge/applier/argocd"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

// hooks are those of Argo CD and Helm that have a generateName. They are left out of the
// manifests, unless it was said that kubectl applies these, which rejects them.
type hooks struct {
	now, changed, gone []*manifest.Object
	// compared: those before the change are known.
	compared bool
}

// withoutHooks takes the hooks out of a set.
func withoutHooks(r *request.Inputs, set *manifest.Set) (list []*manifest.Object) {
	if r.ByGiven || r.Kubectls || r.By != nil {
		return nil
	}
	set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool {
		is := o.Name == "" && tree.String(o.Tree, "metadata", "generateName") != "" && argocd.IsHook(o.Tree)
		if is {
			list = append(list, o)
		}
		return is
	})
	return list
}

// compare finds the hooks that differ from those before the change, which has nothing of the
// files that are the same.
func (h *hooks) compare(then []*manifest.Object, same []string) {
	h.compared = true
	for _, o := range h.now {
		i := slices.IndexFunc(then, func(old *manifest.Object) bool { return tree.Equal(old.Tree, o.Tree) })
		switch {
		case i >= 0:
			then = slices.Delete(slices.Clone(then), i, i+1)
		case !slices.Contains(same, o.Origin.File):
			h.changed = append(h.changed, o)
		}
	}
	h.gone = slices.DeleteFunc(slices.Clone(then), func(old *manifest.Object) bool {
		return slices.ContainsFunc(h.changed, func(o *manifest.Object) bool { return generated(o) == generated(old) })
	})
}

// gaps are what is unknown of the hooks: of those that change, or of all if that is unknown.
func (h *hooks) gaps(r *request.Inputs) (list gap.List) {
	if !h.compared && len(r.Live) > 0 {
		h.changed = h.now
	}
	for _, o := range h.changed {
		list.Add(gap.Gap{Code: gap.Unrehearsed, Needs: "what the hook " + generated(o) + " changes"})
	}
	for _, o := range h.gone {
		list.Add(gap.Gap{Code: gap.Unrehearsed, Needs: "what no longer happens without the hook " + generated(o)})
	}
	return list
}

// notes say which hooks are not rehearsed.
func (h *hooks) notes() []string {
	if len(h.now) == 0 {
		return nil
	}
	is, them := "hook with a generateName is", "it"
	if len(h.now) > 1 {
		is, them = "hooks with a generateName are", "them"
	}
	var names []string
	for _, o := range h.now {
		names = append(names, generated(o))
	}
	return []string{fmt.Sprintf("%d %s not rehearsed: %s; Argo CD or Helm creates %s, and kubectl rejects %s: if it applies these manifests, pass --applier kubectl",
		len(h.now), is, phrase.Abbreviated(names, 5), them, them)}
}

// generated is what a hook is called, with its phases: Job migrate- (PreSync).
func generated(hook *manifest.Object) string {
	name := hook.Kind.Kind + " " + tree.String(hook.Tree, "metadata", "generateName")
	at := func(key string) string { return tree.String(hook.Tree, "metadata", "annotations", key) }
	if phases := cmp.Or(at("argocd.argoproj.io/hook"), at("helm.sh/hook")); phases != "" {
		name += " (" + phases + ")"
	}
	return visible.Line(name)
}
