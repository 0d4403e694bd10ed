package format

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isIP reports whether s is an IP address. Sloppy, octets may start with
// zeros (k8s.io/utils/net).
func isIP(s string, sloppy bool) bool {
	_, ok := parseIP(s, sloppy)
	return ok
}

func parseIP(s string, sloppy bool) (netip.Addr, bool) {
	if sloppy && strings.Contains(s, ".") {
		at := strings.LastIndex(s, ":") + 1
		octets := strings.Split(s[at:], ".")
		for i, octet := range octets {
			for len(octet) > 1 && octet[0] == '0' {
				octet = octet[1:]
			}
			octets[i] = octet
		}
		s = s[:at] + strings.Join(octets, ".")
	}
	ip, err := netip.ParseAddr(s)
	return ip, err == nil && ip.Zone() == ""
}

// isCIDR reports whether s is an address and the length of its prefix.
func isCIDR(s string) bool {
	address, length, ok := strings.Cut(s, "/")
	ip, valid := parseIP(address, true)
	if !ok || !valid || !like(`^[0-9]+$`)(length) {
		return false
	}
	n, err := strconv.Atoi(length)
	return err == nil && n <= ip.BitLen()
}

// isMAC reports whether s is an address of 6, 8 or 20 bytes, in one of the
// forms 00:00:5e:00:53:01, 00-00-5e-00-53-01, 0000.5e00.5301 and 00005e005301
// (net.ParseMAC).
func isMAC(s string) bool {
	const form = `^(?:XX(?::XX){5}(?:(?::XX){2}(?:(?::XX){12})?)?|XX(?:-XX){5}(?:(?:-XX){2}(?:(?:-XX){12})?)?|XXXX(?:\.XXXX){2}(?:\.XXXX(?:(?:\.XXXX){6})?)?|(?:XX){6}(?:(?:XX){2}(?:(?:XX){12})?)?)$`
	return like(strings.ReplaceAll(form, "X", "[0-9a-fA-F]"))(s)
}

// isMailAddress reports whether s is one address as RFC 5322 writes it, with
// or without a display name: a@example.com, Ann <a@example.com>. It follows
// net/mail, less groups and encoded words.
func isMailAddress(s string) bool {
	m := &mail{strings.TrimLeft(s, " \t")}
	whole := *m
	if m.address() {
		m.space()
		return m.comments() && m.rest == ""
	}
	*m = whole
	if !strings.HasPrefix(m.rest, "<") && !m.phrase() {
		return false
	}
	return m.eat("<") && m.address() && m.eat(">") && m.comments() && m.rest == ""
}

// mail is the unread rest of a mail address.
type mail struct{ rest string }

func (m *mail) space() { m.rest = strings.TrimLeft(m.rest, " \t") }

func (m *mail) eat(token string) bool {
	rest, ok := strings.CutPrefix(m.rest, token)
	m.rest = rest
	return ok
}

// address reads local-part "@" domain.
func (m *mail) address() bool {
	m.space()
	if strings.HasPrefix(m.rest, `"`) {
		if text, ok := m.quoted(); !ok || text == "" {
			return false
		}
	} else if !m.dotAtom(true) {
		return false
	}
	if !m.eat("@") {
		return false
	}
	m.space()
	if m.eat("[") {
		literal, rest, ok := strings.Cut(m.rest, "]")
		m.rest = rest
		return ok && isIP(literal, false)
	}
	return m.dotAtom(true)
}

// phrase reads a display name: atoms and quoted strings.
func (m *mail) phrase() bool {
	for n := 0; ; n++ {
		if n > 0 && !m.comments() {
			return false
		}
		m.space()
		before := m.rest
		ok := false
		if strings.HasPrefix(m.rest, `"`) {
			_, ok = m.quoted()
		} else {
			ok = m.dotAtom(false)
		}
		if !ok {
			m.rest = before
			return n > 0
		}
	}
}

// dotAtom reads a word. Strictly, dots must stand between letters.
func (m *mail) dotAtom(strict bool) bool {
	end := strings.IndexFunc(m.rest, func(r rune) bool {
		return r == utf8.RuneError || r <= ' ' || r == 0x7f || strings.ContainsRune(`()<>[]:;@\,"`, r)
	})
	if end < 0 {
		end = len(m.rest)
	}
	atom := m.rest[:end]
	m.rest = m.rest[end:]
	return atom != "" && !(strict && (strings.HasPrefix(atom, ".") || strings.HasSuffix(atom, ".") || strings.Contains(atom, "..")))
}

func (m *mail) quoted() (string, bool) {
	for i := 1; i < len(m.rest); i++ {
		switch c := m.rest[i]; {
		case c == '"':
			text := m.rest[1:i]
			m.rest = m.rest[i+1:]
			return text, utf8.ValidString(text)
		case c == '\\' && i+1 < len(m.rest):
			i++
		}
		if c := m.rest[i]; c < ' ' && c != '\t' || c == 0x7f {
			return "", false
		}
	}
	return "", false
}

// comments skips spaces and comments in parentheses.
func (m *mail) comments() bool {
	m.space()
	for m.eat("(") {
		for depth := 1; depth > 0; {
			if m.rest == "" {
				return false
			}
			c := m.rest[0]
			m.rest = m.rest[1:]
			switch {
			case c == '\\' && m.rest != "":
				m.rest = m.rest[1:]
			case c == '(':
				depth++
			case c == ')':
				depth--
			}
		}
		m.space()
	}
	return true
}
