package workflow

import (
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// applyCommand applies the file of the object as the options do.
func (h *planner) applyCommand() string {
	var args []shell.Arg
	if as := h.opts.ServerSide; as != nil {
		args = append(args, shell.Option("--server-side"))
		if as.Manager != rehearsal.DefaultManager {
			args = append(args, shell.Flag("--field-manager=", as.Manager))
		}
	} else if h.opts.Manager != "" {
		args = append(args, shell.Flag("--field-manager=", h.opts.Manager))
	}
	file := shell.Option("-f -")
	if h.inFile() {
		file = shell.File("-f", h.Outcome.Manifest.Origin.File)
	}
	return shell.Line("kubectl apply", append(args, file.In(h.namespace()))...)
}

// temporaryCommand applies stdin as the temporary manager.
func (h *planner) temporaryCommand() string {
	return shell.Line("kubectl apply --server-side", shell.Flag("--field-manager=", handoverManager), shell.Option("-f -"))
}

// namespace is the one that a command must name because the manifest does not.
func (h *planner) namespace() string {
	if o := h.Outcome; o.Manifest.Placed {
		return o.Manifest.Namespace
	}
	return ""
}

// inFile reports whether the object is in a file that kubectl can read.
func (h *planner) inFile() bool {
	origin := h.Outcome.Manifest.Origin
	return origin.Template == "" && origin.File != manifest.Stdin
}

// beside are the other objects of the file, which commands that name the file
// are about too.
func (h *planner) beside() (list []*manifest.Object) {
	for _, o := range h.opts.Manifests.Objects {
		if o.Origin.File == h.Outcome.Manifest.Origin.File && o != h.Outcome.Manifest {
			list = append(list, o)
		}
	}
	return list
}

// kubectlName names an object as kubectl's commands take it.
func kubectlName(o *manifest.Object) shell.Arg {
	return shell.Object(o.Kind.GroupKind(), o.Namespace, o.Name)
}

// autoscaler finds who scales the object, in the snapshot or in the config, if
// the field is its replicas.
func (h *planner) autoscaler() *manifest.Object {
	if h.Path.String() != "spec.replicas" {
		return nil
	}
	scalers := slices.Collect(h.opts.Live.OfKind("HorizontalPodAutoscaler.autoscaling"))
	for _, o := range append(scalers, h.opts.Manifests.Objects...) {
		ref := tree.Map(o.Tree, "spec", "scaleTargetRef")
		group := schema.ParseKind(tree.String(ref, "apiVersion"), "").Group
		if o.Kind.GroupKind() == "HorizontalPodAutoscaler.autoscaling" && o.Namespace == h.Outcome.Manifest.Namespace &&
			tree.String(ref, "kind") == h.Outcome.Kind.Kind && group == h.Outcome.Kind.Group && tree.String(ref, "name") == h.Outcome.Manifest.Name {
			return o
		}
	}
	return nil
}

// known names the other writers that can be seen.
func (h *planner) known() string {
	var names []string
	_, others := h.owners()
	for _, w := range others {
		if w.Manager != handoverManager {
			names = append(names, ownerText(w))
		}
	}
	if scaler := h.autoscaler(); scaler != nil {
		names = append(names, scaler.ID().String())
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
}

// ownerText names an owner with its subresource.
func ownerText(w owners.Owner) string {
	if w.Subresource != "" {
		return w.Manager + " (" + w.Subresource + ")"
	}
	return w.Manager
}

func ownerTexts(owners []owners.Owner) string {
	var names []string
	for _, w := range owners {
		names = append(names, ownerText(w))
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
}
