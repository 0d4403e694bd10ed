package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Rules of the group admissionregistration.k8s.io.
var (
	ValidatingWebhookConfiguration   = Rules{webhooks(false), webhooks(false)}
	MutatingWebhookConfiguration     = Rules{webhooks(true), webhooks(true)}
	ValidatingAdmissionPolicy        = Rules{validatingPolicy, validatingPolicy}
	ValidatingAdmissionPolicyBinding = Rules{validatingPolicyBinding, validatingPolicyBinding}
	MutatingAdmissionPolicy          = Rules{mutatingPolicy, mutatingPolicy}
	MutatingAdmissionPolicyBinding   = Rules{mutatingPolicyBinding, mutatingPolicyBinding}
)

// webhookOptions loosens the check of a webhook configuration for what it had
// before.
type webhookOptions struct {
	mutating              bool
	allowSideEffects      bool
	allowUnknownVersions  bool
	allowRepeatedNames    bool
	ignoreMatchConditions bool
	selectors             selectorOptions
	expressions           *expressions
}

// oldWebhooks tells what the old configuration had that is now an error. Source of the
// functions below: pkg/apis/admissionregistration/validation.
func oldWebhooks(r *Request, mutating bool) webhookOptions {
	opts := webhookOptions{mutating: mutating, ignoreMatchConditions: r.Old != nil, expressions: hookExpressions(r)}
	old, now := tree.List(r.Old, "webhooks"), tree.List(r.Object, "webhooks")
	var names []string
	for i, hook := range old {
		if effects := tree.String(hook, "sideEffects"); effects != "None" && effects != "NoneOnDryRun" {
			opts.allowSideEffects = true
		}
		if versions := stringsOf(tree.List(hook, "admissionReviewVersions")); len(versions) > 0 && !knowsReviewVersion(versions) {
			opts.allowUnknownVersions = true
		}
		name := tree.String(hook, "name")
		opts.allowRepeatedNames = opts.allowRepeatedNames || slices.Contains(names, name)
		names = append(names, name)
		for _, key := range []string{"namespaceSelector", "objectSelector"} {
			selector, _ := tree.Get(hook, key)
			if len(labelSelector(selector, selectorOptions{}, nil)) > 0 {
				opts.selectors.allowInvalidLabelValue = true
			}
		}
		opts.ignoreMatchConditions = opts.ignoreMatchConditions && len(now) == len(old) && sameAt(now[i], hook, "matchConditions")
	}
	opts.ignoreMatchConditions = opts.ignoreMatchConditions && len(now) == len(old)
	return opts
}

func sameAt(a, b any, key string) bool {
	x, _ := tree.Get(a, key)
	y, _ := tree.Get(b, key)
	return same(x, y)
}

func knowsReviewVersion(versions []string) bool {
	return slices.Contains(versions, "v1") || slices.Contains(versions, "v1beta1")
}

func webhooks(mutating bool) validate {
	return func(r *Request) field.ErrorList {
		return append(genericClusterMeta(r), eachWebhook(r, oldWebhooks(r, mutating))...)
	}
}

func eachWebhook(r *Request, opts webhookOptions) (errs field.ErrorList) {
	names := map[string]bool{}
	for i, hook := range tree.List(r.Object, "webhooks") {
		p := field.NewPath("webhooks").Index(i)
		errs = append(errs, webhook(hook, opts, p)...)
		errs = append(errs, reviewVersions(stringsOf(tree.List(hook, "admissionReviewVersions")), "must specify one of v1, v1beta1",
			!opts.allowUnknownVersions, p.Child("admissionReviewVersions"))...)
		if name := tree.String(hook, "name"); name != "" {
			if names[name] && !opts.allowRepeatedNames {
				errs = append(errs, field.Duplicate(p.Child("name"), name))
			}
			names[name] = true
		}
	}
	return errs
}

// genericClusterMeta is clusterMeta for the kinds that do not look at the
// names of finalizers.
func genericClusterMeta(r *Request) field.ErrorList {
	return genericObjectMeta(tree.Map(r.Object, "metadata"), nameIsDNSSubdomain, field.NewPath("metadata"))
}

// reviewVersions checks the versions of the review that a webhook speaks;
// missing is the detail of the error when there are none.
func reviewVersions(versions []string, missing string, requireKnown bool, p *field.Path) field.ErrorList {
	if len(versions) == 0 {
		return field.ErrorList{field.Required(p, missing)}
	}
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, v := range versions {
		if seen[v] {
			errs = append(errs, field.Invalid(p.Index(i), v, "duplicate version"))
			continue
		}
		seen[v] = true
		errs = append(errs, invalidEach(p.Index(i), v, isDNS1035Label(v))...)
	}
	if requireKnown && !knowsReviewVersion(versions) {
		errs = append(errs, field.Invalid(p, versions, "must include at least one of v1, v1beta1"))
	}
	return errs
}

func webhook(hook any, opts webhookOptions, p *field.Path) field.ErrorList {
	errs := fullyQualifiedName(tree.String(hook, "name"), p.Child("name"))
	errs = append(errs, each(tree.List(hook, "rules"), p.Child("rules"), admissionRule)...)
	errs = append(errs, oneOfAt(hook, "failurePolicy", p, "Fail", "Ignore")...)
	errs = append(errs, oneOfAt(hook, "matchPolicy", p, "Equivalent", "Exact")...)
	effects := []string{"None", "NoneOnDryRun"}
	if opts.allowSideEffects {
		effects = []string{"None", "NoneOnDryRun", "Some", "Unknown"}
	}
	if tree.Has(hook, "sideEffects") {
		errs = append(errs, oneOf(tree.String(hook, "sideEffects"), p.Child("sideEffects"), effects...)...)
	} else {
		errs = append(errs, field.Required(p.Child("sideEffects"), "must specify one of "+strings.Join(effects, ", ")))
	}
	if seconds, ok := tree.Int(hook, "timeoutSeconds"); ok && (seconds < 1 || seconds > 30) {
		errs = append(errs, field.Invalid(p.Child("timeoutSeconds"), seconds, "the timeout value must be between 1 and 30 seconds"))
	}
	for _, key := range []string{"namespaceSelector", "objectSelector"} {
		selector, _ := tree.Get(hook, key)
		errs = append(errs, labelSelector(selector, opts.selectors, p.Child(key))...)
	}
	if opts.mutating {
		errs = append(errs, oneOfAt(hook, "reinvocationPolicy", p, "IfNeeded", "Never")...)
	}
	errs = append(errs, webhookClient(tree.Map(hook, "clientConfig"), p.Child("clientConfig"))...)
	if !opts.ignoreMatchConditions {
		errs = append(errs, matchConditions(tree.List(hook, "matchConditions"), opts.expressions, p.Child("matchConditions"))...)
	}
	return errs
}

func matchConditions(conditions []any, x *expressions, p *field.Path) field.ErrorList {
	const most = 64
	var errs field.ErrorList
	if len(conditions) > most {
		errs = append(errs, field.TooMany(p, len(conditions), most))
	}
	names := map[string]bool{}
	for i, c := range conditions {
		at, name := p.Index(i), tree.String(c, "name")
		if expr := tree.String(c, "expression"); strings.TrimSpace(expr) == "" {
			errs = append(errs, field.Required(at.Child("expression"), ""))
		} else {
			errs = append(errs, x.condition(expr, at.Child("expression"))...)
		}
		if name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
			continue
		}
		errs = append(errs, qualifiedName(name, at.Child("name"))...)
		if names[name] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		}
		names[name] = true
	}
	return errs
}
