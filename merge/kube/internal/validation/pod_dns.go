package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

func dnsPolicy(policy string, p *field.Path) field.ErrorList {
	return requiredOneOf(policy, p, "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
}

// dnsConfig checks how a pod resolves names.
//
// Source: validatePodDNSConfig of pkg/apis/core/validation.
func dnsConfig(spec tree.Object, opts podOptions, p *field.Path) field.ErrorList {
	config := tree.Map(spec, "dnsConfig")
	servers, searches := tree.List(config, "nameservers"), tree.List(config, "searches")
	if tree.String(spec, "dnsPolicy") == "None" {
		if config == nil {
			return field.ErrorList{field.Required(p, "must provide `dnsConfig` when `dnsPolicy` is None")}
		}
		if len(servers) == 0 {
			return field.ErrorList{field.Required(p.Child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None")}
		}
	}
	var errs field.ErrorList
	if len(servers) > 3 {
		errs = append(errs, field.Invalid(p.Child("nameservers"), servers, "must not have more than 3 nameservers"))
	}
	errs = append(errs, each(stringsOf(servers), p.Child("nameservers"), strictIP)...)
	if len(searches) > 32 {
		errs = append(errs, field.Invalid(p.Child("searches"), searches, "must not have more than 32 search paths"))
	}
	if len(strings.Join(stringsOf(searches), " ")) > 2048 {
		errs = append(errs, field.Invalid(p.Child("searches"), searches, "must not have more than 2048 characters (including spaces) in the search list"))
	}
	for i, s := range stringsOf(searches) {
		at, trimmed := p.Child("searches").Index(i), strings.TrimSuffix(s, ".")
		switch {
		case !minors.RelaxedSearchPaths.In(opts.minor):
			errs = append(errs, dns1123Subdomain(trimmed, at)...)
		case s != ".":
			errs = append(errs, invalidEach(at, trimmed, isSearchPath(trimmed))...)
		}
	}
	for i, option := range tree.List(config, "options") {
		if tree.String(option, "name") == "" {
			errs = append(errs, field.Required(p.Child("options").Index(i), "must not be empty"))
		}
	}
	return errs
}

// isSearchPath returns why s is not a subdomain, underscores
// included: labels may start with one.
//
// Source: IsDNS1123SubdomainWithUnderscore of
// k8s.io/apimachinery/pkg/util/validation.
func isSearchPath(s string) []string {
	const label = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
	var msgs []string
	if len(s) > 253 {
		msgs = append(msgs, maxCharacters(253))
	}
	for _, l := range strings.Split(s, ".") {
		l = strings.TrimPrefix(l, "_")
		if !consistsOf(l, lower+digits+"-_") || strings.Trim(l, "-_") != l {
			return append(msgs, content.RegexError("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "+
				"'_', '-' or '.', and must start and end with an alphanumeric character", label+"(\\."+label+")*", "example.com"))
		}
	}
	return msgs
}

// hostAliases checks lines for a pod's hosts file.
//
// Source: ValidateHostAliases of pkg/apis/core/validation.
func hostAliases(list []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, alias := range list {
		at := p.Index(i)
		errs = append(errs, strictIP(tree.String(alias, "ip"), at.Child("ip"))...)
		for j, host := range stringsOf(tree.List(alias, "hostnames")) {
			errs = append(errs, dns1123Subdomain(host, at.Child("hostnames").Index(j))...)
		}
	}
	return errs
}
