package workflow

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// steps are what to do: stop the former appliers, run the new one, remove what they leave,
// and then them.
func (m *Move) steps(live *manifest.Snapshot, command string) (steps []MoveStep) {
	for _, c := range m.From {
		steps = append(steps, stop(c))
	}
	run := MoveStep{Text: "Let " + Named(m.To) + " apply the manifests", Run: true}
	if command != "" {
		run.Commands = []string{command}
	}
	steps = append(steps, run)
	if clean := m.clean(); clean != nil {
		steps = append(steps, MoveStep{Text: "Remove the labels and annotations of " + m.former(), Commands: clean})
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
	if c.By == "" {
		return string(c.Program)
	}
	return fmt.Sprintf("%s (%s)", c.Program, c.By)
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
func stop(c applier.Claim) MoveStep {
	kind, namespace, name := parts(c)
	switch kind {
	case "release":
		return MoveStep{Text: fmt.Sprintf("Run no helm upgrade, rollback or uninstall of %s any more: uninstall would delete its objects", c.By)}
	case "Application":
		return MoveStep{Text: fmt.Sprintf("Turn off automated sync of %s, also in its source", c.By),
			Commands: []string{"kubectl patch applications.argoproj.io " + at(name, namespace) + ` --type=merge -p '{"spec":{"syncPolicy":{"automated":null}}}'`}}
	case "Kustomization", "HelmRelease":
		return MoveStep{Text: fmt.Sprintf("Suspend %s, also in its source", c.By),
			Commands: []string{"kubectl patch " + fluxKind(kind) + " " + at(name, namespace) + ` --type=merge -p '{"spec":{"suspend":true}}'`}}
	}
	if c.Program == applier.Kubectl {
		return MoveStep{Text: "Run no kubectl apply of these objects any more, above all none that prunes"}
	}
	return MoveStep{Text: fmt.Sprintf("Let %s apply these objects no more", Named(c))}
}

// forget is how an applier is removed without its objects: Helm forgets a release whose
// Secrets are gone, Argo CD deletes the objects of an Application only if it has a
// finalizer, and Flux deletes nothing of what is suspended
// (kustomize-controller internal/controller/kustomization_controller.go
// finalizerShouldDeleteResources, helm-controller helmrelease_controller.go
// reconcileDelete).
func forget(c applier.Claim, live *manifest.Snapshot) (s MoveStep, needed bool) {
	kind, namespace, name := parts(c)
	switch kind {
	case "release":
		command := "kubectl delete secrets -l " + shellWord("owner=helm,name="+name)
		if namespace != "" {
			command += " -n " + shellWord(namespace)
		}
		return MoveStep{Text: fmt.Sprintf("Delete the records of %s, which leaves the objects", c.By), Commands: []string{command}}, true
	case "Application":
		s = MoveStep{Text: fmt.Sprintf("Delete %s without its objects", c.By)}
		if cascades(live, namespace, name) {
			s.Text += ": first its finalizers, because of which Argo CD would delete them"
			s.Commands = []string{"kubectl patch applications.argoproj.io " + at(name, namespace) + ` --type=merge -p '{"metadata":{"finalizers":null}}'`}
		}
		s.Commands = append(s.Commands, "kubectl delete applications.argoproj.io "+at(name, namespace))
		return s, true
	case "Kustomization", "HelmRelease":
		return MoveStep{Text: fmt.Sprintf("Delete %s, which is suspended and so leaves its objects", c.By),
			Commands: []string{"kubectl delete " + fluxKind(kind) + " " + at(name, namespace)}}, true
	}
	return s, false
}

// cascades reports whether an Application has finalizers, or is not in the snapshot.
func cascades(live *manifest.Snapshot, namespace, name string) bool {
	for o := range live.OfKind("Application.argoproj.io") {
		if o.Name == name && (namespace == "" || o.Namespace == namespace) {
			return len(tree.List(o.Tree, "metadata", "finalizers")) > 0
		}
	}
	return true
}

func fluxKind(kind string) string {
	if kind == "HelmRelease" {
		return "helmreleases.helm.toolkit.fluxcd.io"
	}
	return "kustomizations.kustomize.toolkit.fluxcd.io"
}

// parts are the kind, namespace and name of what a claim is by.
func parts(c applier.Claim) (kind, namespace, name string) {
	kind, name, _ = strings.Cut(c.By, " ")
	if in, bare, both := strings.Cut(name, "/"); both {
		namespace, name = in, bare
	}
	if namespace == "" && kind == "Application" {
		namespace = "argocd"
	}
	return kind, namespace, name
}

func at(name, namespace string) string {
	if namespace == "" {
		return shellWord(name)
	}
	return shellWord(name) + " -n " + shellWord(namespace)
}

// clean are the commands that remove the marks of former appliers: one for each namespace
// and each choice of keys.
func (m *Move) clean() (commands []string) {
	for _, where := range []string{"labels", "annotations"} {
		verb := map[string]string{"labels": "label", "annotations": "annotate"}[where]
		var groups []string
		objects := map[string][]string{}
		for _, o := range m.Objects {
			keys := keysOf(o.Remaining, where)
			if len(keys) == 0 {
				continue
			}
			group := " " + strings.Join(keys, " ")
			if o.Config.Namespace != "" {
				group += " -n " + shellWord(o.Config.Namespace)
			}
			if objects[group] == nil {
				groups = append(groups, group)
			}
			objects[group] = append(objects[group], shellWord(strings.ToLower(o.Kind.GroupKind())+"/"+o.Config.Name))
		}
		for _, group := range groups {
			commands = append(commands, "kubectl "+verb+" "+strings.Join(objects[group], " ")+group)
		}
	}
	return commands
}

// keysOf are the keys of labels or annotations, each as kubectl removes it.
func keysOf(marks []fieldpath.Path, where string) (keys []string) {
	for _, p := range marks {
		if p[1].Field == where {
			keys = append(keys, shellWord(p[2].Field+"-"))
		}
	}
	return keys
}
