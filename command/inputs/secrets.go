package inputs

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/redact"
)

// SecretsOf is what the settings say is masked besides the values of Secrets, and
// environment variables of further names.
func SecretsOf(r *request.Inputs, env ...string) *mask.Policy {
	if r.Known == nil {
		r.Known = mask.NewKnown()
	}
	return &mask.Policy{Env: append(env, r.Settings.Secrets.Env...), Kinds: slices.Concat(r.Settings.Secrets.Kinds, r.Decrypted), Known: r.Known}
}

// Redact makes the streams of a run pass none of the secret values that become known in it.
func Redact(r *request.Inputs, std system.Streams) {
	r.Known = mask.NewKnown()
	system.RedactWith(std.Out, r.Known.Strike)
	system.RedactWith(std.Err, r.Known.Strike)
}

// Learn makes the secret values of manifests, of their live objects, and of live Secrets
// and objects of declared kinds known, so that copies of them are masked in every object.
// That is done when one is first asked for, and for all that was read until then.
func Learn(r *request.Inputs, manifests []*manifest.Object, snapshots ...*manifest.Snapshot) {
	if r.ShowSecrets {
		return
	}
	secrets := SecretsOf(r)
	manifests = slices.Clone(manifests) // an applier takes its own object out of the list
	r.Known.FillWith(func() {
		for _, file := range slices.Concat(r.Live, r.Base, []string{system.Absolute(".")}) {
			r.Known.PublishPath(file)
		}
		for _, live := range snapshots {
			r.Known.Under(ofSnapshot(live, secrets, r.Limits))
		}
		asked := map[*manifest.Object]bool{}
		manifests = slices.DeleteFunc(manifests, func(o *manifest.Object) bool {
			again := asked[o]
			asked[o] = true
			return again
		})
		found := make([][]func(), len(manifests))
		r.Limits.Cores.Do(len(manifests), func(i int) {
			o := manifests[i]
			found[i] = append(found[i], secrets.Learn(o.Tree))
			for _, live := range snapshots {
				if now := live.Find(o.ID()); now != nil {
					found[i] = append(found[i], secrets.Learn(now.Tree))
				}
			}
		})
		for i, o := range manifests {
			r.Known.PublishPath(o.Origin.File)
			for _, learn := range found[i] {
				learn()
			}
		}
	})
}

// learned are the secrets of a snapshot, by what the policy says of secrets.
type learned struct {
	mutex sync.Mutex
	by    map[string]*mask.Known
}

// learnedAtOnce is of how many objects the values are held before they are known.
const learnedAtOnce = 256

// ofSnapshot are the secrets of a snapshot, which an editor keeps as long as the snapshot.
func ofSnapshot(live *manifest.Snapshot, policy *mask.Policy, limits manifest.Limits) *mask.Known {
	all := manifest.Learned(live, func() *learned { return &learned{by: map[string]*mask.Known{}} })
	all.mutex.Lock()
	defer all.mutex.Unlock()
	key := fmt.Sprint(policy.Env, policy.Kinds)
	if known, ok := all.by[key]; ok {
		return known
	}
	known := mask.NewKnown()
	secrets := &mask.Policy{Env: policy.Env, Kinds: policy.Kinds, Known: known}
	kinds := map[string]bool{"Secret": true}
	for _, k := range policy.Kinds {
		kind, _, _ := strings.Cut(k.Name, ".")
		kinds[kind] = true
	}
	for _, namespace := range live.Namespaces() {
		known.Publish(namespace)
	}
	var hiding []*manifest.Entry
	for _, e := range live.Entries {
		known.Publish(e.Name)
		if kinds[e.Kind.Kind] && !mask.IsReleaseName(e.Name) {
			hiding = append(hiding, e)
		}
	}
	for part := range slices.Chunk(hiding, learnedAtOnce) {
		learn := make([]func(), len(part))
		limits.Cores.Do(len(part), func(i int) { learn[i] = secrets.Learn(part[i].Once().Tree) })
		for _, f := range learn {
			f()
		}
	}
	all.by[key] = known
	return known
}

// RedactionKey is the key in a file, or, if file is empty, the one in the
// environment; nil if there is none.
func RedactionKey(file string) (*redact.Key, error) {
	secret, source := []byte(os.Getenv(request.KeyVariable)), "$"+request.KeyVariable
	if file != "" {
		var err error
		if secret, err = os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("read the key: %v", err)
		}
		source = file
	} else if len(secret) == 0 {
		return nil, nil
	}
	key, err := redact.NewKey(secret)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", source, err)
	}
	return key, nil
}
