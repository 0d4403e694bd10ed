package warnings

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// container is one of a pod's, and where it stands.
type container struct {
	tree.Object
	at *field.Path
}

// containersOf lists a pod's containers in the order in which the server goes
// through them (VisitContainersWithPath of pkg/apis/core/pods).
func containersOf(spec tree.Object, p *field.Path) []container {
	var all []container
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for i, c := range tree.List(spec, list) {
			all = append(all, container{tree.Map(c), p.Child(list).Index(i)})
		}
	}
	return all
}

// containers is what warningsForPodSpecAndMeta of pkg/api/pod/warnings.go has
// on containers and their ports.
func (w *texts) containers(spec, metadata tree.Object, p *field.Path, minor int) {
	all := containersOf(spec, p.Child("spec"))
	annotations, at := tree.Map(metadata, "annotations"), p.Child("metadata", "annotations")
	for _, c := range all {
		key := seccompContainer + tree.String(c.Object, "name")
		if !tree.Has(c.Object, "securityContext", "seccompProfile") && tree.Has(annotations, key) {
			w.at(at.Key(key), `non-functional in v1.27+; use the "seccompProfile" field instead`)
		}
		if p != nil {
			w.appArmor(spec, annotations, c.Object, at)
		}
		for _, name := range []string{"memory", "ephemeral-storage"} {
			for _, list := range []string{"limits", "requests"} {
				w.fractional(tree.Map(c.Object, "resources", list), c.at.Child("resources", list), name)
			}
		}
		w.environment(tree.List(c.Object, "env"), c.at.Child("env"))
	}
	w.ports(all)
	if minors.WarnPortNames.In(minor) {
		w.portNames(all)
	}
}

const appArmorContainer = "container.apparmor.security.beta.kubernetes.io/"

// appArmor warns of the annotation of a container that neither its own field
// nor the pod's replaces.
func (w *texts) appArmor(spec, annotations, c tree.Object, at *field.Path) {
	key := appArmorContainer + tree.String(c, "name")
	if !tree.Has(annotations, key) || tree.Has(c, "securityContext", "appArmorProfile") {
		return
	}
	profile := tree.Map(spec, "securityContext", "appArmorProfile")
	if profile == nil || !tree.Equal(profile, profileOf(tree.String(annotations, key))) {
		w.at(at.Key(key), `deprecated since v1.30; use the "appArmorProfile" field instead`)
	}
}

// profileOf follows ApparmorFieldForAnnotation of pkg/api/pod/util.go.
func profileOf(annotation string) tree.Object {
	local, isLocal := strings.CutPrefix(annotation, "localhost/")
	switch {
	case annotation == "unconfined":
		return tree.Object{"type": "Unconfined"}
	case annotation == "runtime/default":
		return tree.Object{"type": "RuntimeDefault"}
	case isLocal && local != "":
		return tree.Object{"type": "Localhost", "localhostProfile": local}
	}
	return nil
}

// Preparing returns what the server says of a new object before its strategy
// prepares it, and whatever validation says then: of a Pod's AppArmor
// annotations, which become fields.
//
// Source: applyAppArmorVersionSkew of pkg/registry/core/pod/strategy.go.
func Preparing(r Request) []fault.Warning {
	spec := tree.Map(r.Object, "spec")
	if r.Kind.GroupKind() != "Pod" || r.Old != nil || tree.String(spec, "os", "name") == "windows" {
		return nil
	}
	w := texts{minor: r.Minor}
	for _, c := range containersOf(spec, nil) {
		w.appArmor(spec, tree.Map(r.Object, "metadata", "annotations"), c.Object, field.NewPath("metadata", "annotations"))
	}
	return w.about(r.Object)
}

// environment warns of variables that hide one of the same name and do not
// build on it.
func (w *texts) environment(env []any, p *field.Path) {
	seen := map[string]bool{}
	for i, v := range env {
		name, value := tree.String(v, "name"), tree.String(v, "value")
		ref := "$(" + name + ")"
		if seen[name] && (tree.Has(v, "valueFrom") || value == ref || !strings.Contains(value, ref)) {
			w.at(p.Index(i), "hides previous definition of %q, which may be dropped when using apply", name)
		}
		seen[name] = true
	}
}

// port is one of a container's, with its field names and their order as the
// server prints it.
type port struct {
	Name          string
	HostPort      int64
	ContainerPort int64
	Protocol      string
	HostIP        string
}

// ports warns of ports that are there twice, in one container or in several.
func (w *texts) ports(all []container) {
	type block struct {
		port
		at *field.Path
		i  int
	}
	type likeness struct {
		ContainerPort int64
		Protocol      string
		hostPort      int64  // any: -1
		hostIP        string // any: "*"
	}
	before, seen := map[likeness][]block{}, 0
	for _, c := range all {
		for i, x := range tree.List(c.Object, "ports") {
			one := block{port{Name: tree.String(x, "name"), Protocol: tree.String(x, "protocol"), HostIP: tree.String(x, "hostIP")}, c.at.Child("ports").Index(i), seen}
			one.HostPort, _ = tree.Int(x, "hostPort")
			one.ContainerPort, _ = tree.Int(x, "containerPort")
			if one.HostIP != "" && one.HostPort == 0 {
				w.at(one.at, "hostIP set without hostPort: %+v", one.port)
			}
			like := func(hostPort int64, hostIP string) likeness {
				return likeness{one.ContainerPort, one.Protocol, hostPort, hostIP}
			}
			// Only those that there is something to say of are looked at: of many ports
			// most differ.
			var others []block
			switch {
			case w.full():
				return
			case one.HostPort == 0:
				others = before[like(-1, "*")]
			case one.HostIP == "":
				others = slices.Concat(before[like(0, "*")], before[like(one.HostPort, "*")])
			default:
				others = slices.Concat(before[like(0, "*")], before[like(one.HostPort, "")], before[like(one.HostPort, one.HostIP)])
			}
			slices.SortFunc(others, func(a, b block) int { return a.i - b.i })
			for _, other := range others {
				if w.full() {
					return
				}
				switch {
				case one.HostIP == other.HostIP && one.HostPort == other.HostPort:
					w.at(one.at, "duplicate port definition with %s", other.at)
				case one.HostPort == 0 || other.HostPort == 0:
					w.at(one.at, "overlapping port definition with %s", other.at)
				default:
					w.at(one.at, "dangerously ambiguous port definition with %s", other.at)
				}
			}
			kinds := []likeness{like(-1, "*"), like(one.HostPort, "*")}
			if one.HostPort != 0 {
				kinds = append(kinds, like(one.HostPort, one.HostIP))
			}
			for _, k := range kinds {
				before[k] = append(before[k], one)
			}
			seen++
		}
	}
}

// portNames warns of names that several ports have.
func (w *texts) portNames(all []container) {
	first := map[string]*field.Path{}
	for _, c := range all {
		for i, x := range tree.List(c.Object, "ports") {
			name, at := tree.String(x, "name"), c.at.Child("ports").Index(i)
			if other := first[name]; name != "" && other != nil {
				w.at(at, "duplicate port name %q with %s, services and probes that select ports by name will use %s", name, other, other)
			} else {
				first[name] = at
			}
		}
	}
}
