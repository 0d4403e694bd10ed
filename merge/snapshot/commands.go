package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// AllKinds is the command that exports every kind of a cluster but those that
// change all the time and no config has.
const AllKinds = `# Every kind of the cluster, so that what is absent here is absent there. Secrets are in it in clear.
kubectl get "$(kubectl api-resources --verbs=list -o name |
  grep -vxE 'componentstatuses|events|events\.events\.k8s\.io|leases\.coordination\.k8s\.io|.*\.metrics\.k8s\.io' | paste -sd, -)" \
  -A -o yaml --show-managed-fields > snapshot.yaml
`

// Commands are the lines to type, with a word on each kind.
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
	into := ">"
	if names := resources(wants, func(w Want) bool { return !w.Custom }); len(names) > 0 {
		fmt.Fprintf(&b, "kubectl get %s -A -o yaml --show-managed-fields %s snapshot.yaml\n", strings.Join(names, ","), into)
		into = ">>"
	}
	if names := resources(wants, func(w Want) bool { return w.Custom }); len(names) > 0 {
		b.WriteString("# custom resources: leave out those that are not installed yet\n")
		if into == ">>" {
			b.WriteString("echo --- >> snapshot.yaml\n")
		}
		fmt.Fprintf(&b, "kubectl get %s -A -o yaml --show-managed-fields %s snapshot.yaml\n", strings.Join(names, ","), into)
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

// Script is a shell script for a job. It leaves no half of a file behind, and
// notes the kinds of which there are no objects, which kubectl get does not.
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
`)
	builtin := resources(wants, func(w Want) bool { return !w.Custom })
	fmt.Fprintf(&b, "\nexport_kinds %s > \"$new\"\n# None of a kind is known from its empty list.\ncat >> \"$new\" <<'END'\n", strings.Join(builtin, ","))
	for _, w := range wants {
		if !w.Custom {
			fmt.Fprintf(&b, "---\napiVersion: %s\nkind: %sList\nitems: []\n", w.APIVersion(), w.Kind.Kind)
		}
	}
	b.WriteString("END\n")
	if slices.ContainsFunc(wants, func(w Want) bool { return w.Custom }) {
		b.WriteString(`
# Custom resources, if they are installed.
while read -r resource version kind; do
  if export_kinds "$resource" > "$new.part"; then
    { echo ---; cat "$new.part"; printf -- '---\napiVersion: %s\nkind: %sList\nitems: []\n' "$version" "$kind"; } >> "$new"
  else
    echo "not exported: $resource" >&2
  fi
done <<'END'
`)
		for _, w := range wants {
			if w.Custom {
				fmt.Fprintf(&b, "%s %s %s\n", w.Resource, w.APIVersion(), w.Kind.Kind)
			}
		}
		b.WriteString("END\n")
	}
	b.WriteString("\nmv \"$new\" \"$out\"\n")
	return b.String()
}

// Role is a ClusterRole that may read the kinds and nothing else.
func Role(wants []Want) string {
	groups := map[string][]string{}
	for _, w := range wants {
		groups[w.Group] = append(groups[w.Group], w.Plural)
	}
	var b strings.Builder
	b.WriteString("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: threeway-snapshot\nrules:\n")
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		slices.Sort(groups[group])
		fmt.Fprintf(&b, "- apiGroups: [%q]\n  resources: [%s]\n  verbs: [get, list]\n", group, strings.Join(groups[group], ", "))
	}
	return b.String()
}
