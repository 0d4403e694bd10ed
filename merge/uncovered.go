package merge

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/rehearsal"
	"threeway/merge/schema"
	"threeway/merge/snapshot"
	"threeway/merge/text/phrase"
)

// uncovered says where the snapshot may lack what the cluster has.
func (r *run) uncovered(outcomes []*rehearsal.Outcome) []string {
	if len(r.Live.Entries) == 0 || r.Assumed {
		return nil
	}
	notes := r.elsewhere(outcomes)
	var absent, converted []string
	for _, o := range outcomes {
		switch {
		case r.notExported(o):
			absent = append(absent, o.Kind.GroupKind())
		case r.inOtherVersion(o):
			converted = append(converted, fmt.Sprintf("%s (%s, manifest %s)", o.Kind.GroupKind(), o.Live.Kind.Version, o.Kind.Version))
		}
	}
	if kinds := phrase.Distinct(absent); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("the snapshot has no objects of these kinds, so all of them count as created: %s; export them, too, in case the cluster has some", strings.Join(kinds, ", ")))
	}
	if kinds := phrase.Distinct(converted); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("the live object has another version than the manifest and is used without the server's conversion: %s; export it in the version of the manifest", strings.Join(kinds, ", ")))
	}
	return notes
}

// notExported reports whether an object counts as created although the cluster may
// have it: the snapshot has none of its kind.
func (r *run) notExported(o *rehearsal.Outcome) bool {
	return o.Live == nil && o.Action == rehearsal.Created && !r.Catalog.Complete() && !r.Live.Covers(o.Kind.Group, o.Kind.Kind)
}

// inOtherVersion reports whether the live object would have to be converted by the
// server.
func (r *run) inOtherVersion(o *rehearsal.Outcome) bool {
	return o.Live != nil && o.Live.Kind.Version != o.Kind.Version && schema.Lookup(o.Kind) == nil
}

// elsewhere says that the snapshot was exported from other namespaces than those
// of the set, so that it shows nothing of what is live in these.
func (r *run) elsewhere(outcomes []*rehearsal.Outcome) []string {
	namespaces := snapshot.OtherNamespaces(r.Live, r.Config)
	created := 0
	for _, o := range outcomes {
		if o.Action == rehearsal.Created && slices.Contains(namespaces, o.Config.Namespace) {
			created++
		}
	}
	if created == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the snapshot has no object in namespace %s, only in %s, so %s as created; if it was exported with -n, export again with -A",
		strings.Join(namespaces, ", "), phrase.Abbreviated(r.Live.Namespaces()), phrase.Count(created, "object counts", "objects count"))}
}
