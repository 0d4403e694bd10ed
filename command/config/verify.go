package config

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/rules"
)

func configVerifyCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check " + settings.FileName + " and print the settings in effect",
		UsageText: "threeway config verify [FILE]",
		Description: `Checks the settings, and that every file they name exists and can be read.
Without FILE it checks the file that the other commands would use.

Exit code: 0 valid, 2 invalid.`,
		Action: func(c *cli.Context) error { return runConfigVerify(c.Args().Slice(), p.Std) },
	}
}

func runConfigVerify(args []string, std system.Streams) error {
	file := settings.Find(".")
	switch {
	case len(args) > 1:
		return fmt.Errorf("unexpected argument %q; verify takes one FILE", args[1])
	case len(args) == 1:
		file = args[0]
	case file == "":
		return fmt.Errorf("no %s here or in a directory above, up to the top of the repository; 'threeway config init' writes one", settings.FileName)
	}
	cfg, err := settings.Read(system.Relative(file), request.RuleIDs(rules.All()))
	if err != nil {
		return fmt.Errorf("%v", err)
	}
	v := &verifier{cfg: cfg}
	v.all()
	if v.err != nil {
		return v.err
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	for _, row := range v.rows {
		fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	schema, err := disk.ReadFile(filepath.Join(filepath.Dir(cfg.File), request.SchemaFile))
	if err == nil && !bytes.Equal(schema, settings.Schema(rules.All())) {
		fmt.Fprintf(std.Err, "note: %s was written by another version of threeway; update it: threeway config schema > %s\n", request.SchemaFile, request.SchemaFile)
	}
	return nil
}

// verifier collects what is in effect, and the first thing that is wrong.
type verifier struct {
	cfg      *settings.Config
	set      manifest.Set
	snapshot *manifest.Snapshot
	minor    int
	rows     [][2]string
	err      error
}

func (v *verifier) row(name, format string, args ...any) {
	v.rows = append(v.rows, [2]string{name, fmt.Sprintf(format, args...)})
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("%s: %s", v.cfg.File, fmt.Sprintf(format, args...))
	}
}

func (v *verifier) all() {
	cfg := v.cfg
	v.row("file", "%s", cfg.File)
	v.manifests()
	if patterns := cfg.Exclude(); patterns != nil {
		v.row("exclude", "%s (files: %d)", strings.Join(patterns, ", "), excludedBy(cfg))
	}
	v.live()
	v.version()
	mode := "client-side"
	if cfg.ServerSide {
		mode = "server-side"
	}
	v.row("apply.mode", "%s", mode)
	if cfg.As != "" {
		v.row("apply.as", "%s", strings.Join(append([]string{cfg.As}, cfg.AsGroups...), " "))
	}
	if cfg.Namespace != "" {
		v.row("apply.namespace", "%s", cfg.Namespace)
	}
	v.prune()
	catalogue, err := request.Catalogue(cfg)
	if err != nil && v.err == nil {
		v.err = err
	}
	for _, rule := range catalogue {
		if rule.Origin != "" {
			v.row("policies", "%s: %s (%s)", rule.ID, rule.Title, rule.Origin)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(cfg.Rules)) {
		renamed := ""
		if rule := request.Rule(catalogue, id); rule != nil && rule.ID != id {
			renamed = "; the rule is now " + rule.ID
		}
		v.row("rules."+id, "%s%s", cfg.Rules[id], renamed)
	}
	for _, i := range cfg.Ignore {
		v.row("ignore", "%s: %s", strings.Join(slices.DeleteFunc([]string{i.Rule, i.Kind, i.Namespace, i.Name, i.Path.String()}, func(s string) bool { return s == "" }), " "), i.Reason)
	}
	for _, ref := range cfg.References {
		v.row("references", "%s: %s names a %s", ref.Kind, ref.Field, ref.To)
	}
	if len(cfg.Secrets.Env) > 0 {
		v.row("secrets.env", "%s", strings.Join(cfg.Secrets.Env, ", "))
	}
	for _, k := range cfg.Secrets.Kinds {
		fields := "everything but the metadata"
		if len(k.Fields) > 0 {
			fields = ""
			for i, f := range k.Fields {
				fields += strings.Repeat(", ", min(i, 1)) + f.String()
			}
		}
		v.row("secrets.kinds", "%s: %s", k.Name, fields)
	}
	for _, c := range cfg.Guard {
		v.row("guard", "%s", c)
	}
	if cfg.Level != "" {
		v.row("level", "%s", cfg.Level)
	}
	v.row("fail-on", "%s", cmp.Or(cfg.FailOn, "error"))
	for _, f := range request.LintFlags() {
		name := "THREEWAY_" + strings.ToUpper(strings.ReplaceAll(f.Names()[0], "-", "_"))
		if value := os.Getenv(name); value != "" {
			v.row("environment", "%s=%s, overriding the file in lint", name, value)
		}
	}
}

// excludedBy counts the YAML and JSON files that settings exclude.
func excludedBy(cfg *settings.Config) (n int) {
	_ = filepath.WalkDir(filepath.Dir(cfg.File), func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.IsDir() && manifest.IsManifest(file) && cfg.Excludes(file):
			n++
		}
		return nil
	})
	return n
}

func (v *verifier) manifests() {
	for _, path := range request.FromHere(v.cfg, v.cfg.Kustomize) {
		overlays := request.Expanded([]string{path})
		if len(overlays) == 0 {
			v.fail("kustomize: %s: no directory with a %s has such a name", path, request.KustomizationFiles[0])
		}
		v.row("kustomize", "%s (overlays: %d)", path, len(overlays))
	}
	if len(v.cfg.AllManifests()) == 0 && len(v.cfg.Kustomize) > 0 {
		return
	}
	if len(v.cfg.AllManifests()) == 0 {
		v.row("manifests", "none: lint reads its paths or -f")
		return
	}
	paths := request.FromHere(v.cfg, v.cfg.AllManifests())
	var parts []string
	plain := func(string) bool { return true }
	if s, err := survey.Look(disk.Files{}, manifest.Limits{}, func(string) bool { return true }, v.cfg.Excludes, paths...); err == nil {
		parts = s.Kustomizations()
		for _, dir := range s.Overlays {
			v.row("kustomize", "%s (below manifests)", dir)
		}
		plain = func(path string) bool {
			return len(s.Overlays) == 0 || slices.ContainsFunc(s.Manifests, system.WithinAny([]string{path}))
		}
	}
	within := system.WithinAny(request.NotManifests(&request.Manifests{Files: paths, Recursive: true}, nil, v.cfg))
	isPart := system.WithinAny(parts)
	except := func(file string) bool { return within(file) || isPart(file) || v.cfg.Excludes(file) }
	for _, path := range paths {
		if !plain(path) {
			continue
		}
		set := manifest.Read(manifest.Options{Paths: []string{path}, Recursive: true, Except: except})
		others := survey.Sift(set, func(o survey.Other) bool { return o.Path == path }, func(file string) []byte {
			text, _ := disk.ReadFile(file)
			return text
		})
		if err := manifest.Err(set.Problems); err != nil {
			v.fail("manifests: %v", err)
		}
		v.row("manifests", "%s%s (objects: %d)", v.environment(path), path, len(set.Objects))
		if len(others) > 0 {
			v.row("", "%s", survey.Counted(others))
		}
		v.set.Objects = append(v.set.Objects, set.Objects...)
	}
}

// environment is the name of the one that a path is in, with a colon; "" if it is in none.
func (v *verifier) environment(path string) string {
	for _, e := range v.cfg.Environments {
		if slices.Contains(request.FromHere(v.cfg, e.Paths), path) {
			return e.Name + ": "
		}
	}
	return ""
}

func (v *verifier) live() {
	for _, c := range v.cfg.Clusters {
		live := manifest.ReadSnapshot(manifest.Options{Paths: request.FromHere(v.cfg, c.Live), Recursive: true})
		if err := manifest.Err(live.Problems); err != nil {
			v.fail("live: %s: %v", c.Name, err)
		}
		v.row("live", "%s: %s (objects: %d)", c.Name, strings.Join(request.FromHere(v.cfg, c.Live), ", "), len(live.Entries))
	}
	if len(v.cfg.AllLive()) == 0 {
		v.row("live", "none: review compares with git; without a repository, every object is treated as new")
		return
	}
	for _, path := range request.FromHere(v.cfg, v.cfg.Live) {
		live := manifest.ReadSnapshot(manifest.Options{Paths: []string{path}, Recursive: true})
		if err := manifest.Err(live.Problems); err != nil {
			v.fail("live: %v", err)
		}
		v.row("live", "%s (objects: %d)", path, len(live.Entries))
	}
	v.snapshot = manifest.ReadSnapshot(manifest.Options{Paths: request.FromHere(v.cfg, v.cfg.Live), Recursive: true})
}

// version is that of the settings, else the version that the snapshot reveals.
func (v *verifier) version() {
	asked, err := request.Minor(cmp.Or(v.cfg.KubernetesVersion, fmt.Sprintf("1.%d", rehearsal.DefaultMinor)))
	if err != nil {
		v.fail("kubernetes-version: %v", err)
		return
	}
	r := &request.Request{}
	if r.Minor = asked; v.cfg.KubernetesVersion != "" {
		r.MinorFrom = "kubernetes-version"
	}
	told := snapshot.VersionOf(v.snapshot)
	var notes []string
	if v.minor, notes, err = inputs.Simulated(&r.Inputs, told); err != nil {
		v.fail("live: %v", err)
		return
	}
	v.row("kubernetes-version", "1.%d", v.minor)
	for _, note := range notes {
		v.row("note", "%s", note)
	}
}

// rehearse has kubectl's own say about the flags of prune.
func (v *verifier) rehearse(prune *merge.PruneOptions) {
	opts := merge.Options{Options: rehearsal.Options{Minor: v.minor, Namespace: v.cfg.Namespace, Enforce: v.cfg.Namespace != "", Inputs: rehearsal.Inputs{Manifests: &v.set, Live: v.snapshot}}, Prune: prune}
	if v.cfg.ServerSide {
		opts.ServerSide = &rehearsal.ServerSide{Manager: rehearsal.DefaultManager}
	}
	if _, err := merge.New(opts); err != nil {
		v.fail("apply.prune: %v", err)
	}
}

func (v *verifier) prune() {
	p := v.cfg.Prune
	if p == nil {
		v.row("apply.prune", "none")
		return
	}
	match, err := selector.Parse(p.Selector)
	if err != nil {
		v.fail("apply.prune.selector: %v", err)
	}
	v.rehearse(&merge.PruneOptions{All: p.All, Selector: match, SelectorText: p.Selector, Allowlist: p.Allowlist, ApplySet: p.ApplySet})
	if p.Root != "" {
		for _, root := range request.FromHere(v.cfg, []string{p.Root}) {
			if _, err := os.Stat(root); err != nil {
				v.fail("apply.prune.root: %v", err)
			}
			v.row("apply.prune.root", "%s", root)
		}
	}
	for _, x := range [][2]string{{"selector", p.Selector}, {"applyset", p.ApplySet}, {"allowlist", strings.Join(p.Allowlist, ", ")}} {
		if x[1] != "" {
			v.row("apply.prune."+x[0], "%s", x[1])
		}
	}
	if p.All {
		v.row("apply.prune.all", "true")
	}
}
