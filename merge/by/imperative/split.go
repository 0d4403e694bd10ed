package imperative

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// assigned is the assignment before a command that changes nothing of what the command does:
// without it, kubectl has no --applyset. Any other variable may choose a cluster, a user or
// a program.
var assigned = regexp.MustCompile(`^KUBECTL_APPLYSET=(?i:true)[ \t]+`)

// Split takes a command line apart as sh does, if it consists of nothing but words, quotes
// and pipes: the words of each command of the pipe. Whatever else a shell may make of a
// character, sh, bash or zsh, also while it is typed, is an error.
func Split(line string) (commands [][]string, err error) {
	if !utf8.ValidString(line) || strings.ContainsRune(line, 0) {
		return nil, fmt.Errorf("the line is not text")
	}
	s := splitter{rest: line}
	for s.rest != "" {
		if len(s.words) == 0 && !s.started {
			s.rest = s.rest[len(assigned.FindString(s.rest)):]
		}
		c, size := utf8.DecodeRuneInString(s.rest)
		s.rest = s.rest[size:]
		switch {
		case c == '|':
			s.end()
			if len(s.words) == 0 {
				return nil, fmt.Errorf("a pipe without a command before it")
			}
			commands, s.words = append(commands, s.words), nil
		case c == ' ' || c == '\t':
			s.end()
		case c == '\'' || c == '"':
			err = s.quoted(c)
		case c == '\\':
			err = s.escaped()
		case strings.ContainsRune("&;<>()$`*?[]{}~#!^", c), c == '=' && !s.started, unicode.IsSpace(c), !unicode.IsPrint(c):
			err = acts(c)
		case c == '=' && len(s.words) == 0:
			err = fmt.Errorf("an assignment before the command")
		default:
			s.add(string(c))
		}
		if err != nil {
			return nil, err
		}
	}
	if s.end(); len(s.words) == 0 {
		return nil, fmt.Errorf("there is no command")
	}
	return append(commands, s.words), nil
}

// acts is the error of a character that a shell acts on.
func acts(c rune) error { return fmt.Errorf("the shell acts on %q", c) }

type splitter struct {
	rest    string
	words   []string
	word    strings.Builder
	started bool // a word may be empty
}

func (s *splitter) add(text string) {
	s.word.WriteString(text)
	s.started = true
}

func (s *splitter) end() {
	if s.started {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.started = false
	}
}

// escaped is a character after a backslash, outside of quotes.
func (s *splitter) escaped() error {
	c, size := utf8.DecodeRuneInString(s.rest)
	if size == 0 || !unicode.IsPrint(c) {
		return acts('\\')
	}
	s.rest = s.rest[size:]
	s.add(string(c))
	return nil
}

// quoted is what follows a quotation mark, up to the next one. An exclamation mark within
// double quotes is history to the shells that people type into.
func (s *splitter) quoted(mark rune) error {
	s.add("")
	for s.rest != "" {
		c, size := utf8.DecodeRuneInString(s.rest)
		s.rest = s.rest[size:]
		switch {
		case c == mark:
			return nil
		case mark == '"' && strings.ContainsRune("$`!", c):
			return acts(c)
		case mark == '"' && c == '\\':
			next, size := utf8.DecodeRuneInString(s.rest)
			if size == 0 || next == '\n' {
				return acts('\\')
			}
			if strings.ContainsRune("$`\"\\", next) {
				c, s.rest = next, s.rest[size:]
			}
		}
		s.add(string(c))
	}
	return fmt.Errorf("a quotation mark is not closed")
}
