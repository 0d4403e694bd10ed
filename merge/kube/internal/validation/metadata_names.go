package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nameFunc tells what is wrong with an object name; prefix is set for
// metadata.generateName, to which the server appends.
type nameFunc func(name string, prefix bool) []string

// nameIsDNSSubdomain is the nameFunc of most kinds.
func nameIsDNSSubdomain(name string, prefix bool) []string {
	return isDNS1123Subdomain(withoutTrailingDash(name, prefix))
}

// nameIsDNSLabel is the nameFunc of kinds whose names go into host names.
func nameIsDNSLabel(name string, prefix bool) []string {
	return isDNS1123Label(withoutTrailingDash(name, prefix))
}

// nameIsDNS1035Label is the nameFunc of kinds whose names start with a letter.
func nameIsDNS1035Label(name string, prefix bool) []string {
	return isDNS1035Label(withoutTrailingDash(name, prefix))
}

// pathSegmentName is the nameFunc that every object has to pass: what can
// stand in a URL.
func pathSegmentName(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// withoutTrailingDash replaces the end of a prefix by a letter if it is a
// dash (upstream's maskTrailingDash drops the character before it, too).
func withoutTrailingDash(name string, prefix bool) string {
	if prefix && len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}

// isDNS1123Label returns why s is not a lower-case RFC 1123 label.
func isDNS1123Label(s string) []string {
	if len(s) <= content.DNS1123LabelMaxLength && plainLabel(s) {
		return nil
	}
	return countedInCharacters(content.IsDNS1123Label(s))
}

// isDNS1123Subdomain returns why s is not a lower-case RFC 1123
// subdomain.
func isDNS1123Subdomain(s string) []string {
	if plainSubdomain(s) {
		return nil
	}
	return countedInCharacters(content.IsDNS1123Subdomain(s))
}

// countedInCharacters turns the length messages of package content into those
// of k8s.io/apimachinery/pkg/util/validation, which otherwise has the same
// texts. Label keys and values are counted in bytes.
func countedInCharacters(msgs []string) []string {
	for i, m := range msgs {
		if strings.HasPrefix(m, "must be no more than ") {
			msgs[i] = strings.TrimSuffix(m, "bytes") + "characters"
		}
	}
	return msgs
}

// isDNS1035Label returns why s is not an RFC 1035 label.
func isDNS1035Label(s string) []string {
	var msgs []string
	if len(s) > 63 {
		msgs = append(msgs, maxCharacters(63))
	}
	if !consistsOf(s, lower+digits+"-") || s[0] == '-' || strings.Contains(digits, s[:1]) || s[len(s)-1] == '-' {
		msgs = append(msgs, content.RegexError("a DNS-1035 label must consist of lower case alphanumeric characters or '-', "+
			"start with an alphabetic character, and end with an alphanumeric character",
			"[a-z]([-a-z0-9]*[a-z0-9])?", "my-name", "abc-123"))
	}
	return msgs
}

// dns1123Label is isDNS1123Label as errors at p.
func dns1123Label(s string, p *field.Path) field.ErrorList {
	return invalidEach(p, s, isDNS1123Label(s))
}

// dns1123Subdomain is isDNS1123Subdomain as errors at p.
func dns1123Subdomain(s string, p *field.Path) field.ErrorList {
	return invalidEach(p, s, isDNS1123Subdomain(s))
}

// qualifiedName checks that s has the form of a label key.
func qualifiedName(s string, p *field.Path) field.ErrorList {
	return invalidEach(p, s, isLabelKey(s))
}

// fullyQualifiedName checks for a subdomain of three labels or more.
func fullyQualifiedName(s string, p *field.Path) field.ErrorList {
	if s == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	if msgs := isDNS1123Subdomain(s); len(msgs) > 0 {
		return field.ErrorList{field.Invalid(p, s, strings.Join(msgs, ","))}
	}
	if strings.Count(s, ".") < 2 {
		return field.ErrorList{field.Invalid(p, s, "should be a domain with at least three segments separated by dots")}
	}
	return nil
}

// isConfigMapKey returns why s is not a key of a ConfigMap or Secret.
func isConfigMapKey(s string) []string {
	var msgs []string
	if len(s) > 253 {
		msgs = append(msgs, maxCharacters(253))
	}
	if !consistsOf(s, lower+upper+digits+"-._") {
		msgs = append(msgs, content.RegexError("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
			"[-._a-zA-Z0-9]+", "key.name", "KEY_NAME", "key-name"))
	}
	return append(msgs, dotNames(s)...)
}

// dotNames rejects a name that a path would take for another folder (hasChDirPrefix in
// k8s.io/apimachinery/pkg/util/validation/validation.go).
func dotNames(s string) []string {
	switch {
	case s == ".", s == "..":
		return []string{"must not be '" + s + "'"}
	case strings.HasPrefix(s, ".."):
		return []string{"must not start with '..'"}
	}
	return nil
}
