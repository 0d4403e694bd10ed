package inputs

import (
	"bytes"
	"fmt"
	"slices"

	"threeway/command/request"
	"threeway/merge/applier/argocd"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// withoutHooks takes the hooks of Argo CD and Helm that have a generateName out of a set, unless
// it was said that kubectl applies it, which rejects them.
func withoutHooks(r *request.Inputs, set *manifest.Set) (hooks []*manifest.Object) {
	if r.ByGiven || r.Kubectls || r.By != nil {
		return nil
	}
	set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool {
		is := o.Name == "" && tree.String(o.Tree, "metadata", "generateName") != "" && argocd.IsHook(o.Tree)
		if is {
			hooks = append(hooks, o)
		}
		return is
	})
	return hooks
}

// leftToHooks says which hooks are not rehearsed. Those that change are a gap.
func leftToHooks(r *request.Inputs, hooks []*manifest.Object) (notes []string, gaps []gap.Gap) {
	if len(hooks) == 0 {
		return nil, nil
	}
	_, all, _ := argocd.Part(hooks)
	_, changed, _ := argocd.Part(slices.DeleteFunc(slices.Clone(hooks), func(o *manifest.Object) bool { return !changes(r, o.Origin.File) }))
	gaps = rehearsal.Unrehearsed(argocd.Phases(changed))
	for i := range gaps {
		gaps[i].Note = "" // the note is about all
	}
	is, them := "hook with a generateName is", "it"
	if len(hooks) > 1 {
		is, them = "hooks with a generateName are", "them"
	}
	return []string{fmt.Sprintf("%d %s not rehearsed: %s; Argo CD or Helm creates %s, and kubectl rejects %s: if it applies these manifests, pass --applier kubectl",
		len(hooks), is, phrase.Abbreviated(argocd.Phases(all), 5), them, them)}, gaps
}

// changes reports whether the change touches a file, or the kustomization in a directory.
func changes(r *request.Inputs, file string) bool {
	if r.AtStart == nil {
		return false
	}
	if slices.Contains(r.Kustomize, file) {
		return !request.SameKustomization(r.AtStart, r.AtStart.At(file), file)
	}
	if r.Instead != nil {
		if now, ok := r.Instead(file); ok {
			before, had := r.AtStart.Read(r.AtStart.At(file))
			return !had || !bytes.Equal(before, now)
		}
	}
	return !r.AtStart.Same(file)
}
