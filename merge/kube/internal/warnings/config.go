package warnings

import (
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"

	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// Secret warns of a key pair that cannot be one, as far as its PEM blocks
// tell; the certificate and the key themselves are not parsed.
//
// Source: warningsForSecret of pkg/registry/core/secret/strategy.go, which
// takes the words of X509KeyPair of Go's crypto/tls.
func Secret(w *texts, r Request) {
	if tree.String(r.Object, "type") != "kubernetes.io/tls" {
		return
	}
	data := tree.Map(r.Object, "data")
	if token.IsRedacted(data["tls.crt"]) || token.IsRedacted(data["tls.key"]) {
		return // the real ones are not known
	}
	if text := certificateFault(blocks(data["tls.crt"])); text != "" {
		w.say("", "tls: %s", text)
	} else if text := keyFault(blocks(data["tls.key"])); text != "" {
		w.say("", "tls: %s", text)
	}
}

// blocks are the types of the PEM blocks in a value of a Secret.
func blocks(value any) []string {
	data, _ := base64.StdEncoding.DecodeString(tree.String(value))
	var types []string
	for {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			return types
		}
		types = append(types, block.Type)
	}
}

func certificateFault(types []string) string {
	switch {
	case slices.Contains(types, "CERTIFICATE"):
		return ""
	case len(types) == 0:
		return "failed to find any PEM data in certificate input"
	case len(types) == 1 && strings.HasSuffix(types[0], "PRIVATE KEY"):
		return "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"
	}
	return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [` + strings.Join(types, " ") + "]"
}

func keyFault(types []string) string {
	isKey := func(t string) bool { return t == "PRIVATE KEY" || strings.HasSuffix(t, " PRIVATE KEY") }
	switch {
	case slices.ContainsFunc(types, isKey):
		return ""
	case len(types) == 0:
		return "failed to find any PEM data in key input"
	case len(types) == 1 && types[0] == "CERTIFICATE":
		return "found a certificate rather than a key in the PEM for the private key"
	}
	return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [` + strings.Join(types, " ") + "]"
}

// ServiceAccount warns where the annotation is new
// (warnIfHasEnforceMountableSecretsAnnotation of
// pkg/registry/core/serviceaccount/strategy.go).
func ServiceAccount(w *texts, r Request) {
	const key = "kubernetes.io/enforce-mountable-secrets"
	if minors.WarnMountableSecrets.In(r.Minor) && tree.Has(r.Object, "metadata", "annotations", key) && !tree.Has(r.Old, "metadata", "annotations", key) {
		w.say(annotation(key), "metadata.annotations[%s]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets", key)
	}
}

// ResourceQuota warns of a new ResourceQuota that lets more be asked for than used
// (pkg/registry/core/resourcequota/strategy.go). Storage is not among what may
// be limited.
func ResourceQuota(w *texts, r Request) {
	if r.Old != nil || !minors.WarnQuotaAboveLimits.In(r.Minor) {
		return
	}
	hard := tree.Map(r.Object, "spec", "hard")
	for _, name := range []string{"cpu", "memory", "ephemeral-storage"} {
		asked := "requests." + name
		if !tree.Has(hard, asked) && (name == "cpu" || name == "memory") {
			asked = name
		}
		request, err := format.Quantity(tree.String(hard, asked))
		limit, err2 := format.Quantity(tree.String(hard, "limits."+name))
		if err == nil && err2 == nil && request.Cmp(limit) > 0 {
			w.say("spec.hard["+asked+"]", "ResourceQuota %s (%s) should be less than limits.%s (%s)", asked, tree.String(hard, asked), name, tree.String(hard, "limits."+name))
		}
	}
}

// ResourceSlice follows pkg/registry/resource/resourceslice/strategy.go.
func ResourceSlice(w *texts, r Request) {
	if driver := tree.String(r.Object, "spec", "driver"); minors.WarnDriverCase.In(r.Minor) && driver != strings.ToLower(driver) {
		w.say("spec.driver", "spec.driver: driver names should be lowercase; %q contains uppercase characters", driver)
	}
}
