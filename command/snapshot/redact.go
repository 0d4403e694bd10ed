package snapshot

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/manifest"
	"threeway/merge/redact"
)

func snapshotRedactCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "redact",
		Usage:     "mask the values of Secrets in an export, so that you can commit it",
		UsageText: "threeway snapshot redact --live PATH [-o FILE] [--key-file FILE]",
		Description: `Replaces the values of Secrets, in data, stringData and the copies in annotations,
with keyed hashes. Equal values have equal hashes, and without the key a value
cannot be guessed from its hash. The values that --env and the secrets of
` + settings.FileName + ` choose are replaced, too. Everything else stays the same. The
other commands accept such a snapshot; with the same key they know whether a
value in a manifest equals the redacted one.

The key comes from --key-file, or else $` + request.KeyVariable + `; otherwise a random key
is used once and discarded. FILE is readable only by you, and never partly written.

A copy of a redacted value, such as a password in a URL of a ConfigMap or in an
argument, is redacted too: of values of 8 or more characters, or of 6 with letters
and digits, but not of common words and of names. With --keep-copies they stay, and
are listed. Nothing is written if a value is left where it cannot be replaced.

Exit code: 0 done, 1 copies are kept, 2 bad input.

Examples:
  threeway snapshot redact --live snapshot.yaml -o snapshots/prod.yaml
  kubectl get deploy,secret -A -o yaml --show-managed-fields |
    threeway snapshot redact --live - --key-file key > prod.yaml

  # Passwords in the environment of containers too
  threeway snapshot redact --live snapshot.yaml -o prod.yaml --env known --env '*_PIN'`,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "live", Category: request.CategoryOwn, Usage: "snapshot `PATH`: a file, a directory, or - for stdin; repeatable"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: request.CategoryOwn, Usage: "`FILE` to write", DefaultText: "stdout"},
			request.KeyFlag(),
			keepCopiesFlag(),
			&cli.StringSliceFlag{Name: "env", Category: request.CategoryOwn, Usage: "also redact environment variables whose names match `PATTERN`, such as '*PASSWORD*'; 'known' stands for the usual names; repeatable"},
			&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: request.CategoryOwn, Usage: "settings `FILE`; what its secrets choose is redacted, too", DefaultText: settings.FileName + " here or in a directory above, up to the top of the repository"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: request.CategoryOwn, Usage: "print no notes and no summary"},
		},
		Action: p.Does(runSnapshotRedact),
	}
}

func keepCopiesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "keep-copies", Category: request.CategoryOwn, Usage: "leave the copies of redacted values in other fields and objects, list them, and exit 1"}
}

func runSnapshotRedact(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	if len(r.Args) > 0 {
		return 0, fmt.Errorf("unexpected argument %q; pass the snapshot with --live", r.Args[0])
	}
	redactor, err := redactorOf(r)
	if err != nil {
		return 0, err
	}
	texts, err := redacted(r, std, redactor)
	if err != nil {
		return 0, err
	}
	text := joined(texts)
	left, err := redactor.Leftovers(strings.NewReader(text))
	if err != nil {
		return 0, err
	}
	if len(left) > 0 && !r.KeepCopies {
		for i := range texts {
			if texts[i], err = redactor.FileOfCopies(r.Live[0], texts[i]); err != nil {
				return 0, err
			}
		}
		text = joined(texts)
		if left, err = redactor.Leftovers(strings.NewReader(text)); err != nil {
			return 0, err
		}
		if err := refused(left); err != nil {
			return 0, err
		}
	}
	if file := r.Destination(); file == "" || file == "-" {
		_, err = io.WriteString(std.Out, text)
	} else if err = system.WritePrivateFile(file, []byte(text)); err != nil {
		err = fmt.Errorf("write the snapshot: %v", err)
	}
	if err != nil {
		return 0, err
	}
	return tellRedacted(std.Err, r, redactor, left), nil
}

// refused is why a text with copies in it is not written: they are where nothing can
// be replaced, such as in a comment or a key.
func refused(left []redact.Leftover) error {
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("line %d would still have the value of %s, in a key or a comment, so nothing is written; remove it there, or pass --keep-copies", left[0].Line, left[0].Where)
}

// redactorOf makes what redacts with the key and the patterns of a request.
func redactorOf(r *request.Request) (*redact.Redactor, error) {
	key, err := inputs.RedactionKey(r.KeyFile)
	if err != nil {
		return nil, err
	}
	if key == nil {
		secret := make([]byte, 32)
		_, _ = rand.Read(secret) // never fails
		if key, err = redact.NewKey(fmt.Appendf(nil, "%x", secret)); err != nil {
			return nil, err
		}
	}
	return &redact.Redactor{Key: key, Policy: inputs.SecretsOf(&r.Inputs, r.RedactEnv...)}, nil
}

// tellRedacted says what was replaced, and which copies are kept: then the exit code
// says so too.
func tellRedacted(w io.Writer, r *request.Request, redactor *redact.Redactor, left []redact.Leftover) system.ExitCode {
	code := system.ExitOK
	if len(left) > 0 {
		code = system.ExitDifferences
	}
	if r.Quiet {
		return code
	}
	for i, l := range left {
		if i == 10 {
			fmt.Fprintf(w, "note: and %d more\n", len(left)-i)
			break
		}
		fmt.Fprintf(w, "note: line %d also has the value of %s\n", l.Line, l.Where)
	}
	fmt.Fprintf(w, "values redacted: %d", redactor.Values)
	if redactor.Copies > 0 {
		fmt.Fprintf(w, "; copies of them: %d", redactor.Copies)
	}
	fmt.Fprintln(w)
	return code
}

// redacted reads the dump, which must be whole, and returns the texts of its
// files with the values replaced.
func redacted(r *request.Request, std system.Streams, redactor *redact.Redactor) ([]string, error) {
	for _, path := range r.Live {
		if info, err := os.Stat(path); path != "-" && err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file and cannot be read twice; pass it as standard input: --live - <%s", path, path)
		}
	}
	var typed bytes.Buffer
	std.In = io.TeeReader(std.In, &typed)
	if _, err := snapshotLive(r, std); err != nil {
		return nil, err
	}
	files, err := manifest.Load(manifest.Options{Paths: r.Live, Recursive: true, Stdin: &typed, Limits: r.Limits})
	if err != nil {
		return nil, fmt.Errorf("%v", err)
	}
	var texts []string
	for _, f := range files {
		text, err := redactor.File(f.Name, f.Data)
		if err != nil {
			return nil, fmt.Errorf("%v", err)
		}
		if i := len(texts) - 1; i >= 0 && isJSON(text) != isJSON(texts[i]) {
			return nil, fmt.Errorf("%s and %s differ in format (JSON, YAML), and one file cannot hold both; redact them one by one", files[i].Name, f.Name)
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func isJSON(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

// joined makes one dump of several of the same form.
func joined(texts []string) string {
	separator := "---\n"
	if isJSON(texts[0]) {
		separator = ""
	}
	for i, text := range texts[:len(texts)-1] {
		if !strings.HasSuffix(text, "\n") {
			texts[i] += "\n"
		}
	}
	return strings.Join(texts, separator)
}
