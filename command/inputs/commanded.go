package inputs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/merge"
	"threeway/merge/by/imperative"
	"threeway/merge/disk"
	"threeway/merge/gap"
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

const contextNeeded = "the namespace of kubectl's context: -n in the command, or beside it"

var errContext = errors.New("an object is not known without " + contextNeeded)

// rehearseCommand completes options as those of a command of kubectl besides apply.
func rehearseCommand(by *request.Command, r *request.Inputs, opts *merge.Options) (err error) {
	c := &commanded{Applier: imperative.New(by.Command), r: r, opts: opts}
	opts.By = c.Applier
	if len(opts.Live.Entries) == 0 && !opts.EmptyCluster {
		return fmt.Errorf("what kubectl %s would change is unknown without the live objects: pass an export with --live", by.Verb)
	}
	var patch []byte
	switch file := by.Text("patch-file"); {
	case by.HasFiles() && by.Verb != "delete":
		return c.withNames()
	case by.HasFiles():
		err = c.inManifests()
	case by.Verb == "delete", by.Verb == "autoscale":
		err = c.named(by.Args, nil)
	case file != "" && r.Trusted != nil && !disk.Inside(file, settings.FileName):
		return fmt.Errorf("%s is outside of the repository, and a run with --trust reads only what is in it", file)
	default:
		if file != "" {
			if patch, err = disk.ReadFile(file); err != nil {
				return err
			}
		}
		words, edit, wrong := by.Edit(string(patch), opts.Live)
		if wrong != nil {
			return wrong
		}
		err = c.named(words, edit)
	}
	for _, e := range c.deleted {
		if e.Kind.GroupKind() == "Namespace" && !opts.EmptyCluster && !opts.Live.Covers("", "PersistentVolumeClaim") {
			return fmt.Errorf("the snapshot has no PersistentVolumeClaim; export them too: what goes with the namespace is unknown")
		}
	}
	if by.Verb == "delete" {
		c.Aftermath.Prune = prune.Named(opts.Live, c.deleted, "kubectl delete names it")
	}
	return err
}

// named are the objects that words name, edited or, without an edit, deleted.
func (c *commanded) named(words []string, edit imperative.Edit) error {
	definitions := slices.Concat(slices.Collect(c.opts.Live.OfKind(rehearsal.DefinitionKind)), c.opts.Definitions)
	targets, err := c.Targets(imperative.Resources{Minor: c.opts.Minor, Definitions: definitions}, words)
	if err != nil {
		return err
	}
	selects, err := selector.Parse(c.Text("selector"))
	if err != nil {
		return err
	}
	for _, t := range targets {
		if t.Namespaced && c.r.Namespace == "" {
			return errContext
		}
		if err := c.scaled(t, definitions); err != nil {
			return err
		}
		found := t.In(c.opts.Live, c.r.Namespace, func(labels tree.Object) bool { return selects.Matches(labels) })
		if len(found) == 0 || t.Name == "" {
			if err := c.absent(t.Absent(c.r.Namespace), t.Name != ""); err != nil {
				return err
			}
		}
		for _, e := range found {
			if c.Verb == "autoscale" {
				made, err := c.Autoscaler(e)
				if err != nil {
					return err
				}
				c.opts.Manifests.Objects = append(c.opts.Manifests.Objects, made)
				continue
			}
			if edit == nil {
				c.deleted = append(c.deleted, e)
				continue
			}
			if e.Kind != t.Kind {
				return fmt.Errorf("%s is in the snapshot as %s, and kubectl reads it as %s; export it so", e.ID(), e.Kind.APIVersion(), t.APIVersion())
			}
			made, owned := c.Manifest(e, edit)
			if owned {
				return fmt.Errorf("the command changes fields of %s that only the API server or kubectl apply writes", e.ID())
			}
			c.opts.Manifests.Objects = append(c.opts.Manifests.Objects, made)
		}
	}
	return nil
}

// inManifests deletes the live objects of manifests.
func (c *commanded) inManifests() error {
	set := c.opts.Manifests
	objects := set.Build(manifest.Builder{Select: c.opts.Select, Scope: rehearsal.NewCatalog(c.opts.Options).Scope, Namespace: c.r.Namespace, Enforce: c.r.NamespaceGiven})
	if err := manifest.Err(set.Problems); err != nil {
		return err
	}
	set.Objects = nil
	for _, o := range objects {
		e := c.opts.Live.FindEntry(o.ID())
		switch {
		case o.Placed && o.Namespace != "" && c.r.Namespace == "":
			return errContext
		case e != nil:
			c.deleted = append(c.deleted, e)
		default:
			if err := c.absent(o, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// absent is an object that is not there, as far as the snapshot tells, which fails if a
// command names it.
func (c *commanded) absent(o *manifest.Object, named bool) error {
	switch {
	case c.opts.EmptyCluster:
	case !c.opts.Live.Covers(o.Kind.Group, o.Kind.Kind):
		return fmt.Errorf("the snapshot has no %s; export them too", o.Kind.GroupKind())
	case len(snapshot.OtherNamespaces(c.opts.Live, &manifest.Set{Objects: []*manifest.Object{o}})) > 0:
		return fmt.Errorf("the snapshot has nothing of namespace %s; export it too", o.Namespace)
	}
	if named && !c.Has("ignore-not-found") {
		c.opts.Manifests.Objects = append(c.opts.Manifests.Objects, o)
	}
	return nil
}

// withNames refuses manifests whose names the server chooses, which only a create takes.
func (c *commanded) withNames() error {
	for _, o := range c.opts.Manifests.Objects {
		if o.Name == "" && tree.Has(o.Tree, "metadata", "generateName") {
			return fmt.Errorf("%s has a generateName: what the server calls the object is unknown", o.Origin.File)
		}
	}
	return nil
}

// scaled refuses to undo what is no Deployment, to scale what has its replicas at a place of
// its own, and a kind for whose scale, which is a resource of its own, a policy may answer
// otherwise than for the object.
func (c *commanded) scaled(t imperative.Target, definitions []*manifest.Object) error {
	switch {
	case c.Verb == "rollout undo" && t.GroupKind() != "Deployment.apps":
		return fmt.Errorf("what a %s goes back to is not rehearsed: it is in ControllerRevisions", t.GroupKind())
	case c.Verb != "scale":
		return nil
	}
	for _, d := range definitions {
		for _, v := range tree.List(d.Tree, "spec", "versions") {
			if d.Name == t.Plural+"."+t.Group && tree.Has(v, "subresources", "scale") {
				return fmt.Errorf("the scale of %s is not rehearsed; kubectl patch changes the replicas too", d.Name)
			}
		}
	}
	for _, kind := range []string{"ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"} {
		for policy := range c.opts.Live.OfKind(kind + ".admissionregistration.k8s.io") {
			for _, rule := range tree.List(policy.Tree, "spec", "matchConstraints", "resourceRules") {
				for _, resource := range tree.List(rule, "resources") {
					if text := fmt.Sprint(resource); text == "*" || text == t.Plural || strings.Contains(text, "/") {
						return fmt.Errorf("whether %s %s holds for a scale is unknown; kubectl patch changes the replicas too", kind, policy.Name)
					}
				}
			}
		}
	}
	return nil
}

// ContextNamespace are the manifests that a command of kubectl would put into the namespace
// of its context, which is unknown.
func ContextNamespace(r *request.Inputs, p *merge.Plan) (list []gap.Gap) {
	for _, o := range p.Outcomes {
		if r.Commanded && r.Namespace == "" && o.Manifest.Placed && o.Manifest.Namespace != "" {
			list = append(list, gap.Gap{Code: gap.OtherNamespaces, Objects: []manifest.Identity{o.Identity()}, Needs: contextNeeded})
		}
	}
	return list
}
