package format

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Expression is a regular expression in Go's syntax, as on the server. It is
// compiled when it is first used, so that one that is too large never is.
type Expression struct {
	Regexp func() *regexp.Regexp
	size   int
}

// patterns caches expressions by their source; an *Expression or the error of
// parsing it.
var patterns sync.Map

// Pattern returns the regular expression, or why it is none.
func Pattern(pattern string) (*Expression, error) {
	known, ok := patterns.Load(pattern)
	if !ok {
		if re, err := syntax.Parse(pattern, syntax.Perl); err != nil {
			known = err
		} else {
			known = &Expression{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) }), size(re)}
		}
		patterns.Store(pattern, known)
	}
	if e, ok := known.(*Expression); ok {
		return e, nil
	}
	return nil, known.(error)
}

// Steps is how many steps it takes at most to compile the expression and to hold a
// text against it: Go's regexp is in each of its places at each character, where the
// text wants it. 10 characters stand for the compilation.
func (e *Expression) Steps(text string) int { return e.size * (len(text) + 10) }

// size is how many places the program of an expression has, whose counted
// repetitions are written out (regexp/syntax, calcSize).
func size(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += size(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return 1 + len(re.Rune)
	case syntax.OpRepeat:
		return 1 + max(re.Min, re.Max, 1)*(n+1)
	}
	return 2 + n + len(re.Sub)
}
