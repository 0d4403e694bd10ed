package own

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

// Files are the objects by the names of the files that a program reads.
type Files map[string]manifest.Identity

// errForm says what is read.
var errForm = errors.New("it prints no JSON of kyverno, gator or conftest, and no SARIF")

// Read returns what a program has printed: JSON of Kyverno (reports), gator or conftest, or
// SARIF. besides is the text around it; warnings alone are no answer that is not understood, since
// Kyverno warns of deprecated policies and prints no report if none of them matches.
func (f Files) Read(printed []byte) (list []Violation, besides string, err error) {
	var words []string
	some, other := false, false
	for len(printed) > 0 {
		line, rest, _ := bytes.Cut(printed, []byte("\n"))
		switch text := strings.TrimSpace(string(line)); {
		case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || text == "null":
			var v any
			some = true
			d := json.NewDecoder(bytes.NewReader(printed))
			if err := d.Decode(&v); err != nil {
				return nil, "", fmt.Errorf("it prints no JSON: %w", err)
			}
			found, err := f.violations(v)
			if err != nil {
				return nil, "", err
			}
			list, rest = append(list, found...), printed[d.InputOffset():]
		case strings.Trim(text, "-") != "":
			words, other = append(words, text), other || !strings.HasPrefix(text, "Warning: ")
		}
		printed = rest
	}
	if besides = visible.Short(strings.Join(words, " ")); other && !some {
		return nil, "", fmt.Errorf("%w, but: %s", errForm, besides)
	}
	return list, besides, nil
}

// violations are those of one value.
func (f Files) violations(v any) (list []Violation, err error) {
	_, isReport := tree.Map(v)["results"]
	switch _, isSARIF := tree.Map(v)["runs"]; {
	case isSARIF:
		return f.sarif(v), nil
	case isReport:
		v = tree.Map(v)["results"] // of Kyverno, or of gator --stats
	default:
		if _, isList := v.([]any); !isList && v != nil {
			return nil, errForm
		}
	}
	for _, item := range tree.List(v) {
		switch {
		case tree.String(item, "policy") != "":
			list = append(list, ofKyverno(item)...)
		case tree.Map(item, "violatingObject") != nil:
			list = append(list, ofGator(item))
		case tree.String(item, "filename") != "":
			list = append(list, f.conftest(item)...)
		default:
			return nil, errForm
		}
	}
	return list, nil
}

// ofKyverno are the violations in a result of a PolicyReport (wgpolicyk8s.io, openreports.io).
func ofKyverno(result any) (list []Violation) {
	severity, counts := map[string]lint.Severity{"fail": lint.Error, "warn": lint.Warning, "error": lint.Unset}[tree.String(result, "result")]
	if !counts {
		return nil
	}
	v := Violation{Policy: tree.String(result, "policy"), Message: cmp.Or(tree.String(result, "message"), tree.String(result, "description")), Severity: severity}
	if rule := tree.String(result, "rule"); rule != "" {
		v.Policy += "/" + rule
	}
	for _, o := range append(tree.List(result, "resources"), tree.List(result, "subjects")...) {
		v.Object = identity(o, o)
		list = append(list, v)
	}
	if list == nil {
		list = append(list, v)
	}
	return list
}

// ofGator is the violation in a result of gator test.
func ofGator(result any) Violation {
	severity := lint.Unset
	for _, action := range append(tree.List(result, "scopedActions"), tree.String(result, "enforcementAction")) {
		severity = max(severity, map[any]lint.Severity{"deny": lint.Error, "warn": lint.Warning, "dryrun": lint.Info}[action])
	}
	object, message := tree.Map(result, "violatingObject"), tree.String(result, "msg")
	if severity = cmp.Or(severity, lint.Error); strings.HasPrefix(message, "unable to match constraints:") {
		severity = lint.Unset // its Namespace is missing
	}
	return Violation{
		Object: identity(object, object["metadata"]), Policy: tree.String(result, "constraint", "kind") + "/" + tree.String(result, "constraint", "metadata", "name"),
		Message: message, Severity: severity,
	}
}

// conftest are the violations in a result of conftest test.
func (f Files) conftest(result any) (list []Violation) {
	for i, severity := range []lint.Severity{lint.Error, lint.Warning} {
		for _, r := range tree.List(result, []string{"failures", "warnings"}[i]) {
			list = append(list, Violation{
				Object: f[path.Base(tree.String(result, "filename"))], Message: tree.String(r, "msg"), Severity: severity,
				Policy: cmp.Or(strings.TrimPrefix(tree.String(r, "metadata", "query"), "data."), tree.String(result, "namespace")),
			})
		}
	}
	return list
}

// sarif are the results of a log (SARIF 2.1.0, 3.27).
func (f Files) sarif(log any) (list []Violation) {
	for _, run := range tree.List(log, "runs") {
		for _, r := range tree.List(run, "results") {
			severity, counts := map[string]lint.Severity{"error": lint.Error, "warning": lint.Warning, "": lint.Warning, "note": lint.Info}[tree.String(r, "level")]
			if kind := tree.String(r, "kind"); !counts || kind != "" && kind != "fail" || len(tree.List(r, "suppressions")) > 0 {
				continue
			}
			v := Violation{Policy: cmp.Or(tree.String(r, "ruleId"), tree.String(r, "rule", "id")), Message: tree.String(r, "message", "text"), Severity: severity}
			if locations := tree.List(r, "locations"); len(locations) > 0 {
				v.Object = f[path.Base(tree.String(locations[0], "physicalLocation", "artifactLocation", "uri"))]
			}
			list = append(list, v)
		}
	}
	return list
}

// identity is that of an object, whose name is in metadata.
func identity(o, metadata any) manifest.Identity {
	group, _, grouped := strings.Cut(tree.String(o, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	return manifest.Identity{Group: group, Kind: tree.String(o, "kind"), Namespace: tree.String(metadata, "namespace"), Name: tree.String(metadata, "name")}
}
