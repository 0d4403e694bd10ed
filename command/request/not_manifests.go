package request

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
)

// NotManifests are paths below the directories of manifests that hold something
// else: snapshots, also those of the settings, and the settings with the tests
// of policies.
func NotManifests(m *Manifests, live []string, cfg *settings.Config) []string {
	others := slices.Concat(live, FromHere(cfg, cfg.AllLive()))
	if cfg.File != "" {
		others = append(others, cfg.File, filepath.Join(filepath.Dir(cfg.File), SchemaFile))
	}
	others = slices.Concat(others, cfg.RuleTests)
	slices.Sort(others)
	others = slices.Compact(others)
	export := system.WithinAny(slices.Concat(live, FromHere(cfg, cfg.AllLive())))
	return slices.DeleteFunc(others, func(other string) bool {
		below := func(path string) bool {
			return path != "-" && system.Within(other, path) && !system.Within(path, other) && (m.Recursive || directlyIn(other, path))
		}
		if _, err := os.Stat(other); err != nil || !slices.ContainsFunc(m.Files, below) {
			return true
		}
		if export(other) {
			return false
		}
		text, err := disk.ReadFile(other)
		return err == nil && survey.HasObjects(text) // a manifest, whatever it is called
	})
}

// directlyIn reports whether a file is in a directory and not further below.
func directlyIn(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.Dir(rel) == "." && system.IsRegular(file)
}

// PassedOver says which files of -f are not read, although kubectl would read
// them.
func (r *Inputs) PassedOver() (notes []string) {
	if !r.FilesGiven {
		return nil
	}
	if notes = r.Unrendered; r.Old != "" {
		notes = append(notes, fmt.Sprintf("both files define the same objects: comparing with the first, as --base %s does", r.Old))
	}
	if r.Survey != nil {
		return notes
	}
	for _, file := range r.NotManifests {
		what := "a snapshot"
		switch {
		case filepath.Base(file) == SchemaFile || file == r.Settings.File:
			what = "part of the settings"
		case slices.Contains(r.Settings.RuleTests, file):
			what = "a file with tests of policies"
		}
		notes = append(notes, fmt.Sprintf("%s is %s and not read as a manifest; kubectl would read it: move it, or pass the directories of the manifests to -f", file, what))
	}
	return notes
}

// Assumed says which environments a survey has found; "" if there are none.
func (r *Inputs) Assumed() string {
	var assumed []survey.Environment
	if r.FilesGiven && r.Survey != nil {
		for _, e := range r.Environments {
			assumed = append(assumed, survey.Environment(e))
		}
	}
	return survey.Assumed(assumed)
}

// SchemaFile is where init puts the schema, beside the config file.
const SchemaFile = ".threeway.schema.json"
