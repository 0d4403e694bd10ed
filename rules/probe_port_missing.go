package rules

import (
	"fmt"
	"strconv"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var probePortMissing = &lint.Rule{
	ID:       "probe-port-missing",
	Title:    "a probe names a port that the container does not have",
	Text:     "In the merged object a probe or a lifecycle hook names a port that the container does not have. A port number need not be in the list. A warning if that is not new, and for preStop.",
	Why:      "The probe always fails: new pods never become ready, and a liveness or startup probe restarts the container again and again.",
	Fix:      "Correct the name, or give the port of the container that name.",
	Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#use-a-named-port"},
	Severity: lint.Error,
	Effect:   impact.Lacks,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			at, spec := podSpec(o.Kind, o.Result)
			_, old := podSpec(o.Kind, o.Before)
			before := map[string]bool{}
			for _, use := range unnamedPorts(at, old) {
				before[use.container+" "+use.handler+" "+use.port] = true
			}
			for _, use := range unnamedPorts(at, spec) {
				r := lint.Report{Path: o.Keyed(use.path, o.Result), LivePath: o.Keyed(use.path, o.Result)}
				if before[use.container+" "+use.handler+" "+use.port] {
					r.Effect, r.Severity = impact.None, lint.Warning // it was so
				}
				if use.handler == "preStop" {
					r.Severity = lint.Warning
				}
				r.Message = fmt.Sprintf("%s of container %s names port %q, and the container has none of that name: %s", use.handler, use.container, use.port, handlerFails[use.handler])
				switch likely := phrase.Nearest(use.port, use.names); {
				case likely != "":
					r.Fix = fmt.Sprintf("did you mean %s?", likely)
				case len(use.names) > 0:
					r.Fix = "name one of the ports of the container: " + strings.Join(use.names, ", ")
				default:
					r.Fix = "give a port of the container the name " + use.port
				}
				p.Report(o, r)
			}
		}
	},
}

// handlerFails says what happens if the port of a handler is not found
// (pkg/probe/util.go ResolveContainerPort, pkg/kubelet/lifecycle/handlers.go).
var handlerFails = map[string]string{
	"readinessProbe": "it always fails, and new pods never become ready",
	"livenessProbe":  "it always fails, and the container is restarted again and again",
	"startupProbe":   "it always fails, and the container is restarted again and again",
	"postStart":      "it fails, and the container is killed",
	"preStop":        "it fails, and the container is stopped without it",
}

// portUse is a handler with a port by a name that its container does not have.
type portUse struct {
	container, handler, port string
	path                     fieldpath.Path
	names                    []string // of the ports of the container
}

func unnamedPorts(at fieldpath.Path, spec tree.Object) (list []portUse) {
	for _, c := range containers(at, spec) {
		has := map[string]bool{}
		var names []string
		for _, port := range tree.List(c.tree, "ports") {
			if name := tree.String(port, "name"); name != "" {
				has[name], names = true, append(names, name)
			}
		}
		for _, handler := range [][]string{{"readinessProbe"}, {"livenessProbe"}, {"startupProbe"}, {"lifecycle", "postStart"}, {"lifecycle", "preStop"}} {
			for _, how := range []string{"httpGet", "tcpSocket"} {
				name := tree.String(tree.Map(c.tree, handler...), how, "port")
				if _, err := strconv.Atoi(name); name != "" && err != nil && !has[name] {
					list = append(list, portUse{c.name, handler[len(handler)-1], name, c.path.Child(handler...).Child(how, "port"), names})
				}
			}
		}
	}
	return list
}
