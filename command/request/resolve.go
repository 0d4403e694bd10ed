package request

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/kustomize"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/rehearsal"
	"threeway/rules/own"
)

// Resolver reads the flags of a command, and the settings below them.
type Resolver struct {
	*cli.Context
	file *settings.Config
	// noManifests: the command looks at a snapshot only.
	noManifests bool
	// named are the clusters that --live names.
	named []settings.Cluster
	used  map[string]string
	// disk are the files of the disk, each read once.
	disk kustomize.Files
}

// settingKeys are the keys of .threeway.yaml that a run may go by, in the order
// in which its summary names them.
var settingKeys = []string{
	"manifests", "exclude", "kustomize", "live", "crds", "kubernetes-version", "apply.applier", "apply.helm.release", "apply.helm.version", "apply.argocd.app", "apply.flux.kustomization", "apply.flux.helmrelease", "apply.mode", "apply.as", "apply.namespace", "apply.prune", "apply.prune.selector",
	"rules", "policies", "policy-command", "ignore", "references", "secrets", "guard", "level", "fail-on",
}

// Resolve makes a request of a command line. It reads .threeway.yaml, once.
func Resolve(c *cli.Context) (*Request, error) { return ResolveIn(c, ".") }

// ResolveIn is resolve with the settings of a directory.
func ResolveIn(c *cli.Context, directory string) (*Request, error) {
	trusted, err := trustOf(c)
	if err != nil {
		return nil, err
	}
	file, err := SettingsOf(c, trusted, directory)
	if err != nil {
		return nil, err
	}
	if file, err = file.WithPolicies(c.StringSlice("policy"), textsAt(trusted)); err != nil {
		return nil, err
	}
	v := &Resolver{Context: c, file: file, used: map[string]string{}, disk: kustomize.Remember(disk.Files{})}
	r := &Request{Args: c.Args().Slice()}
	r.Reading = Reading{Command: c.Command.Name, Directory: directory, Settings: file, Quiet: c.Bool("quiet"), Verbose: c.Bool("verbose"), ShowSecrets: c.Bool("show-secrets")}
	v.noManifests = v.snapshotAlone()
	r.Report = v.report()
	r.Rules = v.rules()
	r.Snapshot = Snapshot{AllKinds: c.Bool("all-kinds"), MaxAge: c.Duration("max-age"), Since: c.Duration("since"), KeepCopies: c.Bool("keep-copies")}
	if r.RedactEnv, err = mask.ParseEnv(c.StringSlice("env")); err != nil {
		return nil, err
	}
	r.Adoption = Adoption{PerApp: c.Bool("per-app"), KeepDefaults: c.Bool("keep-defaults"), PrintLastApplied: c.Bool("last-applied"), WithoutManagers: c.StringSlice("without-manager")}
	r.Handover = v.handover()
	if v.named, err = clustersOf(fullName(v.Context), c.StringSlice("live")); err != nil {
		return nil, err
	}
	if r.Manifests, err = v.manifests(); err != nil {
		return nil, err
	}
	r.Variables = newVariables(directory, trusted)
	if r.Cluster, err = v.cluster(); err != nil {
		return nil, err
	}
	if r.Old != "" {
		r.Base = []string{r.Old}
	}
	if v.Command.Name == "review" && !v.IsSet("filename") && !v.IsSet("kustomize") && trusted == nil && !r.EmptyCluster && len(r.Live)+len(r.Clusters)+len(r.Base) == 0 {
		if base := system.Base(c.Context); base != "" {
			r.Base = []string{GitBase + base}
		}
	}
	if r.Survey != nil && len(r.Definitions) == 0 && v.has("crd") {
		r.Definitions = r.Survey.Schemas()
	}
	by, err := v.otherApplier(&r.Manifests, &r.Cluster)
	if err != nil {
		return nil, err
	}
	if r.Apply, err = v.apply(by); err != nil {
		return nil, err
	}
	r.By, r.ByGiven = by, !v.has("applier") || v.IsSet("applier") || v.file.Applier != ""
	if r.Prune, err = v.prune(&r.Manifests, by); err != nil {
		return nil, err
	}
	r.Kubectls = by == nil && (r.ServerSide != nil || r.Prune.Prune || v.kubectlsOwn(ApplierKubectl, "server-side", "prune") != nil)
	v.declared()
	if v.IsSet("command") {
		if err := v.commanded(r); err != nil {
			return nil, err
		}
	}
	if r.Limits, err = Limits(); err != nil {
		return nil, err
	}
	if err := r.judgedBy(trusted); err != nil {
		return nil, err
	}
	if known := []string{"auto", "always", "never"}; v.has("color") && !slices.Contains(known, r.Color) {
		return nil, fmt.Errorf("--color: %w", settings.Unknown("value", r.Color, known))
	}
	if r.Staged && len(r.Live)+len(r.Clusters)+len(r.Base) == 0 && !r.EmptyCluster && system.HasCommit(c.Context) {
		r.Base = []string{GitBase + "HEAD"}
	}
	if err := v.since(r); err != nil {
		return nil, err
	}
	for _, key := range settingKeys {
		if value, ok := v.used[key]; ok {
			r.FromSettings = append(r.FromSettings, strings.Join(strings.Fields(key+" "+value), " "))
		}
	}
	return r, nil
}

// SettingsOf reads the file that --config names, or else the one nearest to a directory.
func SettingsOf(c *cli.Context, trusted *system.Trusted, directory string) (*settings.Config, error) {
	if trusted != nil {
		return trustedSettings(c, trusted, directory)
	}
	name := c.String("config")
	if name == "" && !c.IsSet("config") {
		name = settings.Find(directory)
	}
	if name == "" {
		return &settings.Config{}, nil
	}
	file, err := ReadSettings(nil, system.Relative(name))
	if err != nil {
		return nil, fmt.Errorf("%v", err)
	}
	return file, nil
}

// has reports whether the command has a flag of that name.
func (v *Resolver) has(flag string) bool {
	return slices.ContainsFunc(v.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == flag })
}

// open reports whether a flag that the command has was left out, so that the
// settings count.
func (v *Resolver) open(flag string) bool { return v.has(flag) && !v.IsSet(flag) }

// goBy notes a setting that counts.
func (v *Resolver) goBy(key string, values ...string) {
	const most = 6
	if len(values) > most {
		values = append(slices.Clone(values[:most]), "…")
	}
	v.used[key] = strings.Join(values, ", ")
}

// text is a flag, or else a setting, or else the flag's default.
func (v *Resolver) text(flag, key, setting string) string {
	if setting == "" || !v.open(flag) {
		return v.String(flag)
	}
	v.goBy(key, setting)
	return setting
}

func (v *Resolver) manifests() (Manifests, error) {
	m := Manifests{
		Files: Split(v.StringSlice("filename")), Recursive: v.Bool("recursive"),
		Selector: v.String("selector"), Namespace: v.String("namespace"), NamespaceGiven: v.IsSet("namespace"),
		SOPS: v.Bool("sops"), Fixes: v.fix() != "", Staged: v.Bool("staged"), Sifting: Sifting{SkipOtherFiles: v.Bool("staged")},
	}
	if v.noManifests {
		m.Files = nil
		return m, nil
	}
	if m.Namespace = v.text("namespace", "apply.namespace", v.file.Namespace); m.Namespace != "" {
		m.NamespaceGiven = true
	}
	exports := Split(v.StringSlice("live"))
	for _, c := range v.named {
		exports = append(exports, c.Live...)
	}
	var paths []string
	if v.Command.ArgsUsage == PathArguments {
		paths = v.Args().Slice()
	}
	switch {
	case v.IsSet("kustomize") && v.IsSet("filename"):
		return m, fmt.Errorf("only one of -f or -k can be specified")
	case v.IsSet("kustomize") && m.Recursive:
		return m, fmt.Errorf("the -k flag can't be used with -f or -R")
	case v.IsSet("kustomize") && len(paths) > 0 && KustomizationOf(paths[0]) != "":
		return m, fmt.Errorf("-k takes one directory, and %s is another: repeat -k, or quote the pattern: -k '%s'", paths[0], filepath.Join(filepath.Dir(paths[0]), "*"))
	case v.IsSet("kustomize") && len(paths) > 0:
		return m, fmt.Errorf("-k renders all manifests, and %s cannot choose a file of them; remove it", paths[0])
	case v.IsSet("kustomize"):
		m.Kustomize, m.KustomizeTyped = v.StringSlice("kustomize"), true
	case v.IsSet("filename"):
		m.Chosen = paths
	default:
		if err := v.fromSettings(&m, paths); err != nil {
			return m, err
		}
	}
	if err := m.expandOverlays(); err != nil {
		return m, err
	}
	if !m.KustomizeTyped {
		m.Kustomize = slices.DeleteFunc(m.Kustomize, v.file.Excludes)
	}
	m.FilesGiven = v.IsSet("filename") || m.PathsAreSet
	m.AsApplied = v.Command.Name == "drift" && len(m.Files)+len(m.Kustomize) == 0
	m.NotManifests = append(m.NotManifests, NotManifests(&m, exports, v.file)...)
	if m.Sifts = !v.IsSet("filename"); m.Sifts && len(v.file.Exclude()) > 0 {
		v.goBy("exclude", v.file.Exclude()...)
	}
	for _, path := range m.Chosen {
		if _, err := os.Stat(path); err != nil && !m.Staged {
			return m, fmt.Errorf("the path %q does not exist%s", path, manifest.Near(path))
		}
	}
	return m, nil
}

// snapshotAlone reports whether a command looks at a snapshot and at no
// manifests: adopt, snapshot redact and pack always, owners if only a snapshot is
// named, with -f too.
func (v *Resolver) snapshotAlone() bool {
	if v.Command.Name != "owners" {
		return !v.has("filename")
	}
	files := Split(v.StringSlice("filename"))
	switch {
	case v.IsSet("kustomize"):
		return false
	case v.IsSet("live"):
		return len(files) == 0
	}
	return len(files) > 0 && (len(v.file.Live) == 0 || Exported(files))
}

// Exported reports whether files hold live objects, which have uids. Standard
// input can be read only once, and is not looked at.
func Exported(files []string) bool {
	if slices.Contains(files, "-") {
		return false
	}
	entries := manifest.ReadSnapshot(manifest.Options{Paths: files, Recursive: true}).Entries
	return len(entries) > 0 && entries[0].UID != ""
}

// fullName is what the command is called after threeway: snapshot redact.
func fullName(c *cli.Context) string {
	return strings.TrimPrefix(c.Command.HelpName, "threeway ")
}

func (v *Resolver) cluster() (Cluster, error) {
	k := Cluster{
		Live: v.StringSlice("live"), LastApplied: v.StringSlice("last-applied"), Definitions: v.StringSlice("crd"), Base: v.StringSlice("base"),
		EmptyCluster: v.Bool("empty-cluster"), KeyFile: cmp.Or(v.String("key-file"), os.Getenv(KeyFileVariable)), Clusters: v.named,
	}
	takesSettings := v.open("live") && !v.IsSet("base") && v.Command.Name != "redact" && v.Command.Name != "pack"
	switch {
	case v.noManifests && v.IsSet("filename") && !v.IsSet("live"):
		k.Live = Split(v.StringSlice("filename"))
	case takesSettings && len(v.file.Clusters) > 0:
		k.Clusters = v.clusters()
		if err := onOneCluster(fullName(v.Context), k.Clusters); err != nil {
			return k, err
		}
	case takesSettings && len(v.file.Live) > 0:
		k.Live = FromHere(v.file, v.file.Live)
		v.goBy("live", k.Live...)
	}
	if v.open("crd") && len(v.file.Definitions) > 0 {
		k.Definitions = FromHere(v.file, v.file.Definitions)
		v.goBy("crds", k.Definitions...)
	}
	version := v.text("kubernetes-version", "kubernetes-version", v.file.KubernetesVersion)
	if !v.has("kubernetes-version") {
		return k, nil
	}
	switch {
	case v.IsSet("kubernetes-version"):
		k.MinorFrom = "--kubernetes-version"
	case v.file.KubernetesVersion != "":
		k.MinorFrom = "kubernetes-version"
	}
	var err error
	if k.To, err = upgradeTo(v); err != nil {
		return k, err
	}
	k.Minor, err = Minor(version)
	return k, err
}

// clusters are those of the settings.
func (v *Resolver) clusters() []settings.Cluster {
	var list []settings.Cluster
	var said []string
	for _, c := range v.file.Clusters {
		c.Live = FromHere(v.file, c.Live)
		list = append(list, c)
		said = append(said, c.Name+"="+strings.Join(c.Live, " "))
	}
	v.goBy("live", said...)
	return list
}

// apply is how objects are applied. Most of it is kubectl's alone.
func (v *Resolver) apply(by OtherApplier) (a Apply, err error) {
	a.Then, a.Diff = v.StringSlice("then"), v.Command.Name == "diff" || v.Command.Name == "drift"
	a.Literal = v.Command.Name == "diff" || v.Command.Name == "merge"
	a.DryRun = a.Diff || v.Command.Name == "merge"
	if a.User, err = v.user(); err != nil || by != nil {
		return a, err
	}
	a.Manager, a.KeepConflicts = v.String("field-manager"), v.IsSet("overwrite") && !v.Bool("overwrite")
	if a.FieldValidation = Validation(cmp.Or(v.String("validate"), string(rehearsal.Strict))); a.FieldValidation == "" {
		return a, fmt.Errorf("invalid - validate option %q; must be one of: strict (or true), warn, ignore (or false)", v.String("validate"))
	}
	serverSide := v.Bool("server-side")
	if v.open("server-side") && v.file.ServerSide {
		serverSide = true
		v.goBy("apply.mode", "server-side")
	}
	force, migrate := v.Bool("force-conflicts"), v.Bool("migrate")
	switch {
	case serverSide:
		// All but kubectl's dry run is of the apply that follows.
		migrate = migrate || !a.Diff && v.Command.Name != "merge"
		a.ServerSide = &rehearsal.ServerSide{Force: force, Manager: rehearsal.DefaultManager, Migrate: migrate}
		if v.IsSet("field-manager") {
			a.ServerSide.Manager = a.Manager
		}
	case force:
		return a, fmt.Errorf("--force-conflicts only works with --server-side")
	case migrate:
		return a, fmt.Errorf("--migrate only works with --server-side")
	case a.Manager == "" && v.IsSet("field-manager"):
		a.Manager = rehearsal.DefaultManager // the server takes the name of the program instead
	}
	return a, nil
}

// Validation is the mode that a value of --validate means; "" if it means none.
func Validation(value string) rehearsal.FieldValidation {
	switch mode := rehearsal.FieldValidation(value); mode {
	case "true":
		return rehearsal.Strict
	case "false":
		return rehearsal.Ignore
	case rehearsal.Strict, rehearsal.Warn, rehearsal.Ignore:
		return mode
	}
	return ""
}

func (v *Resolver) report() Report {
	given, _ := values(v.Context)
	return Report{
		Output: given, Color: v.String("color"), NoFail: v.Bool("no-fail"),
		ShowManagedFields: v.Bool("show-managed-fields"),
		ArgoDiff:          v.Bool("argo-diff"), Context: v.Int("unified"), Diffs: v.IsSet("unified"), Steps: v.Bool("steps"), Width: v.Int("width"), IgnoreManagers: v.StringSlice("ignore-manager"),
	}
}

func (v *Resolver) rules() Rules {
	only, levels := []string(nil), []string(nil)
	for _, given := range v.StringSlice("rule") {
		if strings.Contains(given, "=") {
			levels = append(levels, given)
		} else {
			only = append(only, given)
		}
	}
	return Rules{
		Only: only, Levels: levels, FailOn: v.text("fail-on", "fail-on", v.file.FailOn), Level: v.text("level", "level", v.file.Level),
		RulePages: cmp.Or(v.file.RulePages, system.Site), Baseline: v.String("baseline"), Fix: v.fix(),
	}
}

// declared notes what the settings add to the flags.
func (v *Resolver) declared() {
	count := func(key string, n int) {
		if n > 0 {
			v.goBy(key, fmt.Sprint(n))
		}
	}
	guards := v.Command.Name == "guard"
	if v.has("fail-on") || guards {
		count("rules", len(v.file.Rules))
		count("policies", len(own.Names(v.file.Policies)))
		if run := v.file.PolicyCommand.Run; run != nil && !guards {
			v.goBy(own.Program, run[0])
		}
		count("ignore", len(v.file.Ignore))
		count("references", len(v.file.References))
	}
	if guards {
		count("guard", len(v.file.Guard))
	}
	if v.has("show-secrets") || v.has("env") || v.Command.Name == "owners" {
		count("secrets", len(v.file.Secrets.Env)+len(v.file.Secrets.Kinds))
	}
}

// FromHere writes the paths of the settings from the working directory.
func FromHere(file *settings.Config, paths []string) []string {
	var list []string
	for _, p := range paths {
		if p != "" && p != "-" && !filepath.IsAbs(p) {
			p = system.Relative(filepath.Join(filepath.Dir(file.File), p))
		}
		list = append(list, p)
	}
	return list
}
