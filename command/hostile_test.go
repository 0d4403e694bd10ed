package command

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"sigs.k8s.io/yaml"

	"threeway/command/run"
	"threeway/command/system"
	"threeway/fixtures/breadth"
	"threeway/fixtures/hostile"
	"threeway/merge/text/visible"
)

// hostileCommands are the arguments that give each command the input: MANIFESTS
// stands for the file of the manifests. TestHostileCommands misses none.
var hostileCommands = map[string][]string{
	"diff": {"-f MANIFESTS --live live.yaml", "-f MANIFESTS --live live.yaml --server-side --show-managed-fields", "-f MANIFESTS --live live.yaml --prune=all",
		"-f MANIFESTS --live live.yaml --applier argocd", "-f MANIFESTS --live live.yaml --applier flux", "-f MANIFESTS --live live.yaml --applier helm --release shop/HOSTILE"},
	"merge":             {"-f MANIFESTS --live live.yaml", "-f MANIFESTS --live live.yaml --validate ignore"},
	"owners":            {"-f MANIFESTS --live live.yaml", "-f live.yaml"},
	"drift":             {"-f MANIFESTS --live live.yaml", "--live live.yaml"},
	"adopt":             {"-f live.yaml"},
	"handover":          {"--to kubectl -f MANIFESTS --live live.yaml", "--to argocd -f MANIFESTS --live live.yaml", "--to flux -f MANIFESTS --live live.yaml", "--to helm --release shop/HOSTILE -f MANIFESTS --live live.yaml", "Deployment/web spec.replicas -f MANIFESTS --live live.yaml"},
	"lint":              {"-f MANIFESTS --live live.yaml", "-f MANIFESTS --live live.yaml --server-side --prune=all -v"},
	"review":            {"-f MANIFESTS --live live.yaml --prune=all", "-f MANIFESTS --live live.yaml --server-side", "-f MANIFESTS --live a=live.yaml --live b=MANIFESTS"},
	"guard":             {"-f MANIFESTS --live live.yaml --prune=all", "-f MANIFESTS --live live.yaml --explain"},
	"upgrade":           {"-f MANIFESTS --live live.yaml --to 1.37 --kubernetes-version 1.30"},
	"rules":             {"", "own"},
	"rules test":        {""},
	"snapshot commands": {"-f MANIFESTS"},
	"snapshot":          {"-f MANIFESTS"},
	"snapshot check":    {"-f MANIFESTS --live live.yaml"},
	"snapshot redact":   {"--live live.yaml"},
	"snapshot pack":     {"--live live.yaml"},
	"config init":       {""},
	"config verify":     {""},
	"config schema":     {""},
}

// unfed are the commands that read no input.
var unfed = []string{"lsp", "mcp", "version", "completion", "config", "help"}

// formatList is the list of formats in the usage of --output.
var formatList = regexp.MustCompile("^`FORMAT[^`]*`: ([a-z, -]+)")

// formatsOf are the formats of each command that prints something, by its words.
func formatsOf(prefix string, commands []*cli.Command) map[string][]string {
	formats := map[string][]string{}
	for _, c := range commands {
		words := strings.TrimSpace(prefix + " " + c.Name)
		for _, f := range c.Flags {
			if m := formatList.FindStringSubmatch(usageOf(f)); m != nil && slices.Contains(f.Names(), "output") {
				for _, list := range regexp.MustCompile(`, | or `).Split(m[1], -1) {
					formats[words] = append(formats[words], strings.TrimSpace(list))
				}
			}
		}
		if formats[words] == nil {
			formats[words] = []string{""}
		}
		maps.Copy(formats, formatsOf(words, c.Subcommands))
	}
	return formats
}

func usageOf(f cli.Flag) string {
	if d, ok := f.(cli.DocGenerationFlag); ok {
		return d.GetUsage()
	}
	return ""
}

// TestHostileCommands: the matrix has every command.
func TestHostileCommands(t *testing.T) {
	formats := formatsOf("", newApp(&run.Program{}).Commands)
	for words, list := range formats {
		if hostileCommands[words] == nil && !slices.Contains(unfed, words) {
			t.Errorf("no hostile input for %s", words)
		}
		if words == "review" && !slices.Contains(list, "html") || words == "diff" && !slices.Contains(list, "kyaml") {
			t.Errorf("%s has the formats %q", words, list)
		}
	}
	for words := range hostileCommands {
		if formats[words] == nil {
			t.Errorf("%s is no command", words)
		}
	}
}

// TestHostile gives every command in every format inputs in which a hostile text is
// a name, a kind, a key, a value, a rule, an applier or the name of a file. Nothing of
// it acts: in a shell, on a terminal, in a comment, on a page, as another format, in
// the log of a job, which every second one is. It does a twentieth of the names, in .ci/run a quarter, and with THREEWAY_MATRIX=all all.
func TestHostile(t *testing.T) {
	formats := formatsOf("", newApp(&run.Program{}).Commands)
	printed := &commandLines{t: t, seen: map[string]bool{}}
	runs, pages := 0, map[string]bool{}
	for i, h := range hostile.Names() {
		for j, shape := range slices.Sorted(maps.Keys(hostileShapes)) {
			if !breadth.HasOfLong(i+j, 20, 4) {
				continue
			}
			t.Run(fmt.Sprintf("%d %s", i, shape), func(t *testing.T) {
				manifests := hostileInput(t, hostileShapes[shape], h)
				before := filesHere(t)
				printed.t = t
				for _, variable := range []string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION"} {
					t.Setenv(variable, "")
				}
				inJob := (i+j)%2 > 0
				if inJob {
					t.Setenv("CI", "true")
				}
				k := 0
				for _, command := range slices.Sorted(maps.Keys(hostileCommands)) {
					for _, format := range formats[command] {
						for _, given := range hostileCommands[command] {
							// Each text meets each run in one of its places.
							if k++; (i+j+k)%len(hostileShapes) > 0 || !breadth.All() && k%4 != i%4 {
								continue
							}
							args := append([]string{"threeway"}, strings.Fields(command+" "+given)...)
							for k := range args {
								args[k] = strings.Replace(strings.Replace(args[k], "MANIFESTS", manifests, 1), "HOSTILE", h, 1)
							}
							if format != "" {
								args = append(args, "-o", format)
							}
							runs++
							checkHostile(t, printed, pages, args, command, format, inJob)
						}
					}
				}
				if after := filesHere(t); !slices.Equal(before, slices.DeleteFunc(after, func(f string) bool { return f == ".threeway.schema.json" })) {
					t.Errorf("files are made: %q", after)
				}
			})
		}
	}
	if len(pages) > 1 {
		t.Errorf("the pageTags of %d pages differ", len(pages))
	}
	if !breadth.Partly() && (runs < breadth.Of(1800, 10) || len(printed.seen) < breadth.Of(40, 2)) {
		t.Errorf("only %d runs and %d command lines", runs, len(printed.seen))
	}
	t.Logf("%d runs, %d command lines", runs, len(printed.seen))
}

func filesHere(t *testing.T) (files []string) {
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		files = append(files, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// colorSequence is a color of ourHeadings.
var colorSequence = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// checkHostile runs a command and looks at what it prints.
func checkHostile(t *testing.T, printed *commandLines, pages map[string]bool, args []string, command, format string, inJob bool) {
	var out, messages bytes.Buffer
	switch code := Run(context.Background(), args, strings.NewReader(""), &out, &messages); {
	case code == system.ExitInternal:
		t.Errorf("%q: %s", args, &messages)
	}
	fault := func(form string, a ...any) {
		t.Errorf("%.300q: %.600s", args, fmt.Sprintf(form, a...))
	}
	acting := func(what, text string) {
		if i := strings.IndexFunc(text, func(r rune) bool { return visible.Acts(r) && r != '\n' && r != '\t' }); i >= 0 {
			fault("%s has a character that acts: %q", what, text[max(0, i-60):min(len(text), i+20)])
		}
	}
	ordering := func(what, text string) {
		if order := serviceOrder.FindStringIndex(text); inJob && order != nil {
			fault("%s has a command to a service: %q", what, text[order[0]:min(len(text), order[1]+20)])
		}
	}
	acting("stderr", colorSequence.ReplaceAllString(messages.String(), ""))
	ordering("stderr", messages.String())
	text := out.String()
	switch {
	case format == "json", format == "sarif", format == "gitlab", command == "guard" && !slices.Contains(args, "--explain"):
		var v any
		if err := json.Unmarshal(out.Bytes(), &v); err != nil && text != "" && command != "merge" {
			fault("no JSON: %v", err)
		}
		ordering("stdout", text)
		printed.runAll(leaves(v), args)
		return
	case command == "merge" || command == "adopt" || format == "yaml" || format == "kyaml" || format == "rbac":
		if format == "name" || format == "patch" {
			for _, line := range strings.Split(text, "\n") {
				if !strings.HasPrefix(line, "{") { // JSON has the values as they are
					acting("stdout", line)
				}
			}
			break
		}
		for _, document := range strings.Split("\n"+text, "\n---\n") {
			var v any
			if err := yaml.Unmarshal([]byte(document), &v); err != nil {
				fault("no YAML: %v", err)
			}
		}
		return
	case format == "junit":
		for d := xml.NewDecoder(&out); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				fault("no XML: %v", err)
				break
			}
		}
		return
	case format == "html":
		checkPage(fault, pages, text)
		return
	case format == "markdown":
		for _, f := range hostile.InComment(text, func(heading string) bool { return ourHeadings.MatchString(heading) }) {
			fault("%s", f)
		}
	case format == "github":
		for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if line != "" && !annotationLine.MatchString(line) || strings.Contains(line, "##[") && !strings.HasPrefix(line, "::") {
				fault("the line %q", line)
			}
		}
		acting("stdout", text)
	case command == "snapshot", command == "snapshot commands":
		if code := printed.script(text); code != "" {
			fault("%s:\n%s", code, text)
		}
	}
	printed.runAll([]string{text, messages.String()}, args)
	if format != "github" && command != "snapshot pack" && command != "snapshot redact" {
		ordering("stdout", text)
	}
	if command == "rules" || command == "config schema" || strings.HasPrefix(command, "snapshot ") || format == "github" {
		return
	}
	// The same on a terminal.
	if strings.Contains("diff lint review guard upgrade owners drift handover", command) && format != "markdown" {
		out.Reset()
		Run(context.Background(), append(args, "--color", "always"), strings.NewReader(""), &out, io.Discard)
		acting("the terminal", colorSequence.ReplaceAllString(out.String(), ""))
	}
}

// ourHeadings are the headings of our comments.
var ourHeadings = regexp.MustCompile(`^(threeway (lint|review|upgrade|diff)|Errors|Warnings|Info|Fix first|Decide|Not known|\d+ clusters|2 clusters: .*)$`)

var annotationLine = regexp.MustCompile(`^(::(error|warning|notice) [^:]*::|(error|warning|notice): )`)

// serviceOrder is what a service takes for a command in the log of a job.
var serviceOrder = regexp.MustCompile(`(?im)^\s*::[a-z]|##[a-z]*\[|section_(start|end):\d+:[^\n]*\x1b`)

// leaves are the texts of a value.
func leaves(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, item := range v {
			list = append(list, leaves(item)...)
		}
	case map[string]any:
		for _, item := range v {
			list = append(list, leaves(item)...)
		}
	}
	return list
}

var (
	rawText  = regexp.MustCompile(`(?s)(<(script|style)\b[^>]*>)(.*?)(</(script|style)>)`)
	pageTags = regexp.MustCompile(`<[^>]*>`)
	// summarized is what the page says to those who have no JavaScript, or share it.
	summarized = regexp.MustCompile(`(?s)content="[^"<>]*"`)
)

// checkPage collects the pageTags of a page, which nothing of an input may add to.
func checkPage(fault func(string, ...any), pages map[string]bool, page string) {
	if page == "" {
		return
	}
	for _, m := range rawText.FindAllStringSubmatch(page, -1) {
		if i := strings.Index(m[3], "<!--"); i >= 0 {
			fault("a script that a comment hides: %q", m[3][i:min(i+80, len(m[3]))])
		}
		if strings.Contains(m[1], "json") {
			var v any
			if err := json.Unmarshal([]byte(m[3]), &v); err != nil {
				fault("the data of the page: %v", err)
			}
		}
	}
	outside := rawText.ReplaceAllStringFunc(page, func(s string) string { return rawText.FindStringSubmatch(s)[1] + "</script>" })
	var list []string
	for _, tag := range pageTags.FindAllString(outside, -1) {
		if tag = summarized.ReplaceAllString(tag, `content=""`); len(list) == 0 || list[len(list)-1] != tag || !strings.Contains(tag, "json") {
			list = append(list, tag)
		}
	}
	skeleton := regexp.MustCompile(`<script[^>]*json[^>]*></script>`).ReplaceAllString(strings.Join(list, ""), "")
	pages[regexp.MustCompile(`sha256-[^' ]*`).ReplaceAllString(skeleton, "")] = true
}
