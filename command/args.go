package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// permute reorders a command's arguments so that flags may follow positional
// ones, as kubectl users type them, and takes apart what urfave/cli does not
// know: attached short values (-ojson, -nshop), grouped short flags (-Rf dir).
// A subcommand is the first positional, wherever the flags are. What follows
// "--" is left alone, and beside --help nothing counts. A flag that the command
// does not have is a usage error in kubectl's words.
func permute(app *cli.App, args []string) ([]string, error) {
	at := commandIndex(app, args)
	if at < 0 {
		return args, nil
	}
	command := app.Command(args[at])
	path := args[: at+1 : at+1]
	if slices.Contains(args[at:], "--help") || slices.Contains(args[at:], "-h") {
		if i := slices.IndexFunc(args[at+1:], func(arg string) bool { return command.Command(arg) != nil }); i >= 0 {
			path = append(path, args[at+1+i])
		}
		return append(path, "--help"), nil
	}
	known := map[string]bool{} // flag name → takes a value
	for _, c := range append([]*cli.Command{command}, command.Subcommands...) {
		for _, f := range c.Flags {
			_, isBool := f.(*cli.BoolFlag)
			for _, name := range f.Names() {
				known[name] = !isBool
			}
		}
	}
	flags, rest, err := divide(args[at+1:], known)
	if err != nil {
		return nil, fmt.Errorf("%v; see 'threeway %s --help'", err, command.Name)
	}
	if len(rest) > 0 && command.Command(rest[0]) != nil {
		path, rest = append(path, rest[0]), rest[1:]
	}
	return slices.Concat(path, flags, rest), nil
}

// divide parts flags, each in an argument of its own and before its value, from
// the rest.
func divide(args []string, known map[string]bool) (flags, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		wantsValue := false
		switch {
		case arg == "--":
			return flags, append(rest, args[i:]...), nil
		case strings.HasPrefix(arg, "--"):
			name, _, attached := strings.Cut(arg[2:], "=")
			takesValue, ok := known[name]
			if !ok {
				return nil, nil, fmt.Errorf("unknown flag: --%s", name)
			}
			flags = append(flags, arg)
			wantsValue = takesValue && !attached
		case len(arg) > 1 && arg[0] == '-':
			split, wants, unknown := splitShort(arg, known)
			if unknown != "" {
				return nil, nil, fmt.Errorf("unknown shorthand flag: '%s' in %s", unknown, arg)
			}
			flags = append(flags, split...)
			wantsValue = wants
		default:
			rest = append(rest, arg)
		}
		if wantsValue && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	return flags, rest, nil
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
