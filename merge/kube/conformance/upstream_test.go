package conformance

import (
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"threeway/merge/tree"
)

// outcome is what a merge gave: JSON, or an error's text, or a panic.
type outcome struct {
	json, err string
	panicked  bool
}

func (o outcome) String() string {
	switch {
	case o.panicked:
		return "panic: " + o.err
	case o.err != "":
		return "error: " + o.err
	}
	return o.json
}

// attempt runs a merge and catches its panic.
func attempt(merge func() (string, error)) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{err: fmt.Sprint(p), panicked: true}
		}
	}()
	text, err := merge()
	if err != nil {
		return outcome{err: err.Error()}
	}
	return outcome{json: text}
}

// kubectlPatch is kubectl's way to a strategic merge patch
// (pkg/cmd/apply/patcher.go): by OpenAPI v3, and where that fails, by Go type.
// OpenAPI v2, the try in between, fails where v3 does.
func kubectlPatch(k *kind, last, config, live []byte, overwrite bool) outcome {
	try := func(meta strategicpatch.LookupPatchMeta) outcome {
		return attempt(func() (string, error) {
			patch, err := strategicpatch.CreateThreeWayMergePatch(last, config, live, meta, overwrite)
			return string(patch), err
		})
	}
	if k.openapi != nil {
		if o := try(k.openapi); o.err == "" || o.panicked {
			return o
		}
	}
	return try(k.structs)
}

// serverApply applies a patch as the API server does
// (apiserver pkg/endpoints/handlers/patch.go), and adds what is left of it.
func serverApply(k *kind, live, patch []byte) outcome {
	return attempt(func() (string, error) {
		p := decode(string(patch))
		result, err := strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(decode(string(live)), p, k.structs)
		if err != nil {
			return "", err
		}
		return encode(result) + fmt.Sprintf("\nleft %+v", p), nil
	})
}

// kubectlJSONPatch is kubectl's way to a JSON merge patch.
func kubectlJSONPatch(last, config, live []byte) outcome {
	return attempt(func() (string, error) {
		patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(last, config, live,
			mergepatch.RequireKeyUnchanged("apiVersion"), mergepatch.RequireKeyUnchanged("kind"), mergepatch.RequireMetadataKeyUnchanged("name"))
		return string(patch), err
	})
}

func serverJSONApply(live, patch []byte) outcome {
	return attempt(func() (string, error) {
		result, err := jsonpatch.MergePatch(live, patch)
		return string(result), err
	})
}

// decode reads an object as kubectl and the API server do. The copy leaves no
// spare capacity in lists.
func decode(text string) tree.Object {
	var m tree.Object
	if err := kjson.Unmarshal([]byte(text), &m); err != nil {
		panic("not JSON: " + text)
	}
	return runtime.DeepCopyJSON(m)
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
