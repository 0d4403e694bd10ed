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
	seen := make([]seen, len(objects))
	// This is where the live objects are decoded.
	r.Cores.Do(len(objects), func(i int) {
		if live := r.Live.Find(objects[i].ID()); live != nil {
			seen[i].live = live
			seen[i].object, seen[i].paths = redact.Reveal(objects[i].Tree, live.Tree, r.Redaction)
		}
	})
	v := revealing{key: r.Redaction, former: former}
	last := maps.Clone(r.LastApplied)
	var revealed []*manifest.Object
	for i, o := range objects {
		if seen[i].object == nil {
			continue
		}
		revealed = append(revealed, v.reveal(o, seen[i]))
		if stored := last[o.ID()]; stored != nil {
			if stored, _ := redact.Reveal(o.Tree, stored, r.Redaction); stored != nil {
				last[o.ID()] = stored
			}
		}
	}
	v.tell()
	if len(revealed) == 0 {
		return r, v.Revealed
	}
	opts := r.Options
	opts.Live, opts.LastApplied = r.Live.With(revealed, nil), last
	return New(opts, NewCatalog(opts)), v.Revealed
}

// seen is a live object, and as it is with the values of its manifest at the paths where they
// were redacted and the key tells nothing; object is nil if none was redacted.
type seen struct {
	live   *manifest.Object
	object tree.Object
	paths  []fieldpath.Path
}

// revealing gathers what is to be told of redacted values.
type revealing struct {
	key    *redact.Key
	former *manifest.Former
	Revealed

	compared, assumed []string // by object, with paths
	as, values        int      // how many paths
	unknown           []manifest.Identity
	keyed, lengths    bool // what stands for values that are assumed
}

// reveal is a live object with the values that its manifest had before, or has.
func (v *revealing) reveal(o *manifest.Object, s seen) *manifest.Object {
	object, paths := s.object, s.paths
	var was tree.Object
	if len(paths) > 0 {
		was = v.former.Find(o.ID())
	}
	if was != nil && !tree.Has(was, "sops", "mac") { // SOPS shows no values either
		object, paths = v.compare(o, was, s)
	}
	if len(paths) > 0 {
		v.values += len(paths)
		_, keys := mask.Redacted(s.live.Tree)
		v.keyed, v.lengths = v.keyed || len(keys) > 0, v.lengths || len(keys) == 0
		v.assumed = append(v.assumed, fmt.Sprintf("%s (%s)", o.ID(), names(paths)))
		v.unknown = append(v.unknown, o.ID())
	}
	copied := *s.live
	copied.Tree = object
	assumeLastApplied(o.Tree, object)
	return &copied
}

// compare is the live object with the values that the manifest had, and the paths that are
// still unknown.
func (v *revealing) compare(o *manifest.Object, was tree.Object, s seen) (tree.Object, []fieldpath.Path) {
	then, before := redact.Reveal(was, s.live.Tree, v.key)
	if len(before) > 0 {
		v.as, v.compared = v.as+len(before), append(v.compared, fmt.Sprintf("%s (%s)", o.ID(), names(before)))
	}
	object, paths := redact.Reveal(o.Tree, then, v.key)
	if object == nil { // nothing is redacted that was not there before
		object, paths = then, nil
	}
	changed := slices.DeleteFunc(before, func(path fieldpath.Path) bool {
		a, _ := path.Find(then)
		b, _ := path.Find(s.object)
		return tree.Equal(a, b)
	})
	if len(changed) > 0 {
		v.Unseen = append(v.Unseen, gap.Unseen{Object: o.ID(), Text: "redacted in the snapshot, and changes from " + v.former.Name + ": " + names(changed)})
	}
	return object, paths
}

// tell makes the notes and the gap.
func (v *revealing) tell() {
	if v.as > 0 {
		v.Notes = []string{fmt.Sprintf("%s redacted in the snapshot and compared with %s: %s", phrase.Count(v.as, "value is", "values are"), v.former.Name, strings.Join(v.compared, ", "))}
	}
	if v.values == 0 {
		return
	}
	how := "put the key that they were redacted with into THREEWAY_KEY"
	switch {
	case v.lengths && !v.keyed:
		how = "must-gather keeps only their lengths, which are equal; export the Secrets with kubectl to compare them"
	case v.key != nil:
		how = "the key in THREEWAY_KEY is not the one they were redacted with"
	}
	v.Gaps = []gap.Gap{{Code: gap.Redacted, Objects: v.unknown, Needs: "the values that are redacted: " + how,
		Note: fmt.Sprintf("%s redacted in the snapshot and assumed to equal the manifest, which may be wrong: %s; %s",
			phrase.Count(v.values, "value is", "values are"), strings.Join(v.assumed, ", "), how)}}
}

func names(paths []fieldpath.Path) string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
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
