package inputs

import (
	"slices"

	"threeway/command/request"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/tree"
)

// SecretsOf is what patterns and the settings, which declare secrets together,
// say is masked besides the values of Secrets.
func SecretsOf(r *request.Inputs, patterns []string) (*mask.Policy, error) {
	env, err := mask.ParseEnv(patterns)
	if err != nil {
		return nil, err
	}
	if r.Known == nil {
		r.Known = mask.NewKnown()
	}
	return &mask.Policy{Env: append(env, r.Settings.Secrets.Env...), Kinds: slices.Concat(r.Settings.Secrets.Kinds, r.Decrypted), Known: r.Known}, nil
}

// Learn makes the secret values of manifests, of their live objects and of the live
// Secrets known, so that copies of them are masked in every object. That is done when one
// is first asked for. A run that prints objects of these namespaces alone needs no Secrets
// of others.
func Learn(r *request.Inputs, config *manifest.Set, snapshots ...*manifest.Snapshot) error {
	if r.ShowSecrets {
		return nil
	}
	secrets, err := SecretsOf(r, r.MaskEnv)
	if err != nil {
		return err
	}
	r.Known.FillWith(func() {
		var objects []*manifest.Object
		if config != nil {
			objects = config.Objects
		}
		within := namespacesOf(objects)
		everywhere := config == nil || r.Prune.Prune
		for _, live := range snapshots {
			for _, e := range live.Entries {
				r.Known.Publish(e.Name)
				r.Known.Publish(e.Namespace)
			}
			for _, e := range live.EntriesOfKind("Secret") {
				if (everywhere || within[e.Namespace]) && !mask.IsReleaseName(e.Name) {
					secrets.Learn(e.Once().Tree)
				}
			}
		}
		for _, o := range objects {
			secrets.Learn(o.Tree)
			for _, live := range snapshots {
				if now := live.Find(o.ID()); now != nil {
					secrets.Learn(now.Tree)
				}
			}
		}
	})
	return nil
}

// namespacesOf are the namespaces that objects are in, and those that they name.
func namespacesOf(objects []*manifest.Object) map[string]bool {
	found := map[string]bool{}
	var in func(v any)
	in = func(v any) {
		switch v := v.(type) {
		case tree.Object:
			found[tree.String(v, "namespace")] = true
			for _, x := range v {
				in(x)
			}
		case []any:
			for _, x := range v {
				in(x)
			}
		}
	}
	for _, o := range objects {
		id := o.ID()
		if found[id.Namespace] = true; id.Kind == "Namespace" {
			found[id.Name] = true
		}
		in(o.Tree)
	}
	return found
}
