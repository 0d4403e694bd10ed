package command

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/merge/text/phrase"
)

// helpWidth is how wide a help is, mostExamples and mostFlags how much of a command is in
// the short one.
const helpWidth, mostExamples, mostFlags = 80, 3, 10

// shortIndent and fullIndent are where the texts of flags begin.
const shortIndent, fullIndent = 30, 24

// daily are the flags that are used every day, in the order of use.
var daily = []string{"filename", "kustomize", "recursive", "live", "base", "output", "to", "namespace", "selector", "fail-on", "level", "since", "max-age", "prune", "rule", "per-app", "env", "key-file"}

// groups are the commands by what they are for.
var groups = []struct {
	title    string
	commands []string
}{
	{"Everyday", []string{"review", "diff", "lint", "drift", "upgrade", "snapshot"}},
	{"Ownership and migration", []string{"owners", "adopt", "handover"}},
	{"Plumbing", []string{"merge", "rules", "config", "guard", "mcp", "lsp", "completion", "version"}},
}

// helped prints a help, if the arguments ask for one: that of the program, of a command, or
// all of a command.
func helped(w io.Writer, app *cli.App, args []string) bool {
	words := args[min(1, len(args)):]
	all := slices.Contains(words, "--help-all")
	asked := all || slices.Contains(words, "--help") || slices.Contains(words, "-h")
	if len(words) > 0 && words[0] == "help" {
		asked, words = true, words[1:]
	}
	if !asked {
		return false
	}
	var c *cli.Command
	name := "threeway"
	commands := app.Commands
	for _, word := range words {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(word) })
		if i >= 0 {
			c, name, commands = commands[i], name+" "+word, commands[i].Subcommands
		} else if c == nil && !strings.HasPrefix(word, "-") {
			return false // no command of that name
		}
	}
	switch {
	case c == nil:
		helpOfProgram(w, app)
	case all:
		helpInFull(w, name, c)
	default:
		helpOfCommand(w, name, c)
	}
	return true
}

func helpOfProgram(w io.Writer, app *cli.App) {
	fmt.Fprintf(w, "%s\n\n  threeway                     summarize this directory and check it\n  threeway COMMAND [flags]     threeway COMMAND --help\n", sentence(app.Usage))
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s:\n", group.title)
		for _, name := range group.commands {
			fmt.Fprint(w, beside("  "+name, app.Command(name).Usage, 14))
		}
	}
	fmt.Fprintf(w, "\n%s\n", strings.Join(examples(app.Description)[:2], "\n"))
}

func helpOfCommand(w io.Writer, name string, c *cli.Command) {
	fmt.Fprintf(w, "%s\n\n", sentence(c.Usage))
	usage(w, name, c)
	if list := examples(c.Description); len(list) > 0 {
		fmt.Fprint(w, "\nExamples:\n")
		for _, line := range list {
			fmt.Fprintln(w, "  "+line)
		}
	}
	if len(c.Subcommands) > 0 {
		fmt.Fprint(w, "\nSubcommands:\n")
		for _, sub := range c.Subcommands {
			fmt.Fprint(w, beside("  "+sub.Name, sub.Usage, 14))
		}
	}
	if len(c.Flags) == 0 {
		return
	}
	fmt.Fprint(w, "\nFlags:\n")
	flags := inOrder(c.Flags)
	shown := 0
	for _, f := range flags {
		if shown == mostFlags || shown > 0 && groupOf(f) != groupDaily && slices.ContainsFunc(flags, func(f cli.Flag) bool { return groupOf(f) == groupDaily }) {
			break
		}
		shown++
		text, _, _ := strings.Cut(flagUsage(f), "; ")
		text, _, _ = strings.Cut(text, ": ")
		text, _, _ = strings.Cut(text, ", or ")
		if values := regexp.MustCompile("`FORMAT[^`]*`: (.*)").FindStringSubmatch(f.(cli.DocGenerationFlag).GetUsage()); values != nil {
			text, _, _ = strings.Cut(values[1], "; ")
		}
		if before, within, opened := strings.Cut(text, " ("); opened && !strings.Contains(within, ")") {
			text = before
		}
		fmt.Fprint(w, beside(flagName(f), text, shortIndent))
	}
	if n := len(flags) - shown; n > 0 {
		fmt.Fprintf(w, "\n%s --help-all has %s and the exit codes.\n", name, phrase.Count(n, "more flag"))
	} else {
		fmt.Fprintf(w, "\n%s --help-all says more.\n", name)
	}
}

func helpInFull(w io.Writer, name string, c *cli.Command) {
	fmt.Fprintf(w, "%s\n\n", sentence(c.Usage))
	usage(w, name, c)
	for paragraph := range strings.SplitSeq(c.Description, "\n\n") {
		if !strings.Contains("\n"+paragraph, "\n ") {
			paragraph = strings.TrimSuffix(beside("", paragraph, 0), "\n")
		}
		paragraph = longCommand.ReplaceAllStringFunc(paragraph, func(line string) string {
			if at := strings.LastIndex(line[:helpWidth-1], " -"); at > 0 {
				return line[:at] + " \\\n     " + line[at:]
			}
			return line
		})
		fmt.Fprintf(w, "\n%s\n", paragraph)
	}
	var last string
	for _, f := range byGroup(inOrder(c.Flags)) {
		if title := groupOf(f); title != last {
			fmt.Fprintf(w, "\n%s:\n", title)
			last = title
		}
		text := flagUsage(f)
		if standard := strings.Trim(f.(cli.DocGenerationFlag).GetDefaultText(), `"`); f.(cli.DocGenerationFlag).TakesValue() && standard != "" {
			text += " (default: " + standard + ")"
		}
		fmt.Fprint(w, beside(flagName(f), text, fullIndent))
	}
	if slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return f.Names()[0] == "crd" }) {
		fmt.Fprint(w, "\nEnvironment:\n")
		for _, row := range environment {
			fmt.Fprint(w, beside("  "+row[0], row[1], fullIndent))
		}
	}
}

// longCommand is a command line that is longer than a help is wide.
var longCommand = regexp.MustCompile(fmt.Sprintf(`(?m)^  threeway .{%d,}$`, helpWidth-10))

// environment is what counts of it besides the flags.
var environment = [][2]string{
	{request.KeyVariable, "the key that redacts the values of the snapshot; or " + request.KeyFileVariable + ", the name of its file"},
	{"THREEWAY_FLAG", "the value of a flag that is not typed, such as THREEWAY_FAIL_ON; for lint, review, upgrade, guard and lsp, and not for -k and --fix"},
	{request.MaxInputVariable, fmt.Sprintf("how many MiB of one file or of stdin may be held in memory (default: %d)", request.MaxInput)},
	{request.MaxTimeVariable, "how many seconds a run may take, but not lsp and mcp, which serve until they are stopped (default: no limit)"},
	{"GOMAXPROCS", "how many cores are used"},
	{"PAGER", "the program that shows what is longer than a terminal; less if it is not set, none if it is empty or cat, or with --no-pager"},
	{"KUBECTL_EXTERNAL_DIFF", "the program that diff runs for its unified format, as kubectl does"},
	{"NO_COLOR, FORCE_COLOR", "turn colors off, or on without a terminal, if --color is not given"},
}

func usage(w io.Writer, name string, c *cli.Command) {
	forms := strings.Split(cmp.Or(c.UsageText, name+" [flags]"), " | threeway ")
	if len(c.Subcommands) > 0 {
		forms = append(forms[:1], name+" SUBCOMMAND [flags]")
	}
	for _, form := range forms {
		fmt.Fprintln(w, "  threeway "+strings.TrimPrefix(form, "threeway "))
	}
}

// examples are the first of a description.
func examples(description string) (list []string) {
	_, text, _ := strings.Cut(description, "Examples:\n")
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case !strings.HasPrefix(line, "#"):
			n++
		}
		if n > mostExamples || n == mostExamples && strings.HasPrefix(line, "#") {
			break
		}
		list = append(list, line)
	}
	return list
}

// The groups of flags in a full help, in their order.
const (
	groupDaily    = "Flags"
	groupMore     = "More flags"
	groupKubectl  = "Flags of kubectl apply"
	groupAppliers = "Flags for Helm, Argo CD and Flux"
)

func groupOf(f cli.Flag) string {
	switch {
	case slices.Contains(daily, f.Names()[0]):
		return groupDaily
	case request.Program(f) == 1:
		return groupKubectl
	case request.Program(f) > 1:
		return groupAppliers
	}
	return groupMore
}

func byGroup(flags []cli.Flag) []cli.Flag {
	order := []string{groupDaily, groupMore, groupKubectl, groupAppliers}
	slices.SortStableFunc(flags, func(a, b cli.Flag) int {
		return cmp.Or(cmp.Compare(slices.Index(order, groupOf(a)), slices.Index(order, groupOf(b))), cmp.Compare(request.Program(a), request.Program(b)))
	})
	return flags
}

// inOrder are the flags in the order of use.
func inOrder(flags []cli.Flag) []cli.Flag {
	place := func(f cli.Flag) int {
		if i := slices.Index(daily, f.Names()[0]); i >= 0 {
			return i
		}
		return len(daily)
	}
	list := slices.Clone(flags)
	slices.SortStableFunc(list, func(a, b cli.Flag) int {
		if n := cmp.Compare(place(a), place(b)); n != 0 || place(a) < len(daily) {
			return n
		}
		return strings.Compare(a.Names()[0], b.Names()[0])
	})
	return slices.DeleteFunc(list, func(f cli.Flag) bool { return f.Names()[0] == "help" })
}

var valueOf = regexp.MustCompile("`([^`]*)`")

// flagName is a flag with what it takes: -f, --filename FILE.
func flagName(f cli.Flag) string {
	names := slices.Clone(f.Names())
	slices.SortFunc(names, func(a, b string) int { return len(a) - len(b) })
	for i, name := range names {
		names[i] = run.Dashes(name)
	}
	text := strings.Join(names, ", ")
	if len(names) == 1 {
		text = "    " + text
	}
	if value := valueOf.FindStringSubmatch(f.(cli.DocGenerationFlag).GetUsage()); value != nil {
		if !strings.HasPrefix(value[1], "[=") {
			text += " "
		}
		text += value[1]
	}
	return "  " + text
}

func flagUsage(f cli.Flag) string {
	return strings.ReplaceAll(f.(cli.DocGenerationFlag).GetUsage(), "`", "")
}

// beside is a term and what it means beside it, within the width.
func beside(term, text string, indent int) string {
	var b strings.Builder
	b.WriteString(term)
	column := len(term)
	if term != "" && column > indent-2 {
		b.WriteByte('\n')
		column = 0
	}
	b.WriteString(strings.Repeat(" ", indent-column))
	column = indent
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && column+1+len(word) > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		case i > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String() + "\n"
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }
