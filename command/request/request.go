// Package request is what one run is asked for: its flags, resolved with the
// environment and the settings below them to plain values.
package request

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/rehearsal"
)

// Request is what one run is asked for, in plain values: what the flags say,
// below them the environment, below that the settings of .threeway.yaml, and
// last the defaults. It is resolved once (resolve); nothing below a command's
// Action looks at flags or reads the settings again.
type Request struct {
	// Args are the arguments that are no flags.
	Args []string
	// FromSettings are the settings that this run goes by, each with its value.
	FromSettings []string

	Inputs
	Report
	Rules
	Snapshot
	Adoption
	Handover
}

// Inputs are all that the options of a rehearsal are made of: what is applied, to what,
// how, and what is deleted.
type Inputs struct {
	Reading
	Manifests
	Cluster
	Apply
	Prune
}

// Reading says how files are read, and what is said of that.
type Reading struct {
	// Command is the command's name in messages. Part is what one of several rehearsals is
	// called, "" if there is one; Beside are all of them if they are of several sets, else nil.
	Command, Part string
	Beside        *Beside
	// Directory is where the settings are looked for, and whose repository counts: "." but
	// for an editor, which has several.
	Directory string
	// Settings is the content of .threeway.yaml, empty without one.
	Settings *settings.Config
	// Trusted is the repository at --trust; nil without.
	Trusted *system.Trusted
	// Limits are those of the environment.
	Limits manifest.Limits
	// Quiet leaves out summaries, warnings and notes. Verbose names what is passed over,
	// and counts the rules too that are about another kind of run.
	Quiet, Verbose bool
	// Brief prints the most important lines of a text alone.
	Brief bool
	// ShowSecrets masks nothing; Decrypted are the fields that SOPS had encrypted.
	ShowSecrets bool
	Decrypted   []mask.Kind
	// Known are the secret values that were read, of which copies are masked.
	Known *mask.Known
}

// Manifests says what is applied.
type Manifests struct {
	// Files are files, directories, globs, or "-" for standard input; FilesGiven says that they
	// are from the command line.
	Files      []string
	FilesGiven bool
	Recursive  bool
	// Staged reads Files as git's index has them.
	Staged bool
	// Chosen are the paths whose objects are reported, nil for all.
	Chosen []string
	// Selector is the label selector of -l.
	Selector string
	// Namespace is -n. If it was given, objects of others are refused.
	Namespace      string
	NamespaceGiven bool
	// SOPS decrypts Files, and Fixes repairs them.
	SOPS, Fixes bool
	// Instead holds files as --fix has changed them so far, or as an editor has them
	// unsaved; nil reads the disk.
	Instead func(file string) (text []byte, ok bool)
	// Kept and Before are the files and the plan of the check before, in an editor; nil
	// reads and rehearses everything.
	Kept   *manifest.Kept
	Before *merge.Plan
	// AsApplied: no manifests are given, and drift goes by those that were applied last.
	AsApplied bool
	// AllowEmpty: no objects are no error, as in an editor, or where all are hooks.
	AllowEmpty bool

	Overlays
	Surveyed
	Change
	Sifting
}

// Overlays are the directories that a program renders, or a chart is.
type Overlays struct {
	// Kustomize are directories that a program renders. KustomizeTyped: they are from the
	// command line. Rendered is what they were rendered to before, by the directory.
	Kustomize      []string
	KustomizeTyped bool
	Rendered       map[string][]byte
	// Variables are what Flux substitutes in them.
	Variables *Variables
	// Unchanged are those of Kustomize of which nothing is rendered, because the change leaves
	// them as they are.
	Unchanged []string
	// Failing are those of Unchanged that cannot be rendered, now and before, and NotRendered
	// the others that cannot be rendered now. Without a Why one is a chart that nothing renders.
	Failing, NotRendered []Failing
	// Unrendered says which overlays of files that were passed are not rendered, and why.
	Unrendered []string
	// Unnamed are files that the change adds or edits below kustomizations that do not name them.
	Unnamed []string
	// Charts are the charts below the settings that change: no settings say how they are rendered.
	Charts []string
	// patterns are those of Kustomize, and unmatched those of them that no directory has.
	patterns, unmatched []string
}

// Surveyed is what the survey of directories tells of them.
type Surveyed struct {
	// Survey is what directories of the command line have; nil if none was typed. NotAtStart
	// are the paths at Start that are no manifests there.
	Survey     *survey.Survey
	NotAtStart []string
	// Environments are sets of Files that are rehearsed each for itself, by name; none if there is
	// one set. Divided: they are those that the survey finds.
	Environments []settings.Environment
	Divided      bool
	// NotJudged are files that hold nothing to judge, now or before the change.
	NotJudged []survey.Other
	// Unchosen are paths that no kustomization names, and that are not among Chosen any more.
	Unchosen []string
}

// Change is what the commit changes, and where it starts.
type Change struct {
	// Start is the commit that the change starts from, git:REVISION, of whose manifests those
	// that are gone are looked for; "" if there is none. Gone are the paths of Files and
	// Kustomize that only it has, and Renamed the overlays that it has at another path.
	// AtStart is the repository there.
	Start   string
	AtStart *system.Revision
	Gone    Gone
	Renamed map[string]string
	// LeftOut are the files that the change excludes in the settings, and Aside those that it adds or
	// edits below the manifests and that are not read, with why. Kustomized are the directories of
	// manifests that it makes kustomizations.
	LeftOut    []string
	Aside      []survey.Other
	Kustomized []string
	// Judged: the command says what it could not look at, and goes on.
	Judged bool
}

// Sifting says which of Files are passed over.
type Sifting struct {
	// Old is a file that diff compares Files with although no flag says so; "" if there is none.
	Old string
	// Sifts passes over files of other programs and without objects, which kubectl would try.
	// Others are the notes about them.
	Sifts  bool
	Others []string
	// NotManifests are paths below the directories of Files that are passed over.
	NotManifests []string
	// SkipOtherFiles passes over files without objects; PathsAreSet says that
	// the set was given as arguments, for which that is true.
	SkipOtherFiles, PathsAreSet bool
}

// Cluster says what the manifests are applied to.
type Cluster struct {
	// Live, LastApplied and Definitions are paths; Base too, or git:REVISION.
	Live, LastApplied, Definitions, Base []string
	// Exports reads Live; nil reads the files.
	Exports func(manifest.Options) *manifest.Snapshot
	// Clusters are those that --live names, instead of Live.
	Clusters []settings.Cluster
	// EmptyCluster takes a snapshot without objects at its word.
	EmptyCluster bool
	// KeyFile holds the key that the snapshot was redacted with.
	KeyFile string
	// Minor is the Kubernetes minor, MinorFrom what asks for it: the flag or the
	// setting, "" if it is the default.
	Minor     int
	MinorFrom string
	// To is the minor that upgrade compares with, 0 for none.
	To int
}

// Apply says how they are applied.
type Apply struct {
	rehearsal.Applying
	// By is the program that applies; nil for kubectl. ByGiven says that the flag or
	// the settings name one.
	By      OtherApplier
	ByGiven bool
	// Commanded: a command line of kubectl says how, so that its context may have a namespace.
	Commanded bool
	// ByAgent: a server asks this, for an agent that can name what it has written itself.
	ByAgent bool
	// Kubectls: flags or settings that only kubectl has say how all manifests are applied.
	Kubectls bool
	// Then are the paths that are applied one after the other.
	Then []string
}

// Prune says what is deleted.
type Prune struct {
	Prune, PruneAll bool
	Allowlist       []string
	ApplySet        string
	// PruneRoot is the top of the whole set, "" if it was not given.
	PruneRoot string
}

// Report says what is printed, and how the run ends.
type Report struct {
	// Output are the values of -o, none if it was not given, and Outputs what they mean to
	// a command with formats.
	Output  []string
	Outputs []Output
	Color   string
	// NoFail makes exit code 0 of 1.
	NoFail bool

	ShowManagedFields, ArgoDiff bool
	// Diffs asks for diffs where fields are shown otherwise.
	Diffs bool
	// Steps asks for all steps of remedies.
	Steps bool
	// Context is how many lines are shown around a change, and Width how many
	// columns there are, 0 if it was not given.
	Context, Width int
	IgnoreManagers []string
}

// Rules says what lint looks for, and what it does about it.
type Rules struct {
	// Only are the values of --rule that name a rule, Levels those that set its severity.
	Only, Levels  []string
	Level, FailOn string
	Baseline      string
	// RulePages is the address of a site with their pages.
	RulePages string
	// Fix says what --fix does: "" nothing, FixFiles or FixDiff.
	Fix Fix
}

// Snapshot says what is exported and how it is checked.
type Snapshot struct {
	AllKinds bool
	MaxAge   time.Duration
	// Since is that of drift: how long before the newest write.
	Since time.Duration
	// RedactEnv are patterns of environment variables that are redacted too.
	RedactEnv []string
	// KeepCopies leaves copies of redacted values.
	KeepCopies bool
}

// Adoption says how manifests are made of live objects.
type Adoption struct {
	PerApp, KeepDefaults, PrintLastApplied bool
	WithoutManagers                        []string
}

// Handover says where a field goes.
type Handover struct {
	// MoveTo is the applier that all objects go to; "" for the handover of a field.
	MoveTo string
}

// Format is what a command prints that has one output.
func (r *Report) Format() string { return r.Outputs[0].Format }

// Destination is the file or directory that -o of a command without formats names.
func (r *Report) Destination() string {
	if len(r.Output) == 0 {
		return ""
	}
	return r.Output[0]
}

// Present are the Files without those that the change has removed.
func (m *Manifests) Present() []string {
	return slices.DeleteFunc(slices.Clone(m.Files), func(path string) bool { return slices.Contains(m.Gone.Files, path) })
}

// Shown decides by file what is reported; nil: all.
func (m *Manifests) Shown() func(file string) bool {
	if len(m.Chosen) == 0 {
		return nil
	}
	within, former := system.WithinAny(m.Chosen), strings.TrimPrefix(m.Start, GitBase)+":"
	return func(file string) bool {
		if below, ok := strings.CutPrefix(file, former); ok && m.Start != "" {
			// A hook is told no file that is gone.
			return m.Staged || within(filepath.Join(disk.Repository("."), filepath.FromSlash(below)))
		}
		return within(file)
	}
}

// Differs is the code of a run that differs, but ExitOK with --no-fail.
func (r *Report) Differs(differ bool) system.ExitCode {
	if differ && !r.NoFail {
		return system.ExitDifferences
	}
	return system.ExitOK
}

func (v *Resolver) handover() Handover {
	if v.moves() {
		return Handover{v.String("to")}
	}
	return Handover{}
}
