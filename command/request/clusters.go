package request

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"threeway/command/settings"
)

// Named matches a value of --live that names its cluster: NAME=PATH. A file with
// such a name can be written as ./NAME=PATH.
var Named = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$`)

// forClusters are the commands that rehearse on several clusters.
var forClusters = []string{"diff", "guard", "lint", "review", "upgrade"}

// clustersOf are the clusters that values of --live name, each with its paths; none
// if they name none.
func clustersOf(command string, values []string) ([]settings.Cluster, error) {
	var list []settings.Cluster
	unnamed, stdin := "", 0
	for _, value := range values {
		m := Named.FindStringSubmatch(value)
		_, missing := os.Stat(value)
		name, _, isNamed := strings.Cut(value, "=")
		switch {
		case m == nil && isNamed && missing != nil && !strings.ContainsAny(name, `/\`):
			return nil, fmt.Errorf("--live %q: a cluster is named NAME=PATH, NAME of letters, digits, dots, - and _, and there is no file of this name", value)
		case m == nil:
			unnamed = value
			continue
		case missing == nil:
			return nil, fmt.Errorf("--live %s names the cluster %q and the path %q, and there is a file %q too; for the file, pass --live ./%s", value, m[1], m[2], value, value)
		}
		if m[2] == "-" {
			stdin++
		}
		i := slices.IndexFunc(list, func(c settings.Cluster) bool { return c.Name == m[1] })
		if i < 0 {
			i = len(list)
			list = append(list, settings.Cluster{Name: m[1]})
		}
		list[i].Live = append(list[i].Live, m[2])
	}
	switch {
	case len(list) == 0:
		return nil, nil
	case unnamed != "":
		return nil, fmt.Errorf("--live %s names no cluster, and --live %s=%s does; pass NAME=PATH for all of them, or for none", unnamed, list[0].Name, list[0].Live[0])
	case stdin > 1:
		return nil, fmt.Errorf("stdin can be read only once: pass - for one of the clusters")
	}
	return list, onOneCluster(command, list)
}

// onOneCluster is the error of a command that rehearses on one cluster.
func onOneCluster(command string, list []settings.Cluster) error {
	if len(list) == 0 || slices.Contains(forClusters, command) {
		return nil
	}
	if len(list) == 1 {
		return fmt.Errorf("%s takes no names of clusters; pass the path alone: --live %s", command, list[0].Live[0])
	}
	return fmt.Errorf("%s reads one cluster, and %d are named; run it for each of them: --live %s", command, len(list), list[0].Live[0])
}
