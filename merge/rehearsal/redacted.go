package rehearsal

import (
	"encoding/base64"
	"fmt"
	"maps"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/redact"
	"threeway/merge/text/phrase"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// Reveal returns the run with the values of the snapshot that were redacted and
// that the config objects have put back, and a note on those of which it is not
// known whether they are the same.
func (r *Run) Reveal(objects []*manifest.Object) (*Run, []string) {
	var revealed []*manifest.Object
	var assumed []string
	values := 0
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
	for i, o := range objects {
		live, object, paths := pairs[i].live, pairs[i].object, pairs[i].paths
		if object == nil {
			continue
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
			names := make([]string, len(paths))
			for i, p := range paths {
				names[i] = p.String()
			}
			values += len(paths)
			_, keys := mask.Redacted(live.Tree)
			keyed, lengths = keyed || len(keys) > 0, lengths || len(keys) == 0
			assumed = append(assumed, fmt.Sprintf("%s (%s)", o.ID(), strings.Join(names, ", ")))
		}
	}
	if len(revealed) == 0 {
		return r, nil
	}
	opts := r.Options
	opts.Live, opts.LastApplied = r.Live.With(revealed, nil), last
	next := New(opts, NewCatalog(opts))
	if values == 0 {
		return next, nil
	}
	how := "put the key that they were redacted with into THREEWAY_KEY"
	switch {
	case lengths && !keyed:
		how = "must-gather keeps only their lengths, which are equal; export the Secrets with kubectl to compare them"
	case r.Redaction != nil:
		how = "the key in THREEWAY_KEY is not the one they were redacted with"
	}
	return next, []string{fmt.Sprintf("%s redacted in the snapshot and assumed to equal the manifest, which may be wrong: %s; %s",
		phrase.Count(values, "value is", "values are"), strings.Join(assumed, ", "), how)}
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
