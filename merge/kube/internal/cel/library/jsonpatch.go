package library

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// JSONPatch has jsonpatch.escapeKey, for mutations only.
func JSONPatch() cel.EnvOption {
	return cel.Lib(&functions{name: "kubernetes.jsonpatch", overloads: map[string][]cel.FunctionOpt{
		"jsonpatch.escapeKey": {overload("string_jsonpatch_escapeKey_string", takes(cel.StringType), cel.StringType, unary(escapeKey))},
	}})
}

func escapeKey(s string) ref.Val {
	return types.String(strings.NewReplacer("/", "~1", "~", "~0").Replace(s))
}
