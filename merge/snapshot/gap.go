package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/mask"
)

// Report is what Check has to say of a dump.
type Report struct {
	// Gaps are what the dump lacks, each with the consequence and the way out.
	// Notes are worth knowing.
	Gaps, Notes []string
}

// Check says what a dump lacks for a rehearsal. The namespaces of the config
// must have been resolved.
func Check(live *manifest.Snapshot, opts Options) *Report {
	c := &checker{Options: opts, live: live, survey: look(live, opts.Cores), wants: Wants(opts), report: &Report{}}
	if c.objects > 0 {
		c.metadata()
		c.lastApplied()
	}
	if !c.EmptyCluster {
		c.kinds()
	}
	c.definitions()
	c.namespaces()
	c.secrets()
	return c.report
}

type checker struct {
	Options
	survey
	live   *manifest.Snapshot
	wants  []Want
	report *Report
}

func (c *checker) gap(format string, args ...any) {
	c.report.Gaps = append(c.report.Gaps, fmt.Sprintf(format, args...))
}

func (c *checker) note(format string, args ...any) {
	c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, args...))
}

func (c *checker) metadata() {
	switch {
	case len(c.bare) == c.objects:
		c.gap("managedFields: without them it is unknown who changed a field, and a server-side apply cannot be rehearsed; export with --show-managed-fields")
	case len(c.bare) > 0:
		c.note("objects without managedFields: %d of %d: %s", len(c.bare), c.objects, firstOf(c.bare))
	}
	if c.uids == 0 {
		c.gap("metadata.uid: the export was cleaned up afterwards, so it is unknown what else a prune would delete; use the export exactly as kubectl printed it")
	}
}

// lastApplied looks at the live objects of the config, or at all. Helm and Flux do not
// go by the annotation.
func (c *checker) lastApplied() {
	if c.By != "" && c.By != applier.Application {
		return
	}
	if c.Manifests == nil {
		if !c.applied {
			c.gap("last-applied annotations: no object has one, so no field counts as removed from the manifests; if the export dropped them, export again, otherwise pass --last-applied")
		}
		return
	}
	var bare []string
	for _, o := range c.Manifests.Objects {
		if live := c.live.Find(o.ID()); live != nil && !applied(live) {
			bare = append(bare, o.ID().String())
		}
	}
	if len(bare) > 0 {
		c.gap("last-applied annotations, without which no field counts as removed from the manifest, of %s; if they were never applied, ignore this, otherwise export again or pass --last-applied", firstOf(bare))
	}
}

// kinds names the kinds that the config makes worth knowing and of which the
// dump has neither an object nor a list.
func (c *checker) kinds() {
	if c.Manifests == nil {
		return
	}
	var missing, beside []string
	for _, w := range c.wants {
		switch {
		case c.live.Covers(w.Group, w.Kind.Kind), slices.Contains(c.Unserved, w.GroupKind()):
		case w.Why <= Prune:
			missing = append(missing, w.GroupKind())
		default:
			beside = append(beside, w.Kind.Kind)
		}
	}
	if len(missing) > 0 {
		c.gap("all objects of %s: they were not exported, or the cluster has none, which the script of 'threeway snapshot -o script' would record", strings.Join(missing, ", "))
	}
	if len(beside) > 0 {
		c.note("not exported, or the cluster has none: %s", strings.Join(beside, ", "))
	}
}

// definitions names the kinds of the config that a rehearsal does not know, in
// the words in which it says so.
func (c *checker) definitions() {
	if len(c.Undefined) > 0 {
		c.gap("CustomResourceDefinitions of %s: their objects are not validated, defaulted or pruned; export customresourcedefinitions.apiextensions.k8s.io, or pass --crd", strings.Join(c.Undefined, ", "))
	}
	if len(c.Unserved) > 0 {
		c.gap("the kinds %s: the cluster does not serve them, so the apply would be rejected; if they have been installed since, export again", strings.Join(c.Unserved, ", "))
	}
}

func (c *checker) namespaces() {
	if c.Manifests == nil || c.EmptyCluster {
		return
	}
	if other := OtherNamespaces(c.live, c.Manifests); len(other) > 0 {
		c.gap("all objects in namespace %s: only %s was exported, so the objects of the manifests there count as absent; export with -A", strings.Join(other, ", "), firstOf(c.live.Namespaces()))
	}
	has := func(name string) bool {
		return c.live.Find(manifest.Identity{Kind: "Namespace", Name: name}) != nil
	}
	if has("kube-system") { // with it, all of them
		return
	}
	var absent []string
	for _, o := range c.Manifests.Objects {
		inConfig := slices.ContainsFunc(c.Manifests.Objects, func(n *manifest.Object) bool { return n.Kind.GroupKind() == "Namespace" && n.Name == o.Namespace })
		if o.Namespace != "" && !inConfig && !has(o.Namespace) && !slices.Contains(absent, o.Namespace) {
			absent = append(absent, o.Namespace)
		}
	}
	if len(absent) > 0 {
		slices.Sort(absent)
		c.gap("the Namespace objects of %s: whether they exist is unknown; export namespaces", strings.Join(absent, ", "))
	}
}

func (c *checker) secrets() {
	if c.masked > 0 {
		c.gap("the values of Secrets, masked as %s: %d; this is output of threeway merge or kubectl diff; export them from the cluster", mask.Value, c.masked)
	}
	switch {
	case c.values > 0 && len(c.keys) == 0:
		c.note("redacted values: %d, of which only the lengths are known; whether an apply changes them is unknown if their lengths are equal", c.values)
	case c.values > 0:
		c.note("redacted values: %d, with the key %s; without the key in THREEWAY_KEY it is unknown whether an apply changes them", c.values, strings.Join(c.keys, " or "))
	}
	if c.clear > 0 {
		c.note("unmasked Secrets: %d; run 'threeway snapshot redact' before you commit or store the export", c.clear)
	}
}

// firstOf names the first of a list.
func firstOf(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
