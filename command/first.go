package command

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/rules"
)

// firstLook says what the working directory has, or the paths of it, runs what there is
// to run of that, and prints the most important lines with the command for all of them. It
// reports false if there is nothing to say.
func firstLook(ctx context.Context, p *run.Program, paths []string) (bool, error) {
	std := p.Std
	cfg := &settings.Config{}
	if file := settings.Find("."); file != "" {
		var err error
		if cfg, err = settings.Read(system.Relative(file), request.RuleIDs(rules.All())); err != nil {
			return false, err
		}
	}
	base, beyond := system.Base(ctx), unseen(paths)
	for _, p := range beyond {
		if disk.Repository(p) != disk.Repository(".") {
			base = ""
		}
		if settings.Find(filepath.Dir(p)) != settings.Find(".") {
			cfg = &settings.Config{}
		}
	}
	s, err := look(append([]string{"."}, beyond...)...)
	if err != nil {
		return false, err
	}
	s.only(paths)
	export := s.exported(cfg)
	if at, err := system.RevisionAt(ctx, manifest.Limits{}, base, "."); base != "" && err == nil {
		s.Removed(at)
		s.only(paths)
	}
	switch {
	case cfg.File != "" || len(s.Manifests)+len(s.Overlays)+len(s.Charts)+len(s.Snapshots) > 0:
	case len(paths) > 0:
		return true, fmt.Errorf("%s has no manifests and no live objects", phrase.Few(paths))
	default:
		return false, nil // the help is of more use
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	row := func(name string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(w, "%s\t%s\n", name, phrase.Few(list))
		}
	}
	if cfg.File != "" {
		row("settings", []string{cfg.File})
	}
	row("manifests", s.Places())
	row("kustomizations", s.Overlays)
	row("Helm charts", s.Charts)
	row("live objects", s.Exports())
	if err := w.Flush(); err != nil {
		return true, err
	}
	if s.partial {
		fmt.Fprintf(std.Out, "and more: only the first %d files were looked at\n", mostLooked)
	}
	_, _, renders := system.Renderer()
	if overlays := s.Overlays; !renders && len(overlays) > 0 && len(cfg.Kustomize) == 0 {
		fmt.Fprintf(std.Out, "\nNot looked at, since rendering needs kubectl or kustomize: %s\n", phrase.Few(overlays))
		s.Overlays = nil
	}
	commands := s.commands(cfg, base, paths)
	for _, command := range commands {
		fmt.Fprintln(std.Out)
		if err := answer(ctx, p, command); err != nil {
			return true, err
		}
	}
	for i, command := range commands {
		label := "\nIn full:\n"
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(std.Out, "%s\n  %s\n", label, line(command))
	}
	if len(s.Charts) > 0 {
		chart, what, it := s.Charts[0], "the chart in "+s.Charts[0], "it"
		if len(s.Charts) > 1 {
			what, it = "the charts in "+phrase.Few(s.Charts), "one"
		}
		fmt.Fprintf(std.Out, "\nNot looked at: %s. To check %s:\n\n  %s | threeway lint -f -\n", what, it, shell.Line("helm template", shell.Operand(path.Base(chart)), shell.Path(chart)))
	}
	if len(commands) > 0 && len(s.Snapshots)+len(cfg.AllLive()) == 0 && len(paths) == 0 {
		fmt.Fprintf(std.Out, "\nTo compare with the cluster, export its objects with the commands that this prints:\n\n  %s\n", line(export))
	}
	if len(s.Places()) > phrase.Listed && cfg.File == "" {
		fmt.Fprint(std.Out, "\n'threeway config init' writes the paths into the settings, so that no command needs them.\n")
	}
	_, err = fmt.Fprintln(std.Out, "\n'threeway help' lists the commands.")
	return true, err
}

// answer runs a command and prints the most important lines of what it says.
func answer(ctx context.Context, p *run.Program, command []string) error {
	std := p.Std
	inner := &run.Program{Std: std, Brief: true}
	if err := newApp(inner).RunContext(ctx, slices.Concat([]string{"threeway"}, command[:1], []string{"--quiet"}, command[1:])); err != nil {
		_, err = fmt.Fprintln(std.Err, "error: "+err.Error())
		p.Code = max(p.Code, system.ExitUsage)
		return err
	}
	p.Code = max(p.Code, inner.Code)
	return nil
}

// line is a command as it is typed.
func line(command []string) string {
	var args []shell.Arg
	for i := 1; i < len(command); i++ {
		value := command[min(i+1, len(command)-1)]
		i++
		switch command[i-1] {
		case "-f":
			args = append(args, shell.File("-f", value))
		case "-k":
			args = append(args, shell.File("-k", value))
		case "--live":
			args = append(args, shell.File("--live", value))
		case "--base":
			args = append(args, shell.Flag("--base", value))
		case "-R":
			args = append(args, shell.Option("-R"))
			i--
		default:
			args = append(args, shell.Path(command[i-1]))
			i--
		}
	}
	switch command[0] {
	case "lint":
		return shell.Line("threeway lint", args...)
	case "drift":
		return shell.Line("threeway drift", args...)
	case "snapshot":
		return shell.Line("threeway snapshot", args...)
	}
	return shell.Line("threeway review", args...)
}

// unseen are the paths that a look at the working directory does not come to: those
// elsewhere, and those in directories that it passes over.
func unseen(paths []string) (list []string) {
	for _, p := range paths {
		p = system.Relative(p)
		if filepath.IsAbs(p) || slices.ContainsFunc(strings.Split(filepath.ToSlash(p), "/"), request.Passed) {
			list = append(list, p)
		}
	}
	return list
}

// only keeps what paths have.
func (s *sight) only(paths []string) {
	if len(paths) == 0 {
		return
	}
	s.paths = paths
	within := system.WithinAny(paths)
	for _, list := range []*[]string{&s.Manifests, &s.Overlays, &s.Charts, &s.Snapshots} {
		*list = slices.DeleteFunc(*list, func(file string) bool { return !within(filepath.FromSlash(file)) })
	}
	made, _ := request.OverlaysOf(paths, nil)
	for _, p := range paths {
		made = append(made, request.KustomizationOf(p))
	}
	for _, dir := range made {
		if dir != "" && !slices.Contains(s.Overlays, filepath.ToSlash(dir)) {
			s.Overlays = append(s.Overlays, filepath.ToSlash(dir))
		}
	}
}

// commands are those that say what there is to say: of the manifests, of the overlays, and
// of a snapshot without either.
func (s *sight) commands(cfg *settings.Config, base string, paths []string) (list [][]string) {
	compared, live := []string{}, []string{}
	for _, p := range s.Exports() {
		live = append(live, "--live", p)
	}
	command := "review"
	switch {
	case len(cfg.AllLive()) > 0 && len(paths) == 0:
	case len(live) > 0:
		compared = live
	case base != "":
		compared = []string{"--base", request.GitBase + base}
	default:
		command = "lint"
	}
	add := func(args []string) { list = append(list, slices.Concat([]string{command}, args, compared)) }
	switch {
	case len(cfg.Manifests)+len(cfg.Kustomize) > 0:
		return [][]string{slices.Concat([]string{command}, compared, paths)}
	case len(s.Manifests)+len(s.Overlays)+len(s.Charts) == 0 && len(live) > 0:
		return [][]string{slices.Concat([]string{"drift"}, live)}
	}
	if len(s.Manifests) > 0 {
		add(s.from())
	}
	if len(s.Overlays) > 0 {
		add(s.rendered())
	}
	return list
}

// from are the flags that name the manifests.
func (s *sight) from() (args []string) {
	files := s.Places()
	for _, p := range files {
		args = append(args, "-f", p)
	}
	if slices.ContainsFunc(s.Manifests, func(file string) bool {
		return !slices.Contains(files, file) && !slices.Contains(files, path.Dir(file)+"/")
	}) {
		args = append(args, "-R")
	}
	return args
}

// rendered are the flags that name the overlays.
func (s *sight) rendered() (args []string) {
	for _, dir := range request.Patterns(s.Overlays) {
		args = append(args, "-k", dir)
	}
	return args
}

// exported is the command that prints how to export what is here.
func (s *sight) exported(cfg *settings.Config) []string {
	switch {
	case len(cfg.Manifests)+len(cfg.Kustomize) > 0:
		return []string{"snapshot"}
	case len(s.Manifests) > 0:
		return append([]string{"snapshot"}, s.from()...)
	}
	return append([]string{"snapshot"}, s.rendered()...)
}
