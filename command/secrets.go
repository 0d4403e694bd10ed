package command

import (
	"github.com/urfave/cli/v2"

	"threeway/merge/mask"
)

func maskEnvFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "mask-env", Category: categoryOwn, Usage: "mask the values of environment variables of containers whose names match `PATTERN` ('*PASSWORD*'; known: the usual names), besides those of .threeway.yaml; repeatable"}
}

// secretsOf is what patterns and the settings, which declare secrets together,
// say is masked besides the values of Secrets.
func secretsOf(r *Request, patterns []string) (*mask.Policy, error) {
	env, err := mask.ParseEnv(patterns)
	if err != nil {
		return nil, err
	}
	return &mask.Policy{Env: append(env, r.Settings.Secrets.Env...), Kinds: r.Settings.Secrets.Kinds}, nil
}
