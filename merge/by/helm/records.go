package helm

import (
	"fmt"
	"strings"

	"threeway/merge/applier/flux"
	"threeway/merge/gap"
	"threeway/merge/kube/schema"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
)

// mostRevisions are those that Helm keeps unless it is told otherwise (--history-max).
const mostRevisions = 10

// isNew reports whether Helm looks at an object before the run changes anything: whether it
// is there, though the last revision does not have it (pkg/action/validate.go).
func (rel *Release) isNew(r *rehearsal.Run, o *rehearsal.Outcome) bool {
	return rel.Rollback == 0 && r.Originals[o.Manifest.ID()] == nil
}

// record is the kind of Helm's records.
func (rel *Release) record() schema.Kind { return schema.Kind{Version: "v1", Kind: rel.History.Kind()} }

// ActFor has helm-controller act as a HelmRelease says, after it has listed the revisions.
func ActFor(h *flux.HelmRelease, opts *rehearsal.Options) {
	opts.ActAs(h.Users(opts.Live))
	opts.ListsKind, opts.ListsNamespace = schema.Kind{Version: "v1", Kind: "Secret"}, h.Storage
}

// ask is the error of a run that may not do something with a record.
func (rel *Release) ask(r *rehearsal.Run, run, doing, verb, name string) error {
	h := rel.History
	why, _ := r.Forbids(rel.record(), verb, h.Namespace, name, "")
	if why == "" {
		return nil
	}
	who := r.User
	if r.Server.Impersonates(rel.record(), verb, h.Namespace, name) != nil {
		who, verb = r.Impersonator, "impersonate-on:serviceaccount:"+verb
	}
	return fmt.Errorf("%s%s; Helm rejects the whole %s, because it keeps the revisions of release %s in %ss of namespace %s: give User %s the right to %s them",
		doing, why, run, rel, h.Kind(), h.Namespace, who.Name, verb)
}

// Lists is the error of a run that may not list its revisions.
func (rel *Release) Lists(r *rehearsal.Run, run string) error {
	return rel.ask(r, run, "query: failed to query with labels: ", "list", "")
}

// recorded is the error of a run that may not read its revisions, delete the oldest, or make
// another. An install takes a name that it may not look for
// (pkg/storage/driver/{secrets,cfgmaps}.go, pkg/action/install.go availableName).
func (rel *Release) recorded(r *rehearsal.Run) error {
	h, most := rel.History, mostRevisions
	if rel.For != nil {
		most = rel.For.MaxHistory
	}
	ask := func(doing, verb, name string) error { return rel.ask(r, rel.Verb(), doing, verb, name) }
	if rel.Original != nil || rel.For != nil { // Flux looks for the last revision before an install, too
		if err := rel.Lists(r, rel.Verb()); err != nil {
			return err
		}
	}
	if rel.Original != nil {
		get := func(revision int) error {
			record := h.RecordOf(revision)
			return ask(fmt.Sprintf("get: failed to get %q: ", record), "get", record)
		}
		if rel.Rollback > 0 {
			if err := get(rel.Rollback); err != nil {
				return err
			}
		}
		for _, s := range h.Beyond(most) {
			if err := get(s.Revision); err != nil {
				return err
			}
			if err := ask("", "delete", h.RecordOf(s.Revision)); err != nil {
				return err
			}
		}
	}
	return ask("create: failed to create: ", "create", "")
}

// records says what follows if Helm may not update the record of the new revision: an upgrade
// or rollback fails when all is done, an install goes through, and the next upgrade is
// rejected after each.
func (rel *Release) records(r *rehearsal.Run, after *rehearsal.Aftermath) {
	h := rel.History
	why, unknown := r.Forbids(rel.record(), "update", h.Namespace, h.RecordOf(h.Next()), "may keep Helm from its records of release "+rel.String())
	after.Gaps = append(after.Gaps, unknown...)
	switch {
	case why == "":
		return
	case rel.Original == nil:
		after.Notes = append(after.Notes, fmt.Sprintf("the install goes through, although Helm cannot mark it as deployed; the next upgrade is rejected, because the revision stays pending-install: update: failed to update: %s", why))
	default:
		if after.Prune == nil {
			after.Prune = &prune.Result{}
		}
		if after.Prune.Failed == "" {
			after.Prune.Failed = "update: failed to update: " + why
		}
		after.Notes = append(after.Notes, fmt.Sprintf("Helm cannot mark revision %d as deployed: it stays pending-%s, and the next upgrade is rejected", h.Next(), rel.Verb()))
	}
}

// deletes keeps what Helm may not get or delete. Helm 3 says nothing of that, and Helm 4 fails
// if it may not delete (pkg/kube/client.go update).
func (rel *Release) deletes(r *rehearsal.Run, result *prune.Result) (unknown []gap.Gap) {
	var fails []string
	unknown = r.Spare(result, []string{"get", "delete"}, func(c prune.Candidate, verb, why string) {
		if rel.Major == 4 && verb == "delete" {
			fails = append(fails, fmt.Sprintf("failed to delete resource namespace=%s, name=%s, kind=%s: %s", c.Live.Namespace, c.Live.Name, c.Live.Kind.Kind, why))
		}
	})
	result.Failed = strings.Join(fails, " && ")
	return unknown
}
