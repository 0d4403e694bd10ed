package request

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/rules"
)

func trustFlag() cli.Flag {
	return &cli.StringFlag{Name: "trust", Category: CategoryOwn, Usage: "review an untrusted change: settings, snapshots, baseline, policies and suppressions are read from `git:REVISION`, where it branched off; nothing outside of the repository is read, and without a snapshot the manifests are compared with it"}
}

// trustOf reads the repository at the revision of --trust; nil without the flag. The
// guard has it where the branch begins, if there is a commit.
func trustOf(c *cli.Context) (*system.Trusted, error) {
	name := c.String("trust")
	if name == "" && c.Command.Name == "guard" {
		if base := system.Base(c.Context); base != "" {
			name = GitBase + base
		}
	}
	if name == "" {
		return nil, nil
	}
	revision, inGit := strings.CutPrefix(name, GitBase)
	if !inGit {
		return nil, fmt.Errorf("--trust %s: write the revision as %sNAME", name, GitBase)
	}
	limits, err := Limits()
	if err != nil {
		return nil, err
	}
	t, err := system.Trust(c.Context, limits, name, revision)
	if err != nil {
		return nil, fmt.Errorf("--trust %s: %v", name, err)
	}
	t.Assumed = c.String("trust") == ""
	return t, nil
}

// trustedSettings are those that the revision has. Where it has none, they are what
// config init would write, with the snapshots that the revision has.
func trustedSettings(c *cli.Context, t *system.Trusted, directory string) (*settings.Config, error) {
	name := c.String("config")
	switch {
	case name == "" && c.IsSet("config"):
		return &settings.Config{}, nil
	case name == "":
		name = t.Find(directory, settings.FileName)
	}
	if name != "" && t.Has(name) {
		return ReadSettings(t, system.Relative(name))
	}
	isFile := func(p string) bool { return !(disk.Files{}).IsDir(filepath.ToSlash(p)) }
	if c.IsSet("filename") || c.IsSet("kustomize") || slices.ContainsFunc(c.Args().Slice(), isFile) { // a directory chooses of what is found
		return &settings.Config{}, nil
	}
	limits, err := Limits()
	if err != nil {
		return nil, err
	}
	found, err := survey.Look(disk.Files{}, limits, t.Knows, nil, directory)
	if err != nil {
		return nil, fmt.Errorf("look for manifests: %v", err)
	}
	live := func(file string) bool {
		files, ok, err := t.Files(file)
		return err == nil && ok && exportedFrom(files)
	}
	for _, file := range found.Snapshots {
		switch {
		case live(file):
		case t.Ignored(c.Context, file):
			t.Note(file + ", which git ignores, is not read; to compare with it, pass it with --live")
		default:
			found.Manifests = append(found.Manifests, file)
		}
	}
	found.Snapshots = slices.DeleteFunc(found.Snapshots, func(file string) bool { return !live(file) })
	before, err := besides(c.Context, found, t, directory)
	if err != nil {
		return nil, fmt.Errorf("--trust %s: %v", t.Name, err)
	}
	for _, o := range slices.Concat(found.Others, before.Others) {
		t.NotJudged = append(t.NotJudged, system.NotJudged(o))
	}
	t.Leaves = found.Leaves()
	cfg := &settings.Config{Kustomize: found.Overlays}
	for _, c := range found.DivideExports() {
		cfg.Clusters = append(cfg.Clusters, settings.Cluster{Name: c.Name, Live: c.Paths})
	}
	if cfg.Clusters == nil {
		cfg.Live = found.Exports()
	}
	if made := found.Made(before); made != "" {
		t.Note(made)
	}
	for _, e := range found.Divide(before) {
		cfg.Environments = append(cfg.Environments, settings.Environment(e))
	}
	if cfg.Environments == nil {
		cfg.Manifests = found.Places()
	}
	return cfg, nil
}

// besides adds what the revision of --trust has besides: manifests where it has some,
// although the change removes them or makes them parts of a chart or of a kustomization,
// and overlays. It returns the survey of the revision.
func besides(ctx context.Context, s *survey.Survey, t *system.Trusted, root string) (before *survey.Survey, err error) {
	texts, err := t.Texts(root, func(below string) bool {
		parts := strings.Split(below, "/")
		return !slices.ContainsFunc(parts, survey.Passed) && (manifest.IsManifest(below) || slices.Contains(KustomizationFiles, parts[len(parts)-1]))
	})
	if err != nil {
		return nil, err
	}
	before = survey.Of(texts, texts.Paths(), manifest.Limits{}, s)
	s.CountUnnamed(before.Kustomized) // the change may have brought the kustomization
	dirs := map[string]bool{}
	for _, file := range before.Manifests {
		dirs[path.Dir(file)] = true
		if !slices.Contains(s.Manifests, file) {
			s.Manifests = append(s.Manifests, file)
		}
	}
	for _, dir := range s.Kustomized {
		if dirs[dir] && !slices.Contains(before.Kustomized, dir) {
			t.Kustomized = append(t.Kustomized, dir)
		}
	}
	changed, err := t.Changed(ctx, func(file string) bool { return manifest.IsManifest(file) || path.Ext(file) == ".tpl" })
	if err != nil {
		return nil, err
	}
	for _, file := range changed {
		file = filepath.ToSlash(file)
		if slices.Contains(s.Others, survey.Other{Path: file, What: survey.Unnamed}) {
			t.Unnamed = append(t.Unnamed, file)
			continue
		}
		other := others(before, dirs, file)
		for _, chart := range slices.Concat(before.Charts, s.Charts) {
			if other && survey.Under(chart, file) && !slices.Contains(t.NotRendered, chart) {
				t.NotRendered = append(t.NotRendered, chart)
			}
		}
		if slices.Contains(s.Manifests, file) || slices.Contains(before.Snapshots, file) || other || !applies(file) {
			continue
		}
		if s.Manifests = append(s.Manifests, file); s.HasObjects(file) {
			t.Note(file + " counts as a manifest, as what " + t.Name + " has in its directory does, although the change makes it a part of a chart or of a kustomization")
		}
	}
	for _, dir := range before.Overlays {
		if !slices.Contains(s.Overlays, dir) {
			s.Overlays = append(s.Overlays, dir)
		}
	}
	slices.Sort(s.Manifests)
	slices.Sort(s.Overlays)
	return before, nil
}

// exportedFrom reports whether files hold live objects.
func exportedFrom(files []manifest.File) bool {
	objects := manifest.ReadFiles(files, manifest.Limits{}).Objects
	return len(objects) > 0 && objects[0].IsLive()
}

// ReadSettings reads settings with the rules that they name: at the revision of t, or
// from the disk if t is nil or neither the revision nor the change has them.
func ReadSettings(t *system.Trusted, file string) (*settings.Config, error) {
	if t == nil {
		return settings.Read(file, RuleIDs(rules.All()))
	}
	files, ok, err := t.Files(file)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return settings.Read(file, RuleIDs(rules.All()))
	case len(files) != 1:
		return nil, fmt.Errorf("%s has no file %s", t.Name, file)
	}
	return settings.ParseFrom(textsAt(t), file, files[0].Data, RuleIDs(rules.All()))
}

// textsAt are the texts of the files that the revision of --trust has; nil without it.
func textsAt(t *system.Trusted) settings.Texts {
	if t == nil {
		return nil
	}
	return func(path string) (map[string][]byte, bool, error) {
		files, ok, err := t.Files(path)
		t.Has(path) // notes what has changed
		texts := map[string][]byte{}
		for _, f := range files {
			if below := filepath.Dir(f.Name); below == filepath.Clean(path) || filepath.Clean(f.Name) == filepath.Clean(path) {
				texts[f.Name] = f.Data
			}
		}
		return texts, ok, err
	}
}

// judgedBy drops what the change itself brings to be judged by, and refuses what is
// outside of the repository.
func (r *Request) judgedBy(t *system.Trusted) error {
	if t == nil {
		return nil
	}
	r.Trusted = t
	for _, o := range t.NotJudged {
		r.NotJudged = append(r.NotJudged, survey.Other(o))
	}
	t.Seals(".sops.yaml")
	paths := slices.Concat(r.Files, r.Kustomize, r.Chosen, r.Live, r.LastApplied, r.Definitions, r.Then, r.Settings.RuleFiles, []string{r.PruneRoot, r.Baseline, r.Settings.File})
	for _, c := range r.Clusters {
		paths = append(paths, c.Live...)
	}
	switch by := r.By.(type) {
	case *Helm:
		paths = append(append(paths, by.Chart), by.Values...)
	case *HelmRelease:
		paths = append(append(paths, by.Chart, by.Given), by.Values...)
	case *Flux:
		paths = append(paths, by.Kustomization)
	}
	for _, base := range r.Base {
		if !strings.HasPrefix(base, GitBase) {
			return fmt.Errorf("--trust %s compares with a revision, and --base %s is part of the change; pass it as %sNAME", t.Name, base, GitBase)
		}
	}
	for _, path := range paths {
		if path != "" && path != "-" && !disk.Inside(path, settings.FileName) {
			return fmt.Errorf("%s is outside of the repository, and a run with --trust reads only what is in it; write it into the repository first", path)
		}
	}
	for _, word := range r.Settings.PolicyCommand.Run {
		_, value, _ := strings.Cut(word, "=")
		for _, path := range FromHere(r.Settings, []string{cmp.Or(value, word)}) {
			t.Has(path) // notes what has changed
		}
	}
	isNew := func(path string) bool { return !t.Has(path) }
	live := slices.Clone(r.Live)
	for _, c := range r.Clusters {
		live = append(live, c.Live...)
	}
	// What is no snapshot is a manifest.
	r.NotManifests = slices.DeleteFunc(r.NotManifests, func(path string) bool { return slices.Contains(live, path) && isNew(path) })
	had := len(r.Live) > 0 || len(r.Clusters) > 0
	r.Live, r.LastApplied, r.Definitions = slices.DeleteFunc(r.Live, isNew), slices.DeleteFunc(r.LastApplied, isNew), slices.DeleteFunc(r.Definitions, isNew)
	for i := range r.Clusters {
		r.Clusters[i].Live = slices.DeleteFunc(r.Clusters[i].Live, isNew)
	}
	r.Clusters = slices.DeleteFunc(r.Clusters, func(c settings.Cluster) bool { return len(c.Live) == 0 })
	if r.Baseline != "" && isNew(r.Baseline) {
		r.Baseline = ""
	}
	if len(r.Live)+len(r.Clusters)+len(r.Base) == 0 && (had || !r.EmptyCluster) {
		r.Base, r.EmptyCluster = []string{t.Name}, false
	}
	return nil
}
