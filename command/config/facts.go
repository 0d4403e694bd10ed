package config

import (
	"fmt"
	"strings"

	"threeway/command/request"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// clusterFacts are what snapshots tell about a cluster.
type clusterFacts struct {
	// minor is the Kubernetes version of the newest node, 0 if no node is there or
	// if that is the default anyway. The API server is no older.
	minor int
	// serverSide: kubectl has applied more objects server-side than client-side.
	serverSide bool
}

// factsOf looks at live objects.
func factsOf(snapshots []string) (f clusterFacts) {
	if len(snapshots) == 0 {
		return f
	}
	applied := 0 // server-side, less those client-side
	for o := range manifest.ReadSnapshot(manifest.Options{Paths: snapshots}).Objects() {
		if o.Kind.Kind == "Node" {
			if n, err := request.Minor(tree.String(o.Tree, "status", "nodeInfo", "kubeletVersion")); err == nil && n != rehearsal.DefaultMinor {
				f.minor = max(f.minor, n)
			}
		}
		switch {
		case tree.String(o.Tree, "metadata", "annotations", rehearsal.LastAppliedKey) != "":
			applied--
		case owners.Applies(o.Tree, rehearsal.DefaultManager):
			applied++
		}
	}
	f.serverSide = applied > 0
	return f
}

// writeFacts writes the settings that they are about, as comments where nothing is
// known.
func writeFacts(b *strings.Builder, f clusterFacts) {
	b.WriteString("\n# The Kubernetes minor version to simulate.\n")
	if f.minor > 0 {
		fmt.Fprintf(b, "# The newest node in the snapshot has this one; the API server may be newer.\nkubernetes-version: \"1.%d\"\n", f.minor)
	} else {
		fmt.Fprintf(b, "# kubernetes-version: \"1.%d\"\n", rehearsal.DefaultMinor)
	}
	b.WriteString("\n# How you apply: client-side or server-side, and, if you prune, the flags you\n# prune with: root, selector, applyset, allowlist, all.\n")
	if f.serverSide {
		b.WriteString("apply:\n  mode: server-side # as most objects in the snapshot were applied\n")
	} else {
		b.WriteString("# apply:\n#   mode: client-side\n")
	}
}
