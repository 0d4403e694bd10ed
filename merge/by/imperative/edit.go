package imperative

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Edit changes an object as a command does, in place, or says why kubectl or the API server
// does not.
type Edit func(kind schema.Kind, obj tree.Object) *fault.Rejection

// Edit is what the command does with each object, and the words that name them. patch is
// the text of --patch-file.
func (c *Command) Edit(patch string, live *manifest.Snapshot) (words []string, edit Edit, err error) {
	words, pairs, err := c.pairs()
	if err != nil {
		return nil, nil, err
	}
	switch c.Verb {
	case "label", "annotate":
		edit, err = c.marks(pairs)
	case "patch":
		edit, err = c.patch(cmp.Or(patch, c.Text("patch")))
	case "scale":
		edit, err = c.scale()
	case "rollout undo":
		edit, err = c.undo(live)
	case "set image":
		edit = setImages(pairs)
	case "set env":
		edit, err = c.setEnv(pairs)
	case "set resources":
		edit, err = c.setResources()
	case "set serviceaccount":
		if len(words) < 2 {
			return nil, nil, fmt.Errorf("kubectl %s needs an object and a name", c.Verb)
		}
		name := words[len(words)-1]
		words, edit = words[:len(words)-1], inPod(func(spec tree.Object) *fault.Rejection {
			spec["serviceAccountName"] = name
			return nil
		})
	default:
		edit = rollout(c.Verb)
	}
	return words, edit, err
}

// pairs parts the words that name objects from KEY=VALUE and KEY- behind them
// (GetResourcesAndPairs of kubectl's cmd/util).
func (c *Command) pairs() (words, pairs []string, err error) {
	for _, word := range c.Args {
		isPair := strings.Index(word, "=") > 0 || strings.HasSuffix(word, "-") && word != "-"
		switch {
		case isPair:
			pairs = append(pairs, word)
		case len(pairs) > 0:
			return nil, nil, fmt.Errorf("%q comes after the changes", word)
		default:
			words = append(words, word)
		}
	}
	takes := slices.Contains([]string{"label", "annotate", "set image", "set env"}, c.Verb)
	if takes != (len(pairs) > 0) && (!takes || !c.Has("env")) {
		return nil, nil, fmt.Errorf("kubectl %s with %d changes as KEY=VALUE is not understood", c.Verb, len(pairs))
	}
	return words, pairs, nil
}

// marks sets labels or annotations (kubectl's cmd/label and cmd/annotate).
func (c *Command) marks(pairs []string) (Edit, error) {
	at := c.Verb + "s"
	if c.Verb == "annotate" {
		at = "annotations"
	}
	set, removed := map[string]string{}, map[string]bool{}
	for _, pair := range pairs {
		key, value, sets := strings.Cut(pair, "=")
		switch _, twice := set[strings.TrimSuffix(key, "-")]; {
		case sets && key == rehearsal.LastAppliedKey:
			return nil, fmt.Errorf("the last-applied annotation is kubectl apply's")
		case sets && !removed[key]:
			set[key] = value
		case sets || twice:
			return nil, fmt.Errorf("%s is set and removed", key)
		default:
			removed[strings.TrimSuffix(pair, "-")] = true
		}
	}
	return func(_ schema.Kind, obj tree.Object) *fault.Rejection {
		now := tree.Map(obj, "metadata", at)
		for _, key := range tree.Keys(now) {
			if value, given := set[key]; given && value != now[key] && !c.Has("overwrite") && key != "kubernetes.io/change-cause" {
				return fault.Refuse(fault.Words("--overwrite is false but '%s' already has a value", key))
			}
		}
		for key, value := range set {
			tree.Set(obj, value, "metadata", at, key)
		}
		for key := range removed {
			tree.Delete(obj, "metadata", at, key)
		}
		return nil
	}, nil
}

// patch is the patch of a type that the server applies.
func (c *Command) patch(text string) (Edit, error) {
	s := source.NewStream("", text)
	s.Limit = source.Accepted
	if c.Has("patch") == c.Has("patch-file") || !s.Next() || s.Doc.NumberErr != nil {
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

// scale goes through the subresource, whose replicas are those of the object.
func (c *Command) scale() (Edit, error) {
	n, err := strconv.ParseInt(c.Text("replicas"), 10, 32)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("--replicas is not a number of replicas")
	}
	return func(kind schema.Kind, obj tree.Object) *fault.Rejection {
		if !slices.Contains(scaled, kind.GroupKind()) {
			return fault.Reject("NotFound", fault.Words("the server could not find the requested resource"))
		}
		tree.Set(obj, n, "spec", "replicas")
		return nil
	}, nil
}

// rollout restarts, pauses or resumes (kubectl's polymorphichelpers). When it is restarted
// is the only thing that is not known.
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
		case paused == (verb == "rollout pause"):
			return fault.Refuse(fault.Words("%s changes nothing and fails: spec.paused is %t already", verb, paused))
		default:
			tree.Set(obj, !paused, "spec", "paused")
		}
		return nil
	}
}
