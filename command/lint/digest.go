package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"

	"threeway/command/inputs"
	"threeway/command/system"
	"threeway/lint/guard"
	"threeway/merge/manifest"
)

// digest hashes what answers depend on.
type digest struct {
	manifests, live, settings, arguments hash.Hash
	err                                  error
}

// digests are those of a rehearsal that was asked for by arguments.
func (l *lintRun) digests(args []string) (guard.Digests, error) {
	in := l.Input.Options
	d := &digest{in.Redaction.Hash(), in.Redaction.Hash(), sha256.New(), sha256.New(), nil}
	fmt.Fprintf(d.arguments, "%q %q", args, system.BelowTop())
	d.set(d.manifests, in.Manifests)
	for _, dir := range l.asked.Unchanged {
		fmt.Fprintf(d.manifests, "%q\n", dir)
	}
	if in.Prune != nil && l.Input.Elsewhere != nil {
		d.set(d.manifests, l.Input.Elsewhere())
	}
	if l.Input.Plan.Base != nil {
		d.objects(d.live, slices.Collect(in.Live.Objects()))
	} else {
		sum, err := in.Live.Sum()
		fmt.Fprintf(d.live, "%x\n", sum)
		d.err = err
	}
	for _, c := range l.Input.Plan.Prune.Pruned() { // which manifests may say that are not in the set
		fmt.Fprintf(d.manifests, "%q\n", c.Live.ID().String())
	}
	d.objects(d.live, in.Definitions)
	for _, o := range in.Manifests.Objects {
		if s := in.Schemas.Of(o.Kind); s != nil {
			d.tree(d.live, s.File, s.Body)
		}
	}
	ids := slices.SortedFunc(maps.Keys(in.LastApplied), func(a, b manifest.Identity) int { return cmp.Compare(a.String(), b.String()) })
	for _, id := range ids {
		d.tree(d.live, id.String(), in.LastApplied[id])
	}
	return d.sums(l)
}

func (d *digest) set(to hash.Hash, set *manifest.Set) {
	d.objects(to, set.Objects)
	for _, p := range set.Problems {
		fmt.Fprintf(to, "%q\n", p.String())
	}
}

func (d *digest) objects(to hash.Hash, list []*manifest.Object) {
	for _, o := range list {
		d.tree(to, o.At(), o.Tree)
	}
}

func (d *digest) tree(to io.Writer, name string, t map[string]any) {
	data, err := json.Marshal(t)
	if err != nil {
		d.err = err
	}
	fmt.Fprintf(to, "%q %s\n", name, data)
}

func (d *digest) sums(l *lintRun) (guard.Digests, error) {
	r := l.asked
	for _, file := range slices.Concat([]string{r.Settings.File, r.Baseline}, r.Settings.RuleFiles) {
		if file == "" {
			continue
		}
		text, err := inputs.ReadTrusted(&r.Inputs, file)
		if err != nil {
			return guard.Digests{}, err
		}
		fmt.Fprintf(d.settings, "%q %q\n", file, text)
	}
	if r.Trusted != nil {
		fmt.Fprintf(d.settings, "%q\n", r.Trusted.States())
	}
	sum := func(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
	return guard.Digests{Manifests: sum(d.manifests), Live: sum(d.live), Settings: sum(d.settings), Arguments: sum(d.arguments), Program: system.Version}, d.err
}
