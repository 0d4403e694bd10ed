package yamltext

import (
	"strconv"
	"strings"
	"time"
)

// readsAsString reports whether a YAML 1.1 reader reads the unquoted s as a
// string, and not as null, a boolean, a number or a time (resolve.go).
func readsAsString(s string) bool {
	if s == "" {
		return false
	}
	switch c := s[0]; {
	case '0' <= c && c <= '9', c == '+', c == '-':
		return !mayBeNumber(s) || !isNumberOrTime(s)
	case c == '.':
		_, err := strconv.ParseFloat(s, 64)
		return err != nil && !isSpecialFloat(s)
	}
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO",
		"true", "True", "TRUE", "false", "False", "FALSE",
		"on", "On", "ON", "off", "Off", "OFF",
		"~", "null", "Null", "NULL":
		return false
	}
	return true
}

func isSpecialFloat(s string) bool {
	switch s {
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF",
		"+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return true
	}
	return false
}

// mayBeNumber is a quick test: numbers and times have only these characters.
func mayBeNumber(s string) bool {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
		case strings.IndexByte("xXoO_.:+- ,tTZinIN", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func isNumberOrTime(s string) bool {
	if isSpecialFloat(s) || isTime(s) || isSexagesimal(s) {
		return true
	}
	plain := strings.ReplaceAll(s, "_", "")
	if _, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return true
	}
	if isDecimal(plain) {
		_, err := strconv.ParseFloat(plain, 64)
		return err == nil
	}
	// with a sign after the prefix
	if bits, ok := strings.CutPrefix(plain, "0b"); ok {
		_, err := strconv.ParseInt(bits, 2, 64)
		return err == nil
	}
	return false
}

// isDecimal matches [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func isDecimal(s string) bool {
	s = skipSign(s)
	whole, s := cutDigits(s)
	fraction := 0
	if strings.HasPrefix(s, ".") {
		fraction, s = cutDigits(s[1:])
	}
	if whole+fraction == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	exponent, s := cutDigits(skipSign(s[1:]))
	return exponent > 0 && s == ""
}

func skipSign(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

func cutDigits(s string) (count int, rest string) {
	for count < len(s) && '0' <= s[count] && s[count] <= '9' {
		count++
	}
	return count, s[count:]
}

// isSexagesimal matches numbers of base 60, which other readers accept
// (encode.go): [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
func isSexagesimal(s string) bool {
	s = skipSign(s)
	if n, _ := cutDigits(s); n == 0 {
		return false
	}
	s = strings.TrimLeft(s, "0123456789_")
	if !strings.HasPrefix(s, ":") {
		return false
	}
	for strings.HasPrefix(s, ":") {
		n, rest := cutDigits(s[1:])
		if n == 0 || n > 2 || n == 2 && s[1] > '5' {
			return false
		}
		s = rest
	}
	return s == "" || s[0] == '.' && strings.TrimLeft(s[1:], "0123456789_") == ""
}

func isTime(s string) bool {
	if n, rest := cutDigits(s); n != 4 || !strings.HasPrefix(rest, "-") {
		return false
	}
	for _, format := range [...]string{
		"2006-1-2T15:4:5.999999999Z07:00",
		"2006-1-2t15:4:5.999999999Z07:00",
		"2006-1-2 15:4:5.999999999",
		"2006-1-2",
	} {
		if _, err := time.ParseInLocation(format, s, time.UTC); err == nil {
			return true
		}
	}
	return false
}
