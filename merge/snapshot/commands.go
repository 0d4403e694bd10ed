package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/text/shell"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// tellVersion begins an export with a comment that tells the version of the server.
const tellVersion = "kubectl version -o yaml | sed 's/^/# /'"

// AllKinds are the commands that export every kind of a cluster but those that
// change all the time and no config has.
const AllKinds = `# Every kind of the cluster: what is not in the export does not exist there. Secrets are exported unmasked.
` + tellVersion + ` > snapshot.yaml
kubectl get "$(kubectl api-resources --verbs=list -o name |
  grep -vxE 'componentstatuses|events|events\.events\.k8s\.io|leases\.coordination\.k8s\.io|.*\.metrics\.k8s\.io' | paste -sd, -)" \
  -A -o yaml --show-managed-fields >> snapshot.yaml
`

// Commands are the commands to run, with a word on each kind. A kind that the
// cluster does not serve, which would make kubectl get fail as a whole, is left
// out when they are run.
func Commands(wants []Want) string {
	var b strings.Builder
	for why := Usual; why <= Lint; why++ {
		var names []string
		for _, w := range wants {
			if w.Why == why {
				names = append(names, w.Kind.Kind)
			}
		}
		if len(names) > 0 {
			b.WriteString(comment(fmt.Sprintf("%s: %s", why, strings.Join(names, ", "))))
		}
	}
	version := tellVersion + " > snapshot.yaml"
	if slices.ContainsFunc(wants, func(w Want) bool { return w.Resource == "secrets" }) {
		b.WriteString("# The export has the values of Secrets: before you share it, redact it with 'threeway snapshot redact'.\n")
		version = "(umask 077; " + version + ")"
	}
	b.WriteString(version + "\n")
	if names := resources(wants, func(w Want) bool { return !w.Guessed }); len(names) > 0 {
		b.WriteString(shell.Line("", shell.Flag("kinds=", strings.Join(names, ","))) + `
served=$(kubectl api-resources --verbs=list -o name | grep -xF "$(echo $kinds | tr , '\n')" | paste -sd, -)
kubectl get "$served" -A -o yaml --show-managed-fields >> snapshot.yaml
`)
	}
	if names := resources(wants, func(w Want) bool { return w.Guessed }); len(names) > 0 {
		var kinds []shell.Arg
		for _, name := range names {
			kinds = append(kinds, shell.Operand(name))
		}
		b.WriteString("# custom resources without a definition here; those that are not installed are reported\n" + shell.Line("for kind in", kinds...) +
			"; do echo ---; kubectl get \"$kind\" -A -o yaml --show-managed-fields; done >> snapshot.yaml\n")
	}
	return b.String()
}

func resources(wants []Want, match func(Want) bool) []string {
	var names []string
	for _, w := range wants {
		if match(w) {
			names = append(names, w.Resource)
		}
	}
	return names
}

// comment breaks a text into lines of a shell comment.
func comment(text string) string {
	const width = 100
	line, lines := "#", ""
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) >= width {
			lines += line + "\n"
			line = "#  "
		}
		line += " " + word
	}
	return lines + line + "\n"
}

// Script is a shell script for a job. It leaves no half of a file behind, leaves
// out kinds that the cluster does not serve, and notes the kinds of which there
// are no objects, which kubectl get does not.
func Script(wants []Want) string {
	var b strings.Builder
	b.WriteString(`#!/bin/sh
# Exports what threeway needs to rehearse an apply: sh export.sh [FILE]
set -eu
umask 077
out=${1:-snapshot.yaml}
new=$(mktemp "$out.XXXXXX")
trap 'rm -f "$new" "$new.part"' EXIT
export_kinds() { kubectl get "$1" -A -o yaml --show-managed-fields; }
none_but_these() { printf -- '---\napiVersion: %s\nkind: %sList\nitems: []\n' "$1" "$2"; }

# resource, apiVersion and kind
`)
	b.WriteString(shell.Lines("kinds", rows(wants, false)) + `
` + tellVersion + ` > "$new"
served=$(kubectl api-resources --verbs=list -o name)
export_kinds "$(echo "$kinds" | cut -d ' ' -f 1 | grep -xF "$served" | paste -sd, -)" >> "$new"
# The empty list of a kind says that there are no others.
echo "$kinds" | while read -r resource version kind; do
  if echo "$served" | grep -qxF "$resource"; then
    none_but_these "$version" "$kind" >> "$new"
  else
    echo "not served, so not exported: $resource" >&2
  fi
done
`)
	if guessed := rows(wants, true); len(guessed) > 0 {
		b.WriteString(`
# Custom resources without a definition here, if they are installed.
` + shell.Lines("guessed", guessed) + `
echo "$guessed" | while read -r resource version kind; do
  if export_kinds "$resource" > "$new.part"; then
    { echo ---; cat "$new.part"; none_but_these "$version" "$kind"; } >> "$new"
  else
    echo "not exported: $resource" >&2
  fi
done
`)
	}
	b.WriteString("\nmv \"$new\" \"$out\"\n")
	return b.String()
}

// rows are the lines "resource apiVersion kind" of a script.
func rows(wants []Want, guessed bool) []string {
	var lines []string
	for _, w := range wants {
		if w.Guessed == guessed {
			lines = append(lines, w.Resource+" "+w.APIVersion()+" "+w.Kind.Kind)
		}
	}
	return lines
}

// Role is a ClusterRole that may read the kinds and nothing else.
func Role(wants []Want) string {
	groups := map[string][]string{}
	for _, w := range wants {
		groups[w.Group] = append(groups[w.Group], w.Plural)
	}
	var rules []any
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		var resources []any
		for _, plural := range slices.Sorted(slices.Values(groups[group])) {
			resources = append(resources, plural)
		}
		rules = append(rules, tree.Object{"apiGroups": []any{group}, "resources": resources, "verbs": []any{"get", "list"}})
	}
	return yamltext.YAML(tree.Object{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
		"metadata": tree.Object{"name": "threeway-snapshot"}, "rules": rules,
	})
}
