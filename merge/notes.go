package merge

import (
	"fmt"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/redact"
	"threeway/merge/rehearsal"
	"threeway/merge/server"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// notes says, once each, what the rehearsal could not know. by is what the applier says.
func (r *run) notes(p *Plan, by []string) []string {
	var notes []string
	if p.ServerSide {
		if text := p.ownerless(); text != "" {
			notes = append(notes, text)
		}
	}
	notes = append(notes, by...)
	if text := handWritten(p.Outcomes); text != "" && !r.Assumed {
		notes = append(notes, text)
	}
	if text := placeholders(p.Outcomes, r.given.sealed); text != "" {
		notes = append(notes, text)
	}
	if text := sealed(p.Outcomes); text != "" {
		notes = append(notes, text)
	}
	for _, o := range p.Outcomes {
		if o.Later != nil {
			notes = append(notes, fmt.Sprintf("%s: once its CustomResourceDefinition is applied, the next apply will reject it: %s",
				o.Identity(), strings.TrimPrefix(o.Later.OneLine(), "error: ")))
		}
	}
	if kinds := p.Undefined(); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("no CustomResourceDefinition for %s in the manifests, the snapshot or --crd: objects are merged, but not pruned, defaulted or validated; pass --crd, or a snapshot with the definitions", strings.Join(kinds, ", ")))
	}
	return append(append(notes, r.uncovered(p.Outcomes)...), r.unsimulatedAdmission(p)...)
}

// handWritten names the live objects that no server can have stored, and whose defaults
// were missing; "" if there are none.
func handWritten(outcomes []*rehearsal.Outcome) string {
	var names []string
	for _, o := range outcomes {
		if o.Live != nil && o.Before != nil && o.Live.Kind == o.Kind && server.HandWritten(o.Live.Tree) && !tree.Equal(o.Live.Tree, o.Before) {
			names = append(names, o.Identity().String())
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("hand-written, because a server stores nothing without a uid: %s; compared with the defaults that a server sets when it reads them: %s", phrase.Count(len(names), "live object", "live objects"), phrase.Some(names))
}

// sealed names the objects that change and whose controllers write Secrets from
// values that are not in them; "" if there are none.
func sealed(outcomes []*rehearsal.Outcome) string {
	var names []string
	for _, o := range outcomes {
		switch o.Kind.GroupKind() {
		case "SealedSecret.bitnami.com", "ExternalSecret.external-secrets.io", "SopsSecret.isindir.github.com":
			if o.Action == rehearsal.Created || o.Action == rehearsal.Configured {
				names = append(names, o.Identity().String())
			}
		}
	}
	if names == nil {
		return ""
	}
	return "controllers write Secrets for these objects; their values, and whether Pods are restarted for them, are unknown: " + strings.Join(names, ", ")
}

// ownerless is the sentence about live objects that were exported without their
// owners, which a server-side apply goes by; "" if there are none.
func (p *Plan) ownerless() string {
	n := 0
	for _, o := range p.Outcomes {
		if o.Live != nil && !owners.Recorded(o.Live.Tree) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s no managedFields, so conflicts and removals may differ from those in the cluster; export them with: %s", phrase.Count(n, "live object has", "live objects have"), rehearsal.ExportManagers)
}

// placeholders names the Secrets of a config that was made of a redacted
// snapshot; "" if there are none.
func placeholders(outcomes []*rehearsal.Outcome, sealed map[*manifest.Object]bool) string {
	var names []string
	for _, o := range outcomes {
		if o.Kind.GroupKind() != "Secret" || sealed[o.Config] {
			continue
		}
		if n, _ := redact.Counts([]*manifest.Object{o.Config}); n > 0 {
			names = append(names, o.Identity().String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "the manifest has redacted values, and an apply would replace the real ones with them: " + strings.Join(names, ", ")
}
