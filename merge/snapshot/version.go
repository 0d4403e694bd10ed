package snapshot

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Version is what a snapshot tells of the minor of its server: that it is one of
// Least to Most, of which 0 is no bound. Exact says that one file names it.
type Version struct {
	Least, Most int
	Exact       bool
	// LeastBy and MostBy say what tells the bounds.
	LeastBy, MostBy string
}

// kubeletSkew is how many minors a kubelet may be behind its server.
const kubeletSkew = 3

// mostObjects is how many Nodes are looked at, and how many objects for a sign.
const mostObjects = 20

// VersionOf finds the version of a snapshot: in the output of kubectl version
// among its files, in the Nodes, in the fields that only some minors write, and
// in the versions of the kinds that it serves.
func VersionOf(live *manifest.Snapshot) Version {
	if live == nil {
		return Version{}
	}
	return manifest.Learned(live, func() Version { return versionOf(live) })
}

func versionOf(live *manifest.Snapshot) (v Version) {
	if minor, ok := minorOf(live.Server.Version); ok {
		by := "kubectl version in " + live.Server.File
		return Version{minor, minor, true, by, by}
	}
	v.kinds(live)
	v.nodes(live)
	for _, w := range signs(live) {
		v.also(w)
	}
	if v.Most != 0 && v.Least > v.Most {
		return Version{} // of several clusters
	}
	return v
}

func (v *Version) least(minor int, by string) {
	if minor > v.Least {
		v.Least, v.LeastBy = minor, by
	}
}

func (v *Version) most(minor int, by string) {
	if v.Most == 0 || minor < v.Most {
		v.Most, v.MostBy = minor, by
	}
}

func (v *Version) kinds(live *manifest.Snapshot) {
	seen := map[schema.Kind]bool{}
	for _, e := range live.Entries {
		if seen[e.Kind] {
			continue
		}
		seen[e.Kind] = true
		r, ok := schema.Builtin(e.Kind)
		by := fmt.Sprintf("it has %s in version %s", e.Kind.Kind, e.Kind.APIVersion())
		if ok && r.Since != 0 {
			v.least(r.Since, by)
		}
		if ok && r.Until != 0 {
			v.most(r.Until, by)
		}
	}
}

// nodes goes by the kubelets: none is newer than the server.
func (v *Version) nodes(live *manifest.Snapshot) {
	nodes := live.EntriesOfKind("Node")
	for _, e := range nodes[:min(len(nodes), mostObjects)] {
		text := tree.String(e.Object().Tree, "status", "nodeInfo", "kubeletVersion")
		if minor, ok := minorOf(text); ok {
			by := "a Node runs kubelet " + text
			v.least(minor, by)
			v.most(minor+kubeletSkew, by)
		}
	}
}

// also narrows the bounds by a sign. A sign behind a feature gate does not count
// against the kinds and Nodes: someone has set the gate.
func (v *Version) also(w witness) {
	since, gated := w.By.Since, w.By.Gate != ""
	switch {
	case w.does && !(gated && v.Most != 0 && v.Most < since):
		v.least(since, w.by)
	case !w.does && !(gated && v.Least >= since):
		v.most(since-1, w.by)
	}
}

// witness is an object by which its server does a change, or does not.
type witness struct {
	kube.Sign
	does bool
	by   string
}

// signs goes by the fields of [kube.Signs]. A server shows all objects of a kind
// alike, so one that has what belongs there is enough.
func signs(live *manifest.Snapshot) (all []witness) {
	ofKind, looked := map[schema.Kind][]kube.Sign{}, map[kube.Change]int{}
	for _, e := range live.Entries {
		signs, seen := ofKind[e.Kind]
		if !seen {
			signs = signsOf(e.Kind.GroupKind())
			ofKind[e.Kind] = signs
		}
		for _, s := range signs {
			if looked[s.By] == mostObjects || e.UID == "" { // what has no uid was never in a cluster
				continue
			}
			looked[s.By]++
			w, tells := witnessed(s, e)
			if tells {
				all = append(all, w)
			}
			if tells || s.Null { // what has no null is not looked for further
				looked[s.By] = mostObjects
			}
		}
	}
	return all
}

func signsOf(kind string) (signs []kube.Sign) {
	for _, s := range kube.Signs {
		if s.Kind == kind {
			signs = append(signs, s)
		}
	}
	return signs
}

func witnessed(s kube.Sign, e *manifest.Entry) (w witness, tells bool) {
	obj := e.Object().Tree
	value, there := tree.Get(obj, strings.Split(s.Path, ".")...)
	name := e.Kind.Kind + " " + e.Name
	switch {
	case s.Null:
		return witness{s, false, fmt.Sprintf("%s has %s: null", name, s.Path)}, there && value == nil
	case there:
		return witness{s, true, fmt.Sprintf("%s has %s", name, s.Path)}, tree.Has(obj, strings.Split(s.Given, ".")...)
	}
	return witness{s, false, fmt.Sprintf("%s has no %s", name, s.Path)}, tree.Has(obj, strings.Split(s.Given, ".")...)
}

// minorOf reads the minor of a version such as v1.33.4-eks-1.
func minorOf(version string) (int, bool) {
	var major, minor int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(version, "v"), "%d.%d", &major, &minor); n < 2 || major != 1 {
		return 0, false
	}
	return minor, true
}

// Likely is the minor that fits the snapshot best: that of its Nodes or the one
// named, else the one nearest to usual.
func (v Version) Likely(usual int) int {
	switch {
	case v.Told() != 0:
		return v.Told()
	case v.Most != 0 && usual > v.Most:
		return v.Most
	}
	return max(usual, v.Least)
}

// Told is the minor that a file names or that the Nodes have; 0 if there are only
// bounds.
func (v Version) Told() int {
	if v.Exact || strings.HasPrefix(v.LeastBy, "a Node ") {
		return v.Least
	}
	return 0
}

// Clash says why a minor is not that of the snapshot's server, "" if it can be.
func (v Version) Clash(minor int) string {
	switch {
	case v.Exact && minor != v.Least:
		return fmt.Sprintf("the snapshot comes from Kubernetes 1.%d: %s", v.Least, v.LeastBy)
	case minor < v.Least:
		return fmt.Sprintf("the snapshot comes from Kubernetes 1.%d or newer: %s", v.Least, v.LeastBy)
	case v.Most != 0 && minor > v.Most:
		return fmt.Sprintf("the snapshot comes from Kubernetes 1.%d or older: %s", v.Most, v.MostBy)
	}
	return ""
}

// By says what tells the version.
func (v Version) By(minor int) string {
	if minor == v.Least {
		return cmp.Or(v.LeastBy, v.MostBy)
	}
	return cmp.Or(v.MostBy, v.LeastBy)
}
