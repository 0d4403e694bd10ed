package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// The checks of package content match regular expressions, which took half of
// the time of validation. Here names are looked at by hand first, and only those
// that seem wrong go there, for their messages.

// isLabelKey returns why s is not a qualified name.
func isLabelKey(s string) []string {
	prefix, name, ok := strings.Cut(s, "/")
	if !ok {
		name = s
	}
	if (!ok || plainSubdomain(prefix)) && plainName(name) {
		return nil
	}
	return content.IsLabelKey(s)
}

// isLabelValue returns why s is not the value of a label.
func isLabelValue(s string) []string {
	if s == "" || plainName(s) {
		return nil
	}
	return content.IsLabelValue(s)
}

func plainName(s string) bool {
	if s == "" || len(s) > content.DNS1123LabelMaxLength || !alphanumeric(s[0]) || !alphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func plainSubdomain(s string) bool {
	if len(s) > content.DNS1123SubdomainMaxLength {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !plainLabel(label) {
			return false
		}
	}
	return true
}

func plainLabel(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (!alphanumeric(c) || 'A' <= c && c <= 'Z') && c != '-' {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
