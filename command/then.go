package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/manifest"
)

func thenFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "then", Category: categoryOwn, Usage: "then apply the manifests at `PATH`, with the same flags, and print that result; repeatable"}
}

// sequence rehearses the apply of -f and, each on what the one before leaves,
// of every --then.
func sequence(ctx context.Context, r *Request, std streams) ([]*merge.Plan, error) {
	paths := r.Then
	if slices.Contains(paths, "-") {
		return nil, fmt.Errorf("--then reads files and directories, not stdin; pass stdin to -f or --live")
	}
	opts, err := read(ctx, r, std, false)
	if err != nil {
		return nil, err
	}
	p, err := rehearsed(r, opts)
	if err != nil {
		return nil, err
	}
	plans := []*merge.Plan{p}
	for _, path := range paths {
		config := manifest.Read(manifest.Options{Paths: []string{path}, Recursive: r.Recursive, Limits: r.Limits})
		if p, opts, err = p.Then(opts, config); err != nil {
			return nil, fmt.Errorf("%v", err)
		}
		if len(p.Set) == 0 && !r.AllowEmpty && len(config.Problems) == 0 {
			return nil, fmt.Errorf("no objects in --then %s: check the path and -l, or pass --allow-empty", path)
		}
		plans = append(plans, p)
	}
	return plans, nil
}
