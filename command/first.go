package command

import (
	"context"
	"fmt"
	"path"
	"slices"
	"text/tabwriter"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/rules"
)

// firstLook says what the working directory has, and the command to type next; it
// reports false if there is nothing to say.
func firstLook(ctx context.Context, std system.Streams) (bool, error) {
	cfg := &settings.Config{}
	if file := settings.Find("."); file != "" {
		var err error
		if cfg, err = settings.Read(system.Relative(file), request.RuleIDs(rules.All())); err != nil {
			return false, err
		}
	}
	s, err := look(".")
	if err != nil || cfg.File == "" && len(s.Manifests)+len(s.Overlays)+len(s.Charts) == 0 {
		return false, nil // the help is of more use
	}
	base := system.Base(ctx)
	fmt.Fprint(std.Out, "threeway rehearses kubectl apply without a cluster. Here it sees:\n\n")
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	row := func(name string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(w, "  %s\t%s\n", name, phrase.Few(list))
		}
	}
	if cfg.File != "" {
		row("settings", []string{cfg.File})
	}
	row("manifests", request.Places(s.Manifests, s.Snapshots))
	row("kustomizations", s.Overlays)
	row("Helm charts", s.Charts)
	row("live objects", request.Places(s.Snapshots, s.Manifests))
	if base != "" {
		row("git", []string{"to compare with " + base})
	}
	if err := w.Flush(); err != nil {
		return true, err
	}
	if s.partial {
		fmt.Fprintf(std.Out, "  and more: only the first %d files were looked at\n", mostLooked)
	}
	first, then := s.next(cfg, base)
	fmt.Fprintf(std.Out, "\nNext:\n\n  %s\n\n", first)
	for _, line := range then {
		fmt.Fprint(std.Out, line+"\n\n")
	}
	_, err = fmt.Fprintln(std.Out, "'threeway help' lists the commands.")
	return true, err
}

// next is the command to type, and what to do after it.
func (s *sight) next(cfg *settings.Config, base string) (first string, then []string) {
	files := request.Places(s.Manifests, s.Snapshots)
	var from, compared []shell.Arg
	for _, p := range files {
		from = append(from, shell.File("-f", p))
	}
	if slices.ContainsFunc(s.Manifests, func(file string) bool {
		return !slices.Contains(files, file) && !slices.Contains(files, path.Dir(file)+"/")
	}) {
		from = append(from, shell.Option("-R"))
	}
	for _, p := range request.Places(s.Snapshots, s.Manifests) {
		compared = append(compared, shell.File("--live", p))
	}
	rendered := ""
	switch {
	case len(cfg.Manifests) > 0:
		from = nil
		if len(cfg.AllLive()) > 0 {
			return "threeway review", nil
		}
	case len(files) > phrase.Listed:
		return "threeway config init", []string{"It writes the paths into " + settings.FileName + ", so that no command needs them."}
	case len(files) > 0:
	case len(s.Overlays)+len(s.Charts) == 0:
		return "threeway config verify", nil
	case len(s.Overlays) > 0:
		from, base = []shell.Arg{shell.File("-k", s.Overlays[0])}, ""
	case len(s.Charts) > 0:
		rendered = shell.Line("helm template", shell.Operand(path.Base(s.Charts[0])), shell.Path(s.Charts[0])) + " | "
		from, base = []shell.Arg{shell.Option("-f -")}, ""
	}
	if len(s.Snapshots) == 0 {
		then = append(then, "To compare with the cluster, export its objects with the command that this prints:\n\n  "+rendered+shell.Line("threeway snapshot", from...))
	}
	switch {
	case compared == nil && base == "":
		return rendered + shell.Line("threeway lint", from...), then
	case compared == nil:
		compared = []shell.Arg{shell.Flag("--base", "git:"+base)}
	}
	return rendered + shell.Line("threeway review", append(from, compared...)...), then
}
