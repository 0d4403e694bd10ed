package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// ingressOptions loosens the check of an Ingress for what it had before.
type ingressOptions struct {
	allowInvalidSecretName   bool
	allowInvalidWildcardRule bool
	serviceName              nameFunc
}

// Source of the functions below: pkg/apis/networking/validation.
func createIngress(r *Request) field.ErrorList {
	errs := ingress(r, ingressOptions{serviceName: backendServiceName(r)})
	const class = "kubernetes.io/ingress.class"
	annotation, isSet := tree.Get(r.Object, "metadata", "annotations", class)
	if isSet && tree.Has(r.Object, "spec", "ingressClassName") && annotation != tree.String(r.Object, "spec", "ingressClassName") {
		errs = append(errs, field.Invalid(field.NewPath("annotations").Child(class), annotation,
			"must match `ingressClassName` when both are specified"))
	}
	return errs
}

func updateIngress(r *Request) field.ErrorList {
	opts := ingressOptions{serviceName: backendServiceName(r)}
	for _, tls := range tree.List(r.Old, "spec", "tls") {
		opts.allowInvalidSecretName = opts.allowInvalidSecretName || len(tlsSecretName(tls)) > 0
	}
	for _, rule := range tree.List(r.Old, "spec", "rules") {
		if strings.Contains(tree.String(rule, "host"), "*") && len(ingressRuleHTTP(rule, nil, ingressOptions{serviceName: nameIsDNS1035Label})) > 0 {
			opts.allowInvalidWildcardRule = true
		}
	}
	errs := updatedMeta(r)
	return append(errs, ingress(r, opts)...)
}

// backendServiceName says which names of Services a backend may have.
func backendServiceName(r *Request) nameFunc {
	if minors.RelaxedServiceNames.In(r.Minor) {
		return nameIsDNSLabel
	}
	return nameIsDNS1035Label
}

func ingress(r *Request, opts ingressOptions) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	rules := tree.List(spec, "rules")
	if len(rules) == 0 && !tree.Has(spec, "defaultBackend") {
		errs = append(errs, field.Invalid(p, rules, "either `defaultBackend` or `rules` must be specified"))
	}
	if tree.Has(spec, "defaultBackend") {
		errs = append(errs, ingressBackend(tree.Map(spec, "defaultBackend"), p.Child("defaultBackend"), opts)...)
	}
	for i, rule := range rules {
		errs = append(errs, ingressRule(rule, p.Child("rules").Index(i), opts)...)
	}
	for i, tls := range tree.List(spec, "tls") {
		errs = append(errs, ingressTLS(tls, p.Child("tls").Index(i), opts)...)
	}
	if tree.Has(spec, "ingressClassName") {
		errs = append(errs, dns1123Subdomain(tree.String(spec, "ingressClassName"), p.Child("ingressClassName"))...)
	}
	return errs
}

func ingressTLS(tls any, p *field.Path, opts ingressOptions) field.ErrorList {
	var errs field.ErrorList
	for i, v := range tree.List(tls, "hosts") {
		host, _ := v.(string)
		errs = append(errs, ingressHost(host, p.Child("hosts").Index(i))...)
	}
	if !opts.allowInvalidSecretName {
		errs = append(errs, invalidEach(p.Child("secretName"), tree.String(tls, "secretName"), tlsSecretName(tls))...)
	}
	return errs
}

func tlsSecretName(tls any) []string {
	name := tree.String(tls, "secretName")
	if name == "" {
		return nil
	}
	return isDNS1123Subdomain(name)
}

// ingressHost checks a host name, which may start with a wildcard.
func ingressHost(host string, p *field.Path) field.ErrorList {
	if strings.Contains(host, "*") {
		return invalidEach(p, host, isWildcardSubdomain(host))
	}
	return dns1123Subdomain(host, p)
}

// isWildcardSubdomain returns why s is not "*." and a subdomain.
func isWildcardSubdomain(s string) []string {
	var msgs []string
	if len(s) > content.DNS1123SubdomainMaxLength {
		msgs = append(msgs, maxCharacters(content.DNS1123SubdomainMaxLength))
	}
	domain, found := strings.CutPrefix(s, "*.")
	ok := found
	for _, label := range strings.Split(domain, ".") {
		ok = ok && consistsOf(label, lower+digits+"-") && !strings.HasPrefix(label, "-") && !strings.HasSuffix(label, "-")
	}
	if !ok {
		msgs = append(msgs, content.RegexError("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, "+
			"which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
			`\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`, "*.example.com"))
	}
	return msgs
}

func ingressRule(rule any, p *field.Path, opts ingressOptions) field.ErrorList {
	var errs field.ErrorList
	host := tree.String(rule, "host")
	if host != "" {
		if _, isIP := looseIP(host); isIP {
			errs = append(errs, field.Invalid(p.Child("host"), host, "must be a DNS name, not an IP address"))
		}
		errs = append(errs, ingressHost(host, p.Child("host"))...)
	}
	if strings.Contains(host, "*") && opts.allowInvalidWildcardRule {
		return errs
	}
	return append(errs, ingressRuleHTTP(rule, p, opts)...)
}

func ingressRuleHTTP(rule any, p *field.Path, opts ingressOptions) field.ErrorList {
	if !tree.Has(rule, "http") {
		return nil
	}
	var errs field.ErrorList
	paths, at := tree.List(rule, "http", "paths"), p.Child("http", "paths")
	if len(paths) == 0 {
		errs = append(errs, field.Required(at, ""))
	}
	for i, path := range paths {
		errs = append(errs, ingressPath(path, at.Index(i), opts)...)
	}
	return errs
}

func ingressPath(path any, p *field.Path, opts ingressOptions) field.ErrorList {
	if !tree.Has(path, "pathType") {
		return field.ErrorList{field.Required(p.Child("pathType"), "pathType must be specified")}
	}
	var errs field.ErrorList
	s, at := tree.String(path, "path"), p.Child("path")
	switch pathType := tree.String(path, "pathType"); pathType {
	case "Exact", "Prefix":
		if !strings.HasPrefix(s, "/") {
			errs = append(errs, field.Invalid(at, s, "must be an absolute path"))
		}
		for _, bad := range []string{"//", "/./", "/../", "%2f", "%2F"} {
			if strings.Contains(s, bad) {
				errs = append(errs, field.Invalid(at, s, "must not contain '"+bad+"'"))
			}
		}
		for _, bad := range []string{"/..", "/."} {
			if strings.HasSuffix(s, bad) {
				errs = append(errs, field.Invalid(at, s, "cannot end with '"+bad+"'"))
			}
		}
	case "ImplementationSpecific":
		if s != "" && !strings.HasPrefix(s, "/") {
			errs = append(errs, field.Invalid(at, s, "must be an absolute path"))
		}
	default:
		errs = append(errs, oneOf(pathType, p.Child("pathType"), "Exact", "ImplementationSpecific", "Prefix")...)
	}
	return append(errs, ingressBackend(tree.Map(path, "backend"), p.Child("backend"), opts)...)
}

func ingressBackend(backend tree.Object, p *field.Path, opts ingressOptions) field.ErrorList {
	hasResource, hasService := tree.Has(backend, "resource"), tree.Has(backend, "service")
	switch {
	case hasResource && hasService:
		return field.ErrorList{field.Invalid(p, "", "cannot set both resource and service backends")}
	case hasResource:
		return typedReference(tree.Map(backend, "resource"), p.Child("resource"))
	case !hasService:
		return field.ErrorList{field.Invalid(p, "", "resource or service backend is required")}
	}
	var errs field.ErrorList
	at := p.Child("service")
	if name := tree.String(backend, "service", "name"); name == "" {
		errs = append(errs, field.Required(at.Child("name"), ""))
	} else {
		errs = append(errs, invalidEach(at.Child("name"), name, opts.serviceName(name, false))...)
	}
	name := tree.String(backend, "service", "port", "name")
	number, _ := tree.Int(backend, "service", "port", "number")
	switch {
	case name != "" && number != 0:
		errs = append(errs, field.Invalid(p, "", "cannot set both port name & port number"))
	case name != "":
		errs = append(errs, invalidEach(at.Child("port", "name"), name, isPortName(name))...)
	case number != 0:
		errs = append(errs, invalidEach(at.Child("port", "number"), number, isPortNumber(number))...)
	default:
		errs = append(errs, field.Required(p, "port name or number is required"))
	}
	return errs
}

// typedReference checks the group, kind and name of an object that is meant.
func typedReference(ref tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(ref, "apiGroup") {
		errs = append(errs, dns1123Subdomain(tree.String(ref, "apiGroup"), p.Child("apiGroup"))...)
	}
	errs = append(errs, requiredPathSegment(ref, "kind", p)...)
	return append(errs, requiredPathSegment(ref, "name", p)...)
}

// requiredPathSegment checks that the string at key could stand in a URL.
func requiredPathSegment(o tree.Object, key string, p *field.Path) field.ErrorList {
	s := tree.String(o, key)
	if s == "" {
		return field.ErrorList{field.Required(p.Child(key), "")}
	}
	return invalidEach(p.Child(key), s, content.IsPathSegmentName(s))
}
