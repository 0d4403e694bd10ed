package inputs

import (
	"context"
	"fmt"
	"slices"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/manifest"
)

// Sequence rehearses the apply of -f and, each on what the one before leaves,
// of every --then.
func Sequence(ctx context.Context, r *request.Inputs, std system.Streams) ([]*merge.Plan, error) {
	paths := r.Then
	if slices.Contains(paths, "-") {
		return nil, fmt.Errorf("--then reads files and directories, not stdin; pass stdin to -f or --live")
	}
	opts, err := Read(ctx, r, std)
	if err != nil {
		return nil, err
	}
	p, err := Rehearsed(r, opts)
	if err != nil {
		return nil, err
	}
	plans := []*merge.Plan{p}
	for _, path := range paths {
		config := manifest.Read(manifest.Options{Paths: []string{path}, Recursive: r.Recursive, Limits: r.Limits})
		Learn(r, config.Objects)
		if p, opts, err = p.Then(opts, config); err != nil {
			return nil, fmt.Errorf("%v", err)
		}
		if len(p.Set) == 0 && len(config.Problems) == 0 {
			return nil, fmt.Errorf("no objects in --then %s: check the path and -l", path)
		}
		plans = append(plans, p)
	}
	return plans, nil
}
