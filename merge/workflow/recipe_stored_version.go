package workflow

import (
	"fmt"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// dropStoredVersion drops a version of a kind in which objects may be stored.
var dropStoredVersion = &Recipe{
	ID:    "drop-stored-version",
	Title: "Drop a version of a custom kind in which objects are stored",
	Text: "The old version stays, no longer the one that is stored, until each object has been written once more, which stores it in the new one. Only then may it leave " +
		"status.storedVersions, and the definition.",
	Rules: []string{"crd-drops-stored-version"},
	Make: func(c *Case) []Step {
		versions := tree.List(c.Manifest.Tree, "spec", "versions")
		at := slices.IndexFunc(versions, func(v any) bool { return tree.Bool(v, "storage") })
		if at < 0 {
			return nil
		}
		stored := tree.String(versions[at], "name")
		between := Step{Text: "Apply with the old version, which is no longer stored", Applies: true, Meanwhile: "objects are read and written as before"}
		var edits []edit.Edit
		for _, v := range tree.List(c.Before, "spec", "versions") {
			name := tree.String(v, "name")
			if slices.ContainsFunc(versions, func(kept any) bool { return tree.String(kept, "name") == name }) {
				continue
			}
			if converts := tree.String(c.Manifest.Tree, "spec", "conversion", "strategy") == "Webhook"; !converts && !tree.Equal(schemaOf(v), schemaOf(versions[at])) {
				return c.none(fmt.Sprintf("%s and %s have different schemas and no webhook converts between them, so objects that are written again may lose values", name, stored))
			}
			old := tree.CopyObject(tree.Map(v))
			old["storage"] = false
			edits = append(edits, edit.Append(fieldpath.New("spec", "versions"), old))
		}
		between.Edits = []Edited{{c.Manifest, edits}}
		plural := shell.Operand(tree.String(c.Before, "spec", "names", "plural") + "." + tree.String(c.Before, "spec", "group"))
		all := shell.Option("--all")
		if tree.String(c.Before, "spec", "scope") == "Namespaced" {
			all = shell.Option("--all --all-namespaces")
		}
		patch := tree.Object{"status": tree.Object{"storedVersions": []any{stored}}}
		return []Step{between, {
			Text:      "Write each object once more, by an empty patch: no object has the annotation",
			Commands:  []string{shell.Line("kubectl annotate", plural, all, shell.Option(rewritten+"-"))},
			Meanwhile: "the objects are as they were, and stored in " + stored,
		}, {
			Text:     "Say that none is stored in the old version, which the server does not find out by itself",
			Commands: []string{shell.Line("kubectl patch", Target(c.Manifest), shell.Option("--subresource=status --type=merge"), shell.JSON("-p", patch))},
		}, {Text: "Apply the manifests as they are", Applies: true}}
	},
}

// rewritten is an annotation that no object has. To remove it is an empty patch, for which the API server
// writes an object only if it is stored in another version (apiserver pkg/storage/etcd3/store.go
// GuaranteedUpdate). kubectl replace would write the live object into last-applied, and the next apply
// would be rejected.
const rewritten = "threeway.dev/written"

// schemaOf is that of a version of a definition.
func schemaOf(version any) tree.Object { return tree.Map(version, "schema", "openAPIV3Schema") }
