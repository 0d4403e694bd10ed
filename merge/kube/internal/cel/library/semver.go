package library

import (
	"errors"
	"strings"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Semver has semver, isSemver, their comparison and parts: version 1 of the
// library, which can read versions that are written carelessly.
func Semver() cel.EnvOption {
	v := apiservercel.SemverType
	return cel.Lib(&functions{name: "kubernetes.Semver", overloads: map[string][]cel.FunctionOpt{
		"semver": {
			overload("string_to_semver", takes(cel.StringType), v, unary(func(s string) ref.Val { return toSemver(s, false) })),
			overload("string_bool_to_semver", takes(cel.StringType, cel.BoolType), v, binary(toSemver)),
		},
		"isSemver": {
			overload("is_semver_string", takes(cel.StringType), cel.BoolType, unary(func(s string) ref.Val { return isSemver(s, false) })),
			overload("is_semver_string_bool", takes(cel.StringType, cel.BoolType), cel.BoolType, binary(isSemver)),
		},
		"isGreaterThan": {method("semver_is_greater_than", takes(v, v), cel.BoolType,
			binary(func(a, b semver.Version) ref.Val { return types.Bool(a.Compare(b) == 1) }))},
		"isLessThan": {method("semver_is_less_than", takes(v, v), cel.BoolType,
			binary(func(a, b semver.Version) ref.Val { return types.Bool(a.Compare(b) == -1) }))},
		"compareTo": {method("semver_compare_to", takes(v, v), cel.IntType,
			binary(func(a, b semver.Version) ref.Val { return types.Int(a.Compare(b)) }))},
		"major": {method("semver_major", takes(v), cel.IntType, unary(func(v semver.Version) ref.Val { return types.Int(v.Major) }))},
		"minor": {method("semver_minor", takes(v), cel.IntType, unary(func(v semver.Version) ref.Val { return types.Int(v.Minor) }))},
		"patch": {method("semver_patch", takes(v), cel.IntType, unary(func(v semver.Version) ref.Val { return types.Int(v.Patch) }))},
	}})
}

func toSemver(s string, careless bool) ref.Val {
	v, err := parseSemver(s, careless)
	if err != nil {
		return types.WrapErr(err)
	}
	return apiservercel.Semver{Version: v}
}

func isSemver(s string, careless bool) ref.Val {
	_, err := parseSemver(s, careless)
	return types.Bool(err == nil)
}

// parseSemver reads a version. Carelessly written, it may start with v, have
// fewer than three parts, and parts with leading zeros.
func parseSemver(s string, careless bool) (semver.Version, error) {
	if !careless {
		return semver.Parse(s)
	}
	parts := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	for i, part := range parts {
		if len(part) > 1 {
			part = strings.TrimLeft(part, "0")
			if part == "" || !strings.ContainsAny(part[:1], "0123456789") {
				part = "0" + part
			}
			parts[i] = part
		}
	}
	if len(parts) < 3 && strings.ContainsAny(parts[len(parts)-1], "+-") {
		return semver.Version{}, errors.New("short version cannot contain PreRelease/Build meta data")
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	return semver.Parse(strings.Join(parts, "."))
}
