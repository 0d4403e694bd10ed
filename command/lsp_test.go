package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"threeway/command/system"
	"threeway/fixtures/cluster/model"
)

// typings are texts that a file has one after the other while one types: edits of lines of
// the text that it begins with.
func typings(text string, seed int) (texts []string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	with := func(at int, more ...string) string {
		return strings.Join(slices.Concat(lines[:at], more, lines[at:]), "\n") + "\n"
	}
	at := 1 + seed%(len(lines)-1)
	indent := lines[at][:len(lines[at])-len(strings.TrimLeft(lines[at], " -"))]
	indent = strings.Repeat(" ", len(indent))
	return []string{
		with(0, "# é 😀"),
		with(at, indent+"extra: 1"),
		with(at, indent+"extra: 12"),
		with(len(lines), "status:", "  phase: x"),
		with(at, "# threeway:ignore unknown-field -- seen 😀", indent+"extra: 12"),
		with(at, "# threeway:ignore no-such-rule"),
		strings.Replace(text, "name: ", "name: x-", 1),
		strings.Replace(text, "kind: ", "kind: X", 1),
		strings.Join(slices.Concat(lines[:at], lines[at+1:]), "\n") + "\n",
		strings.ReplaceAll(text, "\n", "\r\n"),
		strings.TrimSuffix(text, "\n"),
		text,
	}
}

// inExample copies the example with its settings into a new working directory.
func inExample(t testing.TB) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.CopyFS(dir, os.DirFS("../fixtures/example"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	save(t, ".threeway.yaml", "version: \"1\"\nmanifests: [config]\nlive: [live.yaml]\n")
	return dir
}

func save(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// same holds the diagnostics to what lint finds. An answer to a question follows the
// findings in all files.
func (c *lspClient) same(after string) {
	c.t.Helper()
	for file := range c.texts {
		c.call("textDocument/hover", c.at(file, 1))
	}
	if got, want := c.listed(), lintedHere(c.t); !slices.Equal(got, want) {
		c.t.Fatalf("after %s the editor has\n%s\n\nlint finds\n%s", after, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLSPFindsWhatLintFinds types edits through the files of a set. After each the
// findings are those of lint in the saved files.
func TestLSPFindsWhatLintFinds(t *testing.T) {
	c := lspIn(t, inExample(t), nil)
	edits := 0
	for i, file := range []string{"config/deployment.yaml", "config/configmap.yaml"} {
		text := load(t, file)
		c.open(file, text)
		c.same("opening " + file)
		for _, seed := range []int{3 + i, 9 + i} {
			for _, next := range typings(text, seed) {
				c.edit(file, next)
				save(t, file, next)
				c.same(fmt.Sprintf("edit %d, of %s to\n%s", edits, file, next))
				edits++
			}
		}
		save(t, file, text)
	}
	live := load(t, "live.yaml")
	save(t, "live.yaml", strings.ReplaceAll(live, "replicas: ", "replicas: 1"))
	c.edit("config/deployment.yaml", c.texts["config/deployment.yaml"]+"# the snapshot is another one\n")
	save(t, "config/deployment.yaml", c.texts["config/deployment.yaml"])
	c.same("another snapshot")
	c.end(0)
	if edits < 48 || len(c.said) > 0 {
		t.Errorf("%d edits, and the server said %q", edits, c.said)
	}
}

// end shuts the server down.
func (c *lspClient) end(want system.ExitCode) {
	c.t.Helper()
	if answer := c.call("shutdown", nil); answer != nil {
		c.t.Errorf("shutdown: %v", answer)
	}
	c.notify("exit", nil)
	if code := <-c.ended; code != want {
		c.t.Errorf("exit code %d, want %d", code, want)
	}
}

// TestLSPKeepsFindingsOfWhatCanBeRead breaks one of several documents of a file. What is
// found in the others stays, on the lines where they are.
func TestLSPKeepsFindingsOfWhatCanBeRead(t *testing.T) {
	dir := inExample(t)
	c := lspIn(t, dir, nil)
	file := "config/deployment.yaml"
	text := load(t, file) + "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n  namespace: shop\n  uid: x\ndata: {a: b}\n"
	c.open(file, text)
	count := func(of string) (lines []string) {
		for _, d := range c.listed() {
			if strings.Contains(d, of) {
				lines = append(lines, d)
			}
		}
		return lines
	}
	before, others := count("other"), count("configmap.yaml")
	if len(before) == 0 || len(c.listed()) <= len(before)+len(others) {
		t.Fatalf("too little is found: %q", c.listed())
	}
	half := strings.Replace(text, "    spec:\n", "    spec:\n      half: [\n      ty\n", 1)
	c.edit(file, half)
	after := count("other")
	if len(after) != len(before) || !slices.Equal(count("configmap.yaml"), others) {
		t.Errorf("before: %q\nafter: %q", before, after)
	}
	var line, moved int
	fmt.Sscanf(strings.SplitN(before[0], ":", 3)[1], "%d", &line)
	fmt.Sscanf(strings.SplitN(after[0], ":", 3)[1], "%d", &moved)
	if moved != line+2 {
		t.Errorf("line %d is now %d: %q", line, moved, after[0])
	}
	if len(count("<nil>")) != 1 {
		t.Errorf("the text that cannot be read is reported once: %q", count("<nil>"))
	}
	// Typing what comes to be another document.
	for _, more := range []string{"---\n", "---\nap", "---\napiVersion: v1\n", "---\napiVersion: v1\nkind: Conf", "---\napiVersion: v1\nkind: Config\nmetadata: {name: "} {
		c.edit(file, text+more)
		if got := count("other"); !slices.Equal(got, before) {
			t.Errorf("with %q: %q, want %q", more, got, before)
		}
	}
	c.edit(file, text)
	save(t, file, text)
	c.same("mending it")
	c.end(0)
}

// TestLSPEndings holds the beginning and the end of a conversation to the protocol.
func TestLSPEndings(t *testing.T) {
	dir := inExample(t)
	c := lspIn(t, "", nil)
	code := func(answer any) float64 {
		e, _ := answer.(map[string]any)
		n, _ := e["code"].(float64)
		return n
	}
	if got := code(c.call("textDocument/hover", map[string]any{})); got != -32002 {
		t.Errorf("hover before initialize: %v", got)
	}
	c.dir = dir
	c.call("initialize", map[string]any{"rootUri": c.uri("")})
	if got := code(c.call("no/such", nil)); got != -32601 {
		t.Errorf("an unknown method: %v", got)
	}
	c.notify("no/such", nil)
	fmt.Fprintf(c.out, "Content-Length: 5\r\n\r\nhello") // no JSON
	if got := c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "file:///nowhere"}}); got != nil {
		t.Errorf("hover in a file that is not open: %v", got)
	}
	c.call("shutdown", nil)
	if got := code(c.call("textDocument/hover", map[string]any{})); got != -32600 {
		t.Errorf("hover after shutdown: %v", got)
	}
	c.notify("exit", nil)
	if code := <-c.ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
	c = lspIn(t, dir, nil)
	c.notify("exit", nil)
	if code := <-c.ended; code != 1 {
		t.Errorf("exit without shutdown: exit code %d", code)
	}
	c = lspIn(t, dir, nil)
	c.out.Close()
	if code := <-c.ended; code != 1 {
		t.Errorf("an editor that is gone: exit code %d", code)
	}
	t.Setenv("THREEWAY_MAX_INPUT", "1")
	c = lspIn(t, dir, nil)
	_, _ = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n", 3<<20)
	_, _ = io.WriteString(c.out, strings.Repeat(" ", 3<<20))
	c.open("config/configmap.yaml", load(t, "config/configmap.yaml"))
	if len(c.said) == 0 || !strings.Contains(c.said[0], "limit is 2 MiB") {
		t.Errorf("a large message: %q", c.said)
	}
	c.end(0)
}

// BenchmarkLSP is the time from an edit to its findings in a set of 200 manifests with a
// snapshot of 50,000 objects.
func BenchmarkLSP(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Chdir(dir)
	c := model.New(1, 50000, false)
	var files []string
	for name, o := range c.Config(200) {
		name = filepath.Join("config", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			b.Fatal(err)
		}
		save(b, name, string(model.ManifestYAML(o)))
		files = append(files, name)
	}
	live, err := os.Create("live.json")
	if err == nil {
		err = c.Write(live, "json")
	}
	if err == nil {
		err = live.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	save(b, ".threeway.yaml", "version: \"1\"\nmanifests: [config]\nlive: [live.json]\n")
	slices.Sort(files)
	e := lspIn(b, dir, nil)
	file := files[len(files)/2]
	text := load(b, file)
	e.open(file, text)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		e.edit(file, fmt.Sprintf("# %d\n%s", i, text))
		took = append(took, time.Since(begin))
	}
	b.StopTimer()
	save(b, file, e.texts[file])
	if got, want := e.listed(), lintedHere(b); !slices.Equal(got, want) {
		b.Errorf("the editor has %d findings, lint %d", len(got), len(want))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc>>20), "heap-MiB")
}
