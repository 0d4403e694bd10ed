package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/rules"
)

// defaultRun says what the working directory has, or the paths of it, runs what there is
// to run of that, and prints the most important lines with the command for all of them. It
// reports false if there is nothing to say.
func defaultRun(ctx context.Context, p *run.Program, paths []string) (bool, error) {
	ctx = system.Remembering(ctx)
	std := p.Std
	cfg := &settings.Config{}
	if file := settings.Find("."); file != "" {
		var err error
		if cfg, err = settings.Read(system.Relative(file), request.RuleIDs(rules.All())); err != nil {
			return false, err
		}
	}
	base := system.Base(ctx)
	for _, p := range paths {
		if disk.Repository(p) != disk.Repository(".") {
			base = ""
		}
		if settings.Find(filepath.Dir(p)) != settings.Find(".") {
			cfg = &settings.Config{}
		}
	}
	roots := paths
	if len(roots) == 0 {
		roots = []string{"."}
	}
	s, err := request.Survey(ctx, nil, cfg.Excludes, roots...)
	if err != nil {
		return false, err
	}
	gone := 0
	if at, err := system.RevisionAt(ctx, manifest.Limits{}, base, "."); base != "" && err == nil {
		gone = len(request.GoneFiles(at))
	}
	switch {
	case cfg.File != "" || len(s.Manifests)+len(s.Overlays)+len(s.Charts)+len(s.Snapshots)+len(s.Templates())+gone > 0:
	case len(paths) > 0:
		return true, fmt.Errorf("%s has no manifests and no live objects", phrase.Few(paths))
	default:
		return false, nil // the help is of more use
	}
	command, snapshot := commands(s, cfg, base, paths, gone)
	var environments []survey.Environment
	if len(cfg.AllManifests()) == 0 {
		environments = s.Divide()
	}
	if err := table(std.Out, s, cfg, environments); err != nil {
		return true, err
	}
	if len(environments) > 0 {
		fmt.Fprintln(std.Out, "Places with the same objects are checked separately, as environments; if they are applied together, list them\nunder manifests in .threeway.yaml.")
	}
	if len(s.Unread) > 0 {
		fmt.Fprintf(std.Out, "and more, which cannot be read: %s\n", phrase.Few(s.Unread))
	}
	if s.Partial {
		fmt.Fprintf(std.Out, "and more: only the first %d files were looked at\n", survey.Most)
	}
	if _, _, renders := system.Renderer(); !renders && len(s.Overlays) > 0 && len(cfg.Kustomize) == 0 {
		fmt.Fprintf(std.Out, "\nNot looked at, since rendering needs kubectl or kustomize: %s\n", phrase.Few(s.Overlays))
		if len(s.Manifests)+gone == 0 {
			command, snapshot = nil, nil
		}
	}
	if command != nil {
		fmt.Fprintln(std.Out)
		if err := answer(ctx, p, command); err != nil {
			return true, err
		}
		fmt.Fprintf(std.Out, "\nIn full:\n\n  %s\n", line(command))
		if i := slices.Index(command, request.GitBase+"HEAD"); i >= 0 {
			switch older, shallow := system.Older(ctx); {
			case older:
				command = slices.Clone(command)
				command[i] += "~1"
				fmt.Fprintf(std.Out, "\nThe same with the last commit:\n\n  %s\n", line(command))
			case shallow:
				fmt.Fprintln(std.Out, "\nOnly what is not committed was looked at: the clone is shallow, and has no other branch. To compare\nwith one: git fetch --depth 1 origin BRANCH, then --base git:FETCH_HEAD in place of git:HEAD.")
			}
		}
	}
	if err := unchecked(std.Out, s.Charts); err != nil {
		return true, err
	}
	if snapshot != nil && len(s.Snapshots)+len(cfg.AllLive()) == 0 && len(paths) == 0 {
		fmt.Fprintf(std.Out, "\nTo compare with the cluster, export its objects with the commands that this prints:\n\n  %s\n", line(snapshot))
	}
	_, err = fmt.Fprintln(std.Out, "\n'threeway help' lists the commands.")
	return true, err
}

// unchecked says how to check charts, of which nothing is looked at.
func unchecked(out io.Writer, charts []string) error {
	if len(charts) == 0 {
		return nil
	}
	chart, what, it := charts[0], "the chart in "+charts[0], "it"
	switch {
	case len(charts) > 1:
		what, it = "the charts in "+phrase.Few(charts), "one"
	case chart == ".":
		what = "the chart"
	}
	full, err := filepath.Abs(chart)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nNot looked at: %s. To check %s:\n\n  %s | threeway lint -f -\n", what, it, shell.Line("helm template", shell.Operand(filepath.Base(full)), shell.Path(chart)))
	return err
}

// table prints where there is what; the manifests by environments, if there are any.
func table(out io.Writer, s *survey.Survey, cfg *settings.Config, environments []survey.Environment) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(w, "%s\t%s\n", name, phrase.Few(list))
		}
	}
	if cfg.File != "" {
		row("settings", []string{cfg.File})
	}
	if len(environments) > 0 {
		for _, e := range environments {
			row(e.Name, e.Paths)
		}
	} else {
		row("manifests", s.Places())
	}
	row("kustomizations", s.Overlays)
	row("Helm charts", s.Charts)
	row("live objects", s.Exports())
	row("templates", s.Templates())
	row("schemas", s.Schemas())
	return w.Flush()
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
		case "--live":
			args = append(args, shell.File("--live", value))
		case "--base":
			args = append(args, shell.Flag("--base", value))
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

// commands are the one that says what there is to say, and the one that prints how to export
// what is here; nil if there is nothing to say.
func commands(s *survey.Survey, cfg *settings.Config, base string, paths []string, gone int) (command, snapshot []string) {
	var live, compared []string
	clusters := s.DivideExports()
	for _, c := range clusters {
		for _, p := range c.Paths {
			live = append(live, "--live", c.Name+"="+p)
		}
	}
	for _, p := range s.Exports() {
		if len(clusters) == 0 {
			live = append(live, "--live", p)
		}
	}
	name := "review"
	switch {
	case len(cfg.AllLive()) > 0 && len(paths) == 0:
	case len(live) > 0:
		compared = live
	case base != "":
		compared = []string{"--base", request.GitBase + base}
	default:
		name = "lint"
	}
	where := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(s.Snapshots, filepath.ToSlash(p)) })
	switch {
	case len(cfg.AllManifests())+len(cfg.Kustomize) > 0:
		return slices.Concat([]string{name}, compared, paths), []string{"snapshot"}
	case len(s.Manifests)+len(s.Overlays)+gone > 0 || base != "" && len(s.Templates()) > 0:
		if len(where) == 0 {
			where = []string{"."}
		}
		return slices.Concat([]string{name}, compared, where), slices.Concat([]string{"snapshot"}, where)
	case len(live) > 0 && len(s.Charts) == 0:
		return slices.Concat([]string{"drift"}, live), nil
	}
	return nil, nil
}
