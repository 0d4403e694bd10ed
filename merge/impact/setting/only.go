package setting

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// patient reports whether a probe asks the container itself at one of its ports, and lets it fail for
// as long as the defaults of a probe do: what fails it is broken.
func patient(probe any, at fieldpath.Path, after tree.Object) bool {
	container, _ := at[:len(at)-1].Find(after)
	for _, how := range []string{"httpGet", "tcpSocket", "grpc"} {
		asks := tree.Map(probe, how)
		if asks == nil || tree.String(asks, "host") != "" {
			continue
		}
		isPort := func(p any) bool {
			return tree.Map(p)["name"] == asks["port"] || tree.Map(p)["containerPort"] == asks["port"]
		}
		delay, _ := tree.Int(probe, "initialDelaySeconds")
		period, _ := tree.Int(probe, "periodSeconds")
		failures, _ := tree.Int(probe, "failureThreshold")
		return slices.ContainsFunc(tree.List(container, "ports"), isPort) && delay+period*failures >= 30
	}
	return false
}

// small reports whether what a container asks for where it asked for nothing fits on any node.
func small(request any, at fieldpath.Path, _ tree.Object) bool {
	n, ok := amount(request)
	return ok && n <= map[string]float64{"cpu": 1, "memory": 1 << 30, "ephemeral-storage": 4 << 30}[at[len(at)-1].Field]
}

// inCluster reports whether the ports of a Service are open in the cluster alone.
func inCluster(_ any, _ fieldpath.Path, after tree.Object) bool {
	kind := tree.String(after, "spec", "type")
	return (kind == "" || kind == "ClusterIP") && len(tree.List(after, "spec", "externalIPs")) == 0
}

// protocolOfName reports whether a port of a Service has the protocol that its name begins with, which
// is what programs take it for.
func protocolOfName(protocol any, at fieldpath.Path, after tree.Object) bool {
	port, _ := at[:len(at)-1].Find(after)
	begins, _, _ := strings.Cut(tree.String(port, "name"), "-")
	return protocol == any(begins)
}

// ofImages reports whether new containers, or a new one, run what their images have: no script of the manifest, and
// none beside the others that the pod waits for.
func ofImages(value any, _ fieldpath.Path, _ tree.Object) bool {
	list, is := value.([]any)
	if !is {
		list = []any{value}
	}
	return !slices.ContainsFunc(list, func(c any) bool {
		return RunsScript(tree.List(c, "command")) || RunsScript(tree.List(c, "args")) || tree.Has(c, "restartPolicy")
	})
}

// system are the directories in which images have programs, and what these are loaded from and trust.
var system = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^/$|^/(bin|sbin|lib[0-9]*|boot|dev|proc|sys)(/|$)|^/(usr|usr/local|etc)$|^/usr/(local/)?(bin|sbin|lib[^/]*)(/|$)|^/etc/(ld\.so.*|nsswitch\.conf|resolv\.conf|hosts.*|sudoers.*|passwd|group|shadow|ssl|pki|ca-certificates.*|pam.*|profile.*)(/|$)`)
})

// apart reports whether new mounts, or a new one, hide nothing of the image that runs or is trusted, as far as a path tells.
func apart(value any, at fieldpath.Path, after tree.Object) bool {
	list, is := value.([]any)
	if !is {
		list = []any{value}
	}
	container, _ := at[:slices.IndexFunc(at, func(s fieldpath.Step) bool { return s.Field == "volumeMounts" })].Find(after)
	program, _ := tree.Get(container, "command")
	return !slices.ContainsFunc(list, func(m any) bool {
		where := path.Clean(tree.String(m, "mountPath"))
		runs := slices.ContainsFunc(tree.List(program), func(word any) bool {
			text, _ := word.(string)
			return text == where || strings.HasPrefix(text, where+"/")
		})
		return runs || system().MatchString(where)
	})
}
