//go:build !js

package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// mostPage is the size of a page, in bytes.
const mostPage = 16 << 10

// paged is a page of a text, which ends with a line. A line that is longer than a page is
// divided.
func paged(text string, page int) (string, error) {
	var pages []string
	for len(text) > mostPage {
		at := strings.LastIndexByte(text[:mostPage], '\n') + 1
		if at == 0 {
			at = len(strings.ToValidUTF8(text[:mostPage], ""))
		}
		pages, text = append(pages, text[:at]), text[at:]
	}
	pages = append(pages, text)
	page = max(page, 1)
	if page > len(pages) {
		return "", fmt.Errorf("the answer has no page %d; the last one is %d", page, len(pages))
	}
	text = pages[page-1]
	if page < len(pages) {
		text += fmt.Sprintf("\n(page %d of %d: ask for page %d)", page, len(pages), page+1)
	}
	return text, nil
}

// named are the entries of a list of a report about an object.
func named(entries any, object string) (list []any) {
	all, _ := entries.([]any)
	for _, entry := range all {
		if fields, _ := entry.(map[string]any); same(fmt.Sprint(fields["object"]), object) {
			list = append(list, entry)
		}
	}
	return list
}

// same reports whether two names are of one object: the group and upper case do not count.
func same(name, object string) bool {
	bare := func(name string) string {
		parts := strings.Split(strings.ToLower(name), "/")
		if at := len(parts) - 2; at >= 0 {
			parts[at], _, _ = strings.Cut(parts[at], ".")
		}
		return strings.Join(parts, "/")
	}
	return bare(name) == bare(object)
}

// pickReview is the plan with each object on a line, or all about one object.
func pickReview(a arguments, report map[string]any) (any, error) {
	plan, _ := report["plan"].(map[string]any)
	diff, _ := report["diff"].(map[string]any)
	found, _ := report["lint"].(map[string]any)
	if plan == nil || diff == nil || found == nil {
		return nil, fmt.Errorf("several clusters or overlays are reviewed together; name the manifests and one snapshot")
	}
	if a.Object == "" {
		all, _ := diff["objects"].([]any)
		var objects []any
		for _, entry := range all {
			if fields, _ := entry.(map[string]any); fields["action"] != "unchanged" {
				objects = append(objects, fmt.Sprint(fields["object"], " ", fields["action"]))
			}
		}
		return map[string]any{"verdict": plan["verdict"], "plan": plan["line"], "complete": plan["complete"], "unknown": plan["unknown"], "dangers": plan["dangers"], "objects": objects}, nil
	}
	changes, findings := named(diff["objects"], a.Object), named(found["findings"], a.Object)
	if len(changes)+len(findings) == 0 {
		return nil, fmt.Errorf("no object of the manifests is called %q; review without object lists those that change", a.Object)
	}
	return map[string]any{"impact": named(plan["objects"], a.Object), "changes": changes, "findings": findings}, nil
}

// pickField is what a report says of a field of an object and of the fields below it.
func pickField(a arguments, report map[string]any) (any, error) {
	objects := named(report["objects"], a.Object)
	if objects == nil {
		return nil, fmt.Errorf("no object of the manifests is called %q; review lists those that change", a.Object)
	}
	var fields, actions []any
	for _, object := range objects {
		actions = append(actions, object.(map[string]any)["action"])
		changes, _ := object.(map[string]any)["changes"].([]any)
		for _, change := range changes {
			path := fmt.Sprint(change.(map[string]any)["path"])
			if rest, ok := strings.CutPrefix(path, a.Path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				fields = append(fields, change)
			}
		}
	}
	return map[string]any{"object": a.Object, "actions": actions, "fields": fields}, nil
}

// pages are the resources: a page of each rule.
func (t *toolbox) pages(ctx context.Context) []any {
	list := []any{}
	for _, id := range t.rules(ctx) {
		list = append(list, map[string]any{"uri": rulePages + id, "name": id, "mimeType": "text/markdown"})
	}
	return list
}

// rules are the IDs of all rules.
func (t *toolbox) rules(ctx context.Context) (ids []string) {
	out, _ := t.run(ctx, []string{"rules"}) // a run that fails has none
	for line := range strings.Lines(out) {
		id, _, _ := strings.Cut(line, " ")
		ids = append(ids, id)
	}
	return ids
}

const rulePages = "threeway://rules/"

// page is a resource.
func (t *toolbox) page(ctx context.Context, uri string) (any, *jsonrpc2.Error) {
	id, ok := strings.CutPrefix(uri, rulePages)
	out, err := "", error(nil)
	if ok = ok && slices.Contains(t.rules(ctx), id); ok {
		out, err = t.run(ctx, []string{"rules", "--", id})
	}
	if !ok || err != nil {
		return nil, &jsonrpc2.Error{Code: -32002, Message: fmt.Sprintf("unknown resource %q", uri)}
	}
	return map[string]any{"contents": []any{map[string]any{"uri": uri, "mimeType": "text/markdown", "text": out}}}, nil
}
