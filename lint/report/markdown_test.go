package report

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// checkMarkdown makes sure that nothing of a manifest is markup: outside of
// blocks of code there is no HTML but ours, no mention, no link, and every row
// of a table has as many cells as its head.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	fence, cells := "", 0
	open := strings.Count(text, "<details>") + strings.Count(text, "<details open>")
	if open != strings.Count(text, "</details>") {
		t.Errorf("%d <details> are not all closed", open)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "/") {
			t.Errorf("a bot takes this line for a command: %q", line)
		}
		if strings.HasPrefix(line, "```") && (fence == "" || line == fence) {
			if fence != "" {
				fence = ""
			} else {
				fence = strings.TrimRight(line, "abcdefghijklmnopqrstuvwxyz")
			}
			continue
		}
		if fence != "" {
			continue
		}
		ours := strings.NewReplacer("<details><summary>", "", "<details open><summary>", "", "</summary>", "", "</details>", "", "<code>", "", "</code>", "", "<p>", "", "</p>", "", "<br>", "").Replace(line)
		rendered := strings.ReplaceAll(withoutCode(ours), "&#64;", "@")
		for _, bad := range []string{"<", "@team", "#1", "](", "\r", "\x01"} {
			if strings.Contains(rendered, bad) {
				t.Errorf("%q is left in %q", bad, line)
			}
		}
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		switch {
		case !strings.HasPrefix(line, "|"):
			cells = 0
		case cells == 0:
			cells = n
		case n != cells:
			t.Errorf("%d borders instead of %d in %q", n, cells, line)
		}
	}
	if fence != "" {
		t.Error("a block of code is not closed")
	}
}

// withoutCode drops inline code and what is escaped.
func withoutCode(line string) string {
	var b strings.Builder
	for line != "" {
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		end := strings.Index(line[ticks:], strings.Repeat("`", ticks))
		switch {
		case line[0] == '\\' && len(line) > 1:
			line = line[2:]
		case ticks > 0 && end >= 0:
			line = line[ticks+end+ticks:]
		default:
			b.WriteByte(line[0])
			line = line[1:]
		}
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	got := renderWith(t, "markdown", several(t), Options{ShowSuppressed: true})
	checkMarkdown(t, got)
	for _, want := range []string{"### threeway lint\n", "#### Errors\n", "#### Warnings\n", "#### Info\n", "| 1 | 2 | 1 | 1 | 1 | 0 |\n", "suppressed: x", "cannot be read"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Index(got, "#### Errors") > strings.Index(got, "#### Warnings") {
		t.Error("warnings come before errors")
	}
	if none := render(t, "markdown", &lint.Result{}); strings.Contains(none, "####") || strings.Contains(none, "<details>") {
		t.Errorf("without findings: %s", none)
	}
}

// TestMarkdownIsBounded: GitHub rejects a comment of more than 65,536 characters,
// so what does not fit is left out, the least important first, and counted.
func TestMarkdownIsBounded(t *testing.T) {
	r := result(t)
	for i := range 300 {
		warning := *r.Findings[0]
		warning.Severity, warning.Message = lint.Warning, strconv.Itoa(i)+strings.Repeat("|", 500)
		r.Findings = append([]*lint.Finding{&warning}, r.Findings...)
	}
	got := render(t, "markdown", r)
	if len(got) > longestComment || len(got) < longestComment*9/10 {
		t.Errorf("%d bytes", len(got))
	}
	checkMarkdown(t, got)
	_, cut, _ := strings.Cut(got, "**Truncated**")
	if !strings.Contains(got, "#### Errors\n") || !regexp.MustCompile(`Left out: \d+ findings\.`).MatchString(cut) {
		t.Errorf("cut: %s", cut)
	}
}

func reviewOf(plan *merge.Plan, found *lint.Result, shown show.Options) *Review {
	shown.Digest = show.NewDigest(impact.Of(plan, merge.Options{}), found.Effects, shown)
	return &Review{Plan: plan, Lint: found, Diff: shown}
}

// TestReviewMarkdown takes a config that tries to be markup.
func TestReviewMarkdown(t *testing.T) {
	r := several(t)
	var b strings.Builder
	if err := ReviewMarkdown(&b, reviewOf(evilPlan(t), r, show.Options{WithoutBookkeeping: true}), Options{}); err != nil {
		t.Fatal(err)
	}
	checkMarkdown(t, b.String())
	for _, want := range []string{"kubernetes 1.37; client-side apply", "> [!NOTE]\n> **No risks found**", "<summary>+ ConfigMap shop/a created +7 −0</summary>", "kubernetes 1.37; client-side apply"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestReviewMarkdownIsBounded: a long difference is cut, and of objects for
// which there is no room at all there is a line.
func TestReviewMarkdownIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	var config strings.Builder
	for i := range 200 {
		fmt.Fprintf(&config, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d, namespace: shop}\ndata:\n", i)
		for j := range 500 {
			fmt.Fprintf(&config, "  key%d: \"```\"\n", j)
		}
	}
	if err := os.WriteFile("c.yaml", []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	plan, err := merge.New(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"c.yaml"}})}}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := ReviewMarkdown(&b, reviewOf(plan, &lint.Result{}, show.Options{}), Options{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	checkMarkdown(t, got)
	shown := strings.Count(got, " more lines\n")
	if len(got) > longestComment || shown < 30 || strings.Count(got, "<p>+ ConfigMap shop/") != 200-shown ||
		!strings.Contains(got, fmt.Sprintf("Left out: the details of %d objects.", 200-shown)) {
		t.Errorf("%d bytes, %d differences, %s", len(got), shown, got[len(got)-300:])
	}
}

// TestReviewMarkdownOfManyObjects: of 500 objects, half of which get the same change, a
// comment has the verdict, one entry for the equal changes, and as many of the
// others as there is room for, the smallest first.
func TestReviewMarkdownOfManyObjects(t *testing.T) {
	t.Chdir(t.TempDir())
	var config, live strings.Builder
	for i := range 500 {
		lines, image := "", "example.com/app:2"
		if i%2 == 1 {
			image = fmt.Sprintf("example.com/app:v%d", i)
			for j := range i / 2 {
				lines += fmt.Sprintf("    a%d: %q\n", j, strings.Repeat("x", 40))
			}
		}
		for b, image := range map[*strings.Builder]string{&config: image, &live: "example.com/app:1"} {
			added := ""
			if b == &config {
				added = lines
			}
			fmt.Fprintf(b, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d%d\n  namespace: n%d\n  annotations:\n    b: c\n%sspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: a, image: %q}]\n", i, i, added, image)
		}
	}
	for name, text := range map[string]string{"c.yaml": config.String(), "live.yaml": live.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := manifest.ReadSnapshot(manifest.Options{Paths: []string{"live.yaml"}})
	plan, err := merge.New(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"c.yaml"}}), Live: snapshot}}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r := reviewOf(plan, &lint.Result{}, show.Options{WithoutBookkeeping: true})
	if err := ReviewMarkdown(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	checkMarkdown(t, got)
	if len(got) > longestComment || !strings.Contains(got, string(markdown.Escape(r.Diff.Digest.Verdict().Text))) {
		t.Errorf("%d bytes, begins with %.300s", len(got), got)
	}
	if !strings.Contains(got, "~ 250 Deployments +1 −1") || strings.Contains(got, "~ Deployment n2/d2") {
		t.Error("the equal changes are not one entry")
	}
	shown := regexp.MustCompile(`<summary>~ Deployment n(\d+)/`).FindAllStringSubmatch(got, -1)
	for i, m := range shown {
		if m[1] != strconv.Itoa(2*i+1) {
			t.Fatalf("the differences are not the smallest: %v", shown)
		}
	}
	if len(shown) < 10 {
		t.Errorf("only %d differences", len(shown))
	}
}

// evilPlan is the plan that result lints.
func evilPlan(t *testing.T) *merge.Plan {
	t.Helper()
	plan, err := merge.New(evilOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
