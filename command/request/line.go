package request

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/merge/by/imperative"
)

// CommandFlag is --command.
func CommandFlag() cli.Flag {
	return &cli.StringFlag{Name: "command", Category: CategoryOwn, Usage: "answer for a command `LINE` of kubectl or helm, as it would be typed into a shell; beside it, -n is the namespace of kubectl's context"}
}

// Command is a command of kubectl besides apply, as --command has it.
type Command struct{ *imperative.Command }

// brings reports whether it names live objects.
func (c *Command) brings() bool { return !c.HasFiles() }

// helmFlags are those of helm upgrade that are rehearsed, or that change no object;
// helmReads are its commands that change nothing.
const helmFlags = " namespace= values= set= install force-conflicts take-ownership wait timeout= description="

var helmReads = []string{"list", "ls", "status", "history", "get", "search", "version", "show", "env"}

// line is a --command: which flags of guard say the same, and the command of kubectl that
// is rehearsed otherwise.
type line struct {
	flags   [][2]string
	command *imperative.Command
	// nothing says why it changes nothing.
	nothing string
}

// ReadCommand sets the flags that say the same as --command. It returns why the command
// changes nothing, or "".
func ReadCommand(c *cli.Context) (nothing string, err error) {
	l, err := lineOf(c.String("command"))
	if err != nil || l.nothing != "" {
		return l.nothing, err
	}
	for _, flag := range c.Command.Flags {
		name := flag.Names()[0]
		if (name == "sops" || flag.(cli.CategorizableFlag).GetCategory() != CategoryOwn) && !slices.Contains([]string{"namespace", "show-secrets", "helm-version"}, name) && c.IsSet(name) {
			return "", fmt.Errorf("--%s and --command both say what is done; remove --%s", name, name)
		}
	}
	if c.Args().Present() {
		return "", fmt.Errorf("--command says what is done; remove %s", c.Args().First())
	}
	for _, f := range l.flags {
		if err := c.Set(f[0], f[1]); err != nil {
			return "", fmt.Errorf("--%s %s of the command: %v", f[0], f[1], err)
		}
	}
	return "", nil
}

// commanded completes a request by its --command.
func (v *Resolver) commanded(r *Request) error {
	l, err := lineOf(v.String("command"))
	switch {
	case err != nil:
		return err
	case l.command == nil && r.Namespace == "":
		return fmt.Errorf("the namespace of helm's context is unknown: write -n into the command, or pass -n beside it")
	}
	r.Commanded, r.ByGiven, r.NotManifests = true, true, nil // kubectl passes no file over
	if h, ok := r.By.(*Helm); ok {
		h.ServerSide = "auto" // whatever the settings say
		return nil
	}
	if r.NamespaceGiven = l.command.Has("namespace"); l.command.Verb == "apply" {
		return nil
	}
	by := &Command{l.command}
	if r.By = by; by.brings() {
		r.Files, r.Kustomize = nil, nil
	}
	return nil
}

func lineOf(text string) (line, error) {
	commands, err := imperative.Split(text)
	if err != nil {
		return line{}, err
	}
	words := commands[len(commands)-1]
	switch {
	case len(commands) == 1 && words[0] == "helm":
		return helmLine(words[1:])
	case len(commands) > 2 || words[0] != "kubectl":
		return line{}, fmt.Errorf("%q: only kubectl, helm, and kustomize build DIR | kubectl apply -f - are understood", words[0])
	case len(words) > 1 && words[1] == "kustomize" && len(commands) == 1:
		if len(words) != 3 {
			return line{}, fmt.Errorf("kubectl kustomize with other words than a directory is not understood")
		}
		return line{nothing: "kubectl kustomize"}, directory(words[2])
	}
	c, err := imperative.ParseTyped(words[1:])
	if err != nil {
		return line{}, err
	}
	l := line{command: c}
	piped := slices.Equal(c.Values("filename"), []string{"-"})
	switch {
	case len(commands) == 2:
		from := commands[0]
		builds := len(from) == 3 && (from[0] == "kustomize" && from[1] == "build" || from[0] == "kubectl" && from[1] == "kustomize")
		if !builds || c.Verb != "apply" || !piped || c.Has("kustomize") || c.Has("recursive") {
			return line{}, fmt.Errorf("of pipes, only kustomize build DIR | kubectl apply -f - is understood")
		}
		l.flags = append(l.flags, [2]string{"kustomize", from[2]})
	case slices.Contains(Split(c.Values("filename")), "-"):
		return line{}, fmt.Errorf("what kubectl reads from stdin is unknown")
	}
	if !c.Changes() {
		return line{nothing: "kubectl " + c.Verb}, nil
	}
	if c.Has("context") {
		return line{}, fmt.Errorf("--context chooses a cluster, and a snapshot does not say which context it is of")
	}
	return l, l.kubectl(len(commands) == 2)
}

// kubectl finds the flags of a command that changes something.
func (l *line) kubectl(piped bool) error {
	c, files := l.command, l.command.HasFiles()
	switch {
	case !files && slices.Contains([]string{"apply", "create", "replace"}, c.Verb):
		return fmt.Errorf("kubectl %s without -f or -k is not understood", c.Verb)
	case files && len(c.Args) > 0:
		return fmt.Errorf("kubectl %s %s beside -f is not understood", c.Verb, c.Args[0])
	}
	same := []string{"namespace", "field-manager"}
	if files {
		same = append(same, "filename", "kustomize", "selector", "validate", "recursive", "server-side", "force-conflicts")
	}
	for _, name := range same {
		for _, value := range c.Values(name) {
			if !piped || name != "filename" {
				l.flags = append(l.flags, [2]string{name, value})
			}
		}
	}
	l.flags = append(l.flags, [2]string{"applier", ApplierKubectl}) // whatever the settings say
	if len(c.Values("server-side")) == 0 {
		l.flags = append(l.flags, [2]string{"server-side", "false"})
	}
	if err := l.prune(); err != nil {
		return err
	}
	for _, f := range l.flags {
		if f[0] == "kustomize" {
			if err := directory(f[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// prune finds what says the same as kubectl's flags of --prune.
func (l *line) prune() error {
	c := l.command
	switch {
	case c.HasFiles() && c.Has("prune"):
	case c.Has("applyset"):
		return fmt.Errorf("--applyset requires --prune")
	default:
		l.flags = append(l.flags, [2]string{"prune", "false"})
		return nil
	}
	if c.Has("all") {
		l.flags = append(l.flags, [2]string{"prune", "all"})
	}
	for _, kind := range c.Values("prune-allowlist") {
		l.flags = append(l.flags, [2]string{"prune", kind})
	}
	for _, set := range c.Values("applyset") {
		l.flags = append(l.flags, [2]string{"prune", "applyset=" + set})
	}
	l.flags = append(l.flags, [2]string{"prune", "true"})
	return nil
}

// directory refuses what a program would fetch.
func directory(path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is not a directory here", path)
	}
	return nil
}

// helmLine is a command of Helm: an upgrade from a chart on this machine, or a rollback.
func helmLine(words []string) (l line, err error) {
	if len(words) == 0 {
		return l, fmt.Errorf("helm has no command")
	}
	verb := words[0]
	c, err := imperative.ParseAs(helmFlags, words[1:])
	switch {
	case slices.Contains(helmReads, verb) && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") }):
		return line{nothing: "helm " + verb}, nil
	case err != nil:
		return l, fmt.Errorf("helm %s: %w", verb, err)
	case verb == "upgrade" && len(c.Args) == 2:
		if ChartOf(c.Args[1]) == "" {
			return l, fmt.Errorf("%s is not a chart on this machine", c.Args[1])
		}
		l.flags = append(l.flags, [2]string{"chart", c.Args[1]})
	case verb == "rollback" && (len(c.Args) == 1 || len(c.Args) == 2):
		to := "0"
		if len(c.Args) == 2 {
			to = c.Args[1]
		}
		if _, err := strconv.ParseUint(to, 10, 31); err != nil {
			return l, fmt.Errorf("%s is not a revision", to)
		}
		l.flags = append(l.flags, [2]string{"rollback", to})
	default:
		return l, fmt.Errorf("helm %s is not a command that is understood", strings.Join(words, " "))
	}
	l.flags = append(l.flags, [2]string{"applier", ApplierHelm}, [2]string{"release", c.Args[0]})
	for _, name := range []string{"namespace", "values", "set", "force-conflicts", "take-ownership"} {
		for _, value := range c.Values(name) {
			l.flags = append(l.flags, [2]string{name, value})
		}
	}
	return l, nil
}
