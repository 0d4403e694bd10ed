package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/manifest"
)

// lspClient is an editor of one folder, which speaks with 'threeway lsp'.
type lspClient struct {
	t        testing.TB
	dir      string
	out      io.WriteCloser
	messages chan map[string]any
	ended    chan system.ExitCode
	next     int
	texts    map[string]string
	versions map[string]int
	// found are the newest diagnostics by file, and said the messages to the user.
	found map[string][]any
	said  []string
}

// lspIn starts an editor. Its capabilities are those of one that knows little.
func lspIn(t testing.TB, dir string, options any, args ...string) *lspClient {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &lspClient{
		t: t, dir: dir, out: toServer, messages: make(chan map[string]any, 1000), ended: make(chan system.ExitCode, 1),
		texts: map[string]string{}, versions: map[string]int{}, found: map[string][]any{},
	}
	var stderr strings.Builder
	go func() {
		c.ended <- Run(context.Background(), append([]string{"threeway", "lsp"}, args...), in, out, &stderr)
		out.Close()
	}()
	go c.read(bufio.NewReader(fromServer))
	t.Cleanup(func() {
		toServer.Close()
		if stderr.Len() > 0 {
			t.Errorf("stderr: %s", stderr.String())
		}
	})
	if dir != "" {
		c.call("initialize", map[string]any{"rootUri": c.uri(""), "capabilities": map[string]any{}, "initializationOptions": options})
		c.notify("initialized", map[string]any{})
	}
	return c
}

func (c *lspClient) uri(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.dir, file))}).String()
}

func (c *lspClient) read(r *bufio.Reader) {
	for {
		var length int
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				close(c.messages)
				return
			}
			if line == "\r\n" {
				break
			}
			fmt.Sscanf(line, "Content-Length: %d", &length)
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			close(c.messages)
			return
		}
		var m map[string]any
		if err := json.Unmarshal(body, &m); err != nil {
			panic(err)
		}
		c.messages <- m
	}
}

func (c *lspClient) send(message map[string]any) {
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		c.t.Fatal(err)
	}
}

func (c *lspClient) notify(method string, params any) {
	c.send(map[string]any{"method": method, "params": params})
}

// until takes messages until one is what is waited for.
func (c *lspClient) until(what string, is func(m map[string]any) bool) map[string]any {
	c.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case m, ok := <-c.messages:
			if !ok {
				c.t.Fatalf("the server is gone; waited for %s", what)
			}
			params, _ := m["params"].(map[string]any)
			switch m["method"] {
			case "textDocument/publishDiagnostics":
				file, err := filepath.Rel(c.dir, filepath.FromSlash(strings.TrimPrefix(params["uri"].(string), "file://")))
				if err != nil {
					c.t.Fatal(err)
				}
				c.found[file] = params["diagnostics"].([]any)
			case "window/showMessage":
				c.said = append(c.said, params["message"].(string))
			}
			if is(m) {
				return m
			}
		case <-late:
			c.t.Fatalf("no answer: waited for %s; the server said %q", what, c.said)
		}
	}
}

// call asks and returns the answer, of which error is the error.
func (c *lspClient) call(method string, params any) (result any) {
	c.t.Helper()
	c.next++
	id := c.next
	c.send(map[string]any{"id": id, "method": method, "params": params})
	m := c.until(method, func(m map[string]any) bool { return m["method"] == nil && m["id"] == float64(id) })
	if m["error"] != nil {
		return m["error"]
	}
	return m["result"]
}

// at are parameters about a place: the end of a line, counted from 1.
func (c *lspClient) at(file string, line int) map[string]any {
	lines := strings.Split(c.texts[file], "\n")
	p := map[string]any{"line": line - 1, "character": len(utf16.Encode([]rune(lines[line-1])))}
	return map[string]any{
		"textDocument": map[string]any{"uri": c.uri(file)}, "position": p,
		"range": map[string]any{"start": p, "end": p}, "context": map[string]any{"diagnostics": []any{}},
	}
}

// checked waits for the diagnostics of a file as it is now.
func (c *lspClient) checked(file string) {
	c.t.Helper()
	c.until("the findings in "+file, func(m map[string]any) bool {
		params, _ := m["params"].(map[string]any)
		return m["method"] == "textDocument/publishDiagnostics" && params["uri"] == c.uri(file) && params["version"] == float64(c.versions[file])
	})
}

func (c *lspClient) open(file, text string) {
	c.t.Helper()
	c.texts[file], c.versions[file] = text, 1
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(file), "languageId": "yaml", "version": 1, "text": text}})
	c.checked(file)
}

// edit changes the text of a file to another, by one replacement.
func (c *lspClient) edit(file, text string) {
	c.t.Helper()
	before := c.texts[file]
	head := 0
	for head < min(len(before), len(text)) && before[head] == text[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(text))-head && before[len(before)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	for head > 0 && head < len(before) && before[head]&0xC0 == 0x80 {
		head--
	}
	for tail > 0 && before[len(before)-tail]&0xC0 == 0x80 {
		tail--
	}
	place := func(offset int) map[string]any {
		line := before[strings.LastIndexByte(before[:offset], '\n')+1 : offset]
		return map[string]any{"line": strings.Count(before[:offset], "\n"), "character": len(utf16.Encode([]rune(line)))}
	}
	change := map[string]any{"range": map[string]any{"start": place(head), "end": place(len(before) - tail)}, "text": text[head : len(text)-tail]}
	c.texts[file] = text
	c.versions[file]++
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": c.uri(file), "version": c.versions[file]}, "contentChanges": []any{change},
	})
	c.checked(file)
}

// listed are all diagnostics, one line for each.
func (c *lspClient) listed() (list []string) {
	for file, found := range c.found {
		for _, d := range found {
			d := d.(map[string]any)
			start, end := d["range"].(map[string]any)["start"].(map[string]any), d["range"].(map[string]any)["end"].(map[string]any)
			list = append(list, fmt.Sprintf("%s:%v:%v-%v %v %v %v", file, start["line"], start["character"], end["character"], d["severity"], d["code"], d["message"]))
		}
	}
	slices.Sort(list)
	return list
}

// lintedHere are the findings of lint in the working directory, as listed has them.
func lintedHere(t testing.TB, args ...string) (list []string) {
	t.Helper()
	_, found, err := lintOf(context.Background(), append([]string{"threeway", "lint"}, args...), inPlace{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		at := f.At()
		start, end := at.UTF16()
		message, details := report.Here(f)
		severity := map[lint.Severity]int{lint.Error: 1, lint.Warning: 2, lint.Info: 3}[f.Severity]
		list = append(list, fmt.Sprintf("%s:%d:%d-%d %d %s %s", filepath.Clean(at.File), at.Line-1, start-1, end-1, severity, f.Rule.ID, strings.Join(append([]string{message}, details...), "\n")))
	}
	for _, p := range found.Problems {
		severity := map[manifest.Severity]int{manifest.Error: 1, manifest.Warning: 2}[p.Severity]
		list = append(list, fmt.Sprintf("%s:%d:%d-%d %d <nil> %s", filepath.Clean(p.File), max(p.Line-1, 0), max(p.Column-1, 0), max(p.Column-1, 0)+1, severity, p.Text))
	}
	slices.Sort(list)
	return list
}
