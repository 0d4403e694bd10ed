package prune

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// The labels and annotations of ApplySets (KEP-3659).
const (
	PartOfLabel          = "applyset.kubernetes.io/part-of"
	ParentIDLabel        = "applyset.kubernetes.io/id"
	ParentTypeLabel      = "applyset.kubernetes.io/is-parent-type"
	ToolingAnnotation    = "applyset.kubernetes.io/tooling"
	KindsAnnotation      = "applyset.kubernetes.io/contains-group-kinds"
	NamespacesAnnotation = "applyset.kubernetes.io/additional-namespaces"
	// resourcesAnnotation is the older form of KindsAnnotation.
	resourcesAnnotation = "applyset.kubernetes.io/contains-group-resources"
)

// tooling is the name that kubectl writes into ToolingAnnotation.
const tooling = "kubectl"

// Catalog looks up kinds for ApplySets.
type Catalog struct {
	// ByResource finds a kind by its group and plural name; Kind by group and
	// kind.
	ByResource func(group, plural string) (Kind, bool)
	ByKind     func(group, kind string) (Kind, bool)
	// Resource is the plural name of a kind.
	Resource func(schema.Kind) string
}

// ApplySet is a set of objects that kubectl finds by a label, and its parent
// object.
type ApplySet struct {
	Name, Namespace string
	parent          Kind
	resource        string // plural.group, as kubectl prints it
	catalog         Catalog

	kinds      map[string]Kind // recorded in the parent
	namespaces map[string]bool
	exists     bool
}

// ParseApplySet reads the value of --applyset, [RESOURCE][.GROUP]/NAME;
// namespace is the one given with -n, or empty. The errors are kubectl's.
func ParseApplySet(ref, namespace string, catalog Catalog) (*ApplySet, error) {
	resource, name, typed := strings.Cut(ref, "/")
	if !typed {
		resource, name = "secrets", ref
	}
	if name == "" {
		return nil, fmt.Errorf("invalid parent reference %q: name cannot be blank", ref)
	}
	plural, group, _ := strings.Cut(resource, ".")
	kind, ok := catalog.ByResource(group, plural)
	if !ok {
		return nil, badParent(UnknownResource, "invalid parent reference %q: no matches for %s, Resource=%s", ref, group+"/", plural)
	}
	a := &ApplySet{Name: name, parent: kind, catalog: catalog, kinds: map[string]Kind{}, namespaces: map[string]bool{}}
	a.resource = catalog.Resource(kind.Kind) + "." + kind.Group
	if kind.Namespaced {
		a.Namespace = namespace
	}
	return a, nil
}

// SameRef reports whether two values of --applyset name the same kind and name
// of parent.
func SameRef(a, b string) bool {
	typed := func(ref string) string {
		if !strings.Contains(ref, "/") {
			return "secrets/" + ref
		}
		return ref
	}
	return a != "" && b != "" && typed(a) == typed(b)
}

// ID returns the identifier of the set, a hash of the parent's name, namespace,
// kind and group.
func (a *ApplySet) ID() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{a.Name, a.Namespace, a.parent.Kind.Kind, a.parent.Group}, ".")))
	return "applyset-" + base64.RawURLEncoding.EncodeToString(sum[:]) + "-v1"
}

// Validate returns the error that kubectl reports before it reads the cluster,
// or nil.
func (a *ApplySet) Validate(live *manifest.Snapshot) error {
	var unnamed, forbidden *Refusal
	if a.parent.Namespaced && a.Namespace == "" {
		unnamed = refuse(NoNamespace, "namespace is required to use namespace-scoped ApplySet")
	}
	if !a.builtin() && !a.permitted(live) {
		forbidden = badParent(NotPermitted, "resource %q is not permitted as an ApplySet parent",
			fmt.Sprintf("%s/%s, Resource=%s", a.parent.Group, a.parent.Version, a.catalog.Resource(a.parent.Kind)))
	}
	switch {
	case unnamed != nil && forbidden != nil:
		forbidden.Text = unnamed.Text + "\n" + forbidden.Text
		return forbidden
	case unnamed != nil:
		return unnamed
	case forbidden != nil:
		return forbidden
	}
	return nil
}

// Namespaced reports whether the parent is in a namespace, so that -n is needed.
func (a *ApplySet) Namespaced() bool { return a.parent.Namespaced }

// Identity is that of the parent.
func (a *ApplySet) Identity() manifest.Identity {
	return manifest.Identity{Group: a.parent.Group, Kind: a.parent.Kind.Kind, Namespace: a.Namespace, Name: a.Name}
}

func (a *ApplySet) builtin() bool {
	kind := a.parent.GroupKind()
	return kind == "Secret" || kind == "ConfigMap"
}

// permitted reports whether the parent's definition carries the label for it.
func (a *ApplySet) permitted(live *manifest.Snapshot) bool {
	crd := live.Find(manifest.Identity{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition", Name: a.catalog.Resource(a.parent.Kind) + "." + a.parent.Group})
	if crd == nil {
		return false
	}
	_, ok := tree.Get(crd.Tree, "metadata", "labels", ParentTypeLabel)
	return ok
}

// Parent is the parent as kubectl leaves it that has applied the objects.
func (a *ApplySet) Parent(objects []*manifest.Object) *manifest.Object {
	kinds, namespaces := map[string]bool{}, map[string]bool{}
	for _, o := range objects {
		if kinds[o.Kind.GroupKind()] = true; o.Namespace != "" && o.Namespace != a.Namespace {
			namespaces[o.Namespace] = true
		}
	}
	metadata := tree.Object{
		"name": a.Name, "labels": tree.Object{ParentIDLabel: a.ID()},
		"annotations": tree.Object{ToolingAnnotation: tooling + "/v1", KindsAnnotation: strings.Join(sorted(kinds), ","), NamespacesAnnotation: strings.Join(sorted(namespaces), ",")},
	}
	if a.Namespace != "" {
		metadata["namespace"] = a.Namespace
	}
	return &manifest.Object{Kind: a.parent.Kind, Namespace: a.Namespace, Name: a.Name, Tree: tree.Object{"apiVersion": a.parent.APIVersion(), "kind": a.parent.Kind.Kind, "metadata": metadata}}
}

// Rejected returns kubectl's error for a parent that the server rejects.
func (a *ApplySet) Rejected(message string) error {
	return badParent(NotStored, "failed to update ApplySet: %s", message)
}

// Homeless returns kubectl's error for a parent whose namespace does not exist.
func (a *ApplySet) Homeless() error {
	return badParent(NoSuchNamespace, "failed to update ApplySet: namespaces %q not found", a.Namespace)
}

// Load reads the parent object from the snapshot. If there is none, this is the
// first run. The errors are kubectl's, also of what the user may not do.
func (a *ApplySet) Load(live *manifest.Snapshot, forbids Forbids) error {
	o := live.Find(a.Identity())
	ref := a.resource + "/" + a.Name
	if why := forbids("get", a.parent, a.Namespace, a.Name); why != "" {
		return badParent(NotAllowed, "failed to fetch ApplySet parent object %q: %s", ref, why)
	}
	if err := a.load(o, ref); err != nil {
		return err
	}
	why := forbids("patch", a.parent, a.Namespace, a.Name)
	if why == "" && o == nil {
		why = forbids("create", a.parent, a.Namespace, a.Name)
	}
	if why != "" {
		return badParent(NotAllowed, "failed to update ApplySet: %s", why)
	}
	return nil
}

func (a *ApplySet) load(o *manifest.Object, ref string) error {
	if why := manifest.NameFault(a.Name); why != "" {
		return fmt.Errorf("failed to fetch ApplySet parent object %q: invalid resource name %q: [%s]", ref, a.Name, why)
	}
	if o == nil {
		if !a.builtin() {
			return badParent(NotCreated, "custom resource ApplySet parents cannot be created automatically")
		}
		return nil
	}
	a.exists = true
	annotations := tree.Map(o.Tree, "metadata", "annotations")
	tool, ok := annotations[ToolingAnnotation].(string)
	if !ok {
		return badParent(NoToolingName, "ApplySet parent object %q already exists and is missing required annotation %q", ref, ToolingAnnotation).at(o, "metadata", "annotations")
	}
	if i := strings.LastIndexByte(tool, '/'); i >= 0 {
		tool = tool[:i]
	}
	if tool != tooling {
		return badParent(OtherTool, "ApplySet parent object %q already exists and is managed by tooling %q instead of %q", ref, tool, tooling).at(o, "metadata", "annotations", ToolingAnnotation)
	}
	switch id, ok := tree.Map(o.Tree, "metadata", "labels")[ParentIDLabel].(string); {
	case !ok:
		return badParent(NoID, "ApplySet parent object %q exists and does not have required label %s", ref, ParentIDLabel).at(o, "metadata", "labels")
	case id != a.ID():
		return badParent(OtherID, "ApplySet parent object %q exists and has incorrect value for label %q (got: %s, want: %s)", ref, ParentIDLabel, id, a.ID()).at(o, "metadata", "labels", ParentIDLabel)
	}
	if err := a.readKinds(annotations); err != nil {
		return badParent(BadAnnotation, "parsing ApplySet annotation on %q: %v", ref, err).at(o, "metadata", "annotations", KindsAnnotation)
	}
	for _, ns := range split(tree.String(annotations, NamespacesAnnotation)) {
		a.namespaces[ns] = true
	}
	if a.parent.Namespaced {
		a.namespaces[a.Namespace] = true
	}
	return nil
}

func (a *ApplySet) readKinds(annotations tree.Object) error {
	text, ok := annotations[KindsAnnotation].(string)
	if !ok {
		old := tree.String(annotations, resourcesAnnotation)
		if old == "" {
			return fmt.Errorf("kubectl requires the %q annotation to be set on all ApplySet parent objects", KindsAnnotation)
		}
		for _, gr := range split(old) {
			plural, group, _ := strings.Cut(gr, ".")
			k, ok := a.catalog.ByResource(group, plural)
			if !ok {
				return fmt.Errorf("invalid group resource in %q annotation: no matches for %s", resourcesAnnotation, gr)
			}
			a.kinds[k.GroupKind()] = k
		}
		return nil
	}
	for _, gk := range split(text) {
		kind, group, _ := strings.Cut(gk, ".")
		k, ok := a.catalog.ByKind(group, kind)
		if !ok {
			return fmt.Errorf("could not find mapping for kind in %q annotation: no matches for kind %q in group %q", KindsAnnotation, kind, group)
		}
		a.kinds[k.GroupKind()] = k
	}
	return nil
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// Leaving is the patch of the metadata of an object that leaves the set.
func (a *ApplySet) Leaving() tree.Object { return tree.Object{"labels": tree.Object{PartOfLabel: nil}} }

// Unlabeled is an object without the label of the set.
func (a *ApplySet) Unlabeled(o *manifest.Object) *manifest.Object {
	if tree.String(o.Tree, "metadata", "labels", PartOfLabel) != a.ID() {
		return o
	}
	bare := *o
	bare.Tree = tree.CopyObject(o.Tree)
	delete(tree.Map(bare.Tree, "metadata", "labels"), PartOfLabel)
	return &bare
}

// Label adds the part-of label to an object of the manifests. If the object
// already has it, Label returns kubectl's error.
func (a *ApplySet) Label(o *manifest.Object) error {
	if _, ok := tree.Get(o.Tree, "metadata", "labels", PartOfLabel); ok {
		return refuse(LabelInInput, "ApplySet label %q already set in input data", PartOfLabel).at(o, "metadata", "labels", PartOfLabel)
	}
	labels := o.Labels()             // of which one that is no text takes all others with it
	o.Tree = tree.CopyObject(o.Tree) // parts of it are shared with the file that was read
	if labels == nil {
		labels = tree.Object{}
	}
	tree.Set(o.Tree, labels, "metadata", "labels")
	tree.Set(o.Tree, a.ID(), "metadata", "labels", PartOfLabel)
	return nil
}

// ByApplySet previews a prune by ApplySet: the members, by label, of the kinds
// and in the namespaces that the parent records, without those just applied.
// kubectl lists all of them before it deletes the first.
func ByApplySet(live *manifest.Snapshot, visited Visited, a *ApplySet, forbids Forbids) *Result {
	r := &Result{}
	if !a.exists {
		r.Notes = append(r.Notes, fmt.Sprintf("first run of ApplySet %s: its parent records nothing yet, so nothing is pruned", a.Name))
	}
	l, id := newLister(live), a.ID()
	var kinds []Kind
	for _, name := range sortedKinds(a.kinds) {
		kinds = append(kinds, a.kinds[name])
	}
	seen := map[*manifest.Entry]bool{}
	look := func(k Kind, namespace string) {
		if why := forbids("list", k, namespace, ""); why != "" && r.Failed == "" {
			r.Failed = fmt.Sprintf("listing %s/%s, Kind=%s objects for pruning: %s", k.Group, k.Version, k.Kind.Kind, why)
		}
		for _, o := range l.list(k, namespace) {
			if o.Label(PartOfLabel) == id && !visited.has(o) {
				seen[o] = true
				r.Candidates = append(r.Candidates, Candidate{Live: o, Fate: Pruned,
					Why: "member of the ApplySet, in no manifest; " + k.GroupKind() + " is recorded in the parent"})
			}
		}
	}
	for _, k := range kinds {
		if !k.Namespaced {
			look(k, "")
			continue
		}
		for _, ns := range sorted(a.namespaces) {
			look(k, ns)
		}
	}
	for i, c := range r.Candidates {
		if why := forbids("delete", a.kinds[c.Live.Kind.GroupKind()], c.Live.Namespace, c.Live.Name); why != "" && r.Failed == "" {
			r.Failed = fmt.Sprintf("pruning %s %s: %s", c.Live.Kind.GroupKind(), strings.TrimPrefix(c.Live.Namespace+"/"+c.Live.Name, "/"), why)
		}
		if r.Failed != "" {
			r.Candidates[i].Fate, r.Candidates[i].Why = Stays, r.Failed
		}
	}
	for _, o := range live.Entries {
		if o.Label(PartOfLabel) != id || seen[o] || visited.has(o) {
			continue
		}
		why := "namespace " + o.Namespace + " is not recorded in the parent"
		if _, ok := a.kinds[o.Kind.GroupKind()]; !ok {
			why = o.Kind.GroupKind() + " is not recorded in the parent"
		}
		r.Candidates = append(r.Candidates, Candidate{Live: o, Fate: Stays, Why: why, Miss: NotRecorded})
	}
	r.Kinds, r.Uncovered = kinds, uncovered(live, kinds)
	r.weigh(live)
	return r
}

func sortedKinds(m map[string]Kind) []string {
	names := map[string]bool{}
	for k := range m {
		names[k] = true
	}
	return sorted(names)
}
