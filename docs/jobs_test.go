package docs_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// secret is in a Secret of the hostile manifests, and in no output.
const secret = "c4nary-of-the-jobs"

// hostile are 300 objects that try to be Markdown, mentions and commands.
func hostile(image string) map[string]string {
	var many strings.Builder
	for i := range 296 {
		fmt.Fprintf(&many, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: many-%d, namespace: shop}\ndata: {image: \"%s-%d\", text: %q}\n", i, image, i, strings.Repeat("x ", 100))
	}
	return map[string]string{
		"deploy/many.yaml": many.String(),
		"deploy/web.yaml": fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, annotations: {note: "@everyone <img src=x onerror=alert(1)> [a](http://x) #1\n/close\n::error::x\n%s/merge"}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: %q}]}
`, "```\\n", "web:"+image),
		"deploy/secret.yaml": fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\nstringData: {password: %s-%s}\n", secret, image),
		"deploy/names.yaml": fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {name: "@team/x|<b>#1", namespace: shop}
data: {a: %q}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "a\n::error::named\n##[error]b\n/approve", namespace: shop}
data: {a: %[1]q}
`, image),
	}
}

// job is a clone as a service checks it out, and what its runner says about it.
type job struct {
	dir         string
	base, merge string
	env         map[string]string
}

// newJob makes a pull request that changes the hostile manifests: its origin has
// the target, the branch and their merge, of which the job has a shallow clone.
func newJob(t *testing.T) *job {
	t.Helper()
	for _, program := range []string{"bash", "curl", "git", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the binary is a shell script")
	}
	top := t.TempDir()
	j := &job{dir: filepath.Join(top, "job")}
	j.env = map[string]string{"PATH": os.Getenv("PATH"), "HOME": filepath.Join(top, "home"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
		"TMPDIR": top, "INPUT_BINARY": binary(t, top), "INPUT_TOKEN": jobToken}
	origin := filepath.Join(top, "origin")
	write(t, origin, hostile("1"))
	git := func(dir string, args ...string) string {
		out, code := j.run(t, dir, append([]string{"git"}, args...)...)
		if code != 0 {
			t.Fatalf("git %v: %s", args, out)
		}
		return strings.TrimSpace(out)
	}
	git(origin, "init", "-q", "-b", "main")
	git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	git(origin, "add", ".")
	git(origin, "commit", "-qm", "base")
	git(origin, "checkout", "-qb", "change")
	write(t, origin, hostile("2"))
	write(t, origin, map[string]string{".threeway.yaml": "version: 1\nmanifests: [deploy]\nfail-on: never\nrules: {apply-rejected: off}\n"})
	write(t, top, map[string]string{"elsewhere/comment.md": "precious"})
	if err := os.Symlink("../elsewhere", filepath.Join(origin, "threeway-reports")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if data, _ := os.ReadFile(filepath.Join(top, "elsewhere/comment.md")); string(data) != "precious" {
			t.Errorf("a link of the change to another directory is followed: %q", data)
		}
	})
	git(origin, "add", ".")
	git(origin, "commit", "-qm", "change")
	git(origin, "checkout", "-q", "main")
	write(t, origin, map[string]string{"README": "meanwhile"})
	git(origin, "add", ".")
	git(origin, "commit", "-qm", "meanwhile")
	j.base = git(origin, "rev-parse", "main")
	git(origin, "checkout", "-q", "--detach")
	git(origin, "merge", "-q", "--no-ff", "-m", "merge", "change")
	j.merge = git(origin, "rev-parse", "HEAD")
	git(origin, "update-ref", "refs/pull/7/merge", j.merge)
	git(top, "init", "-q", j.dir)
	git(j.dir, "remote", "add", "origin", "file://"+origin)
	git(j.dir, "fetch", "-q", "--depth", "1", "origin", j.merge)
	git(j.dir, "checkout", "-q", "--detach", j.merge)
	return j
}

// binary is a script that runs this test as threeway.
func binary(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"threeway": fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asThreeway, self)})
	file := filepath.Join(dir, "threeway")
	if err := os.Chmod(file, 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a program with the environment of the job, and returns what it prints.
func (j *job) run(t *testing.T, dir string, args ...string) (string, int) {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	for _, name := range slices.Sorted(maps.Keys(j.env)) {
		c.Env = append(c.Env, name+"="+j.env[name])
	}
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(string(out), jobToken) || strings.Contains(string(out), secret) {
		t.Errorf("%v prints a secret", args)
	}
	return string(out), c.ProcessState.ExitCode()
}

// script runs a script of the action.
func (j *job) script(t *testing.T, name string, args ...string) (string, int) {
	t.Helper()
	file, err := filepath.Abs("action/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return j.run(t, j.dir, append([]string{"bash", file}, args...)...)
}

// onGitHub is the environment of a runner in a pull request.
func (j *job) onGitHub(s *standIn) {
	maps.Copy(j.env, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_SHA": j.merge, "GITHUB_REPOSITORY": "acme/shop",
		"GITHUB_API_URL": s.URL, "GITHUB_GRAPHQL_URL": s.URL + "/graphql", "INPUT_PULL_REQUEST": "7", "INPUT_BASE_SHA": j.base,
		"GITHUB_OUTPUT": filepath.Join(j.env["TMPDIR"], "output"), "GITHUB_STEP_SUMMARY": filepath.Join(j.env["TMPDIR"], "summary")})
}

// TestJobOnGitHub reviews a hostile pull request with no settings at all, and
// comments on it, twice.
func TestJobOnGitHub(t *testing.T) {
	wide(t)
	t.Parallel()
	j, s := newJob(t), newStandIn(t)
	j.onGitHub(s)
	log, code := j.script(t, "review.sh")
	if code != 1 {
		t.Fatalf("exit code %d, want 1 for objects that are rejected:\n%.3000s", code, log)
	}
	checkLog(t, log)
	for _, want := range []string{"note: .threeway.yaml is new in this change and does not count", "assuming that the cluster matches git:" + j.base, "rejected", "::error file=deploy/names.yaml"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in the log", want)
		}
	}
	checkReports(t, filepath.Join(j.dir, "threeway-reports"), "comment.md", "threeway.sarif", "junit.xml", "review.html")
	output, _ := os.ReadFile(j.env["GITHUB_OUTPUT"])
	if !strings.Contains(string(output), "exit-code=1\n") || !strings.Contains(string(output), "/threeway-reports/threeway.sarif\n") {
		t.Errorf("outputs: %s", output)
	}

	// The comment of a stranger has our marker, and ours is on the second page.
	s.comments = append(s.comments, &remark{1, "mallory", "<!-- threeway: threeway -->\nall is well"})
	for i := range 120 {
		s.comments = append(s.comments, &remark{2 + i, "alice", "talk"})
	}
	report := "threeway-reports/comment.md"
	out, code := j.script(t, "comment.sh", report, "https://example.com/artifact")
	if code != 0 || !strings.Contains(out, "a comment was posted") || len(s.comments) != 122 {
		t.Fatalf("%d comments, exit code %d: %s", len(s.comments), code, out)
	}
	ours := s.comments[121]
	checkComment(t, ours.body)
	write(t, j.dir, map[string]string{report: "### threeway review\n\nsecond\n"})
	out, code = j.script(t, "comment.sh", report)
	if code != 0 || !strings.Contains(out, "replaced") || len(s.comments) != 122 || ours.body != "<!-- threeway: threeway -->\n### threeway review\n\nsecond\n" || s.comments[0].body != "<!-- threeway: threeway -->\nall is well" {
		t.Errorf("exit code %d: %s\n%s", code, out, ours.body)
	}
	j.env["INPUT_NAME"] = "staging --> <b>"
	if out, _ = j.script(t, "comment.sh", report); len(s.comments) != 123 || !strings.HasPrefix(s.comments[122].body, "<!-- threeway: staging -- b -->\n") {
		t.Errorf("a second name has no comment of its own: %s", out)
	}
	s.forbids = true
	if out, code = j.script(t, "comment.sh", report); code != 0 || !strings.HasPrefix(out, "::warning title=threeway::the comment was not posted: PATCH ") || !strings.Contains(out, "answers 403: Resource not accessible") || strings.Count(out, "\n") != 1 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestCheck: the answer of the guard is a check with a conclusion, and no answer is none
// that allows.
func TestCheck(t *testing.T) {
	wide(t)
	t.Parallel()
	j, s := newJob(t), newStandIn(t)
	j.onGitHub(s)
	j.env["INPUT_HEAD_SHA"] = j.merge
	post := func(verdict, ask, want string) check {
		t.Helper()
		j.env["INPUT_ASK"] = ask
		if err := os.RemoveAll(filepath.Join(j.dir, "threeway-reports")); err != nil {
			t.Fatal(err)
		}
		write(t, j.dir, map[string]string{"threeway-reports/verdict.json": verdict})
		out, code := j.script(t, "check.sh", "threeway-reports")
		if code != 0 || out != "threeway: the check is "+want+"\n" || len(s.checks) == 0 {
			t.Fatalf("%s: exit code %d: %s", verdict, code, out)
		}
		return s.checks[len(s.checks)-1]
	}
	for _, c := range []struct{ verdict, ask, want, title string }{
		{`{"verdict": "allow", "text": "No risks found: 1 change"}`, "", "success", "allow: No risks found: 1 change"},
		{`{"verdict": "deny", "text": "a\n::error::b"}`, "neutral", "failure", "deny: a ::error::b"},
		{`{"verdict": "ask", "text": "Look"}`, "", "action_required", "ask: Look"},
		{`{"verdict": "ask", "text": "Look"}`, "neutral", "neutral", "ask: Look"},
		{`{"verdict": "ask", "text": "Look"}`, "success", "action_required", "ask: Look"},
		{`{"verdict": "unknown", "text": "Incomplete"}`, "neutral", "action_required", "unknown: Incomplete"},
		{`{"verdict": "allowed"}`, "", "action_required", "unknown: null"},
		{``, "neutral", "action_required", "unknown: there is no answer; the log of the job says why"},
	} {
		if got := post(c.verdict, c.ask, c.want); got.Name != "threeway verdict" || got.HeadSHA != j.merge || got.Conclusion != c.want || got.Output.Title != c.title || got.Output.Summary == "" {
			t.Errorf("%s: %+v", c.verdict, got)
		}
	}
	s.forbids = true
	if out, code := j.script(t, "check.sh", "threeway-reports"); code != 0 || !strings.HasPrefix(out, "::warning title=threeway::the check was not posted: POST ") || len(s.checks) != 8 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestJobOfMergeGroup: two changes that each are allowed, and together are rejected, as
// fixtures/admission/node-port-of-two-changes.txtar has it of a real server.
func TestJobOfMergeGroup(t *testing.T) {
	wide(t)
	t.Parallel()
	j, s := newJob(t), newStandIn(t)
	origin := filepath.Join(filepath.Dir(j.dir), "origin")
	git := func(args ...string) string {
		out, code := j.run(t, origin, append([]string{"git"}, args...)...)
		if code != 0 {
			t.Fatalf("git %v: %s", args, out)
		}
		return strings.TrimSpace(out)
	}
	service := func(name, port string) map[string]string {
		return map[string]string{"services/" + name + ".yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {type: NodePort, selector: {app: " + name + "}, ports: [{port: 80, nodePort: " + port + "}]}\n"}
	}
	git("checkout", "-q", "main")
	write(t, origin, map[string]string{".threeway.yaml": "version: 1\nmanifests: [services]\nguard:\n- {answer: allow, code: [opens, no-snapshot]}\n"})
	write(t, origin, service("zero", "30990"))
	git("add", ".")
	git("commit", "-qm", "base")
	base := git("rev-parse", "HEAD")
	for _, entry := range []string{"one", "two"} {
		git("checkout", "-qb", entry, base)
		write(t, origin, service(entry, "30992"))
		git("add", ".")
		git("commit", "-qm", entry)
		git("checkout", "-q", "main")
		git("merge", "-q", "--no-ff", "-m", "Merge "+entry, entry)
	}
	head := git("rev-parse", "HEAD")
	for _, command := range [][]string{{"fetch", "-q", "--depth", "1", "origin", head}, {"checkout", "-q", "--detach", head}} {
		if out, code := j.run(t, j.dir, append([]string{"git"}, command...)...); code != 0 {
			t.Fatal(out)
		}
	}
	j.onGitHub(s)
	maps.Copy(j.env, map[string]string{"GITHUB_EVENT_NAME": "merge_group", "GITHUB_REF": "refs/heads/gh-readonly-queue/main/pr-8-x", "GITHUB_SHA": head, "INPUT_BASE_SHA": base, "INPUT_HEAD_SHA": head})
	log, code := j.script(t, "review.sh")
	if code != 1 || strings.Count(log, "alone: allow ") != 2 {
		t.Fatalf("exit code %d: %s", code, log)
	}
	output, _ := os.ReadFile(j.env["GITHUB_OUTPUT"])
	if !strings.Contains(string(output), "\nverdict=deny\n") {
		t.Errorf("outputs: %s", output)
	}
	if out, code := j.script(t, "check.sh", "threeway-reports"); code != 0 || len(s.checks) != 1 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	if c := s.checks[0]; c.Conclusion != "failure" || c.Output.Title != "deny: Not safe to apply: 1 to fix, 1 to decide; each alone: 2 allow" || !strings.Contains(c.Output.Summary, "provided port is already allocated") {
		t.Errorf("%+v", c)
	}
}

// checkLog runs a log as a runner does, and finds no command but annotations.
func checkLog(t *testing.T, log string) {
	t.Helper()
	word, commands := "", 0
	annotation := regexp.MustCompile(`^::(error|warning|notice) (file=[^:]*|title=threeway)::`)
	for _, line := range strings.Split(log, "\n") {
		line = strings.TrimLeft(line, " \t")
		switch {
		case word != "":
			if line == "::"+word+"::" {
				word = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			word = strings.TrimPrefix(line, "::stop-commands::")
		case annotation.MatchString(line):
			commands++
		case strings.HasPrefix(line, "::") || strings.Contains(line, "##["):
			t.Errorf("a runner runs %q", line)
		}
	}
	if commands == 0 || word != "" {
		t.Errorf("%d annotations, commands are still off: %v", commands, word != "")
	}
}

// checkReports wants reports, and no secret in them.
func checkReports(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(data) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s has a value of a Secret", name)
		}
	}
}

// checkComment wants the plan, what is dangerous and what is left out, and
// nothing that a service or a bot would act on.
func checkComment(t *testing.T, body string) {
	t.Helper()
	for _, want := range []string{"<!-- threeway: threeway -->\n### threeway review\n\n[The whole review as a page](https://example.com/artifact)\n\n> [!CAUTION]\n> **deny: Not safe to apply: 2 to fix**\n", "restarts 1 workload (3 pods)", "#### Fix first\n", "- `deploy/names.yaml:1` ",
		"\n**Truncated** at ", "the details of ", "\n[The whole review as a page](https://example.com/artifact)\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in the comment:\n%.1500s … %s", want, body, body[max(0, len(body)-400):])
		}
	}
	code := regexp.MustCompile("(?ms)^(````*)[a-z]*\n.*?\n````*$|`[^`\n]*`|<code>[^\n]*?</code>")
	outside := strings.ReplaceAll(code.ReplaceAllString(body, ""), "&#64;", "@")
	for _, bad := range []string{"@team", "@everyone", "<img", "<b>", "](http://x", "#1"} {
		if strings.Contains(outside, bad) {
			t.Errorf("%q is in the comment outside of code", bad)
		}
	}
	if strings.Contains(body, "\n/") {
		t.Error("a line of the comment is a command for a bot")
	}
}

// TestJobWithoutNetwork: what is not a pull request, and a base that is gone, are
// said, and no comment is tried without a token.
func TestJobWithoutNetwork(t *testing.T) {
	wide(t)
	t.Parallel()
	j := newJob(t)
	j.env["INPUT_BASE_SHA"] = strings.Repeat("1", 40)
	if out, code := j.script(t, "review.sh"); code != 2 || !strings.Contains(out, "where the change starts, cannot be fetched") {
		t.Errorf("exit code %d: %s", code, out)
	}
	j.env["INPUT_BASE_SHA"] = ""
	j.env["INPUT_FAIL_ON"] = "never"
	j.env["INPUT_COMMAND"] = "lint"
	if out, code := j.script(t, "review.sh"); code != 0 || !strings.Contains(out, "pass --live") || strings.Contains(out, "stop-commands") {
		t.Errorf("exit code %d: %s", code, out)
	}
	j.env["INPUT_TOKEN"] = ""
	if out, code := j.script(t, "comment.sh", "threeway-reports/comment.md"); code != 0 || !strings.Contains(out, "warning: the comment was not posted: it needs a pull request") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestJobOnGitLab runs the lines of the component, with a release that it
// downloads and checks.
func TestJobOnGitLab(t *testing.T) {
	wide(t)
	t.Parallel()
	j, s := newJob(t), newStandIn(t)
	archive := archived(t, j.env["INPUT_BINARY"])
	sums := fmt.Sprintf("%x  threeway_0.1.0_linux_amd64.tar.gz\n", sha256.Sum256(archive))
	s.release(t, "v0.1.0", map[string][]byte{"threeway_0.1.0_linux_amd64.tar.gz": archive, "checksums.txt": []byte(sums)})
	delete(j.env, "INPUT_BINARY")
	delete(j.env, "INPUT_TOKEN")
	maps.Copy(j.env, map[string]string{"GITLAB_CI": "true", "CI_API_V4_URL": s.URL + "/api/v4", "CI_PROJECT_ID": "9", "CI_MERGE_REQUEST_IID": "7", "CI_PROJECT_DIR": j.dir,
		"CI_MERGE_REQUEST_EVENT_TYPE": "merged_result", "CI_COMMIT_SHA": j.merge, "CI_MERGE_REQUEST_DIFF_BASE_SHA": j.base,
		"CI_JOB_URL": "https://gitlab.example.com/-/jobs/5", "THREEWAY_TOKEN": jobToken})
	lines := component(t, j, map[string]string{"releases": s.URL + "/releases", "version": "0.1.0", "fail-on": "error"})
	out, code := j.run(t, j.dir, "bash", "-eo", "pipefail", "-c", lines)
	if code != 1 || len(s.comments) != 1 || !strings.Contains(out, "a comment was posted") {
		t.Fatalf("exit code %d, %d notes: %s", code, len(s.comments), out)
	}
	if len(s.checks) != 1 || s.checks[0].State != "failed" || !strings.HasPrefix(s.checks[0].Description, "deny: Not safe to apply: ") {
		t.Errorf("statuses: %+v", s.checks)
	}
	if body := s.comments[0].body; !strings.Contains(body, ".threeway.yaml is new in this change and does not count") || !strings.Contains(body, "(https://gitlab.example.com/-/jobs/5/artifacts/file/threeway-reports/review.html)") || strings.Contains(body, "\n/") {
		t.Errorf("the note: %.500s", body)
	}
	checkReports(t, filepath.Join(j.dir, "threeway-reports"), "comment.md", "code-quality.json", "junit.xml", "review.html")
	var issues []struct{ Fingerprint, Severity string }
	data, _ := os.ReadFile(filepath.Join(j.dir, "threeway-reports/code-quality.json"))
	if err := json.Unmarshal(data, &issues); err != nil || len(issues) < 2 {
		t.Errorf("%d issues: %v", len(issues), err)
	}
	if out, _ = j.run(t, j.dir, "bash", "-eo", "pipefail", "-c", lines); len(s.comments) != 1 || !strings.Contains(out, "replaced") {
		t.Errorf("%d notes: %s", len(s.comments), out)
	}

	j.env["INPUT_CHECKSUM"] = strings.Repeat("0", 64)
	if out, code = j.run(t, j.dir, "bash", "-eo", "pipefail", "-c", lines); code == 0 || !strings.Contains(out, "FAILED") || strings.Contains(out, "Plan:") {
		t.Errorf("another archive is run, exit code %d: %s", code, out)
	}
}

// TestInstall: a released binary is run if it is what its checksum says, also if it is
// in the cache, and downloaded once.
func TestInstall(t *testing.T) {
	wide(t)
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the archive is for Linux")
	}
	j, s := newJob(t), newStandIn(t)
	name := "threeway_0.1.0_linux_" + runtime.GOARCH + ".tar.gz"
	archive := archived(t, j.env["INPUT_BINARY"])
	maps.Copy(j.env, map[string]string{"INPUT_BINARY": "", "INPUT_VERSION": "v0.1.0", "INPUT_RELEASES": s.URL + "/releases"})
	install := func(want int, says string) string {
		t.Helper()
		out, code := j.script(t, "install.sh", "--released")
		if code != want || !strings.Contains(out, says) {
			t.Errorf("exit code %d, want %d and %q: %s", code, want, says, out)
		}
		return strings.TrimSpace(out)
	}
	install(0, "release 0.1.0 cannot be downloaded")
	s.release(t, "v0.1.0", map[string][]byte{name: archive, "checksums.txt": []byte("00  " + name + "\n")})
	install(3, "instead of 00; it is not run")
	s.release(t, "v0.1.0", map[string][]byte{"checksums.txt": fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(archive), name)})
	j.env["INPUT_CHECKSUM"] = strings.Repeat("0", 64)
	install(3, "it is not run")
	delete(j.env, "INPUT_CHECKSUM")
	file := install(0, "/threeway")
	before := len(s.calls)
	if again := install(0, "/threeway"); !slices.Equal(s.calls[before:], []string{"GET /releases/v0.1.0/checksums.txt"}) {
		t.Errorf("%s is downloaded again: %v", again, s.calls[before:])
	}
	// What has changed in the cache since is not run.
	cached := filepath.Join(j.env["HOME"], ".cache/threeway/0.1.0", name)
	if err := os.WriteFile(cached, archived(t, "/bin/false"), 0o644); err != nil {
		t.Fatal(err)
	}
	again := strings.Split(install(0, "it is downloaded again"), "\n")
	if out, code := j.run(t, j.dir, again[len(again)-1], "version"); code != 0 || !strings.HasPrefix(out, "threeway ") {
		t.Errorf("exit code %d: %s", code, out)
	}
	j.env["INPUT_CHECKSUM"] = fmt.Sprintf("%x", sha256.Sum256(archive))
	before = len(s.calls)
	if install(0, "/threeway"); len(s.calls) != before {
		t.Errorf("with a checksum in the cache: %v", s.calls[before:])
	}
	delete(j.env, "INPUT_CHECKSUM")
	if out, code := j.run(t, j.dir, file, "version"); code != 0 || !strings.HasPrefix(out, "threeway ") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// archived is the archive of a release: the binary and the scripts.
func archived(t *testing.T, binary string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, file := range map[string]string{"threeway": binary, "action/review.sh": "action/review.sh", "action/api.sh": "action/api.sh", "action/check.sh": "action/check.sh", "action/comment.sh": "action/comment.sh", "action/install.sh": "action/install.sh"} {
		data, err := os.ReadFile(file)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data))})
		}
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wide skips a test that runs whole jobs, which takes seconds: .ci/run does it.
func wide(t *testing.T) {
	if t.Helper(); !breadth.All() {
		t.Skip("whole jobs: .ci/run does it")
	}
}
