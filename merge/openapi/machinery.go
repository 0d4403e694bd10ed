package openapi

import (
	"strings"

	"threeway/merge/schema"
)

// described is a model of apimachinery's pkg/apis/meta/v1 that no kind of the
// API server has: a type by the name of each field, "[]T" for a list.
type described struct {
	fields   map[string]string
	required []string
}

var machinery = map[string]described{
	"ListMeta": {fields: map[string]string{
		"continue": "string", "remainingItemCount": "integer", "resourceVersion": "string", "selfLink": "string",
		"shardInfo": "ShardInfo", // sharded lists and watches, since 1.36
	}},
	"ShardInfo": {fields: map[string]string{"selector": "string"}, required: []string{"selector"}},
	"Status": {fields: map[string]string{
		"apiVersion": "string", "kind": "string", "metadata": "ListMeta",
		"code": "integer", "details": "StatusDetails", "message": "string", "reason": "string", "status": "string",
	}},
	"StatusDetails": {fields: map[string]string{
		"causes": "[]StatusCause", "group": "string", "kind": "string", "name": "string", "retryAfterSeconds": "integer", "uid": "string",
	}},
	"StatusCause": {fields: map[string]string{"field": "string", "message": "string", "reason": "string"}},
}

// Answer is the model of a kind that the API server answers with and takes none
// of: the Status of a failed request, which may end up in a file. It is nil for
// any other kind.
func Answer(k schema.Kind) *Model {
	if k == (schema.Kind{Version: "v1", Kind: "Status"}) {
		return machineryModel(k.Kind)
	}
	return nil
}

func listMeta() *Model { return machineryModel("ListMeta") }

func machineryModel(name string) *Model {
	d, path := machinery[name], "io.k8s.apimachinery.pkg.apis.meta.v1."+name
	return &Model{form: object, path: path, required: d.required, field: func(field string) *Model {
		typ, ok := d.fields[field]
		if !ok {
			return nil
		}
		return machineryField(typ, path+"."+field)
	}}
}

func machineryField(typ, path string) *Model {
	if elem, isList := strings.CutPrefix(typ, "[]"); isList {
		return &Model{form: list, path: path, elem: func() *Model { return machineryField(elem, path) }}
	}
	if _, ok := machinery[typ]; ok {
		return machineryModel(typ)
	}
	return &Model{form: primitive, path: path, typ: typ}
}
