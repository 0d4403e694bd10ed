package helm

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// longestName is how long the name of a release may be.
const longestName = 53

// CheckRelease returns an error if no release can have the name, written NAME or
// NAMESPACE/NAME (helm.sh/helm/v3/pkg/chartutil/validate_name.go).
func CheckRelease(release string) error {
	namespace, name, placed := strings.Cut(release, "/")
	if !placed {
		namespace, name = "default", release
	}
	if content.IsDNS1123Subdomain(name) != nil || len(name) > longestName {
		return fmt.Errorf("%q is no name of a Helm release, so Helm rejects it; use at most %d of lowercase letters, digits, dots and dashes", name, longestName)
	}
	if content.IsDNS1123Label(namespace) != nil {
		return fmt.Errorf("%q is no name of a namespace, so Helm rejects it; use lowercase letters, digits and -", namespace)
	}
	return nil
}
