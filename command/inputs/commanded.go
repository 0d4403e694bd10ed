package inputs

import (
	"errors"
	"fmt"
	"slices"

	"threeway/command/request"
	"threeway/merge"
	"threeway/merge/by/imperative"
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
	if by.Verb != "delete" {
		return c.withNames()
	}
	if by.HasFiles() {
		err = c.inManifests()
	} else {
		err = c.named()
	}
	for _, e := range c.deleted {
		if e.Kind.GroupKind() == "Namespace" && !opts.EmptyCluster && !opts.Live.Covers("", "PersistentVolumeClaim") {
			return fmt.Errorf("the snapshot has no PersistentVolumeClaim; export them too: what goes with the namespace is unknown")
		}
	}
	c.Aftermath.Prune = prune.Named(opts.Live, c.deleted, "kubectl delete names it")
	return err
}

// named are the live objects that the words of a delete name.
func (c *commanded) named() error {
	definitions := slices.Concat(slices.Collect(c.opts.Live.OfKind(rehearsal.DefinitionKind)), c.opts.Definitions)
	targets, err := c.Targets(imperative.Resources{Minor: c.opts.Minor, Definitions: definitions})
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
		found := t.In(c.opts.Live, c.r.Namespace, func(labels tree.Object) bool { return selects.Matches(labels) })
		if len(found) == 0 || t.Name == "" {
			if err := c.absent(t.Absent(c.r.Namespace), t.Name != ""); err != nil {
				return err
			}
		}
		c.deleted = append(c.deleted, found...)
	}
	if len(c.deleted)+len(c.opts.Manifests.Objects) == 0 && !c.opts.EmptyCluster && targets[0].Name == "" {
		return fmt.Errorf("the snapshot has nothing that the command selects; what it would delete now is unknown: name the objects, or export them again")
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
		return fmt.Errorf("the snapshot has no objects in namespace %s; include it in the export", o.Namespace)
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
