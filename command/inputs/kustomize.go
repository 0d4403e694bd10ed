package inputs

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
)

// renderers are the command lines that render a kustomization, best first: what
// kubectl apply -k applies is what the kustomize inside of kubectl makes.
var renderers = [][]string{{"kubectl", "kustomize"}, {"kustomize", "build"}}

// checkKustomize refuses what does not go together with -k, in kubectl's words.
func checkKustomize(r *request.Inputs) error {
	switch {
	case r.Staged && (r.Kustomize != "" || r.SOPS || r.Fixes || r.Brings()):
		return fmt.Errorf("--staged reads the manifests of git's index as they are; remove -k, --sops, --fix and --chart, or remove --staged")
	case r.Kustomize == "":
		return nil
	case len(r.Files) > 0:
		return fmt.Errorf("only one of -f or -k can be specified")
	case r.Recursive:
		return fmt.Errorf("the -k flag can't be used with -f or -R")
	case len(r.Base) > 0 && strings.HasPrefix(r.Base[0], request.GitBase):
		return fmt.Errorf("--base %s does not render the kustomization of -k; render the old one to a file and pass --base FILE", r.Base[0])
	}
	return nil
}

// configSet reads the config files of -f, or what -k renders.
func configSet(ctx context.Context, r *request.Inputs, std system.Streams, stdin io.Reader) (*manifest.Set, error) {
	if r.Brings() {
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
	rendered, by, err := render(ctx, dir, r.Limits.Input.Bytes(), std.Err)
	if err != nil {
		return nil, err
	}
	if !r.Quiet {
		fmt.Fprintf(std.Err, "note: %s is the output of '%s'\n", dir, by)
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
