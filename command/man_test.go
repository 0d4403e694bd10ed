package command

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"threeway/command/run"
	"threeway/command/settings"
)

const manPage = "../docs/man/threeway.1"

// TestManPage: the page says what --help says. It is written here, and not by
// the program, which would carry the writer along.
func TestManPage(t *testing.T) {
	want := man(newApp(&run.Program{}))
	if *update {
		if err := os.WriteFile(manPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(manPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale; run: go test -run TestManPage ./command -update", manPage)
	}
	for _, c := range newApp(&run.Program{}).Commands {
		if !strings.Contains(want, "\n.SS threeway "+c.Name) {
			t.Errorf("the page has no command %s", c.Name)
		}
	}
}

// man writes the page in roff with the man macros.
func man(app *cli.App) string {
	var b strings.Builder
	b.WriteString(".\\\" Written by man_test.go from the flags and texts of the commands.\n")
	b.WriteString(".TH THREEWAY 1 \"\" threeway \"User Commands\"\n")
	fmt.Fprintf(&b, ".SH NAME\nthreeway \\- %s\n", roff(app.Usage))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B threeway\n%s\n", roff(strings.TrimPrefix(app.UsageText, "threeway ")))
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, app.Description)
	common := commonFlags(app.Commands)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range app.Commands {
		manCommand(&b, "threeway", c, common)
	}
	b.WriteString(".SH COMMON FLAGS\nA command that has one of these lists its name.\n")
	for _, name := range slices.Sorted(maps.Keys(common)) {
		manFlag(&b, common[name].(cli.DocGenerationFlag), common[name].Names())
	}
	b.WriteString(".SH EXIT STATUS\n")
	for code, meaning := range []string{
		"nothing to report",
		"differences (diff), rejected objects (merge), findings (lint, review); 0 with \\-\\-no\\-fail or \\-\\-fail\\-on never",
		"bad usage, input that cannot be read, or, of diff, objects that would be rejected",
		"internal error",
	} {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", code, meaning)
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, e := range environment {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(e[0]), roff(e[1]))
	}
	fmt.Fprintf(&b, ".SH FILES\n.TP\n.I %s\nsettings, looked up from the working directory to the top of the repository\n", roff(settings.FileName))
	b.WriteString(".SH SEE ALSO\n.BR kubectl (1)\n")
	return b.String()
}

// manCommand writes a command and those below it.
func manCommand(b *strings.Builder, parent string, c *cli.Command, common map[string]cli.Flag) {
	name := parent + " " + c.Name
	fmt.Fprintf(b, ".SS %s\n%s\n", roff(name), roff(c.Usage))
	if c.UsageText != "" {
		b.WriteString(".PP\n.EX\n")
		for usage := range strings.SplitSeq(c.UsageText, " | threeway ") {
			b.WriteString(roff("threeway "+strings.TrimPrefix(usage, "threeway ")) + "\n")
		}
		b.WriteString(".EE\n")
	}
	if c.Description != "" {
		b.WriteString(".PP\n")
		manText(b, c.Description)
	}
	flags := slices.Clone(c.Flags)
	slices.SortStableFunc(flags, func(x, y cli.Flag) int { return strings.Compare(x.Names()[0], y.Names()[0]) })
	var shared []string
	for _, f := range flags {
		if same(f, common[f.Names()[0]]) {
			shared = append(shared, run.Dashes(f.Names()[0]))
			continue
		}
		manFlag(b, f.(cli.DocGenerationFlag), f.Names())
	}
	if len(shared) > 0 {
		fmt.Fprintf(b, ".PP\nCommon flags: %s\n", roff(strings.Join(shared, ", ")))
	}
	for _, sub := range c.Subcommands {
		manCommand(b, name, sub, common)
	}
}

// commonFlags are those that several commands have and that mean the same in them.
func commonFlags(commands []*cli.Command) map[string]cli.Flag {
	common, count := map[string]cli.Flag{}, map[string]int{}
	var look func(c *cli.Command)
	look = func(c *cli.Command) {
		for _, f := range c.Flags {
			if name := f.Names()[0]; common[name] == nil {
				common[name], count[name] = f, 1
			} else if same(f, common[name]) {
				count[name]++
			}
		}
		for _, sub := range c.Subcommands {
			look(sub)
		}
	}
	for _, c := range commands {
		look(c)
	}
	maps.DeleteFunc(common, func(name string, _ cli.Flag) bool { return count[name] < 2 })
	return common
}

// same reports whether two flags are told in the same words.
func same(f, g cli.Flag) bool {
	x, y := f.(cli.DocGenerationFlag), g
	return y != nil && x.GetUsage() == y.(cli.DocGenerationFlag).GetUsage() && x.GetDefaultText() == y.(cli.DocGenerationFlag).GetDefaultText() && len(f.Names()) == len(g.Names())
}

var placeholder = regexp.MustCompile("`([^`]+)`")

// manFlag writes a flag: its names, the short ones first, with what they take.
func manFlag(b *strings.Builder, f cli.DocGenerationFlag, names []string) {
	usage, value := f.GetUsage(), ""
	if m := placeholder.FindStringSubmatch(usage); m != nil {
		value, usage = m[1], strings.Replace(usage, m[0], m[1], 1)
	} else if f.TakesValue() {
		value = "VALUE"
	}
	slices.SortFunc(names, func(x, y string) int { return len(x) - len(y) })
	b.WriteString(".TP\n")
	for i, name := range names {
		names[i] = "\\fB" + roff(run.Dashes(name)) + "\\fR"
	}
	b.WriteString(strings.Join(names, ", "))
	if value != "" {
		between := " "
		if strings.HasPrefix(value, "[=") {
			between = ""
		}
		b.WriteString(between + "\\fI" + roff(value) + "\\fR")
	}
	b.WriteString("\n" + roff(usage))
	if standard := f.GetDefaultText(); f.TakesValue() && strings.Trim(standard, `"`) != "" {
		b.WriteString(" (default: " + roff(strings.Trim(standard, `"`)) + ")")
	}
	b.WriteString("\n")
}

// manText writes paragraphs; indented lines stay as they are.
func manText(b *strings.Builder, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		verbatim := false
		for line := range strings.SplitSeq(paragraph, "\n") {
			if indented := strings.HasPrefix(line, "  "); indented != verbatim {
				verbatim = indented
				b.WriteString(map[bool]string{true: ".EX\n", false: ".EE\n"}[verbatim])
			}
			b.WriteString(roff(line) + "\n")
		}
		if verbatim {
			b.WriteString(".EE\n")
		}
	}
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// roff escapes a line of text.
func roff(line string) string {
	line = roffEscapes.Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}
