package validation

import (
	"encoding/base64"
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

const (
	maxDataBytes        = 1 << 20 // of a ConfigMap or Secret
	immutableWhileFixed = "field is immutable when `immutable` is set"
)

// createConfigMap checks a new ConfigMap. Source of this file:
// pkg/apis/core/validation.
func createConfigMap(r *Request) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	data, binary := tree.Map(r.Object, "data"), tree.Map(r.Object, "binaryData")
	size := 0
	for _, key := range sortedKeys(data) {
		p := field.NewPath("data").Key(key)
		errs = append(errs, invalidEach(p, key, isConfigMapKey(key))...)
		if _, twice := binary[key]; twice {
			errs = append(errs, field.Invalid(p, key, "duplicate of key present in binaryData"))
		}
		size += len(tree.String(data, key))
	}
	for _, key := range sortedKeys(binary) {
		errs = append(errs, invalidEach(field.NewPath("binaryData").Key(key), key, isConfigMapKey(key))...)
		size += len(bytesOf(binary[key]))
	}
	if size > maxDataBytes {
		errs = append(errs, field.TooLong(field.NewPath(""), "", maxDataBytes))
	}
	return errs
}

// keepsData checks that an object which was immutable stays so, with the data
// that it has.
func keepsData(keys ...string) validate {
	return func(r *Request) (errs field.ErrorList) {
		if !tree.Bool(r.Old, "immutable") {
			return nil
		}
		if !tree.Bool(r.Object, "immutable") {
			errs = append(errs, fixed(field.Forbidden(field.NewPath("immutable"), immutableWhileFixed)))
		}
		for _, key := range keys {
			if !reflect.DeepEqual(tree.Map(r.Object, key), tree.Map(r.Old, key)) { // nil is not empty
				errs = append(errs, fixed(field.Forbidden(field.NewPath(key), immutableWhileFixed)))
			}
		}
		return errs
	}
}

// createSecret checks a new Secret.
func createSecret(r *Request) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	p := field.NewPath("data")
	data := tree.Map(r.Object, "data")
	size := 0
	for _, key := range sortedKeys(data) {
		errs = append(errs, invalidEach(p.Key(key), key, isConfigMapKey(key))...)
		size += len(bytesOf(data[key]))
	}
	if size > maxDataBytes {
		errs = append(errs, field.TooLong(p, "", maxDataBytes))
	}
	return append(errs, secretOfType(r, p)...)
}

func updateSecret(r *Request) field.ErrorList {
	errs := append(updatedMeta(r), immutableAs(tree.String(r.Object, "type"), tree.String(r.Old, "type"), named(tree.String(r.Object, "type")), field.NewPath("type"))...)
	errs = append(errs, keepsData("data")(r)...)
	return append(errs, createSecret(r)...)
}

// secretOfType checks that a Secret has the keys that its type asks for.
func secretOfType(r *Request, p *field.Path) field.ErrorList {
	const accountName = "kubernetes.io/service-account.name"
	data := tree.Map(r.Object, "data")
	switch tree.String(r.Object, "type") {
	case "kubernetes.io/service-account-token":
		if tree.String(r.Object, "metadata", "annotations", accountName) == "" {
			return field.ErrorList{field.Required(field.NewPath("metadata", "annotations").Key(accountName), "")}
		}
	case "kubernetes.io/dockercfg":
		return jsonKey(data, ".dockercfg", p)
	case "kubernetes.io/dockerconfigjson":
		return jsonKey(data, ".dockerconfigjson", p)
	case "kubernetes.io/basic-auth":
		if !tree.Has(data, "username") && !tree.Has(data, "password") {
			return append(requiredKeys(data, p, "username"), requiredKeys(data, p, "password")...)
		}
	case "kubernetes.io/ssh-auth":
		if tree.String(data, "ssh-privatekey") == "" {
			return field.ErrorList{field.Required(p.Key("ssh-privatekey"), "")}
		}
	case "kubernetes.io/tls":
		return requiredKeys(data, p, "tls.crt", "tls.key")
	}
	return nil
}

func requiredKeys(data tree.Object, p *field.Path, keys ...string) field.ErrorList {
	var errs field.ErrorList
	for _, key := range keys {
		if _, ok := data[key]; !ok {
			errs = append(errs, field.Required(p.Key(key), ""))
		}
	}
	return errs
}

// jsonKey checks that there is a JSON object at key.
func jsonKey(data tree.Object, key string, p *field.Path) field.ErrorList {
	if errs := requiredKeys(data, p, key); len(errs) > 0 {
		return errs
	}
	if err := json.Unmarshal(bytesOf(data[key]), &tree.Object{}); err != nil {
		return field.ErrorList{field.Invalid(p.Key(key), "<secret contents redacted>", err.Error())}
	}
	return nil
}

// bytesOf decodes a base64 text of the tree.
func bytesOf(v any) []byte {
	s, _ := v.(string)
	b, _ := base64.StdEncoding.DecodeString(s)
	return b
}
