package validation

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// webhookClient checks how the server reaches a webhook.
//
// Source: k8s.io/apiserver/pkg/util/webhook/validation.go.
func webhookClient(config tree.Object, p *field.Path) field.ErrorList {
	switch hasURL, hasService := tree.Has(config, "url"), tree.Has(config, "service"); {
	case hasURL == hasService:
		return field.ErrorList{field.Required(p, "exactly one of url or service is required")}
	case hasURL:
		return webhookURL(tree.String(config, "url"), p.Child("url"))
	}
	return webhookService(tree.Map(config, "service"), p.Child("service"))
}

func webhookURL(s string, p *field.Path) field.ErrorList {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(s)
	if err != nil {
		return field.ErrorList{field.Required(p, "url must be a valid URL: "+err.Error()+form)}
	}
	var errs field.ErrorList
	if u.Scheme != "https" {
		errs = append(errs, field.Invalid(p, u.Scheme, "'https' is the only allowed URL scheme"+form))
	}
	if u.Host == "" {
		errs = append(errs, field.Invalid(p, u.Host, "host must be specified"+form))
	}
	if u.User != nil {
		errs = append(errs, field.Invalid(p, u.User.String(), "user information is not permitted in the URL"))
	}
	if u.Fragment != "" {
		errs = append(errs, field.Invalid(p, u.Fragment, "fragments are not permitted in the URL"))
	}
	if u.RawQuery != "" {
		errs = append(errs, field.Invalid(p, u.RawQuery, "query parameters are not permitted in the URL"))
	}
	return errs
}

// webhookService checks a reference to a Service. Upstream's callers swap name
// and namespace, so that a missing name is reported as a missing namespace.
func webhookService(ref tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.String(ref, "namespace") == "" {
		errs = append(errs, field.Required(p.Child("name"), ""))
	}
	if tree.String(ref, "name") == "" {
		errs = append(errs, field.Required(p.Child("namespace"), ""))
	}
	port, _ := tree.Int(ref, "port")
	if msgs := isPortNumber(port); len(msgs) > 0 {
		errs = append(errs, field.Invalid(p.Child("port"), port, "port is not valid: "+strings.Join(msgs, ", ")))
	}
	return append(errs, webhookPath(tree.String(ref, "path"), p.Child("path"))...)
}

func webhookPath(path string, p *field.Path) field.ErrorList {
	switch path {
	case "", "/":
		return nil
	case "//":
		return field.ErrorList{field.Invalid(p, path, "segment[0] may not be empty")}
	}
	var errs field.ErrorList
	if !strings.HasPrefix(path, "/") {
		errs = append(errs, field.Invalid(p, path, "must start with a '/'"))
	}
	for i, segment := range strings.Split(strings.TrimSuffix(path[1:], "/"), "/") {
		if segment == "" {
			errs = append(errs, field.Invalid(p, path, fmt.Sprintf("segment[%d] may not be empty", i)))
			continue
		}
		for _, msg := range isDNS1123Subdomain(segment) {
			errs = append(errs, field.Invalid(p, path, fmt.Sprintf("segment[%d]: %v", i, msg)))
		}
	}
	return errs
}

// caBundle checks certificates in base64. What is inside of a certificate is
// not looked at.
//
// Source: ValidateCABundle of k8s.io/apiserver/pkg/util/webhook and
// createErrorParsingCAData of k8s.io/client-go/transport.
func caBundle(bundle string, p *field.Path) field.ErrorList {
	const cannotLoad = "unable to load root certificates: "
	rest, _ := base64.StdEncoding.DecodeString(bundle)
	if len(rest) == 0 {
		return nil
	}
	for len(rest) > 0 {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			return field.ErrorList{field.Invalid(p, bundle, cannotLoad+"unable to parse bytes as PEM block")}
		}
		if block.Type == "CERTIFICATE" && len(block.Headers) == 0 {
			return nil
		}
	}
	return field.ErrorList{field.Invalid(p, bundle, cannotLoad+"no valid certificate authority data seen")}
}
