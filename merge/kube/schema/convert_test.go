package schema

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// strangers are the fields of stable types that have no field of the same Go
// name on the other side, and why that is right.
var strangers = map[string]string{
	"admissionregistration/v1.NamedRuleWithOperations": "internal has a field where versioned embeds",
	"apiextensions/v1.CustomResourceConversion":        "liftConversion",
	"apiextensions/v1.CustomResourceDefinitionSpec":    "hoisted fields, which are printed for versions only",
	"apps/v1.DaemonSetSpec":                            "templateGeneration: of extensions/v1beta1, an annotation since",
	"apps/v1.DeploymentSpec":                           "rollbackTo: of extensions/v1beta1, an annotation since",
	"autoscaling/v1.HorizontalPodAutoscalerSpec":       "metrics: an annotation in v1; no message prints the whole",
	"autoscaling/v1.HorizontalPodAutoscalerStatus":     "metrics: an annotation in v1; no message prints the whole",
	"core/v1.NodeSpec":                                 "podCIDR is the first of podCIDRs; no message prints the whole",
	"core/v1.PodStatus":                                "podIP is the first of podIPs; no message prints the whole",
	"core/v1.PodSecurityContext":                       "lifted",
	"core/v1.PodSpec":                                  "lifted, and the serviceAccount alias",
	"core/v1.Secret":                                   "stringData: part of data once admitted",
}

func TestTwinsHaveTheSameFields(t *testing.T) {
	tab := newTable()
	found := map[string]bool{}
	for _, name := range all(tab) {
		pkg, _, _ := strings.Cut(name, ".")
		if strings.Contains(pkg, "alpha") || strings.Contains(pkg, "beta") || strings.HasPrefix(pkg, "internal/") {
			continue
		}
		versioned, internal := twins(name)
		if versioned == internal || versioned.Form != Struct {
			continue
		}
		var left, right []string
		for _, f := range versioned.Fields {
			if f.In(36) && !slices.Contains([]string{"TypeMeta", "Kind", "APIVersion", "ObjectMeta"}, f.Go) {
				left = append(left, f.Go)
			}
		}
		for _, f := range internal.Fields {
			if f.In(36) && f.Name == f.Go && f.Go != "Kind" && f.Go != "APIVersion" { // tagged ones are metadata
				right = append(right, f.Go)
			}
		}
		slices.Sort(left)
		slices.Sort(right)
		if !slices.Equal(left, right) {
			found[name] = true
			if strangers[name] == "" && versionedIn36(versioned) {
				t.Errorf("%s: versioned %v, internal %v", name, left, right)
			}
		}
	}
	for name := range maps.Keys(strangers) {
		if !found[name] {
			t.Errorf("%s: has the same fields after all", name)
		}
	}
}

func versionedIn36(t *Type) bool {
	return slices.ContainsFunc(t.Fields, func(f Field) bool { return f.In(36) })
}
