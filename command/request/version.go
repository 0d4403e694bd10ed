package request

import (
	"fmt"
	"strconv"
	"strings"

	"threeway/merge/rehearsal"
)

// Beta is what is said of a minor that has not been released.
const Beta = "beta, from sources, not recorded"

// Minor reads a Kubernetes version: 1.34, v1.34, 1.34.2.
func Minor(version string) (int, error) {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) >= 2 && parts[0] == "1" {
		if n, err := strconv.Atoi(parts[1]); err == nil {
			if n < rehearsal.OldestMinor || n > rehearsal.NewestMinor {
				return 0, fmt.Errorf("unknown Kubernetes version 1.%d: --kubernetes-version accepts 1.%d to 1.%d", n, rehearsal.OldestMinor, rehearsal.NewestMinor)
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("invalid --kubernetes-version %q: write it like 1.%d", version, rehearsal.DefaultMinor)
}

// upgradeTo reads --to.
func upgradeTo(v *Resolver) (int, error) {
	if !v.IsSet("to") || v.moves() {
		return 0, nil
	}
	to, err := Minor(v.String("to"))
	if err != nil {
		return 0, fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "--kubernetes-version", "--to"))
	}
	return to, nil
}
