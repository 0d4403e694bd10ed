package validation

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
)

// countOrPercent is the number in an IntOrString: of a percentage the number
// before the sign, of other text the integer that it spells, or 0.
//
// Source: getIntOrPercentValue of pkg/apis/apps/validation.
func countOrPercent(v any) int64 {
	s, ok := v.(string)
	if !ok {
		n, _ := v.(int64)
		return n
	}
	if len(isPercent(s)) == 0 {
		s = s[:len(s)-1]
	}
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// atMost100Percent checks an IntOrString that is a percentage.
func atMost100Percent(v any, p *field.Path) field.ErrorList {
	s, _ := v.(string)
	if len(isPercent(s)) > 0 || countOrPercent(v) <= 100 {
		return nil
	}
	return field.ErrorList{field.Invalid(p, v, "must not be greater than 100%")}
}

// nameIsLongName is nameIsDNSSubdomain for the kinds whose names are checked
// declaratively: the same but for the unit of the length, and no declaration is
// about generateName.
func nameIsLongName(name string, prefix bool) []string {
	if prefix {
		return nil
	}
	return content.IsDNS1123Subdomain(name)
}

// internalOrNull is schema.Internal for a value that may be absent.
func internalOrNull(typ string, v any) any {
	if v == nil {
		return nil
	}
	return schema.Internal(typ, v)
}

// domainPrefixedPath checks for text like "example.com/path".
//
// Source: IsDomainPrefixedPath of k8s.io/apimachinery/pkg/util/validation.
func domainPrefixedPath(s string, p *field.Path) field.ErrorList {
	const pathFormat = `[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`
	if s == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	host, path, _ := strings.Cut(s, "/")
	if host == "" || path == "" {
		return field.ErrorList{field.Invalid(p, s, `must be a domain-prefixed path (such as "acme.io/foo")`)}
	}
	errs := invalidEach(p, host, isDNS1123Subdomain(host))
	if !consistsOf(path, lower+upper+digits+"/-._~%!$&'()*+,;=:") {
		errs = append(errs, field.Invalid(p, path, content.RegexError("Invalid path", pathFormat)))
	}
	return errs
}
