// Package own makes rules of ValidatingAdmissionPolicies that a project has in files: each is
// evaluated as the API server would, on every object that is applied or pruned, and its
// findings are like those of package rules, which know no difference from then on.
//
// The program of another policy engine that a project names is one rule more.
//
// Besides what a server gives them, expressions see the rehearsal: lastApplied, live, patch,
// owners and plan. All values are those that lint sees: Secrets are masked.
package own

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

const (
	policies = "ValidatingAdmissionPolicy.admissionregistration.k8s.io"
	bindings = "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io"
)

// longestTitle is how many characters of a message may be a title.
const longestTitle = 60

// Names are the names of the policies among the objects.
func Names(objects []*manifest.Object) (names []string) {
	for _, o := range objects {
		if o.Kind.GroupKind() == policies {
			names = append(names, o.Name)
		}
	}
	return names
}

// rule is a policy with its bindings, which all warn. A policy without a binding has one.
type rule struct {
	*manifest.Object
	bindings, params []tree.Object
	severities       map[string]lint.Severity // by binding
}

// Compile makes rules of the policies among the objects, sorted by name. What is neither
// policy nor binding is a parameter. taken are names that other rules have. An error names
// the place in the file.
func Compile(objects []*manifest.Object, taken []string) ([]*lint.Rule, error) {
	made, params := map[string]*rule{}, []tree.Object{}
	for _, o := range objects {
		k := o.Kind.GroupKind()
		if k != policies && k != bindings {
			if strings.HasPrefix(k, "MutatingAdmissionPolicy") {
				return nil, fmt.Errorf("%s: a %s changes objects, and a rule only looks at them; apply it with the manifests", o.At(), o.Kind.Kind)
			}
			params = append(params, o.Tree)
			continue
		}
		for _, f := range kube.CheckPolicy(o.Kind, o.Tree, rehearsal.DefaultMinor) {
			at := o.Place(f.Path)
			return nil, fmt.Errorf("%s:%d:%d: %s", at.File, max(at.Line, 1), max(at.Column, 1), visible.Short(f.Text.String()))
		}
		switch other := made[o.Name]; {
		case k == bindings:
		case other != nil:
			return nil, fmt.Errorf("%s: two policies are named %q; the other is at %s", o.At(), o.Name, other.At())
		case slices.Contains(taken, o.Name):
			return nil, fmt.Errorf("%s: threeway has a rule %q; give the policy another name, such as our-%s", o.At(), o.Name, o.Name)
		default:
			made[o.Name] = &rule{Object: o, severities: map[string]lint.Severity{}}
		}
	}
	for _, o := range objects {
		if o.Kind.GroupKind() != bindings {
			continue
		}
		r := made[tree.String(o.Tree, "spec", "policyName")]
		if r == nil {
			return nil, fmt.Errorf("%s: no file has the policy %q of this binding", o.At(), tree.String(o.Tree, "spec", "policyName"))
		}
		r.bind(o.Tree)
	}
	var list []*lint.Rule
	for _, name := range slices.Sorted(maps.Keys(made)) {
		made[name].params = params
		list = append(list, made[name].rule())
	}
	return list, nil
}

// bind adds a binding. Whether it denies, warns or audits is a severity.
func (r *rule) bind(binding tree.Object) {
	severity := lint.Info
	for _, action := range tree.List(binding, "spec", "validationActions") {
		severity = max(severity, map[any]lint.Severity{"Deny": lint.Error, "Warn": lint.Warning}[action])
	}
	binding = tree.CopyObject(binding)
	tree.Map(binding, "spec")["validationActions"] = []any{"Warn"}
	r.bindings = append(r.bindings, binding)
	r.severities[tree.String(binding, "metadata", "name")] = severity
}

func (r *rule) rule() *lint.Rule {
	if r.bindings == nil {
		r.bind(tree.Object{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
			"metadata": tree.Object{"name": r.Name}, "spec": tree.Object{"policyName": r.Name, "validationActions": []any{"Warn"}}})
	}
	text, title := strings.TrimSpace(tree.String(r.Tree, "metadata", "annotations", "kubernetes.io/description")), ""
	var expressions []string
	for _, v := range tree.List(r.Tree, "spec", "validations") {
		title = cmp.Or(title, tree.String(v, "message"))
		expressions = append(expressions, "  "+strings.ReplaceAll(strings.TrimSpace(tree.String(v, "expression")), "\n", "\n  "))
	}
	if title == "" || len([]rune(title)) > longestTitle {
		title = "admission policy"
	}
	return &lint.Rule{
		ID: r.Name, Title: visible.Short(title), Text: cmp.Or(text, "One of these expressions is false:\n\n"+strings.Join(expressions, "\n\n")),
		Severity: slices.Max(slices.Collect(maps.Values(r.severities))), Needs: r.needs(), Origin: r.At(), Run: r.run,
	}
}

// needs are the inputs without which the policy has nothing to look at.
func (r *rule) needs() lint.Needs {
	on := func(operation string) bool {
		return slices.ContainsFunc(tree.List(r.Tree, "spec", "matchConstraints", "resourceRules"), func(rule any) bool {
			list := tree.List(rule, "operations")
			return slices.Contains(list, any("*")) || slices.Contains(list, any(operation))
		})
	}
	switch {
	case on("CREATE"), on("UPDATE") && on("DELETE"):
		return lint.Manifests
	case on("UPDATE"):
		return lint.Live
	}
	return lint.Prune
}

// run asks the policy about every object that the server accepts, and about what --prune
// would delete.
func (r *rule) run(p *lint.Pass) {
	books := map[*kube.Server]kube.Rulebook{}
	ask := func(s *kube.Server, id manifest.Identity, same bool, k schema.Kind, obj, old tree.Object, variable func(string) any) []lint.Report {
		if books[s] == nil {
			books[s] = s.Rulebook([]tree.Object{r.Tree}, r.bindings, r.params)
		}
		warnings, undecided := books[s](k, obj, old, variable)
		if !same { // else no request is sent
			for _, u := range undecided {
				p.Unknown(rehearsal.Undecided{Object: id, Undecided: u})
			}
		}
		return r.reports(warnings)
	}
	for o := range p.Accepted() {
		for _, report := range ask(o.Run.Server, o.Identity(), o.Action == rehearsal.Unchanged, o.Kind, o.Result, o.Before, func(name string) any { return ofApplied(p, o, name) }) {
			p.Report(o, report)
		}
	}
	if p.Plan.Prune == nil || len(p.Plan.Outcomes) == 0 {
		return
	}
	for _, candidate := range p.Plan.Prune.Pruned() {
		live := candidate.Live.Object()
		old := p.Secrets.Object(live.Tree)
		for _, report := range ask(p.Plan.Outcomes[0].Run.Server, live.ID(), false, live.Kind, nil, old, func(name string) any { return ofDeleted(old, name) }) {
			report.Notes = append(report.Notes, "--prune would delete it: "+candidate.Why)
			p.ReportAt(live, report)
		}
	}
}

// reports are what a policy says of one object: each message once.
func (r *rule) reports(warnings []kube.PolicyWarning) (list []lint.Report) {
	for _, w := range warnings {
		message, severity := visible.Short(w.Message.MaskedIf(false)), r.severities[w.Binding]
		if i := slices.IndexFunc(list, func(o lint.Report) bool { return o.Message == message }); i >= 0 {
			list[i].Severity = max(list[i].Severity, severity)
			continue
		}
		list = append(list, lint.Report{Message: message, Severity: severity})
	}
	return list
}
