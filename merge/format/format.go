// Package format knows the formats of strings in OpenAPI schemas of
// CustomResourceDefinitions, and reads values that have them
// (kube-openapi pkg/validation/strfmt, third_party/govalidator).
package format

import (
	"net/url"
	"strings"
	"time"
)

// Check returns what tells whether a string has the format, nil if the server
// does not know the format. Dashes in its name do not count.
func Check(format string) func(string) bool {
	switch strings.ReplaceAll(format, "-", "") {
	case "bsonobjectid":
		return like(`^[0-9a-fA-F]{24}$`)
	case "uri":
		return func(s string) bool { _, err := url.ParseRequestURI(s); return err == nil }
	case "email":
		return isMailAddress
	case "hostname":
		return isHostname
	case "ipv4":
		return func(s string) bool { return strings.Contains(s, ".") && isIP(s, true) }
	case "ipv6":
		return func(s string) bool { return strings.Contains(s, ":") && isIP(s, false) }
	case "cidr":
		return isCIDR
	case "mac":
		return isMAC
	case "uuid":
		return like(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`)
	case "uuid3":
		return like(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`)
	case "uuid4":
		return like(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`)
	case "uuid5":
		return like(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`)
	case "isbn":
		return func(s string) bool { return isISBN10(s) || isISBN13(s) }
	case "isbn10":
		return isISBN10
	case "isbn13":
		return isISBN13
	case "creditcard":
		return isCreditCard
	case "ssn":
		return func(s string) bool { return len(s) == 11 && like(`^\d{3}[- ]?\d{2}[- ]?\d{4}$`)(s) }
	case "hexcolor":
		return like(`^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	case "rgbcolor":
		const part = `\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`
		return like(`^rgb\(` + part + `,` + part + `,` + part + `\)$`)
	case "byte":
		return like(`^(?:[A-Za-z0-9+\/]{4})*(?:[A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=|[A-Za-z0-9+\/]{4})$`)
	case "password":
		return func(string) bool { return true }
	case "date":
		return isDate
	case "datetime":
		return isDateTime
	case "duration":
		return func(s string) bool { _, err := Duration(s); return err == nil }
	case "k8sshortname":
		return func(s string) bool { return len(s) <= 63 && like(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)(s) }
	case "k8slongname":
		return func(s string) bool {
			return len(s) <= 253 && like(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)(s)
		}
	}
	return nil
}

func like(pattern string) func(string) bool {
	return func(s string) bool {
		re, err := Pattern(pattern)
		return err == nil && re.Regexp().MatchString(s)
	}
}

func isHostname(s string) bool {
	const letter = `a-zA-Z0-9\p{S}\p{L}`
	form := like(`^([` + letter + `]((-?[` + letter + `]{0,62})?)|([` + letter + `](([` + letter + `-]{0,61}[` + letter + `])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`)
	if len(s) > 255 || !form(s) {
		return false
	}
	for _, label := range strings.Split(s, ".") {
		if len(label) > 63 {
			return false
		}
	}
	return true
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isDateTime(s string) bool {
	parts := strings.Split(strings.ToLower(s), "t")
	if len(s) < 4 || len(parts) < 2 || !isDate(parts[0]) {
		return false
	}
	return like(`^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$`)(parts[1])
}

func isISBN10(s string) bool {
	s = withoutSpacesAndDashes(s)
	if !like(`^(?:[0-9]{9}X|[0-9]{10})$`)(s) {
		return false
	}
	sum := 0
	for i := range 9 {
		sum += (i + 1) * int(s[i]-'0')
	}
	if s[9] == 'X' {
		sum += 10 * 10
	} else {
		sum += 10 * int(s[9]-'0')
	}
	return sum%11 == 0
}

func isISBN13(s string) bool {
	s = withoutSpacesAndDashes(s)
	if !like(`^(?:[0-9]{13})$`)(s) {
		return false
	}
	sum := 0
	for i := range 13 {
		sum += (1 + i%2*2) * int(s[i]-'0')
	}
	return sum%10 == 0
}

func withoutSpacesAndDashes(s string) string {
	re, _ := Pattern(`[\s-]+`)
	return re.Regexp().ReplaceAllString(s, "")
}

func isCreditCard(s string) bool {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
	if !like(`^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$`)(digits) {
		return false
	}
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i] - '0')
		if n *= 1 + i%2; n > 9 {
			n -= 9
		}
		sum += n
	}
	return sum%10 == 0
}
