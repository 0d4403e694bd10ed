package openapi

import (
	"strings"

	"threeway/merge/kube/schema"
)

// described is a model of apimachinery's pkg/apis/meta/v1 that no object of the
// API has: a type by the name of each field, "[]T" for a list.
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
	"DeleteOptions": {fields: map[string]string{
		"apiVersion": "string", "kind": "string", "dryRun": "[]string", "gracePeriodSeconds": "integer",
		"ignoreStoreReadErrorWithClusterBreakingPotential": "boolean", "orphanDependents": "boolean",
		"preconditions": "Preconditions", "propagationPolicy": "string",
	}},
	"Preconditions": {fields: map[string]string{"resourceVersion": "string", "uid": "string"}},
	"WatchEvent":    {fields: map[string]string{"object": rawExtension, "type": "string"}, required: []string{"type", "object"}},
	"APIGroup": {fields: map[string]string{
		"apiVersion": "string", "kind": "string", "name": "string", "preferredVersion": "GroupVersionForDiscovery",
		"serverAddressByClientCIDRs": "[]ServerAddressByClientCIDR", "versions": "[]GroupVersionForDiscovery",
	}, required: []string{"name", "versions"}},
	"APIGroupList": {fields: map[string]string{"apiVersion": "string", "kind": "string", "groups": "[]APIGroup"}, required: []string{"groups"}},
	"APIResourceList": {fields: map[string]string{
		"apiVersion": "string", "kind": "string", "groupVersion": "string", "resources": "[]APIResource",
	}, required: []string{"groupVersion", "resources"}},
	"APIResource": {fields: map[string]string{
		"categories": "[]string", "group": "string", "kind": "string", "name": "string", "namespaced": "boolean", "shortNames": "[]string",
		"singularName": "string", "storageVersionHash": "string", "verbs": "[]string", "version": "string",
	}, required: []string{"name", "singularName", "namespaced", "kind", "verbs"}},
	"APIVersions": {fields: map[string]string{
		"apiVersion": "string", "kind": "string", "serverAddressByClientCIDRs": "[]ServerAddressByClientCIDR", "versions": "[]string",
	}, required: []string{"versions", "serverAddressByClientCIDRs"}},
	"GroupVersionForDiscovery":  {fields: map[string]string{"groupVersion": "string", "version": "string"}, required: []string{"groupVersion", "version"}},
	"ServerAddressByClientCIDR": {fields: map[string]string{"clientCIDR": "string", "serverAddress": "string"}, required: []string{"clientCIDR", "serverAddress"}},
}

const rawExtension = "RawExtension"

// Machinery is the model of a kind that is no object of the API but that the API
// server speaks: the Status of a failed request, the lists of discovery, the
// options of a request to delete. Such a thing may end up in a file. It is nil for
// any other kind. The OpenAPI document has DeleteOptions and WatchEvent in every
// group (apimachinery pkg/apis/meta/v1/register.go AddToGroupVersion).
func Machinery(k schema.Kind) *Model {
	switch k.Kind {
	case "Status", "APIGroup", "APIGroupList", "APIResourceList", "APIVersions":
		if k.Group == "" && k.Version == "v1" {
			return machineryModel(k.Kind)
		}
	case "DeleteOptions", "WatchEvent":
		if schema.BuiltinVersion(k.Group, k.Version) {
			return machineryModel(k.Kind)
		}
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
	if typ == rawExtension {
		return mappingOfAny("io.k8s.apimachinery.pkg.runtime." + typ)
	}
	if _, ok := machinery[typ]; ok {
		return machineryModel(typ)
	}
	return &Model{form: primitive, path: path, typ: typ}
}
