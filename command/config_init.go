package command

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
	"threeway/rules"
)

func configInitCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a first " + settings.FileName,
		UsageText: "threeway config init [--no-schema]",
		Description: `Looks for manifests and snapshots below the working directory, and writes
` + settings.FileName + ` with what it finds. Every other setting is there as a comment. Also writes
` + schemaFile + ` for editors. Existing files are never overwritten.`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           []cli.Flag{&cli.BoolFlag{Name: "no-schema", Usage: "do not write " + schemaFile}},
		Action:          func(c *cli.Context) error { return runConfigInit(c.Args().Slice(), !c.Bool("no-schema"), p.std) },
	}
}

func runConfigInit(args []string, schema bool, std streams) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q; init writes to the working directory", args[0])
	}
	if file := settings.Find("."); file != "" {
		return fmt.Errorf("%s already exists and is used here; 'threeway config verify' checks it", system.Relative(file))
	}
	found, err := survey(".")
	if err != nil {
		return fmt.Errorf("look for manifests: %v", err)
	}
	if schema {
		if err := writeNew(schemaFile, settings.Schema(rules.All())); err != nil {
			return err
		}
	}
	if err := writeNew(settings.FileName, []byte(firstConfig(found, schema))); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "wrote %s; files with manifests: %d, files with live objects: %d\n", settings.FileName, len(found.manifests), len(found.snapshots))
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

// surveyed is what a survey finds: files, with slashes.
type surveyed struct {
	manifests, snapshots []string
	// rendered are directories that a program makes manifests of.
	rendered []string
}

// places names files by the directories that have them and none of the others,
// one for each directory of the top.
func places(files, others []string) []string {
	common := map[string]string{} // by the first part of the path
	for _, file := range files {
		first, _, _ := strings.Cut(file, "/")
		dir := path.Dir(file) + "/"
		for before, ok := common[first]; ok && !strings.HasPrefix(dir, before); {
			before = path.Dir(strings.TrimSuffix(before, "/")) + "/"
			common[first] = before
		}
		if _, ok := common[first]; !ok {
			common[first] = dir
		}
	}
	var list []string
	for _, file := range files {
		first, _, _ := strings.Cut(file, "/")
		place := common[first]
		if place == "./" || slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, place) }) {
			place = file
		}
		if !slices.Contains(list, place) {
			list = append(list, place)
		}
	}
	return list
}

// survey looks at the files below a directory, without hidden directories, those of
// dependencies and test data.
func survey(root string) (*surveyed, error) {
	found := &surveyed{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "vendor", "testdata"}, name)):
			return fs.SkipDir
		case name == "Chart.yaml", slices.Contains(kustomizationFiles, name):
			found.rendered = append(found.rendered, path.Dir(filepath.ToSlash(file)))
		case d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)):
			found.file(filepath.ToSlash(file))
		}
		return nil
	})
	return found, err
}

// file sorts a file: live objects have uids.
func (s *surveyed) file(name string) {
	entries := manifest.ReadSnapshot(manifest.Options{Paths: []string{name}}).Entries
	switch {
	case len(entries) == 0:
	case entries[0].UID != "":
		s.snapshots = append(s.snapshots, name)
	default:
		s.manifests = append(s.manifests, name)
	}
}

// firstConfig is the text of a first config file.
func firstConfig(found *surveyed, schema bool) string {
	var b strings.Builder
	if schema {
		b.WriteString("# yaml-language-server: $schema=" + schemaFile + "\n")
	}
	b.WriteString(`# Settings of threeway. 'threeway config verify' checks them.
version: 1

# All manifests: files, and directories with everything below them. Paths passed to lint
# only choose what is reported, so pre-commit can pass the names of changed files.
`)
	for _, dir := range found.rendered {
		fmt.Fprintf(&b, "# %s is for helm or kustomize: render it and list the result here.\n", visible.Line(dir))
	}
	list(&b, "manifests", places(found.manifests, found.snapshots), "deploy/")
	b.WriteString("\n# Snapshots of the live objects. 'threeway snapshot' prints the commands that\n# export them.\n")
	list(&b, "live", places(found.snapshots, found.manifests), "snapshots/prod.yaml")
	writeFacts(&b, factsOf(found.snapshots))
	b.WriteString(`#   prune: {root: deploy/, selector: app=shop}

# The severity of a rule: error, warning, info or off. 'threeway rules' lists the
# rules.
# rules:
#   implicit-rollout-strategy: off

# Findings to ignore, each with a reason.
# ignore:
# - {kind: Deployment, path: spec.replicas, reason: an autoscaler sets them}

# Rules of your own: what must be true of an object after the apply, in CEL. Files
# and directories with rules can be listed here, too.
# own-rules:
# - {id: at-most-ten, title: no more than ten replicas, kinds: [Deployment], expression: object.spec.replicas <= 10}

# Fields of custom kinds that name other objects, so that lint can check that they exist.
# references:
# - {kind: Bucket.example.com, field: spec.credentials.secretName, to: Secret}

# What to mask besides the values of Secrets: environment variables by name
# (known: the usual names), and fields of a kind.
# secrets:
#   env: [known]
#   kinds: [{kind: Credential.example.com, fields: [spec.password]}]

# The lowest severity that makes lint exit with 1: error, warning, info or never.
# fail-on: error
`)
	return b.String()
}

// list writes a list of paths, or an example of one as a comment.
func list(b *strings.Builder, key string, paths []string, example string) {
	if len(paths) == 0 {
		fmt.Fprintf(b, "# %s: [%s]\n", key, example)
		return
	}
	items := make([]any, len(paths))
	for i, p := range paths {
		items[i] = p
	}
	b.WriteString(yamltext.YAML(tree.Object{key: items}))
}
