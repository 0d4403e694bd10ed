package rehearsal

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/redact"
	"threeway/merge/text/phrase"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// Revealed is what Reveal has found of redacted values.
type Revealed struct {
	Gaps   []gap.Gap
	Unseen []gap.Unseen
	// Notes say which values are compared with those before the change.
	Notes []string
}

// Reveal returns the run with the values of the snapshot that were redacted: those of the
// manifests before the change, if they are known, and else those that the manifests have put
// back, of which it is unknown whether they are the same. former is nil if
// nothing tells what was before.
func (r *Run) Reveal(objects []*manifest.Object, former *manifest.Former) (*Run, Revealed) {
	var found Revealed
	var revealed []*manifest.Object
	var assumed, compared []string
	unknown := gap.Gap{Code: gap.Redacted}
	values, as := 0, 0
	keyed, lengths := false, false
	last := maps.Clone(r.LastApplied)
	type pair struct {
		live   *manifest.Object
		object tree.Object
		paths  []fieldpath.Path
	}
	pairs := make([]pair, len(objects))
	// This is where the live objects are decoded.
	r.Cores.Do(len(objects), func(i int) {
		if live := r.Live.Find(objects[i].ID()); live != nil {
			pairs[i].live = live
			pairs[i].object, pairs[i].paths = redact.Reveal(objects[i].Tree, live.Tree, r.Redaction)
		}
	})
	names := func(paths []fieldpath.Path) string {
		names := make([]string, len(paths))
		for i, p := range paths {
			names[i] = p.String()
		}
		return strings.Join(names, ", ")
	}
	for i, o := range objects {
		live, object, paths := pairs[i].live, pairs[i].object, pairs[i].paths
		if object == nil {
			continue
		}
		var was tree.Object
		if len(paths) > 0 {
			was = former.Find(o.ID())
		}
		if was != nil && !tree.Has(was, "sops", "mac") { // SOPS shows no values either
			now := object
			then, before := redact.Reveal(was, live.Tree, r.Redaction)
			if object, paths = then, nil; len(before) > 0 {
				as, compared = as+len(before), append(compared, fmt.Sprintf("%s (%s)", o.ID(), names(before)))
			}
			if rest, unknown := redact.Reveal(o.Tree, then, r.Redaction); rest != nil { // what was not there before
				object, paths = rest, unknown
			}
			changed := slices.DeleteFunc(before, func(path fieldpath.Path) bool {
				a, _ := path.Find(then)
				b, _ := path.Find(now)
				return tree.Equal(a, b)
			})
			if len(changed) > 0 {
				found.Unseen = append(found.Unseen, gap.Unseen{Object: o.ID(), Text: "redacted in the snapshot, and changes from " + former.Name + ": " + names(changed)})
			}
		}
		copied := *live
		copied.Tree = object
		assumeLastApplied(o.Tree, object)
		revealed = append(revealed, &copied)
		if stored := last[o.ID()]; stored != nil {
			if stored, _ := redact.Reveal(o.Tree, stored, r.Redaction); stored != nil {
				last[o.ID()] = stored
			}
		}
		if len(paths) > 0 {
			values += len(paths)
			_, keys := mask.Redacted(live.Tree)
			keyed, lengths = keyed || len(keys) > 0, lengths || len(keys) == 0
			assumed = append(assumed, fmt.Sprintf("%s (%s)", o.ID(), names(paths)))
			unknown.Objects = append(unknown.Objects, o.ID())
		}
	}
	if len(revealed) == 0 {
		return r, found
	}
	opts := r.Options
	opts.Live, opts.LastApplied = r.Live.With(revealed, nil), last
	if as > 0 {
		found.Notes = []string{fmt.Sprintf("%s redacted in the snapshot and compared with %s: %s", phrase.Count(as, "value is", "values are"), former.Name, strings.Join(compared, ", "))}
	}
	if values > 0 {
		how := "put the key that they were redacted with into THREEWAY_KEY"
		switch {
		case lengths && !keyed:
			how = "must-gather keeps only their lengths, which are equal; export the Secrets with kubectl to compare them"
		case r.Redaction != nil:
			how = "the key in THREEWAY_KEY is not the one they were redacted with"
		}
		unknown.Needs = "the values that are redacted: " + how
		unknown.Note = fmt.Sprintf("%s redacted in the snapshot and assumed to equal the manifest, which may be wrong: %s; %s",
			phrase.Count(values, "value is", "values are"), strings.Join(assumed, ", "), how)
		found.Gaps = []gap.Gap{unknown}
	}
	return New(opts, NewCatalog(opts)), found
}

// assumeLastApplied gives a live Secret whose last-applied must-gather has
// emptied one that holds the live values under the keys of its manifest: what it
// was is unknown.
func assumeLastApplied(config, live tree.Object) {
	annotations := tree.Map(live, "metadata", "annotations")
	if text, ok := annotations[LastAppliedKey]; !ok || text != "" {
		return
	}
	config = tree.CopyObject(config)
	for _, field := range []string{"data", "stringData"} {
		values := tree.Map(config, field)
		for key := range values {
			text := tree.String(live, "data", key)
			if !token.IsRedacted(text) {
				continue
			}
			if values[key] = text; field == "stringData" {
				plain, _ := base64.StdEncoding.DecodeString(text)
				values[key] = string(plain)
			}
		}
	}
	if text, err := LastAppliedText(config); err == nil {
		annotations[LastAppliedKey] = text
	}
}
