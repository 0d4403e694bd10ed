package custom

import (
	"fmt"

	kubeversion "k8s.io/apimachinery/pkg/version"
)

// Deprecation is what the server says to every request in a version that is
// marked as deprecated, in the words of the definition or in its own, which
// name the newest version to use instead; "" if it is not marked.
//
// Source: defaultDeprecationWarning of
// k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go.
func (d *Definition) Deprecation(name string) string {
	marked, newest := (*version)(nil), name
	for _, v := range d.versions {
		switch {
		case v.name == name && v.deprecated:
			marked = v
		case v.served && !v.deprecated && kubeversion.CompareKubeAwareVersionStrings(newest, v.name) < 0:
			newest = v.name
		}
	}
	switch {
	case marked == nil:
		return ""
	case marked.warning != nil:
		return *marked.warning
	case newest == name:
		return fmt.Sprintf("%s %s is deprecated", marked.apiVersion, d.kind)
	}
	return fmt.Sprintf("%s %s is deprecated; use %s/%s %s", marked.apiVersion, d.kind, d.group, newest, d.kind)
}
