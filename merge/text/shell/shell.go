// Package shell makes the command lines that threeway prints for people to run.
// What comes from a file is an argument of its own kind and quoted for sh; words
// that are printed as they are can only be constants of our source.
package shell

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"threeway/merge/text/visible"
)

// literal is text of our source: only an untyped constant becomes one in another
// package.
type literal string

// Arg is one argument, or the few that belong together.
type Arg struct {
	options, operands []string // quoted
	// hidden is a value that cannot be printed.
	hidden string
	// dashed is set if an operand looks like an option.
	dashed bool
}

// String is the argument as Line prints it.
func (a Arg) String() string { return strings.Join(slices.Concat(a.operands, a.options), " ") }

// Option are words of ours: "--type=json", "-o yaml".
func Option(words literal) Arg { return Arg{options: []string{string(words)}} }

// Flag is an option of ours with a value: Flag("-n", "shop"), Flag("--field-manager=", "x").
func Flag(name literal, value string) Arg {
	sep := " "
	if strings.HasSuffix(string(name), "=") {
		sep = ""
	}
	return Arg{options: []string{string(name) + sep + Word(value)}, hidden: hidden(value)}
}

// File is an option with the path of a file, which is not - for stdin.
func File(name literal, path string) Arg { return Flag(name, local(path)) }

// Typed are the words of a command line as they were typed, options and operands.
func Typed(words []string) (a Arg) {
	for _, word := range words {
		a.options, a.hidden = append(a.options, Word(word)), a.hidden+hidden(word)
	}
	return a
}

// JSON is an option with a value as JSON.
func JSON(name literal, value any) Arg {
	text, err := json.Marshal(value)
	if err != nil {
		return Arg{hidden: err.Error()}
	}
	var b strings.Builder
	for _, r := range string(text) {
		if visible.Acts(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				b.WriteString(`\u` + strconv.FormatInt(0x10000+int64(unit), 16)[1:])
			}
			continue
		}
		b.WriteRune(r)
	}
	return Flag(name, b.String())
}

// Operand is a value that is no option, whatever it begins with.
func Operand(value string) Arg {
	return Arg{operands: []string{Word(value)}, hidden: hidden(value), dashed: strings.HasPrefix(value, "-")}
}

// Path is the operand of a file or directory.
func Path(path string) Arg { return Operand(local(path)) }

// Object names an object as kubectl takes it: KIND/NAME, and its namespace.
func Object(groupKind, namespace, name string) Arg {
	a := Operand(strings.ToLower(groupKind) + "/" + name)
	return a.In(namespace)
}

// In adds the namespace, if there is one.
func (a Arg) In(namespace string) Arg {
	if namespace != "" {
		n := Flag("-n", namespace)
		a.options, a.hidden = append(slices.Clip(a.options), n.options...), a.hidden+n.hidden
	}
	return a
}

// And is an argument followed by another.
func (a Arg) And(next Arg) Arg {
	return Arg{
		options: slices.Concat(a.options, next.options), operands: slices.Concat(a.operands, next.operands),
		hidden: a.hidden + next.hidden, dashed: a.dashed || next.dashed,
	}
}

// Line is the line that runs a command of ours with arguments. If a value has
// characters that cannot be printed, which no name in a cluster has, it is a
// comment that says so.
func Line(command literal, args ...Arg) string {
	words, options := strings.Fields(string(command)), []string{}
	dashed := slices.ContainsFunc(args, func(a Arg) bool { return a.dashed })
	var operands []string
	for _, a := range args {
		switch {
		case a.hidden != "":
			return "# no command: " + strconv.QuoteToASCII(a.hidden) + " is no name"
		case dashed:
			operands, options = append(operands, a.operands...), append(options, a.options...)
		default:
			words = append(append(words, a.operands...), a.options...)
		}
	}
	if dashed {
		words = slices.Concat(words, options, []string{"--"}, operands)
	}
	return strings.Join(words, " ")
}

// Lines is the assignment of lines of words to a variable.
func Lines(name literal, lines []string) string {
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = strings.ReplaceAll(visible.Line(line), "'", `'\''`)
	}
	return string(name) + "='" + strings.Join(shown, "\n") + "'"
}

// Word is one value, quoted if sh would take it apart.
func Word(value string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./@%+:,=", r)
	}
	// zsh replaces a word that begins with =.
	if value != "" && value[0] != '=' && strings.IndexFunc(value, func(r rune) bool { return !plain(r) }) < 0 {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// local keeps a path from being an option.
func local(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
}

// hidden is the value if it cannot be printed, otherwise empty.
func hidden(value string) string {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return value
	}
	return ""
}
