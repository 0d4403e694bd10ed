package imperative

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Edit changes an object as a command does, in place, or says why kubectl or the API server
// does not.
type Edit func(kind schema.Kind, obj tree.Object) *fault.Rejection

// Edit is what a patch, an annotate that removes, a rollout restart or a rollout resume does
// with each object.
func (c *Command) Edit() (Edit, error) {
	switch c.Verb {
	case "patch":
		return c.patch()
	case "annotate":
		return func(_ schema.Kind, obj tree.Object) *fault.Rejection {
			for _, key := range c.removed {
				tree.Delete(obj, "metadata", "annotations", key)
			}
			return nil
		}, nil
	}
	return rollout(c.Verb), nil
}

// patch is the patch of a type that the server applies.
func (c *Command) patch() (Edit, error) {
	s := source.NewStream("", c.Text("patch"))
	s.Limit = source.Accepted
	if !s.Next() || s.Doc.NumberErr != nil {
		return nil, fmt.Errorf("the patch cannot be read")
	}
	patch, isObject := s.Value.(tree.Object)
	list, isList := s.Value.([]any)
	if s.Next() || s.Failure != nil {
		return nil, fmt.Errorf("the patch cannot be read")
	}
	switch kind := strings.ToLower(c.Text("type")); {
	case (kind == "" || kind == "strategic") && isObject:
		return strategically(patch), nil
	case kind == "merge" && isObject:
		return func(_ schema.Kind, obj tree.Object) *fault.Rejection {
			after, _ := kube.ApplyPatch(obj, patch, nil) // a JSON merge patch always applies
			become(obj, after)
			return nil
		}, nil
	case kind == "json" && isList:
		return byOperations(list)
	}
	return nil, fmt.Errorf("the patch is not of a type that is understood")
}

func strategically(patch tree.Object) Edit {
	return func(kind schema.Kind, obj tree.Object) *fault.Rejection {
		t := schema.Lookup(kind)
		if t == nil {
			return fault.Refuse(fault.Words("%s is not supported by %s, Kind=%s", rehearsal.StrategicMerge, kind.APIVersion(), kind.Kind))
		}
		after, err := kube.ApplyPatch(obj, patch, t)
		if err != nil {
			return fault.Reject("", fault.Of(err))
		}
		become(obj, after)
		return nil
	}
}

// byOperations is a JSON patch (RFC 6902).
func byOperations(list []any) (Edit, error) {
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, fmt.Errorf("the patch cannot be read")
	}
	return func(_ schema.Kind, obj tree.Object) *fault.Rejection {
		before, err := tree.AppendJSON(nil, obj)
		if err == nil {
			before, err = patch.Apply(before)
		}
		after, ok := source.ParseObject(string(before))
		if err != nil || !ok {
			return fault.Reject("Invalid", fault.Words("the server rejected our request due to an error in our request"))
		}
		become(obj, after)
		return nil
	}, nil
}

// become makes one object of another, in place.
func become(obj, other tree.Object) {
	clear(obj)
	for key, value := range other {
		obj[key] = value
	}
}

// rollout restarts or resumes (kubectl's polymorphichelpers). When it is restarted is the
// only thing that is not known.
func rollout(verb string) Edit {
	return func(kind schema.Kind, obj tree.Object) *fault.Rejection {
		paused := tree.Bool(obj, "spec", "paused")
		switch deployment := kind.GroupKind() == "Deployment.apps"; {
		case verb == "rollout restart" && paused && deployment:
			return fault.Refuse(fault.Words("can't restart paused deployment (run rollout resume first)"))
		case verb == "rollout restart" && (deployment || kind.GroupKind() == "DaemonSet.apps" || kind.GroupKind() == "StatefulSet.apps"):
			tree.Set(obj, "the time of the restart", "spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt")
		case !deployment:
			return fault.Refuse(fault.Words("%s is not supported for %s", verb, kind.Kind))
		case !paused:
			return fault.Refuse(fault.Words("%s changes nothing and fails: spec.paused is false already", verb))
		default:
			tree.Set(obj, false, "spec", "paused")
		}
		return nil
	}
}
