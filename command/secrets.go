package command

import (
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge/manifest"
	"threeway/merge/mask"
)

func maskEnvFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "mask-env", Category: categoryOwn, Usage: "also mask environment variables, and values for charts in objects of Argo CD and Flux, whose names match `PATTERN`, such as '*PASSWORD*'; 'known' stands for the usual names; adds to .threeway.yaml; repeatable"}
}

// secretsOf is what patterns and the settings, which declare secrets together,
// say is masked besides the values of Secrets.
func secretsOf(r *Request, patterns []string) (*mask.Policy, error) {
	env, err := mask.ParseEnv(patterns)
	if err != nil {
		return nil, err
	}
	if r.known == nil {
		r.known = mask.NewKnown()
	}
	return &mask.Policy{Env: append(env, r.Settings.Secrets.Env...), Kinds: slices.Concat(r.Settings.Secrets.Kinds, r.Decrypted), Known: r.known}, nil
}

// learn makes the secret values of manifests, of their live objects and of all live
// Secrets known, so that copies of them are masked in every object.
func learn(r *Request, config *manifest.Set, snapshots ...*manifest.Snapshot) error {
	if r.ShowSecrets {
		return nil
	}
	secrets, err := secretsOf(r, r.MaskEnv)
	if err != nil {
		return err
	}
	for _, live := range snapshots {
		for _, e := range live.Entries {
			r.known.Publish(e.Name)
			r.known.Publish(e.Namespace)
		}
		for _, e := range live.EntriesOfKind("Secret") {
			secrets.Learn(e.Once().Tree)
		}
	}
	if config == nil {
		return nil
	}
	for _, o := range config.Objects {
		secrets.Learn(o.Tree)
		for _, live := range snapshots {
			if now := live.Find(o.ID()); now != nil {
				secrets.Learn(now.Tree)
			}
		}
	}
	return nil
}
