// Package helm reads what Helm keeps in a cluster: the revisions of a release, and
// which of them an upgrade or a rollback compares with. It knows the order in which
// Helm applies objects, and which objects are hooks.
//
// It follows helm.sh/helm/v3 v3.22.0 and helm.sh/helm/v4 v4.3.1, which are the same
// here.
package helm

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strconv"

	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// The statuses of a revision that count here (pkg/release/status.go).
const (
	Deployed    = "deployed"
	superseded  = "superseded"
	failed      = "failed"
	uninstalled = "uninstalled"
)

var pending = []string{"pending-install", "pending-upgrade", "pending-rollback"}

// Stored is a revision as a Secret or ConfigMap of the snapshot has it, not decoded
// yet.
type Stored struct {
	Revision int
	Status   string
	entry    *manifest.Entry
}

// String names the revision and its status.
func (s Stored) String() string { return fmt.Sprintf("revision %d (%s)", s.Revision, s.Status) }

// History is a release in a snapshot: its revisions, oldest first.
type History struct {
	Namespace, Name string
	Revisions       []Stored
}

// ReadHistory finds the revisions of a release by their labels, in Secrets, or in
// ConfigMaps if no Secret has any (pkg/storage/driver/{secrets,cfgmaps}.go Query).
func ReadHistory(live *manifest.Snapshot, namespace, name string) History {
	h := History{Namespace: namespace, Name: name}
	for _, kind := range []string{"Secret", "ConfigMap"} {
		for _, e := range live.EntriesOfKind(kind) {
			revision, err := strconv.Atoi(e.Label("version"))
			if err == nil && e.Namespace == namespace && e.Label("owner") == "helm" && e.Label("name") == name {
				h.Revisions = append(h.Revisions, Stored{revision, e.Label("status"), e})
			}
		}
		if len(h.Revisions) > 0 {
			break
		}
	}
	slices.SortFunc(h.Revisions, func(a, b Stored) int { return cmp.Compare(a.Revision, b.Revision) })
	return h
}

// Kind is the kind of the records: Secret, or ConfigMap.
func (h History) Kind() string {
	if len(h.Revisions) > 0 {
		return h.Revisions[0].entry.Kind.Kind
	}
	return "Secret"
}

// RecordOf is the name of the record of a revision (pkg/storage/storage.go makeKey).
func (h History) RecordOf(revision int) string {
	return fmt.Sprintf("sh.helm.release.v1.%s.v%d", h.Name, revision)
}

// Next is the number of the revision that the next run makes.
func (h History) Next() int {
	if last := h.Last(); last != nil {
		return last.Revision + 1
	}
	return 1
}

// Beyond are the revisions that a run deletes before it makes another, so that there are no
// more than some, all if 0: the oldest but the newest that is deployed
// (pkg/storage/storage.go removeLeastRecent).
func (h History) Beyond(most int) (list []Stored) {
	deployed := 0
	for _, s := range h.Revisions {
		if s.Status == Deployed {
			deployed = s.Revision
		}
	}
	for _, s := range h.Revisions {
		if most > 0 && len(h.Revisions)-len(list) > most-1 && s.Revision != deployed {
			list = append(list, s)
		}
	}
	return list
}

// String is NAMESPACE/NAME.
func (h History) String() string { return manifest.Placed(h.Namespace, h.Name) }

// Last is the newest revision; nil if there is none.
func (h History) Last() *Stored {
	if len(h.Revisions) == 0 {
		return nil
	}
	return &h.Revisions[len(h.Revisions)-1]
}

// Unlocked is the release as Flux leaves it before it does anything: a newest revision that
// is pending has failed (helm-controller v1.6.3 internal/reconcile/unlock.go).
func (h History) Unlocked() History {
	h.Revisions = slices.Clone(h.Revisions)
	if last := h.Last(); last != nil && slices.Contains(pending, last.Status) {
		last.Status = failed
	}
	return h
}

// Upgrade is the revision that `helm upgrade --install` compares with: the newest
// that is deployed, even if a later one failed. It is nil if Helm installs
// (pkg/action/upgrade.go prepareUpgrade, cmd/helm/upgrade.go).
func (h History) Upgrade() (*Stored, error) {
	last := h.Last()
	if last == nil || last.Status == uninstalled {
		return nil, nil
	}
	if slices.Contains(pending, last.Status) {
		return nil, fmt.Errorf("release %s cannot be upgraded: another operation (install/upgrade/rollback) is in progress: %s; if none is, roll back with %s, or delete %s", h, last, shell.Line("helm rollback", shell.Operand(h.Name).In(h.Namespace)), last.entry.ID())
	}
	for _, s := range slices.Backward(h.Revisions) {
		if s.Status == Deployed {
			return &s, nil
		}
	}
	if last.Status == failed || last.Status == superseded {
		return last, nil
	}
	return nil, fmt.Errorf("release %s cannot be upgraded: %q has no deployed releases; its newest is %s", h, h.Name, last)
}

// Rollback is the newest revision, which `helm rollback` compares with, and the one
// that it goes back to: 0 is the one before (pkg/action/rollback.go prepareRollback).
func (h History) Rollback(to int) (from, target *Stored, err error) {
	from = h.Last()
	if from == nil {
		return nil, nil, h.absent()
	}
	if to == 0 {
		to = from.Revision - 1
	}
	var known []int
	for _, s := range h.Revisions {
		if s.Revision == to {
			return from, &s, nil
		}
		known = append(known, s.Revision)
	}
	return nil, nil, fmt.Errorf("release %s has no revision %d; the snapshot has %v", h, to, known)
}

func (h History) absent() error {
	return fmt.Errorf("the snapshot has no release %s: export the Secrets of namespace %s too, or check --release and -n", h, h.Namespace)
}

// Revision is one revision of a release.
type Revision struct {
	Stored
	// Manifest is what was rendered, without hooks, in the order of the install.
	Manifest string
	// Method is how Helm 4 applied it, csa or ssa; "" if Helm 3 did.
	Method string
	// Values are those that the user gave.
	Values tree.Object
	Hooks  []Hook
}

// Open decodes the revision: base64 of gzip, or of plain text, of JSON, which a
// Secret has in base64 once more (pkg/storage/driver/util.go decodeRelease). It
// holds no more than limit in memory.
func (s Stored) Open(limit source.Limit) (*Revision, error) {
	text := tree.String(s.entry.Object().Tree, "data", "release")
	if s.entry.Kind.Kind == "Secret" {
		outer, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, s.unreadable()
		}
		text = string(outer)
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		return nil, s.unreadable()
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b, 0x08}) {
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, s.unreadable()
		}
		if data, err = io.ReadAll(io.LimitReader(unpacked, limit.Bytes()+1)); err != nil {
			return nil, s.unreadable()
		}
		if int64(len(data)) > limit.Bytes() {
			return nil, fmt.Errorf("%s: the release is larger than the %d MiB that THREEWAY_MAX_INPUT allows", s.entry.ID(), limit.Bytes()>>20)
		}
	}
	release, ok := source.ParseObject(string(data))
	if !ok || release == nil {
		return nil, s.unreadable()
	}
	r := &Revision{Stored: s, Manifest: tree.String(release, "manifest"), Method: tree.String(release, "apply_method"), Values: tree.Map(release, "config")}
	for _, hook := range tree.List(release, "hooks") {
		h := Hook{Kind: tree.String(hook, "kind"), Name: tree.String(hook, "name")}
		weight, _ := tree.Int(hook, "weight")
		h.Weight = int(weight)
		for _, event := range tree.List(hook, "events") {
			if text, ok := event.(string); ok {
				h.Events = append(h.Events, text)
			}
		}
		r.Hooks = append(r.Hooks, h)
	}
	return r, nil
}

func (s Stored) unreadable() error {
	return fmt.Errorf("%s holds no release that can be read, as in a redacted snapshot; pass what helm get manifest prints with --last-applied", s.entry.ID())
}
