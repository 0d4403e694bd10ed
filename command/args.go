package command

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// permute reorders a command's arguments so that flags may follow positional
// ones, as kubectl users type them, and takes apart what urfave/cli does not
// know: attached short values (-ojson, -nshop), grouped short flags (-Rf dir).
// A subcommand is the first positional, wherever the flags are. What follows
// "--" is left alone, and beside --help nothing counts. A flag of kubectl that
// changes nothing here is dropped, with a note; another that the command does not
// have is an error.
func permute(app *cli.App, args []string) (permuted, notes []string, err error) {
	if today := map[string]string{"plan": "review", "explain": "rules"}; len(args) > 1 && today[args[1]] != "" {
		args = slices.Concat(args[:1], []string{today[args[1]]}, args[2:])
	}
	if len(args) > 2 && args[1] == "help" && app.Command(args[2]) == nil && !strings.HasPrefix(args[2], "-") {
		return nil, nil, unknownCommand(app.Commands, args[2])
	}
	at := commandIndex(app, args)
	if at < 0 {
		return args, nil, nil
	}
	command := app.Command(args[at])
	path := args[: at+1 : at+1]
	if slices.Contains(args[at:], "--help-all") {
		return append(path, slices.DeleteFunc(slices.Clone(args[at+1:]), func(arg string) bool { return command.Command(arg) == nil && arg != "--help-all" })...), nil, nil
	}
	if slices.Contains(args[at:], "--help") || slices.Contains(args[at:], "-h") {
		if i := slices.IndexFunc(args[at+1:], func(arg string) bool { return command.Command(arg) != nil }); i >= 0 {
			path = append(path, args[at+1+i])
		}
		return append(path, "--help"), nil, nil
	}
	d := argSplitter{known: map[string]bool{}}
	for _, c := range append([]*cli.Command{command}, command.Subcommands...) {
		for _, f := range c.Flags {
			takesValue := f.(cli.DocGenerationFlag).TakesValue()
			if generic, ok := f.(*cli.GenericFlag); ok {
				_, alone := generic.Value.(interface{ IsBoolFlag() bool })
				takesValue = !alone
			}
			for _, name := range f.Names() {
				d.known[name] = takesValue
			}
		}
	}
	if err := d.divide(args[at+1:]); err != nil {
		var wrong wrongFlag
		if errors.As(err, &wrong) {
			err = fmt.Errorf("%w; %ssee 'threeway %s --help'", err, d.meant(app, wrong.name), command.Name)
		}
		return nil, nil, err
	}
	rest := d.rest
	if len(rest) > 0 && command.Command(rest[0]) != nil {
		path, rest = append(path, rest[0]), rest[1:]
	}
	if slices.Contains(snapshotCommands, path[len(path)-1]) && !d.typed("live") {
		rest = d.dumps(rest)
	}
	return slices.Concat(path, d.flags, rest), d.notes, nil
}

// snapshotCommands read live objects, so that an export needs no --live before it.
var snapshotCommands = []string{"drift", "owners", "adopt", "check", "redact", "pack"}

// dumps passes what are exports among the arguments with --live, and returns the others.
func (d *argSplitter) dumps(args []string) (rest []string) {
	for _, arg := range args {
		if request.Exported([]string{arg}) {
			d.flags = append(d.flags, "--live", arg)
		} else {
			rest = append(rest, arg)
		}
	}
	return rest
}

// withoutPager takes --no-pager from arguments, wherever it is.
func withoutPager(args []string) (rest []string, taken bool) {
	i := slices.Index(args, "--no-pager")
	if i < 1 || slices.Contains(args[:i], "--") {
		return args, false
	}
	return slices.Concat(args[:i], args[i+1:]), true
}

// wrongFlag is the error of a flag that neither threeway nor kubectl has, or of one
// without its value, in kubectl's words.
type wrongFlag struct{ text, name string }

// Error returns the message.
func (w wrongFlag) Error() string { return w.text }

// meant asks for the flag that an unknown one may be, or names the commands that have it.
func (d *argSplitter) meant(app *cli.App, name string) string {
	names := slices.Collect(maps.Keys(d.known))
	for flag := range kubectlFlags {
		names = append(names, flag)
	}
	if nearest := phrase.Nearest(name, names); nearest != "" {
		return "did you mean " + run.Dashes(nearest) + "? "
	}
	var have []string
	for _, c := range app.Commands {
		if !d.has(name) && slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) }) {
			have = append(have, c.Name)
		}
	}
	if have == nil {
		return ""
	}
	return "it is a flag of " + strings.Join(have, ", ") + "; "
}

// argSplitter parts the flags of a command line, each in an argument of its own and
// before its value, from the rest.
type argSplitter struct {
	known              map[string]bool // flag name → takes a value
	args               []string
	flags, rest, notes []string
}

func (d *argSplitter) divide(args []string) error {
	d.args = args
	for i := 0; i < len(args); i++ {
		arg := args[i]
		wantsValue := false
		switch {
		case arg == "--":
			d.rest = append(d.rest, args[i:]...)
			return nil
		case strings.HasPrefix(arg, "--"):
			name, value, attached := strings.Cut(arg[2:], "=")
			takesValue, ok := d.known[name]
			if !ok {
				used, err := d.ofKubectl(name, value, attached, args[i+1:])
				if err != nil {
					return err
				}
				i += used
				continue
			}
			if name == "validate" && !attached && (i+1 == len(args) || request.Validation(args[i+1]) == "") {
				arg, attached = "--validate="+string(rehearsal.Strict), true // as kubectl takes it
			}
			if name == "prune" && !attached {
				arg, attached = "--prune=true", true // a switch of kubectl
			}
			d.flags = append(d.flags, arg)
			wantsValue = takesValue && !attached
		case arg == "-summary", arg == "-strict", arg == "-ignore-missing-schemas", strings.HasPrefix(arg, "-schema-location"): // kubeconform's have one dash
			name, _, _ := strings.Cut(arg[1:], "=")
			_, err := kubectlFlags[name].take(name, "")
			return err
		case len(arg) > 2 && arg[0] == '-' && d.has(arg[1:]):
			return fmt.Errorf("%s: a long flag has two dashes: -%s", arg, arg)
		case len(arg) > 1 && arg[0] == '-':
			split, wants, unknown := splitShort(arg, d.known)
			if flag, ok := kubectlFlags[unknown]; ok {
				_, err := flag.take(unknown, "")
				return err
			}
			if unknown != "" {
				return wrongFlag{fmt.Sprintf("unknown shorthand flag: '%s' in %s", unknown, arg), unknown}
			}
			d.flags = append(d.flags, split...)
			wantsValue = wants
		default:
			d.rest = append(d.rest, arg)
		}
		if wantsValue && i+1 < len(args) {
			i++
			if d.flag(args[i]) {
				return wrongFlag{"flag needs an argument: " + arg, strings.TrimLeft(arg, "-")}
			}
			d.flags = append(d.flags, args[i])
		}
	}
	return nil
}

// typed reports whether a switch is on the command line.
func (d *argSplitter) typed(name string) bool {
	return slices.ContainsFunc(d.args, func(arg string) bool {
		return arg == "--"+name || strings.HasPrefix(arg, "--"+name+"=") && arg != "--"+name+"=false"
	})
}

func (d *argSplitter) has(name string) bool {
	_, known := d.known[name]
	return known
}

// flag reports whether an argument is a flag of the command, and so not the value of the one
// before it.
func (d *argSplitter) flag(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return d.has(name) && strings.HasPrefix(arg, run.Dashes(name))
}

// ofKubectl takes a long flag that only kubectl has, and says how many of the
// arguments behind it are its value.
func (d *argSplitter) ofKubectl(name, value string, attached bool, next []string) (used int, err error) {
	flag, ok := kubectlFlags[name]
	if !ok || len(name) == 1 {
		return 0, wrongFlag{"unknown flag: --" + name, name}
	}
	switch {
	case !attached && flag.takesValue && len(next) > 0:
		value, used = next[0], 1
	case !attached:
		value = flag.standard
	}
	switch today, _, _ := strings.Cut(strings.TrimPrefix(flag.now, "--"), "="); {
	case flag.now == "", !d.has(today), slices.Contains(flag.means, value):
	case flag.without != "" && !d.typed(today):
		text := fmt.Sprintf("--%s %s --%s", name, flag.without, today)
		if flag.without == requires {
			return 0, errors.New(text)
		}
		d.notes = append(d.notes, text)
		return used, nil
	default:
		now := flag.now
		if flag.takesValue {
			now += value
		}
		d.flags = append(d.flags, now)
		d.notes = append(d.notes, fmt.Sprintf("--%s is read as %s", name, now))
		return used, nil
	}
	note, err := flag.take(name, value)
	if note != "" {
		d.notes = append(d.notes, note)
	}
	return used, err
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
