package lint

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/fix"
	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
)

func fixFlags() []cli.Flag {
	return []cli.Flag{
		&cli.GenericFlag{Name: "fix", Category: request.CategoryOwn, Value: new(request.Fix), Usage: "repair the manifests where no judgment is needed, and report the rest; --fix=diff prints the diff and writes nothing"},
	}
}

// checkFixFlags refuses what does not go together.
func checkFixFlags(r *request.Request, outputs []request.Output) error {
	toStdout := slices.ContainsFunc(outputs, func(o request.Output) bool { return o.File == "" })
	switch {
	case len(r.Clusters) > 0 && r.Fixes:
		return fmt.Errorf("--fix repairs what is found on one cluster; run it for each of them: --live %s", r.Clusters[0].Live[0])
	case r.Several() && len(r.Clusters) == 0 && writesBaseline(outputs):
		return fmt.Errorf("-o baseline records what is found in one overlay; run it for each of them: -k %s", r.Kustomize[0])
	case len(r.Clusters) > 0 && writesBaseline(outputs):
		return fmt.Errorf("-o baseline records what is found on one cluster; run it for each of them: --live %s", r.Clusters[0].Live[0])
	case r.Fixes && len(r.Kustomize) > 0:
		return fmt.Errorf("--fix repairs files, and manifests rendered with -k are in no file; lint the sources with -f")
	case r.Fixes && writesBaseline(outputs):
		return fmt.Errorf("-o baseline and --fix cannot be combined; run --fix first")
	case r.Fix == request.FixDiff && len(r.Output) > 0 && toStdout:
		return fmt.Errorf("--fix=diff prints a diff to stdout; write the report to a file: -o %s=FILE", outputs[0].Format)
	}
	return nil
}

// repair makes the edits of the findings, and of those that come to light by that,
// until there are none. With --fix it then writes the files; with --fix=diff it
// prints the diff. It returns what remains.
func (l *lintRun) repair(ctx context.Context, std system.Streams, fresh func() system.Streams) (*lintRun, error) {
	now, repaired, refused, err := l.rounds(l.Result.Findings, func(asked *request.Request) (*lintRun, []*lint.Finding, error) {
		again, err := RunRules(ctx, asked, fresh())
		if err != nil {
			return nil, nil, err
		}
		return again, again.Result.Findings, nil
	})
	if err != nil {
		return nil, err
	}
	if l.Fix == request.FixDiff {
		now.placeAsIn(l)
		return now, now.showFixes(std, repaired, refused)
	}
	failure := now.writeFixes(std, repaired, refused)
	if failure != nil { // what is not repaired after all is found again
		if now, err = RunRules(ctx, l.asked, fresh()); err != nil {
			return nil, err
		}
	}
	return now, failure
}

// rounds makes the edits of findings until there are none; again runs with the files as
// they are by then. It returns the last run.
func (l *lintRun) rounds(findings []*lint.Finding, again func(asked *request.Request) (*lintRun, []*lint.Finding, error)) (now *lintRun, repaired *fix.Repaired, refused []fix.Unrepaired, err error) {
	now = l
	repaired, refused, err = fix.Rounds(func(r *fix.Repaired) (*fix.Fixer, []*lint.Finding, error) {
		if len(r.Changes) > 0 {
			asked := *l.asked
			asked.Instead = r.Text
			var err error
			if now, findings, err = again(&asked); err != nil {
				return nil, nil, err
			}
		}
		return now.Fixer(), findings, nil
	})
	return now, repaired, refused, err
}

// patch writes the diff of a file, which patch -p1 and git apply take.
func (l *lintRun) patch(w io.Writer, change *fix.Change, opts show.Options) error {
	before, after := change.Masked(l.Input.Secrets)
	if opts.ShowSecrets {
		before, after = string(change.Old), string(change.New)
	}
	name := slashed(change)
	return show.Texts(w, "a/"+name, "b/"+name, before, after, opts)
}

// slashed is the name of a file as diffs have it.
func slashed(change *fix.Change) string { return filepath.ToSlash(filepath.Clean(change.File)) }

// placeAsIn gives the findings that were there before the repairs the places that
// they had then, and have as long as nothing is written.
func (l *lintRun) placeAsIn(before *lintRun) {
	was := map[string]*lint.Finding{}
	for _, f := range before.Result.Findings {
		was[f.Fingerprint()] = f
	}
	for i, f := range l.Result.Findings {
		l.Result.Findings[i] = cmp.Or(was[f.Fingerprint()], f)
	}
}

// writeFixes writes the repaired files. One that cannot be written stays as it is.
func (l *lintRun) writeFixes(std system.Streams, repaired *fix.Repaired, refused []fix.Unrepaired) error {
	var failed []string
	files, fixed := 0, 0
	for _, change := range repaired.Changes {
		err := change.Stale()
		if err == nil {
			err = system.WriteFile(change.Target, change.New)
		}
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v; the file is unchanged", change.File, err))
			continue
		}
		files, fixed = files+1, fixed+len(change.Fixed)
	}
	if !l.Quiet {
		l.summarizeFixes(std.Err, "fixed", fixed, files, refused)
	}
	if failed != nil {
		return fmt.Errorf("write %s", strings.Join(failed, "\nerror: write "))
	}
	return nil
}

// showFixes prints the diff of the files.
func (l *lintRun) showFixes(std system.Streams, repaired *fix.Repaired, refused []fix.Unrepaired) error {
	fixed := 0
	opts := show.Options{Context: 3, ShowSecrets: l.ShowSecrets, Paint: run.Painter(l.Color, std.Out)}
	for _, change := range repaired.Changes {
		if err := l.patch(std.Out, change, opts); err != nil {
			return err
		}
		fixed += len(change.Fixed)
	}
	if !l.Quiet {
		l.summarizeFixes(std.Err, "would be fixed", fixed, len(repaired.Changes), refused)
	}
	return nil
}

// summarizeFixes says how many findings were repaired and why others were not,
// with the places that are reported.
func (l *lintRun) summarizeFixes(w io.Writer, done string, fixed, files int, refused []fix.Unrepaired) {
	text := fmt.Sprintf("%s %s in %s", phrase.Count(fixed, "finding"), done, phrase.Count(files, "file"))
	if fixed == 0 {
		text = "nothing " + done
	}
	if len(refused) > 0 {
		text += fmt.Sprintf(", %d not fixed:", len(refused))
	}
	fmt.Fprintln(w, text)
	reported := map[string]*lint.Finding{}
	for _, f := range l.Result.Findings {
		reported[f.Fingerprint()] = f
	}
	for _, r := range refused {
		f := cmp.Or(reported[r.Finding.Fingerprint()], r.Finding)
		show.Say(w, "  ", fmt.Sprintf("%s:%d:%d: %s: %v", f.At().File, f.At().Line, f.At().Column, f.Rule.ID, r.Why))
	}
}

// fixable counts the findings that --fix would try to repair.
func (l *lintRun) fixable() (n int) {
	for _, f := range l.Result.Findings {
		if _, edits := f.Edits(); len(edits) > 0 && f.At().File != manifest.Stdin && len(l.Kustomize) == 0 {
			n++
		}
	}
	return n
}

// offerFixes works the replacements out for the formats that carry them.
func (l *lintRun) offerFixes(outputs []request.Output) {
	if slices.ContainsFunc(outputs, func(o request.Output) bool { return o.Format == "json" || o.Format == "sarif" }) {
		l.Fixer().Offer(l.Result.Findings)
	}
}

// Fixer makes the edits of findings in the files as they are now.
func (l *lintRun) Fixer() *fix.Fixer {
	x := fix.New(func() string { return l.Input.Source(manifest.Stdin) })
	x.Unsaved, x.Shown = l.Instead, l.Fix != request.FixFiles
	return x
}
