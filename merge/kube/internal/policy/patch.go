package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kjson "sigs.k8s.io/json"

	"k8s.io/apiserver/pkg/cel/mutation/dynamic"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// applied merges what an ApplyConfiguration gives into an object.
//
// Source: applyConfigPatcher.Patch of policy/mutating/patch/smd.go.
func (m *mutator) applied(k schema.Kind, obj tree.Object, v ref.Val) (tree.Object, error) {
	value, ok := v.(*dynamic.ObjectVal)
	if !ok {
		return nil, fmt.Errorf("unsupported return type from ApplyConfiguration expression: %v", v.Type())
	}
	if err := value.CheckTypeNamesMatchFieldPathNames(); err != nil {
		return nil, fmt.Errorf("type mismatch: %w", err)
	}
	patch, ok := value.Value().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("invalid return type: %T", v)
	}
	patch["apiVersion"], patch["kind"] = k.APIVersion(), k.Kind
	merged, err := m.objects.Merge(k, obj, patch)
	if err != nil {
		return nil, fmt.Errorf("error applying patch: %w", err)
	}
	return merged, nil
}

// jsonPatched applies a JSONPatch to an object; it gives nil if a test in it fails,
// which is no error.
//
// Source: jsonPatcher.Patch of policy/mutating/patch/json_patch.go.
func jsonPatched(obj tree.Object, v ref.Val) (tree.Object, error) {
	patch, err := jsonPatch(v)
	if err != nil {
		return nil, err
	}
	text, err := tree.AppendJSON(nil, obj)
	if err != nil {
		return nil, fmt.Errorf("failed to create JSON patch: %w", err)
	}
	patched, err := patch.Apply(text)
	if errors.Is(err, jsonpatch.ErrTestFailed) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("JSON Patch: %w", err)
	}
	var result tree.Object
	if err := kjson.UnmarshalCaseSensitivePreserveInts(patched, &result); err != nil {
		return nil, internalError{err}
	}
	return result, nil
}

// jsonPatch makes a patch of a list of JSONPatch.
func jsonPatch(v ref.Val) (jsonpatch.Patch, error) {
	list, ok := v.(traits.Lister)
	if !ok {
		return nil, errors.New("type mismatch: JSONPatchType.expression should evaluate to array")
	}
	patch := jsonpatch.Patch{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		op, ok := it.Next().(*cel.JSONPatch)
		if !ok {
			return nil, errors.New("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch")
		}
		operation := jsonpatch.Operation{"op": quoted(op.Op), "path": quoted(op.Path)}
		if op.From != "" {
			operation["from"] = quoted(op.From)
		}
		if op.Patch != nil {
			value, err := jsonValue(op.Patch)
			if err != nil {
				return nil, err
			}
			operation["value"] = value
		}
		patch = append(patch, operation)
	}
	return patch, nil
}

func quoted(text string) *json.RawMessage {
	raw := json.RawMessage(strconv.Quote(text))
	return &raw
}

// jsonValue is a value of CEL as JSON, in which numbers are floats.
func jsonValue(v ref.Val) (*json.RawMessage, error) {
	if obj, ok := v.(*dynamic.ObjectVal); ok {
		if err := obj.CheckTypeNamesMatchFieldPathNames(); err != nil {
			return nil, fmt.Errorf("type mismatch: %w", err)
		}
	}
	value, err := v.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		return nil, fmt.Errorf("JSONPath valueExpression evaluated to a type that could not marshal to JSON: %w", err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("JSONPath valueExpression evaluated to a type that could not marshal to JSON: %w", err)
	}
	raw := json.RawMessage(text)
	return &raw, nil
}
