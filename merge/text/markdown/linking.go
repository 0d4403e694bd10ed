package markdown

import (
	"strings"
	"unicode"
)

// linking reports whether a service may make a link, a mark or a picture of the
// text before and after, unless something is between: users and issues; GitLab's
// !1, $1, %1, ~x, &1, group/project>, [vulnerability:1], *iteration:x, {+ +} and
// :emoji:; GitHub's GH-1; addresses.
func linking(before, after []rune) bool {
	next := func(at func(rune) bool) bool { return len(after) > 0 && at(after[0]) }
	is := func(of string) bool { return next(func(r rune) bool { return strings.ContainsRune(of, r) }) }
	ends := func(text string) bool {
		return len(before) >= len(text) && strings.EqualFold(string(before[len(before)-len(text):]), text)
	}
	switch before[len(before)-1] {
	case '@', '#':
		return true
	case '!', '$', '%', '~', '&', '*':
		return next(word)
	case '{':
		return is("+-")
	case '[':
		return is("+-") || kind(after)
	case ':':
		return strings.HasPrefix(string(after[:min(2, len(after))]), "//") || ends("mailto:") || ends("xmpp:") || emoji(after)
	case 'w', 'W':
		return ends("www") && is(".")
	case 'h', 'H':
		return ends("gh") && is("-") && (len(before) == 2 || before[len(before)-3] == '"' || !word(before[len(before)-3]))
	}
	return is(">") && project(before)
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '"' || r == '_' }

// kind reports whether the text begins with a word and a colon.
func kind(text []rune) bool {
	for i, r := range text {
		if r == ':' {
			return i > 0
		}
		if !unicode.IsLetter(r) && r != '_' {
			return false
		}
	}
	return false
}

// project reports whether the text ends with a path.
func project(text []rune) bool {
	for i := len(text) - 1; i >= 0; i-- {
		switch r := text[i]; {
		case r == '/':
			return i < len(text)-1
		case !word(r) && !strings.ContainsRune("-.", r):
			return false
		}
	}
	return false
}

// emoji reports whether the rest of :name: follows.
func emoji(after []rune) bool {
	letters := false
	for _, r := range after {
		if r == ':' {
			return letters
		}
		letters = letters || unicode.IsLower(r)
		if !unicode.IsLower(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_+-", r) {
			return false
		}
	}
	return false
}
