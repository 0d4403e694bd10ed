package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"threeway/command"
	"threeway/fixtures/breadth"
	"threeway/fixtures/random"
	"threeway/fixtures/tape"
	"threeway/merge/show"
)

// FuzzReports gives the story that data stands for to one of the commands. What
// it prints is the same whatever the concurrency, and reads back as what it is.
func FuzzReports(f *testing.F) {
	world, err := random.Load(os.DirFS("../fixtures"))
	if err != nil {
		f.Fatal(err)
	}
	for seed := range uint64(breadth.Of(3*len(readers), 3)) {
		f.Add(tape.Of(seed+1000, 200), uint8(seed))
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, r := range reports {
		schemas[r.schema] = compileSchema(f, r.schema)
	}
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		story := world.Story(data)
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"config.yaml": story.Config, "live.yaml": story.Live + noQuotas} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p := printed{T: t, reader: readers[int(choice)%len(readers)]}
		p.out, p.schema = p.print(p.command), schemas[p.reader.schema]
		if err := p.check(p); err != nil {
			t.Errorf("%s: %v\n%s\n%s\n%s", p.command, err, p.out, story.Config, story.Live)
		}
	})
}

// noQuotas says something of the cluster where the story leaves it empty, since an
// empty snapshot is refused.
const noQuotas = "\n---\napiVersion: v1\nkind: ResourceQuotaList\nitems: []\n"

// reader is a command, the schema that its output has, and what it must be.
type reader struct {
	command, schema string
	check           func(p printed) error
}

// printed is what a command has printed.
type printed struct {
	*testing.T
	reader
	out    []byte
	schema *jsonschema.Schema
}

var readers = []reader{
	{"diff --show-secrets", "", appliesToLive},
	{"diff --show-secrets --server-side --force-conflicts --show-managed-fields -U 0", "", appliesToLive},
	{"diff --prune --all -U 1", "", appliesToLive},
	{"merge --show-secrets", "", isYAMLOf},
	{"merge --server-side --migrate --show-managed-fields", "", isYAMLOf},
	{"merge --validate ignore", "", isYAMLOf},
	{"merge -o patch", "", isPatches},
	{"diff -o json --prune --all", "docs/diff.schema.json", isReport},
	{"diff -o json --server-side", "docs/diff.schema.json", isReport},
	{"diff -o yaml", "", isYAMLOf},
	{"diff -o fields --width 60", "", isText},
	{"drift -o json", "", isReport},
	{"lint -o json --level info", "docs/lint.schema.json", isReport},
	{"lint -o sarif -v", "lint/report/testdata/sarif-schema-2.1.0.json", isReport},
	{"lint -o gitlab", "", isReport},
	{"lint -o junit --server-side", "", isXML},
	{"review -o json", "docs/review.schema.json", isReport},
	{"review -o html", "", isPage},
	{"review -o markdown --prune --all", "", isText},
	{"owners -o json", "", isReport},
}

func arguments(line string) []string {
	return slices.Concat([]string{"threeway"}, strings.Fields(line), []string{"-f", "config.yaml", "--live", "live.yaml"})
}

// print runs a command line twice, on one core and on four.
func (p printed) print(line string) []byte {
	var outputs, messages [2]bytes.Buffer
	for i, cores := range []int{1, 4} {
		args := arguments(line)
		runtime.GOMAXPROCS(cores)
		code := command.Run(context.Background(), args, strings.NewReader(""), &outputs[i], &messages[i])
		if strings.Contains(messages[i].String(), "none of the kinds that --prune deletes") {
			p.Skip("there is nothing to report")
		}
		if code == internalError || strings.Contains(messages[i].String(), "flag provided") {
			p.Fatalf("%v: %s", args, &messages[i])
		}
	}
	if !bytes.Equal(outputs[0].Bytes(), outputs[1].Bytes()) || !bytes.Equal(messages[0].Bytes(), messages[1].Bytes()) {
		p.Fatalf("%s depends on the concurrency:\n%s%s\n%s%s", line, &outputs[0], &messages[0], &outputs[1], &messages[1])
	}
	return outputs[0].Bytes()
}

func isReport(p printed) error {
	if len(p.out) == 0 {
		return nil // refused
	}
	if p.schema != nil {
		return violation(p.schema, p.out)
	}
	var v any
	return json.Unmarshal(p.out, &v)
}

func isXML(p printed) error {
	for d := xml.NewDecoder(bytes.NewReader(p.out)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// isText: nothing that is not text, and no line that goes on without end.
func isText(p printed) error {
	if i := bytes.IndexAny(p.out, "\x00\x1b"); i >= 0 {
		return fmt.Errorf("control character %q", p.out[i])
	}
	return nil
}

// isYAMLOf: as YAML the output says what it says as JSON.
func isYAMLOf(p printed) error {
	var documents []any
	for d := yaml.NewDecoder(bytes.NewReader(p.out)); ; {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		documents = append(documents, v)
	}
	var whole any
	if err := json.Unmarshal(p.print(strings.TrimSuffix(p.command, " -o yaml")+" -o json"), &whole); err != nil && len(p.out) > 0 {
		return err
	}
	if list, ok := whole.(map[string]any); ok && list["kind"] == "List" {
		whole = list["items"]
	} else if ok {
		whole = []any{whole}
	}
	a, err := json.Marshal(documents)
	if err != nil {
		return err
	}
	b, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || len(documents) > 0 && !reflect.DeepEqual(x, y) {
		return fmt.Errorf("as JSON it is\n%s\nnot\n%s", b, a)
	}
	return nil
}

func isPatches(p printed) error {
	lines := strings.Split(strings.TrimSuffix(string(p.out), "\n"), "\n")
	for i, line := range lines {
		if i%2 == 1 && !json.Valid([]byte(line)) || i%2 == 0 && line != "" && !strings.HasPrefix(line, "# ") {
			return fmt.Errorf("line %d: %s", i+1, line)
		}
	}
	return nil
}

var pageData = regexp.MustCompile(`(?s)<script type="application/json" id="[a-z0-9-]+">(.*?)</script>`)

// isPage: nothing in the data of the page ends its element.
func isPage(p printed) error {
	for _, m := range pageData.FindAllSubmatch(p.out, -1) {
		if !json.Valid(m[1]) {
			return fmt.Errorf("no JSON: %s", m[1])
		}
	}
	if rest := pageData.ReplaceAll(p.out, nil); len(p.out) > 0 && (bytes.Count(rest, []byte("<script")) != 1 || bytes.Count(rest, []byte("</script")) != 1) {
		return errors.New("a script that is not the page's")
	}
	return nil
}

// appliesToLive: read as a unified diff, the output turns the live texts into
// the merged ones, and has all that differ.
func appliesToLive(p printed) error {
	plan, err := command.Plan(p.T.Context(), arguments(p.command), strings.NewReader(""))
	if err != nil {
		return err
	}
	opts := show.Options{ShowSecrets: strings.Contains(p.command, "--show-secrets"), ShowManagedFields: strings.Contains(p.command, "--show-managed-fields")}
	patches := map[string][]string{}
	name := ""
	for line := range strings.Lines(string(p.out)) {
		if header, ok := strings.CutPrefix(line, "diff -u -N LIVE/"); ok {
			name, _, _ = strings.Cut(header, " MERGED/")
			patches[name] = []string{}
		} else if !strings.HasPrefix(line, "#") {
			patches[name] = append(patches[name], strings.TrimSuffix(line, "\n"))
		}
	}
	for _, file := range show.Files(plan, opts) {
		lines, ok := patches[file.Name]
		if ok != file.Differs() {
			return fmt.Errorf("%s is among the differences: %v, want %v", file.Name, ok, file.Differs())
		}
		if !ok {
			continue
		}
		if got, err := patched(file.Live, lines); err != nil || got != file.Merged {
			return fmt.Errorf("the difference of %s does not apply: %v\n%s\nto\n%s\ngives\n%s\nwant\n%s", file.Name, err, strings.Join(lines, "\n"), file.Live, got, file.Merged)
		}
		delete(patches, file.Name)
	}
	if len(patches) > 0 {
		return fmt.Errorf("differences of nothing: %v", patches)
	}
	return nil
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@`)

// patched applies the lines of a unified diff to a text.
func patched(text string, diff []string) (string, error) {
	old := strings.SplitAfter(text, "\n")
	var b strings.Builder
	at := 0
	take := func(n int) {
		b.WriteString(strings.Join(old[at:at+n], ""))
		at += n
	}
	for _, line := range diff {
		switch m := hunkHead.FindStringSubmatch(line); {
		case m != nil:
			start, err := strconv.Atoi(m[1])
			if err != nil {
				return "", err
			}
			if m[2] != "0" {
				start--
			}
			if start < at || start > len(old) {
				return "", fmt.Errorf("hunk %s begins at line %d of %d", line, start, len(old))
			}
			take(start - at)
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "\\"):
		case strings.HasPrefix(line, "+"):
			b.WriteString(line[1:] + "\n")
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "-"):
			if at >= len(old) || strings.TrimSuffix(old[at], "\n") != line[1:] {
				return "", fmt.Errorf("line %d is not %q", at+1, line[1:])
			}
			if line[0] == ' ' {
				take(1)
			} else {
				at++
			}
		default:
			return "", fmt.Errorf("no line of a diff: %q", line)
		}
	}
	take(len(old) - at)
	return b.String(), nil
}
