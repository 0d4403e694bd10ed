package guard_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/lint/guard"
	"threeway/merge"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
)

// TestNothingUnknownIsComplete: whatever a run does not know, the guard calls it neither complete
// nor allowed, and the verdict of review says neither "No changes" nor "No risks found". The same
// run without a gap is both.
func TestNothingUnknownIsComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop%s}\ndata: {a: b}\n"
	for name, server := range map[string]string{"config.yaml": "", "live.yaml": ", uid: b, managedFields: [{manager: m, operation: Update}]"} {
		if err := os.WriteFile(name, fmt.Appendf(nil, object, server), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	judged := func(gaps ...gap.Gap) (*guard.Report, string) {
		opts := merge.Options{Options: rehearsal.Options{
			Minor:  rehearsal.DefaultMinor,
			Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"config.yaml"}}), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"live.yaml"}})},
		}}
		plan, err := merge.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		plan.Gaps = nil
		plan.Add(gaps...)
		result := lint.Run(nil, lint.Input{Plan: plan, Options: opts}, lint.Options{})
		result.Gaps = plan.Gaps
		digest := show.NewDigest(result.Impact(), result.Effects, show.Options{})
		digest.AddErrors(nil, nil, nil)
		return guard.Found{Digest: digest, Lint: result}.Judge(nil, false), digest.Verdict().Text
	}
	good := func(verdict string) bool {
		return strings.HasPrefix(verdict, "No changes") || strings.HasPrefix(verdict, "No risks found")
	}
	if report, verdict := judged(); !report.Complete || report.Verdict != guard.Allow || !good(verdict) {
		t.Fatalf("without a gap: %+v, %q", report, verdict)
	}
	for _, code := range gap.Codes() {
		report, verdict := judged(gap.Gap{Code: code, Needs: "what settles it"})
		if report.Complete || report.Verdict == guard.Allow {
			t.Errorf("%s: the guard answers %s, complete %t", code, report.Verdict, report.Complete)
		}
		if good(verdict) {
			t.Errorf("%s: review says %q", code, verdict)
		}
	}
}
