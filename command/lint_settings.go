package command

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
)

// settle puts the values of the config file below those of the flags, and the
// paths of the command line where they belong: they are the config set, unless
// -f or the config file names that; then they choose what is reported.
func settle(c *cli.Context, cfg *settings.Config) (*cli.Context, func(file string) bool, error) {
	set := flag.NewFlagSet(c.Command.Name, flag.ContinueOnError)
	for _, f := range c.Command.Flags {
		if err := f.Apply(set); err != nil {
			return nil, nil, err
		}
	}
	s := settled{set: set, from: c}
	given := c.LocalFlagNames() // c.IsSet looks at every flag
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; slices.Contains(given, name) {
			if _, list := f.(*cli.StringSliceFlag); list {
				s.put(name, c.StringSlice(name)...)
			} else {
				s.put(name, c.String(name))
			}
		}
	}
	s.file(cfg)
	paths := c.Args().Slice()
	var shown func(string) bool
	if c.IsSet("kustomize") && len(paths) > 0 {
		return nil, nil, usageError("-k is the whole set, and %s chooses no file of it: leave it away", paths[0])
	}
	if c.IsSet("filename") || len(cfg.Manifests) > 0 {
		for _, p := range paths {
			if _, err := os.Stat(p); err != nil {
				return nil, nil, usageError("the path %q does not exist", p)
			}
		}
		if len(paths) > 0 {
			shown = withinAny(paths)
		}
	} else {
		other := otherFiles(c, cfg)
		s.put("filename", slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(other, p) })...)
	}
	settled := cli.NewContext(c.App, set, nil)
	settled.Context, settled.Command = c.Context, c.Command
	return settled, shown, s.err
}

// fromEnvironment lets each flag be set as THREEWAY_FLAG too, which the command
// line overrides. One that is empty counts as unset. -k must be typed, since it
// runs a program.
func fromEnvironment(flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		env := []string{"THREEWAY_" + strings.ToUpper(strings.ReplaceAll(f.Names()[0], "-", "_"))}
		if os.Getenv(env[0]) == "" || f.Names()[0] == "kustomize" {
			continue
		}
		switch f := f.(type) {
		case *cli.StringFlag:
			f.EnvVars = env
		case *cli.StringSliceFlag:
			f.EnvVars = env
		case *cli.BoolFlag:
			f.EnvVars = env
		case *cli.IntFlag:
			f.EnvVars = env
		}
	}
	return flags
}

// settled writes flags.
type settled struct {
	set  *flag.FlagSet
	from *cli.Context
	err  error
}

func (s *settled) put(name string, values ...string) {
	for _, v := range values {
		if err := s.set.Set(name, v); err != nil && s.err == nil {
			s.err = usageError("%s: %v", name, err)
		}
	}
}

// lower puts values below those given as flags. A command may lack the flag.
func (s *settled) lower(name string, values ...string) {
	if s.set.Lookup(name) != nil && !s.from.IsSet(name) {
		for _, v := range values {
			if v != "" {
				s.put(name, v)
			}
		}
	}
}

func (s *settled) file(cfg *settings.Config) {
	at := func(paths ...string) []string { return fromHere(cfg, paths) }
	if len(cfg.Manifests) > 0 && !s.from.IsSet("filename") && !s.from.IsSet("kustomize") {
		s.lower("filename", at(cfg.Manifests...)...)
		s.lower("recursive", "true")
	}
	if !s.from.IsSet("base") {
		s.lower("live", at(cfg.Live...)...)
	}
	s.lower("kubernetes-version", cfg.KubernetesVersion)
	s.lower("fail-on", cfg.FailOn)
	s.lower("namespace", cfg.Namespace)
	if cfg.ServerSide {
		s.lower("server-side", "true")
	}
	if p := cfg.Prune; p != nil && !s.from.IsSet("prune") {
		s.lower("prune", "true")
		s.lower("prune-root", at(p.Root)...)
		s.lower("selector", p.Selector)
		s.lower("applyset", p.ApplySet)
		s.lower("prune-allowlist", p.Allowlist...)
		if p.All {
			s.lower("all", "true")
		}
	}
}

// fromHere writes the paths of a config file from the working directory.
func fromHere(cfg *settings.Config, paths []string) []string {
	var list []string
	for _, p := range paths {
		if p != "" && p != "-" && !filepath.IsAbs(p) {
			p = relative(filepath.Join(filepath.Dir(cfg.File), p))
		}
		list = append(list, p)
	}
	return list
}

// withinAny reports whether a file is one of the paths or below it.
func withinAny(paths []string) func(file string) bool {
	here := absolute(".")
	join := func(path string) string {
		if filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
		return filepath.Join(here, path)
	}
	tops := make([]string, len(paths))
	for i, p := range paths {
		tops[i] = join(p)
	}
	return func(file string) bool {
		file = join(file)
		return slices.ContainsFunc(tops, func(top string) bool {
			rel, err := filepath.Rel(top, file)
			return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
		})
	}
}

// within reports whether a file is the path or below it.
func within(file, path string) bool { return withinAny([]string{path})(file) }

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// relative writes a path from the working directory, if that is shorter.
func relative(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, absolute(path)); err == nil && len(rel) < len(absolute(path)) {
		return rel
	}
	return path
}
