package manifest

import "strings"

// layouts recognize the program that made an archive or directory by a path in
// it: github.com/openshift/oc pkg/cli/admin/inspect,
// github.com/vmware-tanzu/velero pkg/archive, kubectl pkg/cmd/clusterinfo and
// github.com/replicatedhq/troubleshoot pkg/collect.
var layouts = []struct {
	name, part string
	selects    bool // it collects only some kinds
}{
	{"must-gather", "/cluster-scoped-resources/", true},
	{"must-gather", "/must-gather.local.", true},
	{"Velero backup", "-preferredversion/", false},
	{"Velero backup", "/metadata/version", false},
	{"support bundle", "/cluster-resources/", true},
	{"cluster-info dump", "/replication-controllers.", true},
}

// Selected reports whether the snapshot is from a program that collects only
// some kinds, so that the cluster may have objects of others.
func (s *Snapshot) Selected() bool {
	for _, g := range s.Gathered {
		for _, l := range layouts {
			if l.selects && l.name == g.Layout {
				return true
			}
		}
	}
	return false
}

func (g *Gathered) recognise(name string) {
	for _, l := range layouts {
		if g.Layout == "" && strings.Contains("/"+name, l.part) {
			g.Layout = l.name
		}
	}
}
