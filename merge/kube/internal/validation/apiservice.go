package validation

import (
	"encoding/base64"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source: ValidateAPIService.
func apiService(r *Request) field.ErrorList {
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	group, version := tree.String(spec, "group"), tree.String(spec, "version")
	name := func(name string, prefix bool) []string {
		if msgs := pathSegmentName(name, false); len(msgs) > 0 {
			return msgs
		}
		if want := version + "." + group; name != want {
			return []string{fmt.Sprintf("must be `spec.version+\".\"+spec.group`: %q", want)}
		}
		return nil
	}
	errs := genericObjectMeta(tree.Map(r.Object, "metadata"), name, field.NewPath("metadata"))
	if group == "" && version != "v1" {
		errs = append(errs, field.Required(p.Child("group"), "only v1 may have an empty group and it better be legacy kube"))
	}
	if group != "" {
		errs = append(errs, dns1123Subdomain(group, p.Child("group"))...)
	}
	errs = append(errs, invalidEach(p.Child("version"), version, isDNS1035Label(version))...)
	if n, _ := tree.Int(spec, "groupPriorityMinimum"); n <= 0 || n > 20000 {
		errs = append(errs, field.Invalid(p.Child("groupPriorityMinimum"), n, "must be positive and less than 20000"))
	}
	if n, _ := tree.Int(spec, "versionPriority"); n <= 0 || n > 1000 {
		errs = append(errs, field.Invalid(p.Child("versionPriority"), n, "must be positive and less than 1000"))
	}
	return append(errs, apiServiceBackend(spec, p)...)
}

func apiServiceBackend(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	bundle, _ := base64.StdEncoding.DecodeString(tree.String(spec, "caBundle"))
	insecure := tree.Bool(spec, "insecureSkipTLSVerify")
	service := tree.Map(spec, "service")
	if service == nil {
		if len(bundle) > 0 {
			errs = append(errs, field.Invalid(p.Child("caBundle"), fmt.Sprintf("%d bytes", len(bundle)), "local APIServices may not have a caBundle"))
		}
		if insecure {
			errs = append(errs, field.Invalid(p.Child("insecureSkipTLSVerify"), insecure, "local APIServices may not have insecureSkipTLSVerify"))
		}
		return errs
	}
	errs = append(errs, required(service, p.Child("service"), "namespace", "name")...)
	port, _ := tree.Int(service, "port")
	if msgs := isPortNumber(port); len(msgs) > 0 {
		errs = append(errs, field.Invalid(p.Child("service", "port"), port, "port is not valid: "+strings.Join(msgs, ", ")))
	}
	if insecure && len(bundle) > 0 {
		errs = append(errs, field.Invalid(p.Child("insecureSkipTLSVerify"), insecure, "may not be true if caBundle is present"))
	}
	return errs
}
