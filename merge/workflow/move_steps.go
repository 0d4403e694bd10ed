package workflow

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// steps are what to do: stop the former appliers, run the new one, remove what they leave,
// and then them.
func (m *Move) steps(live *manifest.Snapshot, command string) (steps []Step) {
	for _, c := range m.From {
		steps = append(steps, stop(c))
	}
	run := Step{Text: "Let " + Named(m.To) + " apply the manifests", Applies: true}
	if command != "" {
		run.Commands = []string{command}
	}
	steps = append(steps, run)
	if clean := m.clean(); clean != nil {
		steps = append(steps, Step{Text: "Remove the labels and annotations of " + m.former(), Commands: clean})
	}
	for _, c := range m.From {
		if s, needed := forget(c, live); needed {
			steps = append(steps, s)
		}
	}
	return steps
}

// Named is an applier in a sentence: Helm (release shop/shop).
func Named(c applier.Claim) string {
	if c.Kind == "" {
		return string(c.Program)
	}
	return fmt.Sprintf("%s (%s)", c.Program, c.By())
}

func (m *Move) former() string {
	var names []string
	for _, c := range m.From {
		if !slices.Contains(names, string(c.Program)) {
			names = append(names, string(c.Program))
		}
	}
	return strings.Join(names, " and ")
}

// stop is how an applier is kept from applying.
func stop(c applier.Claim) Step {
	is := at(placed(c))
	switch c.Kind {
	case applier.Release:
		return Step{Text: fmt.Sprintf("Run no helm upgrade, rollback or uninstall of %s any more: uninstall would delete its objects", c.By())}
	case applier.Application:
		return Step{Text: fmt.Sprintf("Turn off automated sync of %s, also in its source", c.By()),
			Commands: []string{shell.Line("kubectl patch", is, shell.Option(`--type=merge -p '{"spec":{"syncPolicy":{"automated":null}}}'`))}}
	case applier.Kustomization, applier.HelmRelease:
		return Step{Text: fmt.Sprintf("Suspend %s, also in its source", c.By()),
			Commands: []string{shell.Line("kubectl patch", is, shell.Option(`--type=merge -p '{"spec":{"suspend":true}}'`))}}
	}
	if c.Program == applier.Kubectl {
		return Step{Text: "Stop applying these objects with kubectl, above all with --prune"}
	}
	return Step{Text: fmt.Sprintf("Stop applying these objects with %s", Named(c))}
}

// forget is how an applier is removed without its objects: Helm forgets a release whose
// Secrets are gone, Argo CD deletes the objects of an Application only if it has a
// finalizer, and Flux deletes nothing of what is suspended
// (kustomize-controller internal/controller/kustomization_controller.go
// finalizerShouldDeleteResources, helm-controller helmrelease_controller.go
// reconcileDelete).
func forget(c applier.Claim, live *manifest.Snapshot) (s Step, needed bool) {
	is := at(placed(c))
	switch c.Kind {
	case applier.Release:
		command := shell.Line("kubectl delete secrets", shell.Flag("-l", "owner=helm,name="+c.Name).In(c.Namespace))
		return Step{Text: fmt.Sprintf("Delete the records of %s, which leaves the objects", c.By()), Commands: []string{command}}, true
	case applier.Application:
		s = Step{Text: fmt.Sprintf("Delete %s without its objects", c.By())}
		if cascades(placed(c).In(live)) {
			s.Text += ": first its finalizers, because of which Argo CD would delete them"
			s.Commands = []string{shell.Line("kubectl patch", is, shell.Option(`--type=merge -p '{"metadata":{"finalizers":null}}'`))}
		}
		s.Commands = append(s.Commands, shell.Line("kubectl delete", is))
		return s, true
	case applier.Kustomization, applier.HelmRelease:
		return Step{Text: fmt.Sprintf("Delete %s, which is suspended and so leaves its objects", c.By()),
			Commands: []string{shell.Line("kubectl delete", is)}}, true
	}
	return s, false
}

// cascades reports whether an Application has finalizers, or is not in the snapshot.
func cascades(app *manifest.Object) bool {
	return app == nil || len(tree.List(app.Tree, "metadata", "finalizers")) > 0
}

// placed is a claim with the namespace that its Application has unless its mark tells another.
func placed(c applier.Claim) applier.Claim {
	if c.Namespace == "" && c.Kind == applier.Application {
		c.Namespace = "argocd"
	}
	return c
}

// at names what a claim is by, as kubectl takes it.
func at(c applier.Claim) shell.Arg {
	resource := shell.Operand("applications.argoproj.io")
	switch c.Kind {
	case applier.HelmRelease:
		resource = shell.Operand("helmreleases.helm.toolkit.fluxcd.io")
	case applier.Kustomization:
		resource = shell.Operand("kustomizations.kustomize.toolkit.fluxcd.io")
	}
	return resource.And(shell.Operand(c.Name).In(c.Namespace))
}

// clean are the commands that remove the marks of former appliers: one for each namespace
// and each choice of keys.
func (m *Move) clean() (commands []string) {
	for _, where := range []string{"labels", "annotations"} {
		var groups []string
		objects, ends := map[string][]shell.Arg{}, map[string][]shell.Arg{}
		for _, o := range m.Objects {
			end := keysOf(o.Remaining, where)
			if len(end) == 0 {
				continue
			}
			end[len(end)-1] = end[len(end)-1].In(o.Manifest.Namespace)
			group := fmt.Sprint(end)
			if objects[group] == nil {
				groups = append(groups, group)
			}
			ends[group] = end
			objects[group] = append(objects[group], shell.Object(o.Kind.GroupKind(), "", o.Manifest.Name))
		}
		for _, group := range groups {
			args := slices.Concat(objects[group], ends[group])
			if where == "labels" {
				commands = append(commands, shell.Line("kubectl label", args...))
			} else {
				commands = append(commands, shell.Line("kubectl annotate", args...))
			}
		}
	}
	return commands
}

// keysOf are the keys of labels or annotations, each as kubectl removes it.
func keysOf(marks []fieldpath.Path, where string) (keys []shell.Arg) {
	for _, p := range marks {
		if p[1].Field == where {
			keys = append(keys, shell.Operand(p[2].Field+"-"))
		}
	}
	return keys
}
