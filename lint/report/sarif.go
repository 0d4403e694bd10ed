package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
)

type object = map[string]any

// sourceRoot is what the relative names of files are relative to.
const sourceRoot = "%SRCROOT%"

// SARIF writes SARIF 2.1.0: the rules that have findings with their help, every
// finding with its place, the object as logical location, the place in the snapshot as a related
// one, and a fingerprint without lines. Silenced findings are left out unless
// asked for: GitHub shows them as open alerts whatever their suppressions say.
func SARIF(w io.Writer, r *lint.Result, opts Options) error {
	results := []any{}
	prints := map[string]int{}
	found, more := worst(opts.listed(r))
	fired := firedRules(found)
	for _, f := range found {
		result := opts.sarifResult(f, distinct(prints, f))
		result["ruleIndex"] = slices.Index(fired, f.Rule)
		results = append(results, result)
	}
	rules := []any{}
	for _, rule := range fired {
		rules = append(rules, opts.sarifRule(rule))
	}
	driver := object{"name": "threeway", "rules": rules}
	if opts.Version != "" {
		driver["version"] = opts.Version
	}
	run := object{
		"tool":               object{"driver": driver},
		"invocations":        []any{opts.sarifInvocation(r, more)},
		"columnKind":         "utf16CodeUnits",
		"originalUriBaseIds": object{sourceRoot: object{"description": text("the top of the repository, or the working directory if there is none")}},
		"results":            results,
	}
	if opts.Digest != nil {
		run["properties"] = object{"plan": opts.Digest.ToJSON()}
	}
	return writeJSON(w, object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs":    []any{run},
	})
}

// mostResults is how many results GitHub keeps of a run: the worst.
const mostResults = 5000

// worst are the findings that GitHub keeps, in their order, and how many it does not.
func worst(found []*lint.Finding) (kept []*lint.Finding, more int) {
	if len(found) <= mostResults {
		return found, 0
	}
	ranked := slices.Clone(found)
	slices.SortStableFunc(ranked, func(a, b *lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	keep := map[*lint.Finding]bool{}
	for _, f := range ranked[:mostResults] {
		keep[f] = true
	}
	return slices.DeleteFunc(slices.Clone(found), func(f *lint.Finding) bool { return !keep[f] }), len(found) - mostResults
}

// firedRules are those that have findings, sorted by ID.
func firedRules(found []*lint.Finding) []*lint.Rule {
	var rules []*lint.Rule
	for _, f := range found {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	slices.SortFunc(rules, func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) })
	return rules
}

// sarifRule describes a rule. The properties are GitHub's.
func (o Options) sarifRule(r *lint.Rule) object {
	var examples lint.Examples
	if o.Examples != nil {
		examples = o.Examples(r)
	}
	rule := object{
		"id":                   r.ID,
		"shortDescription":     text(sentence(r.Title)),
		"fullDescription":      text(r.Text),
		"help":                 object{"text": strings.Join(slices.DeleteFunc([]string{r.Text, r.Why, r.Fix}, func(s string) bool { return s == "" }), "\n\n"), "markdown": Page(r, examples, 3)},
		"defaultConfiguration": object{"level": level(r.Severity), "enabled": !r.OptIn},
		"properties":           object{"tags": []string{"kubernetes"}, "precision": "high", "problem.severity": problemSeverity(r.Severity)},
	}
	if len(r.Former) > 0 {
		rule["deprecatedIds"] = r.Former
	}
	switch {
	case o.RulePages != "" && r.Origin == "":
		rule["helpUri"] = RulePage(r, o.RulePages)
	case len(r.Links) > 0 && address.MatchString(r.Links[0]):
		rule["helpUri"] = r.Links[0]
	}
	return rule
}

// RulePage is the address of the page of a rule on a site; "" if there is none, as of a
// rule that a project has written itself.
func RulePage(r *lint.Rule, site string) string {
	if site == "" || r.Origin != "" {
		return ""
	}
	return strings.TrimSuffix(site, "/") + "/rules/" + r.ID + ".html"
}

func (o Options) sarifResult(f *lint.Finding, print string) object {
	location, said := o.sarifLocation(f.At()), append([]string{visible.Joined(f.Message)}, lines(f)...)
	if _, was := o.before(f.At().File); was {
		at := f.At()
		said = append(said, fmt.Sprintf("at: %s:%d:%d", visible.Joined(at.File), at.Line, at.Column))
	}
	if f.Object != "" {
		location["logicalLocations"] = []any{logical(f.Object)}
	}
	result := object{
		"ruleId":              f.Rule.ID,
		"level":               level(f.Severity),
		"message":             text(unlinked(strings.Join(said, "\n"))),
		"locations":           []any{location},
		"partialFingerprints": object{"threeway/v1": print},
	}
	if len(f.Path) > 0 {
		result["properties"] = object{"path": f.Path.String()}
	}
	var related []any
	if f.LiveAt.File != "" {
		at := o.sarifLocation(f.LiveAt)
		at["message"], at["logicalLocations"] = text("the live object"), []any{logical(f.LiveObject)}
		related = append(related, at)
	}
	if template := f.At().Template; template != "" {
		related = append(related, object{"message": text("the template"), "physicalLocation": object{"artifactLocation": o.artifact(template)}})
	}
	if related != nil {
		result["relatedLocations"] = related
	}
	if len(f.Replacements) > 0 {
		result["fixes"] = []any{o.sarifFix(f)}
	}
	if f.Suppressed != "" {
		kind := "external"
		if f.InSource {
			kind = "inSource"
		}
		result["suppressions"] = []any{object{"kind": kind, "justification": f.Suppressed}}
	}
	return result
}

func (o Options) sarifFix(f *lint.Finding) object {
	var replacements []any
	for _, r := range f.Replacements {
		replacement := object{"deletedRegion": object{
			"startLine": r.Start.Line, "startColumn": r.Start.UTF16, "endLine": r.End.Line, "endColumn": r.End.UTF16,
		}}
		if r.Text != "" {
			replacement["insertedContent"] = object{"text": r.Text}
		}
		replacements = append(replacements, replacement)
	}
	return object{
		"description":     text(f.Fix),
		"artifactChanges": []any{object{"artifactLocation": o.artifact(f.At().File), "replacements": replacements}},
	}
}

func (o Options) sarifLocation(at lint.Position) object {
	if file, was := o.before(at.File); was { // code scanning refuses results without a file
		return object{"physicalLocation": object{"artifactLocation": o.artifact(file), "region": object{"startLine": 1}}}
	}
	start, end := at.UTF16()
	return object{"physicalLocation": object{
		"artifactLocation": o.artifact(at.File),
		"region":           object{"startLine": at.Line, "startColumn": start, "endColumn": end},
	}}
}

// sarifInvocation says whether all could be looked at, and what could not.
func (o Options) sarifInvocation(r *lint.Result, more int) object {
	invocation := object{"executionSuccessful": manifest.Err(r.Problems) == nil}
	var execution, configuration []any
	for _, p := range r.Problems {
		n := object{"level": p.Severity.String(), "message": text(unlinked(p.Text))}
		if p.File != "" {
			at := object{"artifactLocation": o.artifact(p.File)}
			if p.Line > 0 {
				at["region"] = object{"startLine": p.Line}
			}
			n["locations"] = []any{object{"physicalLocation": at}}
		}
		execution = append(execution, n)
	}
	if text, incomplete := o.headline(r); incomplete {
		execution = append(execution, object{"level": "warning", "message": object{"text": unlinked(text)}})
	}
	if more > 0 {
		execution = append(execution, object{"level": "warning", "message": text(plural(more, "more finding") + "; -o json has all")})
	}
	for _, note := range r.Notes {
		execution = append(execution, object{"level": "note", "message": text(unlinked(note))})
	}
	for _, s := range r.Skipped {
		configuration = append(configuration, object{"level": "note", "message": text("skipped: " + strings.Join(s.Rules, ", ") + ": " + s.Why)})
	}
	if execution != nil {
		invocation["toolExecutionNotifications"] = execution
	}
	if configuration != nil {
		invocation["toolConfigurationNotifications"] = configuration
	}
	return invocation
}

func logical(name string) object { return object{"fullyQualifiedName": name, "kind": "resource"} }

func text(s string) object { return object{"text": strings.TrimSpace(s)} }

// unlinked keeps text from being read as a link: [label](target).
func unlinked(s string) string { return strings.ReplaceAll(s, "](", "] (") }

func level(s lint.Severity) string {
	switch s {
	case lint.Error:
		return "error"
	case lint.Warning:
		return "warning"
	}
	return "note"
}

func problemSeverity(s lint.Severity) string {
	if s == lint.Info {
		return "recommendation"
	}
	return s.String()
}

// artifact is a file: relative to the root, or absolute.
func (o Options) artifact(file string) object {
	if strings.Contains(file, "://") { // in a repository of its own
		return object{"uri": file}
	}
	file = o.inRepository(file)
	if strings.HasPrefix(file, "/") {
		return object{"uri": (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return object{"uri": (&url.URL{Path: file}).String(), "uriBaseId": sourceRoot}
}

// before is the name that a file had in the revision that is compared with, if it is read from there.
func (o Options) before(file string) (name string, was bool) {
	if o.Before == "" {
		return "", false
	}
	return strings.CutPrefix(filepath.ToSlash(file), o.Before)
}

// inRepository is a file's name with slashes, from the top of the repository,
// which is where services look for it.
func (o Options) inRepository(file string) string {
	file = filepath.ToSlash(filepath.Clean(file))
	if strings.HasPrefix(file, "/") {
		return file
	}
	return path.Join(o.Directory, file)
}
