package command

import (
	"slices"

	"github.com/urfave/cli/v2"

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
	return &mask.Policy{Env: append(env, r.Settings.Secrets.Env...), Kinds: slices.Concat(r.Settings.Secrets.Kinds, r.Decrypted)}, nil
}
