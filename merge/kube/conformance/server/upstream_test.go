package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	ours "threeway/merge/kube/internal/server"
	"threeway/merge/tree"
)

// outcome is what one side makes of an object: its JSON with sorted keys, or
// an error; unknown are the errors of strict decoding.
type outcome struct {
	json, err string
	unknown   []string
	panicked  bool
}

func (o outcome) String() string {
	text := o.json
	if o.err != "" {
		text = "error: " + o.err
	}
	return strings.Join(append([]string{text}, o.unknown...), "\n\t")
}

func (o outcome) equal(other outcome) bool {
	return o.json == other.json && o.err == other.err && slices.Equal(o.unknown, other.unknown)
}

func attempt(run func() outcome) (o outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			o = outcome{err: fmt.Sprint(cause), panicked: true}
		}
	}()
	return run()
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func decode(text []byte) tree.Object {
	var m tree.Object
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &m); err != nil {
		panic(err)
	}
	return m
}

func ourNormal(k *kind, obj tree.Object, patched bool) outcome {
	return attempt(func() outcome {
		out, unknown, err := ours.Normal(obj, k.Kind, minor, patched)
		if err != nil {
			return outcome{err: err.Error()}
		}
		var o outcome
		for _, path := range unknown {
			o.unknown = append(o.unknown, fmt.Sprintf("unknown field %q", path))
		}
		o.json = encode(out)
		return o
	})
}

// upstreamNormal decodes, defaults and converts as the create and patch
// handlers do (apiserver pkg/endpoints/handlers/{create,patch}.go), stores and
// reads the object, and answers with it.
func upstreamNormal(k *kind, obj tree.Object, patched bool) outcome {
	return attempt(func() outcome {
		received, err := k.receive(obj, patched)
		var o outcome
		if strict, ok := runtime.AsStrictDecodingError(err); ok {
			for _, e := range strict.Errors() {
				o.unknown = append(o.unknown, e.Error())
			}
		} else if err != nil {
			return outcome{err: err.Error()}
		}
		stored, err := runtime.Encode(k.storage, received)
		if err != nil {
			return outcome{err: "storing: " + err.Error()}
		}
		read, err := runtime.Decode(k.storage, stored)
		if err != nil {
			return outcome{err: "reading: " + err.Error()}
		}
		answer, err := runtime.Encode(k.encoder, read)
		if err != nil {
			return outcome{err: "answering: " + err.Error()}
		}
		o.json = encode(decode(answer))
		return o
	})
}

// receive makes an internal object of a request's.
func (k *kind) receive(obj tree.Object, patched bool) (runtime.Object, error) {
	if !patched {
		received, _, err := k.decoder.Decode([]byte(encode(obj)), nil, nil)
		return received, err
	}
	version := gvk.GroupVersion{Group: k.Group, Version: k.Version}
	into, err := k.scheme.New(version.WithKind(k.Kind.Kind))
	if err != nil {
		return nil, err
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(obj, into, true)
	if err != nil && !runtime.IsStrictDecodingError(err) {
		return nil, err
	}
	k.scheme.Default(into)
	received, conversion := k.scheme.UnsafeConvertToVersion(into, k.hub)
	if conversion != nil {
		return nil, conversion
	}
	return received, err
}
