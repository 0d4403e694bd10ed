package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
)

// Formats are what the commands print with -o, the default first. A command whose -o
// names a file or directory is not among them.
var Formats = map[string][]string{
	"diff":              {"unified", "fields", "json", "yaml", "kyaml", "name"},
	"merge":             {"yaml", "kyaml", "json", "patch", "name"},
	"lint":              append(slices.Clip(findings), "baseline"),
	"upgrade":           append(slices.Clip(findings), "baseline"),
	"review":            append(slices.Clip(findings), "html", "guard"),
	"drift":             {"text", "wide", "json"},
	"owners":            {"text", "json"},
	"handover":          {"text", "json"},
	"snapshot":          {"commands", "script", "rbac"},
	"snapshot commands": {"commands", "script", "rbac"},
	"rules":             {"text", "json"},
	"rules test":        {"text", "json", "junit"},
	"version":           {"text", "json"},
}

var findings = []string{"text", "json", "sarif", "junit", "github", "gitlab", "markdown"}

// OutputFlag is -o of a command that prints in one format.
func OutputFlag(command, category string) *cli.StringFlag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "`FORMAT`: " + strings.Join(Formats[command], ", "), Value: Formats[command][0]}
}

// OutputsFlag is -o of a command that writes reports to files, too.
func OutputsFlag(command, category string) *cli.StringSliceFlag {
	return &cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "`FORMAT[=FILE]`: " + strings.Join(Formats[command], ", ") + "; repeatable", DefaultText: Formats[command][0]}
}

// Output is one value of -o: a format, and the file for it, "" for stdout.
type Output struct{ Format, File string }

// Structured reports whether it is for programs and has all that is known.
func (o Output) Structured() bool {
	return o.Format == "json" || o.Format == "yaml" || o.Format == "kyaml"
}

// values are those of -o, none if it was not given; alone says that it takes one.
func values(c *cli.Context) (list []string, alone bool) {
	if one, ok := c.Value("output").(string); ok {
		return slices.DeleteFunc([]string{one}, func(v string) bool { return v == "" }), true
	}
	return c.StringSlice("output"), false
}

// Outputs reads -o of a command that has formats.
func Outputs(c *cli.Context) (list []Output, err error) {
	known := Formats[fullName(c)]
	given, alone := values(c)
	if len(given) == 0 || known == nil {
		return []Output{{Format: strings.Join(known[:min(1, len(known))], "")}}, nil
	}
	stdout := 0
	for _, v := range given {
		format, file, toFile := strings.Cut(v, "=")
		if alone {
			format, file, toFile = v, "", false
		}
		if !slices.Contains(known, format) {
			return nil, settings.Unknown("output format", format, known)
		}
		if toFile && file == "" {
			return nil, fmt.Errorf("-o %s: the file name is missing", v)
		}
		if !toFile {
			stdout++
		}
		list = append(list, Output{format, file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("only one format can go to stdout; write the others to files with -o %s=FILE", list[0].Format)
	}
	return list, nil
}
