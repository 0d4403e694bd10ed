package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/merge/manifest"
)

// renderers are the command lines that render a kustomization, best first: what
// kubectl apply -k applies is what the kustomize inside of kubectl makes.
var renderers = [][]string{{"kubectl", "kustomize"}, {"kustomize", "build"}}

func kustomizeFlag() cli.Flag {
	return &cli.StringFlag{Name: "kustomize", Aliases: []string{"k"}, Category: categoryKubectl, Usage: "config is what 'kubectl kustomize `DIR`' prints, or else 'kustomize build'; that program is run, and may itself fetch remote bases"}
}

// checkKustomize refuses what does not go together with -k, in kubectl's words.
func checkKustomize(c *cli.Context) error {
	switch {
	case !c.IsSet("kustomize"):
		return nil
	case len(c.StringSlice("filename")) > 0:
		return usageError("only one of -f or -k can be specified")
	case c.Bool("recursive"):
		return usageError("the -k flag can't be used with -f or -R")
	case len(c.StringSlice("base")) > 0 && strings.HasPrefix(c.StringSlice("base")[0], gitBase):
		return usageError("--base %s reads files, and -k renders: pass a rendering of the old kustomization as --base FILE", c.StringSlice("base")[0])
	}
	return nil
}

// configSet reads the config files of -f, or what -k renders.
func configSet(c *cli.Context, std streams, stdin io.Reader) (*manifest.Set, error) {
	if !c.IsSet("kustomize") {
		return manifest.Read(manifest.Options{Paths: split(c.StringSlice("filename")), Recursive: c.Bool("recursive"), Stdin: stdin, StdinName: c.String("stdin-name")}), nil
	}
	dir := c.String("kustomize")
	rendered, by, err := render(c, dir, std.err)
	if err != nil {
		return nil, err
	}
	if !c.Bool("quiet") {
		fmt.Fprintf(std.err, "note: %s is what '%s' printed\n", dir, by)
	}
	return manifest.ReadKustomized(dir, rendered), nil
}

// render runs a program that renders the directory, and says which. What that
// says on stderr is passed on.
func render(c *cli.Context, dir string, stderr io.Writer) (rendered []byte, by string, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", usageError("-k %s is no directory here; name the one with kustomization.yaml, as nothing is downloaded", dir)
	}
	var words []string
	for _, candidate := range renderers {
		program, err := exec.LookPath(candidate[0])
		if err == nil {
			words, by = []string{program, candidate[1], "--", dir}, strings.Join(append(candidate, dir), " ")
			break
		}
	}
	if words == nil {
		return nil, "", usageError("-k %s needs kubectl or kustomize on the PATH, and neither is; render it elsewhere and pass the result with -f", dir)
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(c.Context, words[0], words[1:]...)
	stdout := &bounded{to: &out, left: c.Int("max-input") << 20}
	cmd.Stdout, cmd.Stderr = stdout, &bounded{to: &said, left: 1 << 20}
	err = runChild(cmd)
	if _, err := said.WriteTo(stderr); err != nil {
		return nil, "", err
	}
	switch {
	case stdout.full:
		return nil, "", usageError("'%s' printed more than %d MiB, the limit of --max-input", by, c.Int("max-input"))
	case err != nil:
		return nil, "", usageError("'%s' failed (%v), so that there is nothing to rehearse: run it alone, or render by other means and pass the result with -f", by, err)
	}
	return out.Bytes(), by, nil
}

// bounded passes on what it is given, up to a number of bytes, and then fails,
// which ends the program that writes.
type bounded struct {
	to   io.Writer
	left int
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.full = true
		return 0, errors.New("more output than is taken")
	}
	b.left -= len(p)
	return b.to.Write(p)
}
