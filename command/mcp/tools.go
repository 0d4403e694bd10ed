//go:build !js

package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// toolbox runs the commands behind the tools, one after the other.
type toolbox struct {
	version string
	runs    Runner
	limit   time.Duration // of a call, with its turn
	mutex   sync.Mutex
}

// mostTime is how long a call may take, and mostPaths how many files and directories it may
// name in an argument: an agent waits for it.
const (
	mostTime  = time.Minute
	mostPaths = 500
)

// arguments are those of all tools; a tool names the ones that it takes.
type arguments struct {
	Manifests  []string `json:"manifests"`
	Live       []string `json:"live"`
	Base       string   `json:"base"`
	Namespace  string   `json:"namespace"`
	Recursive  bool     `json:"recursive"`
	ServerSide bool     `json:"serverSide"`
	Object     string   `json:"object"`
	Path       string   `json:"path"`
	Rule       string   `json:"rule"`
	Page       int      `json:"page"`
}

// schemas describe the arguments.
var schemas = map[string]any{
	"manifests":  list("files and directories below the working directory; by default those of .threeway.yaml"),
	"live":       list("snapshots of the cluster, below the working directory; by default those of .threeway.yaml"),
	"base":       text("compare with the manifests at this revision of git, instead of a snapshot"),
	"namespace":  text("the namespace of manifests without one"),
	"recursive":  map[string]any{"type": "boolean", "description": "read directories with all below them"},
	"serverSide": map[string]any{"type": "boolean", "description": "rehearse kubectl apply --server-side"},
	"object":     text("one object, as NAMESPACE/KIND/NAME or KIND/NAME, the way answers name it"),
	"path":       text("the field, such as spec.replicas; fields below it count"),
	"rule":       text("the ID of a rule, whose page is wanted"),
	"page":       map[string]any{"type": "integer", "minimum": 1, "description": "of an answer in several pages"},
}

func text(doc string) any { return map[string]any{"type": "string", "description": doc} }

func list(doc string) any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": doc}
}

// tool is what an agent may call.
type tool struct {
	name, title, doc string
	takes, wants     []string // arguments, and those that must be there
	// command are the words of threeway that it runs.
	command func(arguments) []string
	// pick takes what is wanted of JSON; nil leaves the output as it is.
	pick func(arguments, map[string]any) (any, error)
}

var applies = []string{"manifests", "live", "base", "namespace", "recursive", "serverSide"}

// tools are sorted by how often they are called.
var tools = []tool{
	{name: "guard", title: "May this change be applied?", takes: applies,
		doc:     "Rehearses kubectl apply of the manifests and answers allow, ask, deny or unknown as JSON, with reasons, edits that would help, and what is missing. Call it before every apply and every proposal of a change.",
		command: func(arguments) []string { return []string{"guard"} }},
	{name: "review", title: "What would the apply do?", takes: append(slices.Clip(applies), "object", "page"),
		doc:     "What kubectl apply of the manifests would do: the plan, the verdict, dangers, and what happens to each object. With object: its fields that change, and the findings about it.",
		command: func(arguments) []string { return []string{"review", "--fail-on=never", "--output=json"} }, pick: pickReview},
	{name: "explain_field", title: "Why does a field change?", takes: append(slices.Clip(applies), "object", "path", "page"), wants: []string{"object", "path"},
		doc:     "The values of a field of one object in manifest, last-applied, cluster and result, and the reason why it changes or stays. No fields: nothing of it changes, or the object is rejected.",
		command: func(arguments) []string { return []string{"diff", "--output=json", "--verbose"} }, pick: pickField},
	{name: "drift", title: "What was changed in the cluster?", takes: []string{"manifests", "live", "namespace", "recursive", "page"},
		doc:     "Fields that differ in the cluster from what was applied, who changed them and when, and which of it the next apply undoes.",
		command: func(arguments) []string { return []string{"drift", "--output=json", "--no-fail"} }},
	{name: "rules", title: "What is looked for?", takes: []string{"rule", "page"},
		doc: "The rules behind findings, or the page of one.",
		command: func(a arguments) []string {
			if a.Rule != "" {
				return []string{"rules", "--", a.Rule}
			}
			return []string{"rules"}
		}},
}

// listed are the tools as a client lists them.
func listed() (list []any) {
	for _, t := range tools {
		properties := map[string]any{}
		for _, name := range t.takes {
			properties[name] = schemas[name]
		}
		schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
		if t.wants != nil {
			schema["required"] = t.wants
		}
		list = append(list, map[string]any{"name": t.name, "title": t.title, "description": t.doc, "inputSchema": schema,
			"annotations": map[string]any{"readOnlyHint": true, "openWorldHint": false}})
	}
	return list
}

// call runs a tool. What goes wrong in the run is an answer, so that the agent sees it.
func (t *toolbox) call(ctx context.Context, name string, given json.RawMessage) (any, *jsonrpc2.Error) {
	i := slices.IndexFunc(tools, func(tool tool) bool { return tool.name == name })
	if i < 0 {
		return nil, invalid(fmt.Sprintf("unknown tool %q", name))
	}
	a, err := read(tools[i], given)
	if err != nil {
		return nil, invalid(err.Error())
	}
	answer, err := t.answer(ctx, tools[i], a)
	if err != nil {
		answer = err.Error()
	}
	content := map[string]any{"content": []any{map[string]any{"type": "text", "text": answer}}, "isError": err != nil}
	var structured map[string]any
	if name == "guard" && json.Unmarshal([]byte(answer), &structured) == nil {
		content["structuredContent"] = structured
	}
	return content, nil
}

// read reads the arguments that a tool takes.
func read(t tool, given json.RawMessage) (a arguments, err error) {
	names := map[string]json.RawMessage{}
	if len(given) > 0 {
		if err = json.Unmarshal(given, &names); err == nil {
			err = json.Unmarshal(given, &a)
		}
	}
	if err != nil {
		return a, err
	}
	for name := range names {
		if !slices.Contains(t.takes, name) {
			return a, fmt.Errorf("%s takes no %q; it takes %s", t.name, name, strings.Join(t.takes, ", "))
		}
	}
	for _, name := range t.wants {
		if names[name] == nil {
			return a, fmt.Errorf("%s needs %q", t.name, name)
		}
	}
	return a, nil
}

// answer is a page of what the command behind a tool prints.
func (t *toolbox) answer(ctx context.Context, tool tool, a arguments) (string, error) {
	flags, err := a.flags()
	if err != nil {
		return "", err
	}
	command := tool.command(a)
	if tool.name != "rules" {
		command = append(command, flags...)
	}
	if a.Rule != "" && !slices.Contains(t.rules(ctx), a.Rule) { // rules has subcommands, too
		return "", fmt.Errorf("unknown rule %q; rules without it lists them", a.Rule)
	}
	out, err := t.run(ctx, command)
	if err != nil {
		return "", err
	}
	if tool.pick != nil {
		var report map[string]any
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			return "", err
		}
		picked, err := tool.pick(a, report)
		if err != nil {
			return "", err
		}
		data, err := json.MarshalIndent(picked, "", " ")
		if err != nil {
			return "", err
		}
		out = string(data)
	}
	return paged(out, a.Page)
}

// run runs a command; an error has what it said. A run that is given up ends by itself, and
// the next waits for it.
func (t *toolbox) run(ctx context.Context, args []string) (string, error) {
	if slices.ContainsFunc(args, func(arg string) bool { return strings.ContainsRune(arg, 0) }) { // as git's index is called
		return "", fmt.Errorf("an argument has a NUL, which no command line can have")
	}
	ctx, cancel := context.WithTimeout(ctx, t.limit)
	defer cancel()
	var out, messages bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		if ctx.Err() == nil {
			ended <- t.runs(ctx, append([]string{"threeway"}, args...), &out, &messages)
		}
	}()
	select {
	case code := <-ended:
		if out.Len() == 0 && code != 0 {
			return "", fmt.Errorf("%s", strings.TrimSpace(messages.String()))
		}
		return out.String(), nil
	case <-ctx.Done():
		if context.Cause(ctx) == context.DeadlineExceeded {
			return "", fmt.Errorf("no answer within %v; name fewer manifests, or run threeway %s in a shell", t.limit, args[0])
		}
		return "", ctx.Err()
	}
}

// flags are those of the command line, of which every path is below the working directory.
func (a arguments) flags() (flags []string, err error) {
	add := func(flag string, paths []string) {
		if len(paths) > mostPaths {
			err = fmt.Errorf("%d paths are named, and a call takes %d; name their directory", len(paths), mostPaths)
			return
		}
		for _, path := range paths {
			if wrong := confined(path); wrong != nil {
				err = wrong
			}
			if named := "--" + flag + "=" + filepath.Clean(path); !slices.Contains(flags, named) {
				flags = append(flags, named)
			}
		}
	}
	add("filename", a.Manifests)
	add("live", a.Live)
	if a.Base != "" {
		flags = append(flags, "--base=git:"+strings.TrimPrefix(a.Base, "git:"))
	}
	if a.Namespace != "" {
		flags = append(flags, "--namespace="+a.Namespace)
	}
	if a.Recursive {
		flags = append(flags, "--recursive")
	}
	if a.ServerSide {
		flags = append(flags, "--server-side")
	}
	return flags, err
}

// confined refuses a path that leads out of the working directory, by itself or by links, and
// several in one.
func confined(path string) error {
	refused := fmt.Errorf("%q is not below the working directory, and this server reads nothing else", path)
	_, name, named := strings.Cut(path, "=") // NAME=PATH, of several clusters
	if !filepath.IsLocal(path) || named && !filepath.IsLocal(name) || strings.Contains(path, "://") || strings.Contains(path, ",") {
		return refused
	}
	here, err := filepath.EvalSymlinks(".")
	if err == nil {
		here, err = filepath.Abs(here)
	}
	if err != nil {
		return err
	}
	for _, p := range []string{path, name} {
		matches, _ := filepath.Glob(p)
		for _, match := range append(matches, p) {
			real, err := filepath.EvalSymlinks(match)
			if err != nil {
				continue // the command says that it is not there
			}
			if real, err = filepath.Abs(real); err != nil {
				return err
			}
			if rel, err := filepath.Rel(here, real); err != nil || !filepath.IsLocal(rel) {
				return refused
			}
		}
	}
	return nil
}
