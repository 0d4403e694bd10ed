package validation

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// windowsOptions checks the Windows part of a security context.
//
// Source: validateWindowsSecurityContextOptions of pkg/apis/core/validation.
func windowsOptions(sc tree.Object, p *field.Path) field.ErrorList {
	options := tree.Map(sc, "windowsOptions")
	p = p.Child("windowsOptions")
	var errs field.ErrorList
	if name := tree.String(options, "gmsaCredentialSpecName"); tree.Has(options, "gmsaCredentialSpecName") {
		errs = append(errs, invalidEach(p.Child("gmsaCredentialSpecName"), named(name), nameIsDNSSubdomain(name, false))...)
	}
	if spec := tree.String(options, "gmsaCredentialSpec"); tree.Has(options, "gmsaCredentialSpec") {
		if spec == "" {
			errs = append(errs, field.Invalid(p.Child("gmsaCredentialSpec"), spec, "gmsaCredentialSpec cannot be an empty string"))
		} else if len(spec) > 64<<10 {
			errs = append(errs, field.Invalid(p.Child("gmsaCredentialSpec"), spec, "gmsaCredentialSpec size must be under 64 KiB"))
		}
	}
	if name := tree.String(options, "runAsUserName"); tree.Has(options, "runAsUserName") {
		errs = append(errs, invalidEach(p.Child("runAsUserName"), named(name), isWindowsUser(name))...)
	}
	return errs
}

// isWindowsUser returns why s is not a user, maybe with a domain
// and a backslash before it.
func isWindowsUser(s string) []string {
	domain, user, hasDomain := strings.Cut(s, `\`)
	switch {
	case s == "":
		return []string{"runAsUserName cannot be an empty string"}
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return []string{"runAsUserName cannot contain control characters"}
	case strings.Contains(user, `\`):
		return []string{"runAsUserName cannot contain more than one backslash"}
	case !hasDomain:
		domain, user = "", s
	}
	var msgs []string
	if len(domain) >= 256 {
		msgs = append(msgs, "runAsUserName's Domain length must be under 256 characters")
	}
	if hasDomain && !isWindowsDomain(domain) {
		msgs = append(msgs, "runAsUserName's Domain doesn't match the NetBios nor the DNS format")
	}
	if user == "" {
		msgs = append(msgs, "runAsUserName's User cannot be empty")
	} else if len(user) > 104 {
		msgs = append(msgs, "runAsUserName's User length must not be longer than 104 characters")
	}
	if user != "" && strings.Trim(user, ". ") == "" {
		msgs = append(msgs, "runAsUserName's User cannot contain only periods or spaces")
	}
	if strings.ContainsAny(user, `"/\:;|=,+*?<>@[]`) {
		msgs = append(msgs, `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`)
	}
	return msgs
}

func isWindowsDomain(s string) bool {
	const label = `[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
	netBIOS := regexp.MustCompile(`^[^\\/:\*\?"<>|\.][^\\/:\*\?"<>|]{0,14}$`)
	dns := regexp.MustCompile(`^` + label + `(?:\.` + label + `)*$`)
	return netBIOS.MatchString(s) || dns.MatchString(s)
}

// hostProcess checks pods whose containers run as processes of a Windows
// host: all or none do, and on the host's network.
//
// Source: validateWindowsHostProcessPod of pkg/apis/core/validation.
func hostProcess(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	key := []string{"securityContext", "windowsOptions", "hostProcess"}
	ofPod, podSays := tree.Bool(spec, key...), tree.Has(spec, key...)
	all, inHost := 0, 0
	eachContainer(spec, p, func(c any, at *field.Path) {
		all++
		ofContainer, containerSays := tree.Bool(c, key...), tree.Has(c, key...)
		if podSays && containerSays && ofPod != ofContainer {
			errs = append(errs, field.Invalid(at.Child("securityContext", "windowsOptions", "hostProcess"), ofContainer,
				fmt.Sprintf("pod hostProcess value must be identical if both are specified, was %v", ofPod)))
		}
		if ofContainer || !containerSays && ofPod {
			inHost++
		}
	})
	if inHost == 0 {
		return errs
	}
	if inHost != all {
		errs = append(errs, field.Invalid(p, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"))
	}
	if !tree.Bool(spec, "hostNetwork") {
		errs = append(errs, field.Invalid(p.Child("hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers"))
	}
	return errs
}
