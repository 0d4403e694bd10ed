package show

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/visible"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// Results lists the accepted objects as they would be after the apply, in
// kubectl's order, with managedFields only if asked for.
func Results(outcomes []*rehearsal.Outcome, opts Options) []tree.Object {
	var objects []tree.Object
	for _, o := range outcomes {
		if o.Action != rehearsal.Rejected {
			objects = append(objects, opts.view(o).Result)
		}
	}
	return objects
}

// Deleted lists the objects that --prune would delete, as they are live, in
// kubectl's order.
func Deleted(pruned *prune.Result, opts Options) []tree.Object {
	var objects []tree.Object
	for _, c := range pruned.Pruned() {
		objects = append(objects, opts.live(c.Live.Object().Tree))
	}
	return objects
}

// ObjectsJSON writes the results as a v1 List, and after it each object that
// would be pruned, as `kubectl apply --dry-run=server -o json` does.
func ObjectsJSON(w io.Writer, plan *merge.Plan, opts Options) error {
	if err := encodeJSON(w, list(Results(plan.Outcomes, opts)), true); err != nil {
		return err
	}
	for _, o := range Deleted(plan.Prune, opts) {
		if err := encodeJSON(w, o, true); err != nil {
			return err
		}
	}
	return nil
}

// ObjectsYAML writes the results, and then what would be pruned, as YAML
// documents. kubectl leaves out the separator before what it prunes.
func ObjectsYAML(w io.Writer, plan *merge.Plan, opts Options) error {
	results, deleted := len(plan.Outcomes), Deleted(plan.Prune, opts)
	_, err := inParts(w, opts.Cores, results+len(deleted), "---\n", func(out *bufio.Writer, i int) {
		if i >= results {
			out.WriteString(yamltext.YAML(deleted[i-results]))
		} else if o := plan.Outcomes[i]; o.Action != rehearsal.Rejected {
			out.WriteString(yamltext.YAML(opts.view(o).Result))
		}
	})
	return err
}

// Patches writes the request that kubectl would send for each object: a
// comment with the object, its verb and media type, and the body.
func Patches(w io.Writer, plan *merge.Plan, opts Options) error {
	out := bufio.NewWriter(w)
	for _, o := range plan.Outcomes {
		if o.PatchType == "" || len(o.Patch) == 0 {
			continue
		}
		verb := "PATCH"
		if o.PatchType == rehearsal.Create {
			verb = "POST"
		}
		body, err := tree.AppendJSON(nil, opts.view(o).Patch)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "# %s %s %s\n%s\n", visible.Line(o.Identity().String()), verb, o.PatchType, body)
	}
	return out.Flush()
}

// Names writes kubectl's own lines: deployment.apps/x configured.
func Names(w io.Writer, plan *merge.Plan, _ Options) error {
	out := bufio.NewWriter(w)
	for _, o := range plan.Outcomes {
		if o.Action != rehearsal.Rejected && !o.Stopped {
			fmt.Fprintf(out, "%s %s\n", Name(o.Manifest), o.Verb())
		}
	}
	for _, c := range plan.Prune.Pruned() {
		fmt.Fprintf(out, "%s pruned\n", Name(c.Live.Object()))
	}
	return out.Flush()
}

// Name is kubectl's -o name of an object, on one line.
func Name(o *manifest.Object) string {
	return visible.Line(strings.ToLower(o.Kind.GroupKind()) + "/" + o.Name)
}

func list(objects []tree.Object) tree.Object {
	items := make([]any, len(objects))
	for i, o := range objects {
		items[i] = o
	}
	return tree.Object{"apiVersion": "v1", "kind": "List", "metadata": tree.Object{}, "items": items}
}

// writeJSON indents by four spaces, and leaves HTML be.
func writeJSON(w io.Writer, v any) error { return encodeJSON(w, v, false) }

// encodeJSON is writeJSON, or with html as kubectl writes objects: < is \u003c.
func encodeJSON(w io.Writer, v any, html bool) error {
	out := bufio.NewWriter(w)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(html)
	e.SetIndent("", "    ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return out.Flush()
}
