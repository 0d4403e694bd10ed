package main

import (
	"path"
	"slices"
	"strings"
)

// scope lists the packages whose functions decide what is rehearsed, by module and in the
// order in which changes are worth reading: what each kind is checked for comes first. A
// pattern may end in the files that are meant.
var scope = []struct{ module, patterns string }{
	{"k8s.io/kubernetes", `pkg/apis/*/validation pkg/apis/*/v*/validation pkg/apis/*/v*/defaults.go pkg/apis/*/v*/conversion.go pkg/apis/core/helper pkg/apis/core/v1/helper pkg/apis/core/pods
		pkg/apis/*/helpers.go pkg/api/job pkg/api/node pkg/api/persistentvolume pkg/api/persistentvolumeclaim pkg/api/pod pkg/api/resourceclaimspec pkg/api/service pkg/api/servicecidr
		pkg/api/storage pkg/api/v1/pod pkg/api/v1/service pkg/registry/*/*/strategy.go pkg/registry/*/strategy.go pkg/registry/core/service/storage pkg/registry/core/pod/storage/storage.go
		pkg/registry/core/serviceaccount/storage/storage.go pkg/registry/resource plugin/pkg/admission/*/*.go plugin/pkg/admission/*/*/*.go`},
	{"k8s.io/apiextensions-apiserver", `pkg/apis/apiextensions/validation pkg/apis/apiextensions pkg/apis/apiextensions/v1 pkg/apiserver/validation pkg/apiserver/schema pkg/apiserver/schema/*
		pkg/apiserver/conversion pkg/registry/customresource pkg/registry/customresourcedefinition pkg/apiserver/customresource_handler.go`},
	{"k8s.io/kube-aggregator", "pkg/apis/apiregistration/validation pkg/apis/apiregistration/v1/defaults.go pkg/registry/apiservice/strategy.go"},
	{"k8s.io/apimachinery", `pkg/api/validation pkg/api/validate pkg/api/validate/* pkg/util/validation pkg/apis/meta/v1/validation pkg/util/managedfields pkg/util/managedfields/internal
		pkg/util/strategicpatch pkg/util/jsonmergepatch pkg/runtime/converter.go`},
	{"k8s.io/apiserver", `pkg/registry/rest/create.go pkg/registry/rest/update.go pkg/registry/rest/meta.go pkg/registry/rest/validate.go pkg/endpoints/handlers/create.go pkg/endpoints/handlers/update.go pkg/endpoints/handlers/rest.go
		pkg/endpoints/handlers/patch.go pkg/util/webhook/validation.go pkg/admission/plugin/namespace/lifecycle pkg/admission/plugin/resourcequota pkg/admission/plugin/policy/* pkg/admission/plugin/policy/*/*
		pkg/admission/plugin/webhook/predicates/* pkg/admission/plugin/webhook/matchconditions pkg/cel pkg/cel/*`},
	{"k8s.io/pod-security-admission", "policy admission api"},
	{"k8s.io/component-helpers", "scheduling/corev1/nodeaffinity resource"},
	{"k8s.io/kubectl", "pkg/cmd/apply pkg/cmd/diff pkg/util pkg/util/prune"},
	{"k8s.io/cli-runtime", "pkg/resource"},
}

// inScope reports whether a file of a module is one whose functions are listed.
func inScope(module, file string) bool {
	base := path.Base(file)
	if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_generated") || strings.Contains(file, "/testing/") {
		return false
	}
	for _, s := range scope {
		if s.module != module {
			continue
		}
		return slices.ContainsFunc(strings.Fields(s.patterns), func(pattern string) bool {
			if !strings.HasSuffix(pattern, ".go") {
				pattern += "/*.go"
			}
			ok, _ := path.Match(pattern, file)
			return ok
		})
	}
	return false
}

// used are the groups by how often their kinds are applied; others follow.
var used = []string{"core", "apps", "batch", "networking", "rbac", "autoscaling", "policy", "storage", "apiextensions", "admissionregistration", "admission", "scheduling", "discovery", "node", "certificates", "coordination", "flowcontrol", "resource"}

// usedOften orders packages by the kinds that they are about.
func usedOften(pkg string) int {
	for i, group := range used {
		if slices.Contains(strings.Split(pkg, "/"), group) {
			return i
		}
	}
	return len(used)
}
