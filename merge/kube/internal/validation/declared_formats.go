package validation

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The formats of declared checks (apimachinery pkg/api/validate/strfmt.go).

var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})

func isUUID(s string) []string {
	if uuid().MatchString(s) {
		return nil
	}
	return []string{"must be a lowercase UUID in 8-4-4-4-12 format"}
}

func isPrefixedLabelKey(s string) []string {
	msgs := content.IsLabelKey(s)
	if len(msgs) == 0 && strings.Count(s, "/") != 1 {
		return []string{"must include a prefix (e.g. 'example.com/key')"}
	}
	return msgs
}

// poolName is the name of a pool of devices: subdomains between slashes.
func poolName(s string, p *field.Path) (errs field.ErrorList) {
	const most = 253
	if len(s) > most {
		errs = append(errs, field.TooLong(p, s, most))
	}
	for i, part := range strings.Split(s, "/") {
		if part == "" {
			errs = append(errs, field.Invalid(p, s, fmt.Sprintf("segment %d: must not be empty", i)))
			continue
		}
		for _, msg := range content.IsDNS1123Subdomain(part) {
			errs = append(errs, field.Invalid(p, part, fmt.Sprintf("segment %d: %s", i, msg)))
		}
	}
	return errs
}

// isExtendedName returns why s is not the name of an extended resource.
//
// Source: ExtendedResourceName of apimachinery pkg/api/validate/strfmt.go.
func isExtendedName(s string) []string {
	const native, requests = "kubernetes.io/", "requests."
	var msgs []string
	if !strings.Contains(s, "/") {
		msgs = append(msgs, "a name must be a domain-prefixed path, such as 'example.com/my-prop'")
	} else if strings.Contains(s, native) {
		msgs = append(msgs, fmt.Sprintf("must not have %q domain", native))
	}
	if strings.HasPrefix(s, requests) {
		msgs = append(msgs, fmt.Sprintf("must not have %q prefix", requests))
	}
	return append(msgs, content.IsLabelKey(requests+s)...)
}

// qualifiedDeviceName is the name of a device's attribute or capacity, with a domain.
func qualifiedDeviceName(s string, p *field.Path) (errs field.ErrorList) {
	const mostDomain = 63
	parts := strings.Split(s, "/")
	switch {
	case len(parts) == 1:
		errs = deviceIdentifier(s, p)
	case len(parts) == 2:
		if parts[0] == "" {
			errs = append(errs, field.Invalid(p, "", "prefix must not be empty"))
		} else {
			if len(parts[0]) > mostDomain {
				errs = append(errs, field.TooLong(p, parts[0], mostDomain))
			}
			for _, msg := range content.IsDNS1123Subdomain(parts[0]) {
				errs = append(errs, field.Invalid(p, parts[0], "prefix: "+msg))
			}
		}
		if parts[1] == "" {
			errs = append(errs, field.Invalid(p, "", "name must not be empty"))
		} else {
			errs = append(errs, deviceIdentifier(parts[1], p)...)
		}
	case len(parts) > 2:
		errs = append(errs, field.Invalid(p, s, severalSlashes))
	}
	if len(parts) == 1 {
		errs = append(errs, field.Invalid(p, s, "a fully qualified name must be a domain and a name separated by a slash"))
	}
	return errs
}
