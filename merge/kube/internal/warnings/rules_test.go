package warnings_test

import (
	"threeway/merge/schema"
	"threeway/merge/server"
	"threeway/merge/server/warnings"
)

func init() {
	warnings.RulesOf = func(k schema.Kind) warnings.Rules {
		_, rules := server.Checks(k)
		return rules
	}
}
