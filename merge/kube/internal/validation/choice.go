package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// named is a string that has a Go type of its own upstream, as most
// enumerated values have: as a bad value it shows as JSON, in which <, > and &
// are escaped. Plain strings show in Go syntax.
type named string

// oneOf checks that s is one of the values, which the error lists in the
// order given (upstream's is mostly alphabetical).
func oneOf(s string, p *field.Path, values ...string) field.ErrorList {
	if slices.Contains(values, s) {
		return nil
	}
	return field.ErrorList{field.NotSupported(p, named(s), values)}
}

// plain shows bad values in Go syntax: the field is a string without a Go type of its own.
func plain(errs field.ErrorList) field.ErrorList {
	for _, e := range errs {
		if s, ok := e.BadValue.(named); ok {
			e.BadValue = string(s)
		}
	}
	return errs
}

// requiredOneOf is oneOf for a field that must not be empty.
func requiredOneOf(s string, p *field.Path, values ...string) field.ErrorList {
	if s == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	return oneOf(s, p, values...)
}

// oneOfAt is oneOf for the string at key, if it is there.
func oneOfAt(o any, key string, p *field.Path, values ...string) field.ErrorList {
	if !tree.Has(o, key) {
		return nil
	}
	return oneOf(tree.String(o, key), p.Child(key), values...)
}

// Alternative reports whether a field is one of several of which an object may
// have one only: the source of a volume, of a variable or of a file, a handler, a peer.
func Alternative(key string) bool {
	switch key {
	case "value", "valueFrom",
		"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef", "configMapRef", "secretRef",
		"serviceAccountToken", "clusterTrustBundle", "podCertificate",
		"exec", "httpGet", "tcpSocket", "grpc", "sleep",
		"ipBlock", "podSelector", "namespaceSelector":
		return true
	}
	return slices.ContainsFunc(sourceRules(), func(r sourceRule) bool { return r.key == key }) ||
		slices.ContainsFunc(volumeRules(), func(r volumeRule) bool { return r.key == key })
}
