package validation

import (
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// env checks environment variables. A name given twice is fine.
//
// Source: ValidateEnv of pkg/apis/core/validation.
func env(vars []any, opts podOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, v := range vars {
		at := p.Index(i)
		if name := tree.String(v, "name"); name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		} else {
			errs = append(errs, invalidEach(at.Child("name"), name, opts.envName(name))...)
		}
		errs = append(errs, envValueFrom(v, at.Child("valueFrom"))...)
	}
	return errs
}

func envValueFrom(v any, p *field.Path) field.ErrorList {
	if !tree.Has(v, "valueFrom") {
		return nil
	}
	from := tree.Map(v, "valueFrom")
	var errs field.ErrorList
	sources := 0
	for _, s := range []struct {
		key   string
		check func(any, *field.Path) field.ErrorList
	}{
		{"fieldRef", envFieldRef},
		{"resourceFieldRef", envResourceFieldRef},
		{"configMapKeyRef", keySelector},
		{"secretKeyRef", keySelector},
		{"fileKeyRef", fileKeySelector},
	} {
		if tree.Has(from, s.key) {
			sources++
			errs = append(errs, s.check(from[s.key], p.Child(s.key))...)
		}
	}
	switch {
	case sources == 0:
		return append(errs, field.Invalid(p, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"))
	case tree.String(v, "value") != "":
		return append(errs, coded(fault.ValueAndSource, field.Invalid(p, "", "may not be specified when `value` is not empty")))
	case sources > 1:
		return append(errs, coded(fault.OneOf, field.Invalid(p, "", "may not have more than one field specified at a time")))
	}
	return errs
}

func envFieldRef(ref any, p *field.Path) field.ErrorList {
	return fieldRef(ref, p, "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs")
}

func envResourceFieldRef(ref any, p *field.Path) field.ErrorList {
	return resourceFieldRef(ref, false, p)
}

// keySelector checks a reference to a key of a ConfigMap or Secret.
func keySelector(ref any, p *field.Path) field.ErrorList {
	errs := dns1123Subdomain(tree.String(ref, "name"), p.Child("name"))
	key := tree.String(ref, "key")
	if key == "" {
		return append(errs, field.Required(p.Child("key"), ""))
	}
	return append(errs, invalidEach(p.Child("key"), key, isConfigMapKey(key))...)
}

func fileKeySelector(ref any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if key := tree.String(ref, "key"); key == "" {
		errs = append(errs, field.Required(p.Child("key"), ""))
	} else {
		errs = append(errs, invalidEach(p.Child("key"), key, isEnvName(key))...)
	}
	if volume := tree.String(ref, "volumeName"); volume == "" {
		errs = append(errs, field.Required(p.Child("volumeName"), ""))
	} else {
		errs = append(errs, dns1123Label(volume, p.Child("volumeName"))...)
	}
	if path := tree.String(ref, "path"); path == "" {
		errs = append(errs, field.Required(p.Child("path"), ""))
	} else {
		errs = append(errs, pathWithoutBacksteps(path, p.Child("path"))...)
	}
	return errs
}

// fileKeyVolumes checks that the volumes that variables are read from exist
// and are of type emptyDir.
//
// Source: validateFileKeyRefVolumes of pkg/apis/core/validation.
func fileKeyVolumes(spec tree.Object, p *field.Path) field.ErrorList {
	volumes := map[string]any{}
	for _, v := range tree.List(spec, "volumes") {
		volumes[tree.String(v, "name")] = v
	}
	var errs field.ErrorList
	eachContainer(spec, p, func(c any, p *field.Path) {
		for i, v := range tree.List(c, "env") {
			if !tree.Has(v, "valueFrom", "fileKeyRef") {
				continue
			}
			at := p.Child("env").Index(i).Child("valueFrom", "fileKeyRef", "volumeName")
			name := tree.String(v, "valueFrom", "fileKeyRef", "volumeName")
			if volume, ok := volumes[name]; !ok {
				errs = append(errs, field.NotFound(at, name))
			} else if !tree.Has(volume, "emptyDir") {
				errs = append(errs, field.Invalid(at, name, "referenced volume must be of type emptyDir"))
			}
		}
	})
	return errs
}

// envFrom checks the ConfigMaps and Secrets that become variables. Upstream
// reports a wrong number of sources at the list.
//
// Source: ValidateEnvFrom of pkg/apis/core/validation.
func envFrom(sources []any, opts podOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, s := range sources {
		at := p.Index(i)
		if prefix := tree.String(s, "prefix"); prefix != "" {
			errs = append(errs, invalidEach(at.Child("prefix"), prefix, opts.envName(prefix))...)
		}
		n := 0
		for _, key := range []string{"configMapRef", "secretRef"} {
			if !tree.Has(s, key) {
				continue
			}
			n++
			if name := tree.String(s, key, "name"); name == "" {
				errs = append(errs, field.Required(at.Child(key, "name"), ""))
			} else {
				errs = append(errs, invalidEach(at.Child(key, "name"), name, nameIsDNSSubdomain(name, true))...)
			}
		}
		if n == 0 {
			errs = append(errs, field.Invalid(p, "", "must specify one of: `configMapRef` or `secretRef`"))
		} else if n > 1 {
			errs = append(errs, coded(fault.OneOf, field.Invalid(p, "", "may not have more than one field specified at a time")))
		}
	}
	return errs
}

// envName returns why s is not the name of an environment variable for
// the server.
func (opts podOptions) envName(s string) []string {
	if minors.RelaxedEnvNames.In(opts.minor) {
		return isEnvName(s)
	}
	var msgs []string
	if !consistsOf(s, lower+upper+digits+"-._") || strings.Contains(digits, s[:1]) {
		msgs = append(msgs, content.RegexError("a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
			"[-._a-zA-Z][-._a-zA-Z0-9]*", "my.env-name", "MY_ENV.NAME", "MyEnvName1"))
	}
	return append(msgs, dotNames(s)...)
}

// isEnvName returns why s, which is not empty, is not the name of an
// environment variable.
func isEnvName(s string) []string {
	for _, r := range s {
		if r > unicode.MaxASCII || !unicode.IsPrint(r) || r == '=' {
			return []string{"a valid environment variable name must consist only of printable ASCII characters other than '='"}
		}
	}
	return nil
}

// fieldRef checks a reference to a field of the pod. The fields that exist
// but are not allowed here are reported differently from unknown ones.
//
// Source: validateObjectFieldSelector of pkg/apis/core/validation and
// ConvertDownwardAPIFieldLabel of pkg/apis/core/pods.
func fieldRef(ref any, p *field.Path, allowed ...string) field.ErrorList {
	apiVersion, path := tree.String(ref, "apiVersion"), tree.String(ref, "fieldPath")
	at := p.Child("fieldPath")
	if path == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	if apiVersion != "v1" {
		return field.ErrorList{field.Invalid(at, path, "error converting fieldPath: unsupported pod version: "+apiVersion)}
	}
	if object, key, ok := splitSubscript(path); ok {
		switch object {
		case "metadata.annotations":
			return qualifiedName(strings.ToLower(key), p)
		case "metadata.labels":
			return qualifiedName(key, p)
		}
		return field.ErrorList{field.Invalid(at, path, "error converting fieldPath: field label does not support subscript: "+path)}
	}
	switch path {
	case "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid",
		"spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName",
		"status.phase", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs":
	case "spec.host":
		path = "spec.nodeName"
	default:
		return field.ErrorList{field.Invalid(at, path, "error converting fieldPath: field label not supported: "+path)}
	}
	if slices.Contains(allowed, path) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, path, allowed)}
}

// splitSubscript splits "metadata.labels['key']".
func splitSubscript(path string) (object, key string, ok bool) {
	inner, ok := strings.CutSuffix(path, "']")
	if !ok {
		return path, "", false
	}
	object, key, ok = strings.Cut(inner, "['")
	return object, key, ok && object != ""
}

// resourceFieldRef checks a reference to a resource of a container; in a
// volume the container has to be named.
//
// Source: validateContainerResourceFieldSelector of pkg/apis/core/validation.
func resourceFieldRef(ref any, volume bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	name := tree.String(ref, "resource")
	hugePages := strings.HasPrefix(name, "limits.hugepages-") || strings.HasPrefix(name, "requests.hugepages-")
	switch {
	case volume && tree.String(ref, "containerName") == "":
		errs = append(errs, field.Required(p.Child("containerName"), ""))
	case name == "":
		errs = append(errs, field.Required(p.Child("resource"), ""))
	case !hugePages:
		if allowed := []string{"limits.cpu", "limits.ephemeral-storage", "limits.memory",
			"requests.cpu", "requests.ephemeral-storage", "requests.memory"}; !slices.Contains(allowed, name) {
			errs = append(errs, field.NotSupported(p.Child("resource"), name, allowed))
		}
	}
	return append(errs, divisor(name, ref, p.Child("divisor"))...)
}

func divisor(name string, ref any, p *field.Path) field.ErrorList {
	q := quantity(tree.String(ref, "divisor"))
	if q.IsZero() {
		return nil
	}
	kind := ""
	of, resource, _ := strings.Cut(name, ".")
	switch {
	case of != "limits" && of != "requests":
		return nil
	case resource == "cpu":
		if s := q.String(); s != "1m" && s != "1" {
			return field.ErrorList{field.Invalid(p, name, "only divisor's values 1m and 1 are supported with the cpu resource")}
		}
		return nil
	case resource == "memory":
		kind = "memory"
	case resource == "ephemeral-storage":
		kind = "local ephemeral storage"
	case strings.HasPrefix(resource, "hugepages-"):
		kind = "hugepages"
	default:
		return nil
	}
	sizes := []string{"1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"}
	if slices.Contains(sizes, q.String()) {
		return nil
	}
	return field.ErrorList{field.Invalid(p, name, "only divisor's values "+strings.Join(sizes, ", ")+" are supported with the "+kind+" resource")}
}
