package warnings_test

import (
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/internal/warnings"
	"threeway/merge/kube/schema"
)

func init() {
	warnings.RulesOf = func(k schema.Kind) warnings.Rules {
		_, rules := server.Checks(k)
		return rules
	}
}
