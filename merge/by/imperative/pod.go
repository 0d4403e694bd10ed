package imperative

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// podSpecs are where kinds have the spec of their pods (kubectl's polymorphichelpers
// updatePodSpecForObject).
var podSpecs = map[string][]string{
	"Pod": {"spec"}, "ReplicationController": {"spec", "template", "spec"}, "Deployment.apps": {"spec", "template", "spec"}, "DaemonSet.apps": {"spec", "template", "spec"},
	"ReplicaSet.apps": {"spec", "template", "spec"}, "StatefulSet.apps": {"spec", "template", "spec"}, "Job.batch": {"spec", "template", "spec"}, "CronJob.batch": {"spec", "jobTemplate", "spec", "template", "spec"},
}

// inPod is an edit of the spec of pods.
func inPod(edit func(spec tree.Object) *fault.Rejection) Edit {
	return func(kind schema.Kind, obj tree.Object) *fault.Rejection {
		spec := tree.Map(obj, podSpecs[kind.GroupKind()]...)
		if podSpecs[kind.GroupKind()] == nil || spec == nil {
			return fault.Refuse(fault.Words("the object is not a pod or does not have a pod template: %s", kind.Kind))
		}
		return edit(spec)
	}
}

// containersOf are the containers of a name, or of all names with *, the init containers
// among them.
func containersOf(spec tree.Object, name string) (found []tree.Object) {
	for _, c := range slices.Concat(tree.List(spec, "containers"), tree.List(spec, "initContainers")) {
		if name == "*" || tree.String(c, "name") == name {
			found = append(found, tree.Map(c))
		}
	}
	return found
}

func setImages(pairs []string) Edit {
	return inPod(func(spec tree.Object) *fault.Rejection {
		for _, pair := range pairs {
			name, image, _ := strings.Cut(pair, "=")
			found := containersOf(spec, name)
			if len(found) == 0 {
				return fault.Refuse(fault.Words("unable to find container named %q", name))
			}
			for _, c := range found {
				c["image"] = image
			}
		}
		return nil
	})
}

// chosen is the value of --containers.
func (c *Command) chosen() (string, error) {
	name := c.Text("containers")
	switch {
	case name == "":
		return "*", nil
	case name != "*" && strings.Contains(name, "*"):
		return "", fmt.Errorf("--containers=%s is not understood", name)
	}
	return name, nil
}

// envName is what kubectl takes as the name of a variable.
var envName = regexp.MustCompile(`^[-._a-zA-Z][-._a-zA-Z0-9]*$`)

// setEnv sets and removes variables of containers (updateEnv of kubectl's cmd/set).
func (c *Command) setEnv(pairs []string) (Edit, error) {
	var set, removed []string
	values := map[string]string{}
	for _, pair := range append(c.Values("env"), pairs...) {
		key, value, sets := strings.Cut(pair, "=")
		switch removes := strings.TrimSuffix(pair, "-"); {
		case sets && (slices.Contains(set, key) || !envName.MatchString(key)):
			return nil, fmt.Errorf("%s is not understood", pair)
		case sets:
			set, values[key] = append(set, key), value
		case removes != pair && removes != "":
			removed = append(removed, removes)
		default:
			return nil, fmt.Errorf("%s is not understood", pair)
		}
	}
	if c.flags["overwrite"] != nil {
		return nil, fmt.Errorf("--overwrite of kubectl set env is not understood")
	}
	name, err := c.chosen()
	return inPod(func(spec tree.Object) *fault.Rejection {
		for _, container := range containersOf(spec, name) {
			covered := slices.Clone(removed)
			var env []any
			for _, e := range tree.List(container, "env") {
				switch name := tree.String(e, "name"); {
				case slices.Contains(covered, name):
				case slices.Contains(set, name):
					covered, env = append(covered, name), append(env, tree.Object{"name": name, "value": values[name]})
				default:
					env = append(env, e)
				}
			}
			for _, name := range set {
				if !slices.Contains(covered, name) {
					env = append(env, tree.Object{"name": name, "value": values[name]})
				}
			}
			if container["env"] = env; env == nil {
				delete(container, "env")
			}
		}
		return nil
	}), err
}

func (c *Command) setResources() (Edit, error) {
	name, err := c.chosen()
	if err != nil {
		return nil, err
	}
	quantities := map[string]map[string]string{}
	for _, part := range []string{"limits", "requests"} {
		for _, pair := range strings.Split(c.Text(part), ",") {
			resource, quantity, ok := strings.Cut(pair, "=")
			switch {
			case pair == "" && !c.Has(part):
				continue
			case !ok || resource == "" || quantity == "":
				return nil, fmt.Errorf("--%s=%s is not understood", part, c.Text(part))
			case quantities[part] == nil:
				quantities[part] = map[string]string{}
			}
			quantities[part][resource] = quantity
		}
	}
	if len(quantities) == 0 {
		return nil, fmt.Errorf("kubectl set resources needs --limits or --requests")
	}
	return inPod(func(spec tree.Object) *fault.Rejection {
		found := containersOf(spec, name)
		if len(found) == 0 {
			return fault.Refuse(fault.Words("unable to find container named %s", name))
		}
		for _, container := range found {
			for part, list := range quantities {
				for resource, quantity := range list {
					tree.Set(container, quantity, "resources", part, resource)
				}
			}
		}
		return nil
	}), nil
}
