package custom

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// scaleErrors checks the fields that the scale subresource reads
// (pkg/registry/customresource/validator.go).
func scaleErrors(obj, scale tree.Object) field.ErrorList {
	if scale == nil {
		return nil
	}
	var errs field.ErrorList
	for _, key := range []string{"specReplicasPath", "statusReplicasPath"} {
		at := tree.String(scale, key)
		path := field.NewPath(at)
		v, found, err := walk(obj, at)
		n, ok := v.(int64)
		switch {
		case err != nil:
			errs = append(errs, field.Invalid(path, int64(0), err.Error()))
		case found && !ok:
			errs = append(errs, field.Invalid(path, int64(0), wrongAccess(at, v, "int64").Error()))
		case n < 0:
			errs = append(errs, field.Invalid(path, n, "should be a non-negative integer"))
		case n > math.MaxInt32:
			errs = append(errs, field.Invalid(path, n, fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)))
		}
	}
	if at, ok := scale["labelSelectorPath"].(string); ok {
		v, found, err := walk(obj, at)
		if _, isString := v.(string); err == nil && found && !isString {
			err = wrongAccess(at, v, "string")
		}
		if err != nil {
			errs = append(errs, field.Invalid(field.NewPath(at), "", err.Error()))
		}
	}
	return errs
}

// walk returns the value at a path such as ".spec.replicas".
func walk(obj tree.Object, path string) (v any, found bool, err error) {
	v = obj
	names := strings.Split(strings.TrimPrefix(path, "."), ".")
	for i, name := range names {
		if v == nil {
			return nil, false, nil
		}
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false, wrongAccess(strings.Join(names[:i+1], "."), v, "map[string]interface{}")
		}
		if v, ok = m[name]; !ok {
			return nil, false, nil
		}
	}
	return v, true, nil
}

func wrongAccess(path string, v any, want string) error {
	return fmt.Errorf(".%s accessor error: %v is of the type %T, expected %s", strings.TrimPrefix(path, "."), v, v, want)
}
