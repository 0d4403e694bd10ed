package validation_test

import (
	"threeway/merge/schema"
	"threeway/merge/server"
	"threeway/merge/server/validation"
)

func init() {
	validation.RulesOf = func(k schema.Kind) validation.Rules {
		rules, _ := server.Checks(k)
		return rules
	}
}
