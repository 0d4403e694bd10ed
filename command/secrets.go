package command

import (
	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/merge/mask"
	"threeway/rules"
)

func maskEnvFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "mask-env", Category: categoryOwn, Usage: "mask the values of environment variables of containers whose names match `PATTERN` ('*PASSWORD*'; known: the usual names), besides those of .threeway.yaml; repeatable"}
}

// secretsOf is what the flag and the config file, which declare secrets
// together, say is masked besides the values of Secrets.
func secretsOf(c *cli.Context, patterns []string) (*mask.Policy, error) {
	p := &mask.Policy{}
	var err error
	if p.Env, err = mask.ParseEnv(patterns); err != nil {
		return nil, usageError("%v", err)
	}
	if file := configFile(c); file != "" {
		cfg, err := settings.Read(relative(file), ruleIDs(rules.All()))
		if err != nil {
			return nil, usageError("%v", err)
		}
		p.Env, p.Kinds = append(p.Env, cfg.Secrets.Env...), cfg.Secrets.Kinds
	}
	return p, nil
}
