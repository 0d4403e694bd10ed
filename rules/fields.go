package rules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// firstLine is the part of a message before a quoted diff or patch.
func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if r := []rune(text); len(r) > 300 {
		return string(r[:299]) + "…"
	}
	return text
}

// has reports whether the object's tree has a value at the path.
func has(root tree.Object, p fieldpath.Path) bool {
	v, ok := p.Find(root)
	return ok && v != nil
}

// workload reports whether an object makes pods from a template, and where the
// template is.
func workload(o *lint.Object) (template fieldpath.Path, ok bool) {
	switch {
	case o.Is("Deployment.apps", "StatefulSet.apps", "DaemonSet.apps", "ReplicaSet.apps", "ReplicationController", "Job.batch"):
		return fieldpath.New("spec", "template"), true
	case o.Is("CronJob.batch"):
		return fieldpath.New("spec", "jobTemplate", "spec", "template"), true
	}
	return nil, false
}

// filledIn reports whether a controller or the server sets a field, so that no
// change is lost or kept there.
func filledIn(o *lint.Object, p fieldpath.Path) bool {
	switch {
	case o.Is("ClusterRole.rbac.authorization.k8s.io"):
		return p[0].Field == "rules" && aggregates(o)
	case o.Is("DaemonSet.apps"): // a leftover that the server tolerates
		return p.HasPrefix(fieldpath.New("spec", "updateStrategy", "rollingUpdate")) && tree.String(o.Manifest.Tree, "spec", "updateStrategy", "type") == "OnDelete"
	case o.Is("Secret"):
		return p[0].Field == "data" && tree.String(o.Before, "type") == "kubernetes.io/service-account-token"
	}
	return false
}

// named lists up to three fields.
func named(paths []fieldpath.Path) string {
	var names []string
	for _, p := range paths[:min(3, len(paths))] {
		names = append(names, p.String())
	}
	text := strings.Join(names, ", ")
	if more := len(paths) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// listed is named with the verb.
func listed(paths []fieldpath.Path) string {
	if len(paths) == 1 {
		return named(paths) + " is"
	}
	return named(paths) + " are"
}

// differences lists the fields of two objects, or the items of two lists of the
// same length, that are not equal.
func differences(old, now any) []fieldpath.Path {
	var steps []fieldpath.Path
	switch x := old.(type) {
	case map[string]any:
		y, ok := now.(map[string]any)
		if !ok {
			return nil
		}
		all := maps.Clone(x)
		maps.Copy(all, y)
		for _, key := range tree.Keys(all) {
			v, ok := x[key]
			w, ok2 := y[key]
			if ok != ok2 || !tree.Equal(v, w) {
				steps = append(steps, fieldpath.New(key))
			}
		}
	case []any:
		y, _ := now.([]any)
		if len(x) != len(y) {
			return nil
		}
		for i := range x {
			if !tree.Equal(x[i], y[i]) {
				steps = append(steps, fieldpath.Path{}.Item(i))
			}
		}
	}
	return steps
}

// outermostAbsent writes the paths of live fields that the config lacks so that a block
// or a list item that it lacks as a whole is named once.
func outermostAbsent(o *lint.Object, root tree.Object, paths []fieldpath.Path) []fieldpath.Path {
	absent := make([]fieldpath.Path, len(paths))
	several, seen := map[string]int{}, map[string]bool{}
	for i, p := range paths {
		absent[i] = firstAbsent(o, root, p)
		several[absent[i].String()]++
	}
	var out []fieldpath.Path
	for i, p := range paths {
		if last := absent[i][len(absent[i])-1]; last.Keys != nil || several[absent[i].String()] > 1 {
			p = absent[i]
		}
		if name := p.String(); !seen[name] {
			seen[name], out = true, append(out, p)
		}
	}
	return out
}

// firstAbsent is the shortest beginning of a path that leads to nothing.
func firstAbsent(o *lint.Object, root tree.Object, p fieldpath.Path) fieldpath.Path {
	for n := 1; n < len(p); n++ {
		if _, ok := o.Find(p[:n], root); !ok && (n != 2 || p[0].Field != "metadata") { // labels and annotations are of many
			return p[:n:n]
		}
	}
	return p
}

// removal tells how to take fields out of the live object by hand: after the apply
// where it is the only item of a list to which the apply adds. There is none if the server
// does not let one of them go; instead says which.
func removal(o *lint.Object, paths []fieldpath.Path) (by []lint.Way, instead string) {
	obj, when, resets := o.Before, "", ""
	if o.Result != nil && onlyItem(o.Before, paths[0]) && !onlyItem(o.Result, paths[0]) {
		obj, when = o.Result, "after the apply, "
	} else if resets, instead = withoutFields(o, paths); instead != "" {
		return nil, instead
	}
	them := "it"
	if len(paths) > 1 {
		them = "them"
	}
	w := lint.Way{Words: when + "remove " + them + " by hand, once" + resets, Paths: paths, After: when != ""}
	w.Instead = w.Words
	var all []patchOperation
	for _, path := range slices.Backward(paths) { // the last item of a list first
		ops, ok := patchRemoval(obj, path)
		if !ok {
			return []lint.Way{w}, ""
		}
		all = append(all, ops...)
	}
	if len(all) <= mostOperations {
		w.Words += ": "
		w.Commands = []string{shell.Line("kubectl patch", o.Target(), shell.Option("--type=json"), shell.JSON("-p", all))}
	}
	return []lint.Way{w}, ""
}

// mostOperations is how long a patch may be that is printed as a command.
const mostOperations = 6

// withoutFields says what the server makes of the live object without some fields: which
// of them get their default, or, instead, why one must stay.
func withoutFields(o *lint.Object, paths []fieldpath.Path) (resets, instead string) {
	var edits []edit.Edit
	for _, path := range paths {
		edits = append(edits, edit.Remove(path))
	}
	left, err := edit.Object(o.Live.Tree, edits)
	if err != nil {
		return "", ""
	}
	answer := o.Run.Server.Update(o.Kind, o.Live.Tree, left)
	if answer.Rejection != nil {
		return "", "add " + named(paths) + " to " + o.Where() + ": the server does not let it be removed"
	}
	for _, path := range paths {
		v, ok := path.Find(answer.Object)
		switch live, _ := path.Find(o.Live.Tree); {
		case !ok:
		case tree.Equal(v, live):
			return "", "add " + path.String() + " to " + o.Where() + ": the server sets it again"
		case path[len(path)-1].Field == "replicas":
			return "", "add " + path.String() + " to " + o.Where() + ": removed by hand, it becomes " + lint.Value(v)
		default:
			resets += ", which makes " + path[len(path)-1].String() + " " + lint.Value(v)
		}
	}
	return resets, ""
}

// onlyItem reports whether a path leads to the only item of a list.
func onlyItem(obj tree.Object, p fieldpath.Path) bool {
	list, _ := p[:len(p)-1].Find(obj)
	return len(tree.List(list)) == 1
}

// patchOperation is one of a JSON patch (RFC 6902).
type patchOperation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// patchRemoval is the JSON patch that removes a value. Of an item with a key it tests
// the key first: its place may have changed.
func patchRemoval(v any, p fieldpath.Path) (ops []patchOperation, ok bool) {
	pointer := ""
	for _, s := range p {
		part := strings.NewReplacer("~", "~0", "/", "~1").Replace(s.Field)
		if list, isList := v.([]any); isList {
			at := slices.IndexFunc(list, func(x any) bool {
				_, found := fieldpath.Path{s}.Find([]any{x})
				return found
			})
			if s.IsIndex {
				at = s.Index
			}
			part = strconv.Itoa(at)
		}
		if v, ok = (fieldpath.Path{s}).Find(v); !ok {
			return nil, false
		}
		pointer += "/" + part
		for _, key := range s.Keys {
			if value, ok := tree.Map(v)[key.Name]; ok {
				ops = append(ops, patchOperation{"test", pointer + "/" + key.Name, value})
			} else if key.Name == "" {
				ops = append(ops, patchOperation{"test", pointer, v})
			}
		}
	}
	return append(ops, patchOperation{"remove", pointer, nil}), true
}
