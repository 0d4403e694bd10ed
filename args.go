package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// permute reorders a command's arguments so that flags may follow positional
// ones, as kubectl users type them, and takes apart what urfave/cli does not
// know: attached short values (-ojson, -nshop), grouped short flags (-Rf dir).
// What follows "--" is left alone, and beside --help nothing counts. A flag that the command does not have is a
// usage error in kubectl's words.
func permute(app *cli.App, args []string) ([]string, error) {
	at := commandIndex(app, args)
	if at < 0 {
		return args, nil
	}
	command := app.Command(args[at])
	known := map[string]bool{} // flag name → takes a value
	for _, f := range append(command.Flags, cli.HelpFlag) {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			known[name] = !isBool
		}
	}
	for _, arg := range args[at+1:] {
		if arg == "--help" || arg == "-h" {
			return append(args[:at+1:at+1], "--help"), nil
		}
	}
	var flags, rest []string
	for i := at + 1; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			rest = append(rest, args[i:]...)
			i = len(args)
		case strings.HasPrefix(arg, "--"):
			name, _, attached := strings.Cut(arg[2:], "=")
			wantsValue, ok := known[name]
			if !ok {
				return nil, usageError("unknown flag: --%s; see 'threeway %s --help'", name, command.Name)
			}
			flags = append(flags, arg)
			if wantsValue && !attached && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		case len(arg) > 1 && arg[0] == '-':
			split, wantsValue, unknown := splitShort(arg, known)
			if unknown != "" {
				return nil, usageError("unknown shorthand flag: '%s' in %s; see 'threeway %s --help'", unknown, arg, command.Name)
			}
			flags = append(flags, split...)
			if wantsValue && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		default:
			rest = append(rest, arg)
		}
	}
	return append(append(append([]string(nil), args[:at+1]...), flags...), rest...), nil
}

// commandIndex finds the command's name among the arguments, or -1, also where
// a shell asks for completions.
func commandIndex(app *cli.App, args []string) int {
	if len(args) > 0 && args[len(args)-1] == "--generate-bash-completion" {
		return -1
	}
	for i, a := range args[min(1, len(args)):] {
		if !strings.HasPrefix(a, "-") {
			if app.Command(a) != nil {
				return i + 1
			}
			return -1
		}
	}
	return -1
}

// splitShort takes -Rf, -ojson and -o=json apart; the last flag may still want
// its value from the next argument. unknown is the first letter that is no flag.
func splitShort(arg string, known map[string]bool) (flags []string, wantsValue bool, unknown string) {
	for i, letter := range arg[1:] {
		name := string(letter)
		takesValue, ok := known[name]
		if !ok {
			return nil, false, name
		}
		flags = append(flags, "-"+name)
		if !takesValue {
			continue
		}
		if attached := arg[1+i+len(name):]; attached != "" {
			return append(flags, strings.TrimPrefix(attached, "=")), false, ""
		}
		return flags, true, ""
	}
	return flags, false, ""
}
