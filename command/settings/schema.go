package settings

import (
	"maps"

	"threeway/lint"
	"threeway/merge/tree"
)

// Schema returns the JSON Schema of the config file, made of the fields by
// which it is read.
func Schema(rules []*lint.Rule) []byte {
	r := &reader{}
	ids := []any{}
	severities := tree.Object{}
	for _, rule := range rules {
		for _, id := range rule.Names() {
			form := choiceForm([]string{"error", "warning", "info", "off"})
			form["description"] = rule.Title
			if id != rule.ID {
				form["description"], form["deprecated"] = "Renamed to "+rule.ID+".", true
			}
			ids = append(ids, id)
			severities[id] = form
		}
	}
	root := object(r.settings(&Config{}, new(string)), "version")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = FileName
	root["description"] = "Settings of threeway."
	tree.Set(root, tree.Object{"type": "object", "additionalProperties": choiceForm([]string{"error", "warning", "info", "off"}), "properties": severities,
		"description": tree.String(root, "properties", "rules", "description")}, "properties", "rules")
	// The names of policies are not known here.
	tree.Set(root, []any{tree.Object{"enum": ids}, textForm()}, "properties", "ignore", "items", "properties", "rule", "anyOf")
	text, _ := tree.JSON(root, "", "  ") // plain values always encode
	return []byte(text + "\n")
}

// object is the schema of a mapping with the fields.
func object(fields []field, required ...any) tree.Object {
	properties := tree.Object{}
	for _, f := range fields {
		form := maps.Clone(f.form)
		form["description"] = f.doc
		properties[f.name] = form
	}
	o := tree.Object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}
