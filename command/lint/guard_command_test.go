package lint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint/guard"
	"threeway/merge"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

var update = flag.Bool("update", false, "write the verdicts")

// TestCommandLines holds what is rehearsed of command lines to what kubectl did by them on a
// real server (make -C fixtures/record commands records it): the same objects with the same
// content, and a rejection where kubectl failed. What the guard answers is in verdicts.
func TestCommandLines(t *testing.T) {
	const dir = "testdata/commands"
	golden, err := filepath.Abs(filepath.Join(dir, "verdicts"))
	if err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir() // of git, which would judge by the snapshot of a commit
	if err := os.CopyFS(outside, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(outside)
	recorded, err := os.ReadFile("recorded")
	if err != nil {
		t.Fatal(err)
	}
	var verdicts strings.Builder
	equal, all := 0, 0
	counts := map[guard.Answer]int{}
	for _, answer := range strings.Split(string(recorded), "$ ")[1:] {
		line, rest, _ := strings.Cut(answer, "\n")
		all++
		report, plan := guardLine(t, line)
		counts[report.Verdict]++
		fmt.Fprintf(&verdicts, "%-7s %s\n", report.Verdict, line)
		if report.Verdict == guard.Unknown {
			t.Logf("unknown: %s: %s", line, report.Text)
			continue
		}
		exit, want, _ := strings.Cut(rest, "\n")
		failed := exit != "exit 0"
		if said, more, is := strings.Cut(want, "\n"); is && strings.HasPrefix(said, "! ") {
			want = more
		}
		got, rejects := "", false
		if plan != nil {
			got, rejects = changesOf(t, plan)
		}
		switch {
		case failed != rejects:
			t.Errorf("%s: kubectl fails: %t, rejected: %t (%s)", line, failed, rejects, report.Text)
		case got != want:
			t.Errorf("%s\n%swant\n%s", line, got, want)
		default:
			equal++
		}
	}
	t.Logf("%d of %d lines are as on the server: %v", equal, all, counts)
	if *update {
		if err := os.WriteFile(golden, []byte(verdicts.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(golden); verdicts.String() != string(want) {
		t.Errorf("other verdicts:\n%s", verdicts.String())
	}
}

// TestCommandInTime: an answer that takes too long is an error, which the guard prints as
// unknown, and a panic stays one.
func TestCommandInTime(t *testing.T) {
	defer func(was time.Duration) { mostTime = was }(mostTime)
	mostTime = time.Millisecond
	if report, late, err := inTime(true, func() (*guard.Report, error) { select {} }); report != nil || !late || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Errorf("%v, %t, %v", report, late, err)
	}
	defer func() {
		if p := recover(); p != "of the answer" {
			t.Errorf("panics with %v", p)
		}
	}()
	mostTime = time.Hour
	_, _, _ = inTime(true, func() (*guard.Report, error) { panic("of the answer") })
}

// guardLine is what guard --command answers, and the plan behind it; nil if there is none.
func guardLine(t *testing.T, line string) (report *guard.Report, plan *merge.Plan) {
	p := &run.Program{Std: system.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}}
	command := GuardCommand(p)
	command.Action = func(c *cli.Context) error {
		nothing, err := request.ReadCommand(c)
		if err != nil {
			return err
		}
		if nothing != "" {
			report = guard.Nothing(nothing)
			return nil
		}
		return p.Does(func(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
			l, err := guarded(ctx, r, std)
			if err == nil {
				plan, report = l.Input.Plan, l.judged
			}
			return 0, err
		})(c)
	}
	app := &cli.App{Name: "threeway", Commands: []*cli.Command{command}}
	if err := app.RunContext(context.Background(), []string{"threeway", "guard", "-c", "", "--live", "live.yaml", "--command", line}); err != nil {
		return guard.Failed(err), nil
	}
	return report, plan
}

// changesOf are the objects that a plan changes, as the recorder writes them.
func changesOf(t *testing.T, plan *merge.Plan) (text string, rejects bool) {
	var b bytes.Buffer
	for _, c := range plan.Prune.Pruned() {
		fmt.Fprintf(&b, "- %s\n", called(c.Live.Object().Tree))
	}
	gone := strings.Split(b.String(), "\n")
	slices.Sort(gone)
	changed := map[string]string{}
	for _, o := range plan.Outcomes {
		rejects = rejects || o.Action == rehearsal.Rejected
		if o.Result == nil {
			continue
		}
		if digest := digestOf(t, o.Result); o.Live == nil || digest != digestOf(t, o.Live.Tree) {
			changed[called(o.Result)] = digest
		}
	}
	text = strings.TrimPrefix(strings.Join(append(gone, ""), "\n"), "\n")
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		text += name + " " + changed[name] + "\n"
	}
	return text, rejects || len(plan.RejectedEarly()) > 0
}

func called(o tree.Object) string {
	namespace := "<nil>"
	if tree.Has(o, "metadata", "namespace") {
		namespace = tree.String(o, "metadata", "namespace")
	}
	return fmt.Sprintf("%s %s/%s", o["kind"], namespace, tree.String(o, "metadata", "name"))
}

// digestOf is the digest of an object that the recorder writes.
func digestOf(t *testing.T, o tree.Object) string {
	o = tree.CopyObject(o)
	for _, key := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
		tree.Delete(o, "metadata", key)
	}
	tree.Delete(o, "spec", "template", "metadata", "creationTimestamp")
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if dump := os.Getenv("DUMP"); dump != "" {
		_ = os.WriteFile(dump+"/"+strings.NewReplacer("/", "_", " ", "_").Replace(called(o))+"."+hex.EncodeToString(sum[:6]), text, 0o644)
	}
	return hex.EncodeToString(sum[:6])
}
