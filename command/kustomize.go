package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
)

// renderers are the command lines that render a kustomization, best first: what
// kubectl apply -k applies is what the kustomize inside of kubectl makes.
var renderers = [][]string{{"kubectl", "kustomize"}, {"kustomize", "build"}}

func kustomizeFlag() cli.Flag {
	return &cli.StringFlag{Name: "kustomize", Aliases: []string{"k"}, Category: categoryKubectl, Usage: "manifests rendered by 'kubectl kustomize `DIR`', or 'kustomize build' if there is no kubectl; that program may fetch remote bases"}
}

// kustomizationFiles are the names of the file that makes a directory one for -k.
var kustomizationFiles = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomizationOf is the directory of the kustomization that a value of -f names,
// by the directory or the file; "" if it names none.
func kustomizationOf(path string) string {
	if slices.Contains(kustomizationFiles, filepath.Base(path)) && isRegular(path) {
		return filepath.Dir(path)
	}
	for _, name := range kustomizationFiles {
		if isRegular(filepath.Join(path, name)) {
			return filepath.Clean(path)
		}
	}
	return ""
}

// chartOf is the directory of the Helm chart that a value of -f names: by the
// directory, its Chart.yaml, or the templates in it; "" if it names none.
func chartOf(path string) string {
	path = filepath.Clean(path)
	for _, dir := range []string{path, filepath.Dir(path)} {
		inside := dir == path || slices.Contains([]string{"Chart.yaml", "templates"}, filepath.Base(path))
		if inside && isRegular(filepath.Join(dir, "Chart.yaml")) {
			return dir
		}
	}
	return ""
}

// checkKustomize refuses what does not go together with -k, in kubectl's words.
func checkKustomize(r *Request) error {
	switch {
	case r.Staged && (r.Kustomize != "" || r.SOPS || r.fixing() || r.brings()):
		return fmt.Errorf("--staged reads the manifests of git's index as they are; remove -k, --sops, --fix and --chart, or remove --staged")
	case r.Kustomize == "":
		return nil
	case len(r.Files) > 0:
		return fmt.Errorf("only one of -f or -k can be specified")
	case r.Recursive:
		return fmt.Errorf("the -k flag can't be used with -f or -R")
	case len(r.Base) > 0 && strings.HasPrefix(r.Base[0], gitBase):
		return fmt.Errorf("--base %s does not render the kustomization of -k; render the old one to a file and pass --base FILE", r.Base[0])
	}
	return nil
}

// configSet reads the config files of -f, or what -k renders.
func configSet(ctx context.Context, r *Request, std streams, stdin io.Reader) (*manifest.Set, error) {
	if r.brings() {
		return &manifest.Set{}, nil
	}
	if r.Staged {
		files, err := staged(ctx, r, r.Files)
		return manifest.ReadFiles(files, r.Limits), err
	}
	if r.Kustomize == "" {
		return manifest.Read(manifest.Options{Paths: r.Files, Recursive: r.Recursive, Stdin: stdin, StdinName: r.StdinName, Instead: r.Instead, Except: system.WithinAny(r.NotManifests), Kept: r.Kept, Limits: r.Limits}), nil
	}
	dir := r.Kustomize
	if r.Rendered != nil {
		return manifest.ReadKustomized(dir, r.Rendered), nil
	}
	rendered, by, err := render(ctx, dir, r.Limits.Input.Bytes(), std.err)
	if err != nil {
		return nil, err
	}
	if !r.Quiet {
		fmt.Fprintf(std.err, "note: %s is the output of '%s'\n", dir, by)
	}
	r.Rendered = rendered
	return manifest.ReadKustomized(dir, rendered), nil
}

// render runs a program that renders the directory, and says which. What that
// says on stderr is passed on.
func render(ctx context.Context, dir string, most int64, stderr io.Writer) (rendered []byte, by string, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", fmt.Errorf("-k %s is not a local directory; pass the directory with kustomization.yaml (nothing is downloaded)", dir)
	}
	if err := disk.CheckTree(dir); err != nil {
		return nil, "", fmt.Errorf("-k %s: %w", dir, err)
	}
	var words []string
	for _, candidate := range renderers {
		program, err := system.Which(candidate[0])
		if err == nil {
			words, by = []string{program, candidate[1], "--", dir}, strings.Join(append(candidate, shell.Path(dir).String()), " ")
			break
		}
	}
	if words == nil {
		return nil, "", fmt.Errorf("-k %s needs kubectl or kustomize, and neither is on the PATH; render it elsewhere and pass the result with -f", dir)
	}
	rendered, err = renderedBy(ctx, nil, stderr, most, by, words[0], words[1:]...)
	return rendered, by, err
}
