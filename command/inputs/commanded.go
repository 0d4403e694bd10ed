package inputs

import (
	"fmt"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/merge"
	"threeway/merge/by/imperative"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/tree"
)

// commanded finds the objects of a command of kubectl.
type commanded struct {
	*imperative.Applier
	r       *request.Inputs
	opts    *merge.Options
	deleted []*manifest.Entry
}

// rehearseCommand completes options as those of a command of kubectl besides apply.
func rehearseCommand(by *request.Command, r *request.Inputs, opts *merge.Options) error {
	c := &commanded{Applier: imperative.New(by.Command), r: r, opts: opts}
	opts.By = c.Applier
	if len(opts.Live.Entries) == 0 && !opts.EmptyCluster {
		return fmt.Errorf("what kubectl %s would change is unknown without the live objects: pass an export with --live", by.Verb)
	}
	switch {
	case by.HasFiles() && by.Verb == "delete":
		return c.deleteManifests()
	case by.HasFiles() && (by.Verb == "create" || by.Verb == "replace"):
		return c.withNames()
	case by.HasFiles():
		return fmt.Errorf("kubectl %s -f is not rehearsed; name the objects", by.Verb)
	case by.Verb == "delete":
		return c.named(by.Args, nil)
	}
	patch, err := c.patchFile(by.Text("patch-file"))
	if err != nil {
		return err
	}
	words, edit, err := by.Edit(patch)
	if err != nil {
		return err
	}
	return c.named(words, edit)
}

func (c *commanded) patchFile(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if c.r.Trusted != nil && !disk.Inside(name, settings.FileName) {
		return "", fmt.Errorf("%s is outside of the repository, and a run with --trust reads only what is in it", name)
	}
	text, err := disk.ReadFile(name)
	return string(text), err
}

// named are the objects that words name, edited or, without an edit, deleted.
func (c *commanded) named(words []string, edit imperative.Edit) error {
	definitions := slices.Concat(slices.Collect(c.opts.Live.OfKind(rehearsal.DefinitionKind)), c.opts.Definitions)
	targets, err := c.Targets(imperative.Resources{Minor: c.minor(), Definitions: definitions}, words)
	if err != nil {
		return err
	}
	selects, err := selector.Parse(c.Text("selector"))
	if err != nil {
		return err
	}
	for _, t := range targets {
		if t.Namespaced && c.r.Namespace == "" {
			return fmt.Errorf("the namespace of kubectl's context is unknown: write -n into the command, or pass -n beside it")
		}
		if c.Verb == "scale" {
			if err := c.scaled(t.Plural); err != nil {
				return err
			}
		}
		found := t.In(c.opts.Live, c.r.Namespace, func(labels tree.Object) bool { return selects.Matches(labels) })
		if len(found) == 0 || t.Name == "" {
			if err := c.covered(t.Absent(c.r.Namespace)); err != nil {
				return err
			}
		}
		if len(found) == 0 && t.Name != "" && !c.Has("ignore-not-found") {
			c.opts.Manifests.Objects = append(c.opts.Manifests.Objects, t.Absent(c.r.Namespace))
		}
		for _, e := range found {
			if edit == nil {
				c.deleted = append(c.deleted, e)
				continue
			}
			made, owned := c.Manifest(e, edit)
			if owned {
				return fmt.Errorf("the command changes fields of %s that only the API server or kubectl apply writes", e.ID())
			}
			c.opts.Manifests.Objects = append(c.opts.Manifests.Objects, made)
		}
	}
	return c.whole()
}

// deleteManifests deletes the live objects of manifests.
func (c *commanded) deleteManifests() error {
	opts := c.opts.Options
	opts.Minor = c.minor()
	scope := rehearsal.NewCatalog(opts).Scope
	c.opts.Manifests.ResolveNamespaces(manifest.Resolve{Scope: scope, Namespace: c.r.Namespace, Enforce: c.r.NamespaceGiven})
	if err := manifest.Err(c.opts.Manifests.Problems); err != nil {
		return err
	}
	var absent []*manifest.Object
	for _, o := range c.opts.Manifests.Objects {
		if c.opts.Select != nil && !c.opts.Select(tree.Map(o.Tree, "metadata", "labels")) {
			continue
		}
		if o.Placed && o.Namespace != "" && c.r.Namespace == "" {
			return fmt.Errorf("the namespace of kubectl's context is unknown: write -n into the command, or pass -n beside it")
		}
		if e := c.opts.Live.FindEntry(o.ID()); e != nil {
			c.deleted = append(c.deleted, e)
			continue
		}
		if err := c.covered(o); err != nil {
			return err
		}
		if !c.Has("ignore-not-found") {
			absent = append(absent, o)
		}
	}
	c.opts.Manifests.Objects = absent
	return c.whole()
}

// withNames refuses manifests whose names the server chooses, which only a create takes.
func (c *commanded) withNames() error {
	for _, p := range c.opts.Manifests.Problems {
		if p.Object != nil && tree.Has(p.Object.Tree, "metadata", "generateName") {
			return fmt.Errorf("%s has a generateName: what the server calls the object is unknown", p.File)
		}
	}
	return nil
}

// scaled refuses a kind for whose scale, which is a resource of its own, a policy in the
// snapshot may answer otherwise than for the object.
func (c *commanded) scaled(plural string) error {
	for _, kind := range []string{"ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"} {
		for policy := range c.opts.Live.OfKind(kind + ".admissionregistration.k8s.io") {
			for _, rule := range tree.List(policy.Tree, "spec", "matchConstraints", "resourceRules") {
				for _, resource := range tree.List(rule, "resources") {
					if text := fmt.Sprint(resource); text == "*" || text == plural || strings.Contains(text, "/") {
						return fmt.Errorf("whether %s %s holds for a scale is unknown; kubectl patch changes the replicas too", kind, policy.Name)
					}
				}
			}
		}
	}
	return nil
}

// covered is the error of an object of which the snapshot does not tell whether it is there.
func (c *commanded) covered(o *manifest.Object) error {
	switch {
	case c.opts.EmptyCluster:
	case !c.opts.Live.Covers(o.Kind.Group, o.Kind.Kind):
		return fmt.Errorf("the snapshot has no %s; export them too", o.Kind.GroupKind())
	case len(snapshot.OtherNamespaces(c.opts.Live, &manifest.Set{Objects: []*manifest.Object{o}})) > 0:
		return fmt.Errorf("the snapshot has nothing of namespace %s; export it too", o.Namespace)
	}
	return nil
}

// whole says what is deleted, unless the snapshot does not tell whether data goes with it.
func (c *commanded) whole() error {
	for _, e := range c.deleted {
		if e.Kind.GroupKind() == "Namespace" && !c.opts.EmptyCluster && !c.opts.Live.Covers("", "PersistentVolumeClaim") {
			return fmt.Errorf("the snapshot has no PersistentVolumeClaim; export them too: what goes with the namespace is unknown")
		}
	}
	if c.Verb == "delete" {
		c.Aftermath.Prune = prune.Named(c.opts.Live, c.deleted, "kubectl delete names it")
	}
	return nil
}

func (c *commanded) minor() int {
	if c.opts.Minor == 0 {
		return rehearsal.DefaultMinor
	}
	return c.opts.Minor
}

// ContextNamespace are the manifests that a command of kubectl would put into the namespace
// of its context, which is unknown.
func ContextNamespace(r *request.Inputs, p *merge.Plan) (list []merge.Unknown) {
	if !r.Commanded || r.Namespace != "" {
		return nil
	}
	for _, o := range p.Outcomes {
		if o.Manifest.Placed && o.Manifest.Namespace != "" {
			list = append(list, merge.Unknown{Gap: merge.OtherNamespaces, Object: o.Identity(), Needs: "the namespace of kubectl's context: -n in the command, or beside it"})
		}
	}
	return list
}
