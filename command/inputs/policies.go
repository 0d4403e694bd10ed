package inputs

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/rehearsal"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
	"threeway/rules/own"
)

// mostReport is how many bytes of its report a program of policies may print.
const mostReport = 64 << 20

// Violations asks the program of policy-command about what the plan stores and about what is
// live, and returns what is new. What it does not answer is a gap of the plan.
func Violations(ctx context.Context, r *request.Inputs, plan *merge.Plan, live *manifest.Snapshot, secrets *mask.Policy) []own.Violation {
	command, masking := r.Settings.PolicyCommand, secrets
	if r.ShowSecrets {
		masking = nil
	}
	q := &question{Inputs: r, changed: map[manifest.Identity]bool{}}
	if q.gather(plan, live, masking); command.Run == nil || len(q.changed) == 0 {
		return nil
	}
	if r.Trusted == nil || !r.Trusted.Knows(r.Settings.File) {
		plan.Add(gap.Gap{Code: gap.Unrehearsed, Text: own.Program + " was not run", Needs: "the answer of " + own.Program + ": pass --trust git:REVISION, since only the settings of a revision may start a program"})
		return nil
	}
	before, after, err := q.ask(ctx)
	if err != nil {
		needs := fmt.Sprintf("the answer of '%s' (%s): %v", strings.Join(command.Run, " "), own.Program, err)
		plan.Add(gap.Gap{Code: gap.Undecided, Text: "the answer of " + own.Program + " is unknown", Needs: visible.Line(needs)})
		return nil
	}
	found, answered := own.New(before, after), true
	found = slices.DeleteFunc(found, func(v own.Violation) bool {
		if none := v.Object == (manifest.Identity{}); !v.Evaluated() && (none || q.changed[v.Object]) {
			answered = false
			needs := fmt.Sprintf("the answer of policy %s, which %s could not evaluate: %s", v.Policy, own.Program, v.Message)
			g := gap.Gap{Code: gap.Undecided, Needs: visible.Short(needs)}
			if !none {
				g.Objects = append(g.Objects, v.Object)
			}
			plan.Add(g)
		}
		return !v.Evaluated()
	})
	for _, asked := range plan.Asked {
		if answered && !asked.Mutates() && asked.Fails == nil && slices.Contains(command.Answers, asked.Configuration) {
			plan.Gaps = slices.DeleteFunc(plan.Gaps, func(g gap.Gap) bool { return g.Code == gap.Webhook && g.Needs == asked.Gap().Needs })
			plan.Notes = slices.DeleteFunc(plan.Notes, func(note string) bool { return note == asked.String() })
		}
	}
	if q.besides != "" {
		plan.Notes = append(plan.Notes, own.Program+" also printed: "+q.besides)
	}
	return found
}

// question is what a program of policies is asked: about each object, before and after.
type question struct {
	*request.Inputs
	// before and after are the objects; nil where there is none.
	ids           []manifest.Identity
	before, after []tree.Object
	changed       map[manifest.Identity]bool
	besides       string
	given         bool // a word names a file
}

// gather finds the objects. Their Namespaces are among them, which policies select by.
func (q *question) gather(plan *merge.Plan, live *manifest.Snapshot, secrets *mask.Policy) {
	known := map[manifest.Identity]bool{}
	add := func(id manifest.Identity, before, after tree.Object) {
		known[id] = true
		q.ids, q.before, q.after = append(q.ids, id), append(q.before, before), append(q.after, after)
	}
	for _, o := range plan.Outcomes {
		if secrets != nil && o.HasSecrets(secrets) {
			o = o.Masked(secrets)
		}
		after := o.Result
		if after == nil {
			after = o.Before // it is rejected
		}
		if o.Action == rehearsal.Created || o.Action == rehearsal.Configured {
			q.changed[o.Identity()] = true
		}
		add(o.Identity(), o.Before, after)
	}
	if plan.Prune != nil {
		for _, c := range plan.Prune.Pruned() {
			was := c.Live.Object().Tree
			if secrets != nil {
				was = secrets.Object(was)
			}
			q.changed[c.Live.ID()] = true
			add(c.Live.ID(), was, nil)
		}
	}
	for _, id := range q.ids {
		if space := (manifest.Identity{Kind: "Namespace", Name: id.Namespace}); id.Namespace != "" && !known[space] && live != nil {
			if o := live.Find(space); o != nil {
				add(space, o.Tree, o.Tree)
			}
		}
	}
}

// ask runs the program where only the files of the revision are that its words name.
func (q *question) ask(ctx context.Context) (before, after []own.Violation, err error) {
	words := q.Settings.PolicyCommand.Run
	program, err := system.Which(words[0])
	if err != nil {
		return nil, nil, err
	}
	at, err := system.RevisionAt(ctx, q.Limits, strings.TrimPrefix(q.Trusted.Name, request.GitBase), q.Directory)
	if err != nil {
		return nil, nil, err
	}
	dir := path.Dir(at.At(q.Settings.File))
	files, err := q.named(at, dir, append([]string{program}, words[1:]...))
	if err != nil {
		return nil, nil, err
	}
	laid, done, err := at.LayOut(files, files)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	scratch, err := system.NewScratch()
	if err != nil {
		return nil, nil, fmt.Errorf("make a directory for the objects: %w", err)
	}
	defer scratch.Remove()
	const objects = "objects" // of both, since a message may have its path
	var args []string
	for _, word := range words[1:] {
		args = append(args, strings.ReplaceAll(word, "{}", filepath.Join(scratch.Name(), objects)))
	}
	for i, side := range [][]tree.Object{q.before, q.after} {
		if err := scratch.RemoveAll(objects); err != nil {
			return nil, nil, err
		}
		some := false
		for n, o := range side {
			if o == nil {
				continue
			}
			some = true
			text, _ := tree.JSON(tree.WithoutManagedFields(o), "", "") // plain values always encode
			if err := scratch.Write(filepath.Join(objects, fileOf(n)), []byte(text)); err != nil {
				return nil, nil, err
			}
		}
		if !some {
			continue
		}
		found, err := q.run(ctx, system.Program{Path: program, Args: args, Dir: filepath.Join(laid, filepath.FromSlash(dir)), Patience: time.Second})
		if err != nil {
			return nil, nil, err
		}
		if after = found; i == 0 {
			before = found
		}
	}
	return before, after, nil
}

// named are the files of a revision that words name, from the directory of the settings, with the
// settings.
func (q *question) named(at *system.Revision, dir string, words []string) ([]string, error) {
	files := []string{at.At(q.Settings.File)}
	for i, word := range words {
		_, value, _ := strings.Cut(word, "=")
		for _, w := range []string{word, value} {
			p := path.Join(dir, filepath.ToSlash(w))
			below := func(file string) bool { return p == "." || file == p || strings.HasPrefix(file, p+"/") }
			switch {
			case filepath.IsAbs(w) && system.Within(w, disk.Repository(q.Directory)):
				return nil, fmt.Errorf("%s is in the repository, where the change can replace it; name a program elsewhere, and files by their paths from the directory of %s", w, q.Settings.File)
			case w == "" || filepath.IsAbs(w):
				q.given = q.given || w != "" && i > 0
				continue
			case slices.ContainsFunc(slices.Collect(maps.Keys(at.Submodules())), below):
				return nil, fmt.Errorf("%s has a submodule, whose files the revision does not have", w)
			}
			for _, file := range at.Paths() {
				if below(file) {
					files, q.given = append(files, file), true
				}
			}
		}
	}
	return files, nil
}

// run is the answer of the program about one side.
func (q *question) run(ctx context.Context, program system.Program) ([]own.Violation, error) {
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	printed, more, ended, err := printedBy(ctx, nil, io.Discard, mostReport, program)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, fmt.Errorf("it has not ended after %v", mostTime)
	case more:
		return nil, fmt.Errorf("it printed more than %d MiB", mostReport>>20)
	case len(printed) == 0 && ended == nil && !q.given: // as Kyverno does
		return nil, fmt.Errorf("it printed nothing, and no word of it names a file of %s", q.Trusted.Name)
	}
	files := own.Files{}
	for i, id := range q.ids {
		files[fileOf(i)] = id
	}
	list, besides, err := files.Read(printed)
	if q.besides = besides; err == nil && ended != nil && len(list) == 0 {
		err = fmt.Errorf("it failed and printed no violation: %v", ended)
	}
	return list, err
}

// fileOf is the name of the file of an object.
func fileOf(i int) string { return fmt.Sprintf("%d.yaml", i) }
