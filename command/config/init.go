package config

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/text/visible"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
	"threeway/rules"
)

func configInitCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a first " + settings.FileName,
		UsageText: "threeway config init [--no-schema]",
		Description: `Looks for manifests and snapshots below the working directory, and writes
` + settings.FileName + ` with what it finds. Every other setting is there as a comment. Also writes
` + request.SchemaFile + ` for editors. Existing files are never overwritten.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "no-schema", Usage: "do not write " + request.SchemaFile}},
		Action: func(c *cli.Context) error {
			return runConfigInit(c.Context, c.Args().Slice(), !c.Bool("no-schema"), p.Std)
		},
	}
}

func runConfigInit(ctx context.Context, args []string, schema bool, std system.Streams) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q; init writes to the working directory", args[0])
	}
	if file := settings.Find("."); file != "" {
		return fmt.Errorf("%s already exists and is used here; 'threeway config verify' checks it", system.Relative(file))
	}
	found, err := request.Survey(ctx, nil, nil, ".")
	if err != nil {
		return fmt.Errorf("look for manifests: %v", err)
	}
	if len(found.Unread) > 0 {
		return fmt.Errorf("look for manifests: %s: permission denied", found.Unread[0])
	}
	if schema {
		if err := writeNew(request.SchemaFile, settings.Schema(rules.All())); err != nil {
			return err
		}
	}
	if err := writeNew(settings.FileName, []byte(firstConfig(found, schema))); err != nil {
		return err
	}
	fmt.Fprintf(std.Err, "wrote %s; files with manifests: %d, overlays: %d, files with live objects: %d\n", settings.FileName, len(found.Manifests), len(found.Overlays), len(found.Snapshots))
	return nil
}

// writeNew writes a file that must not be there yet.
func writeNew(file string, data []byte) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s already exists; remove it first", file)
	}
	if err := system.WriteFile(file, data); err != nil {
		return fmt.Errorf("%v", err)
	}
	return nil
}

// firstConfig is the text of a first config file.
func firstConfig(found *survey.Survey, schema bool) string {
	var b strings.Builder
	if schema {
		b.WriteString("# yaml-language-server: $schema=" + request.SchemaFile + "\n")
	}
	b.WriteString(`# Settings of threeway. 'threeway config verify' checks them.
version: 1

# All manifests: files, and directories with everything below them. Paths passed to lint
# only choose what is reported, so pre-commit can pass the names of changed files.
`)
	for _, dir := range found.Charts {
		fmt.Fprintf(&b, "# %s is for helm: render it and list the result here.\n", visible.Line(dir))
	}
	places := found.Places()
	if environments := found.Divide(); len(environments) > 0 {
		places = nil
		b.WriteString("# Each environment is a set of its own: the same objects are in several places.\n")
		named(&b, "manifests", environments)
		for _, e := range environments {
			places = append(places, e.Paths...)
		}
	} else {
		list(&b, "manifests", places, "deploy/")
	}
	b.WriteString("\n# What is no manifest, in the syntax of .gitignore.\n")
	list(&b, "exclude", found.Passed(places), "deploy/crds/, '*.gen.yaml'")
	b.WriteString("\n# Kustomize overlays that are applied, each separately: directories and patterns.\n")
	list(&b, "kustomize", request.Patterns(found.Overlays), "overlays/*")
	b.WriteString("\n# Snapshots of the live objects. 'threeway snapshot' prints the commands that\n# export them.\n")
	if clusters := found.DivideExports(); len(clusters) > 0 {
		named(&b, "live", clusters)
	} else {
		list(&b, "live", found.Exports(), "snapshots/prod.yaml")
	}
	b.WriteString("\n# Definitions of custom kinds that the snapshots lack, or their schemas of a catalog.\n")
	list(&b, "crds", found.Schemas(), "crds/")
	writeFacts(&b, factsOf(found.Snapshots))
	b.WriteString(`#   prune: {root: deploy/, selector: app=shop}

# The severity of a rule: error, warning, info or off. 'threeway rules' lists the
# rules.
# rules:
#   implicit-rollout-strategy: off

# Findings to ignore, each with a reason.
# ignore:
# - {kind: Deployment, path: spec.replicas, reason: an autoscaler sets them}

# Rules of your own: files and directories with ValidatingAdmissionPolicies.
# policies: [policies/]

# The program of another policy engine, which review and lint run with --trust.
# policy-command: {run: [conftest, test, -o, json, '{}']}

# Fields of custom kinds that name other objects, so that lint can check that they exist.
# references:
# - {kind: Bucket.example.com, field: spec.credentials.secretName, to: Secret}

# What to mask besides the values of Secrets: environment variables by name
# (known: the usual names), and fields of a kind.
# secrets:
#   env: [known]
#   kinds: [{kind: Credential.example.com, fields: [spec.password]}]

# What threeway guard answers; the first entry that fits counts.
# guard:
# - {answer: allow, code: [loses-pods], namespace: [dev-*]}

# The lowest severity that lint and review list: error, warning or info.
# level: warning

# The lowest severity that makes lint exit with 1: error, warning, info or never.
# fail-on: error
# rule-pages: https://docs.example.com/threeway/
`)
	return b.String()
}

// named writes the paths of each environment by its name.
func named(b *strings.Builder, key string, environments []survey.Environment) {
	b.WriteString(key + ":\n")
	for _, e := range environments {
		name, _, _ := strings.Cut(yamltext.YAML(tree.Object{e.Name: ""}), ": ")
		list(b, "  "+name, e.Paths, "")
	}
}

// list writes a list of paths, or an example of one as a comment.
func list(b *strings.Builder, key string, paths []string, example string) {
	if len(paths) == 0 {
		fmt.Fprintf(b, "# %s: [%s]\n", key, example)
		return
	}
	b.WriteString(key + ":\n")
	indent := key[:len(key)-len(strings.TrimLeft(key, " "))]
	for _, p := range paths {
		b.WriteString(indent)
		// A line break of Unicode, such as U+0085, would be read as a blank.
		if strings.ContainsFunc(p, func(c rune) bool { return !unicode.IsPrint(c) }) {
			fmt.Fprintf(b, "- %s\n", strconv.QuoteToASCII(p))
			continue
		}
		_, item, _ := strings.Cut(yamltext.YAML(tree.Object{"": []any{p}}), "\n")
		b.WriteString(item)
	}
}
