package validation_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// The lengths and texts are those of a kube-apiserver 1.36.3.
func TestLengths(t *testing.T) {
	const pod = `{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {containers: [{name: a, image: a}]}}`
	const configMap = `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}, data: {a: abc}}`
	const certificate = `signerName: a.example/b, keyType: ED25519, credentialBundlePath: p, userAnnotations`
	inBase64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	inLabels := func(s string) string {
		return strings.ReplaceAll(s, strings.Repeat("x", 50), strings.Repeat("x", 49)+".")
	}
	for _, test := range []struct {
		base, patch string
		most        int
		encode      func(string) string
		want        string
	}{
		{pod, `spec: {securityContext: {appArmorProfile: {type: Localhost, localhostProfile: %s}}}`, 4095, nil,
			"spec.securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes"},
		{pod, `spec: {securityContext: {windowsOptions: {gmsaCredentialSpec: %s}}}`, 64 << 10, nil, "gmsaCredentialSpec size must be under 64 KiB"},
		{pod, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {` + certificate + `: {a/b: c, c/d: %s}}}]}}]}`, 256<<10 - 7, nil,
			"spec.volumes[0].projected.sources[0].podCertificate.userAnnotations: Too long: may not be more than 262144 bytes"},
		{pod, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {path: p, signerName: a.b/%s}}]}}]}`, 571 - 4, inLabels,
			"spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Too long: may not be more than 571 bytes"},
		{configMap, `data: {b: %s}`, 1<<20 - 3, nil, "[]: Too long: may not be more than 1048576 bytes"},
		{configMap, `binaryData: {b: %s}`, 1<<20 - 3, inBase64, "[]: Too long: may not be more than 1048576 bytes"},
		{`{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: b}, data: {a: YWJj}}`, `data: {b: %s}`, 1<<20 - 3, inBase64,
			"data: Too long: may not be more than 1048576 bytes"},
		{`{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: a}`, `parameters: {a: b, c: %s}`, 256<<10 - 3, nil,
			"parameters: Too long: may not be more than 262144 bytes"},
	} {
		t.Run(test.patch, func(t *testing.T) {
			for _, n := range []int{test.most, test.most + 1} {
				value := strings.Repeat("x", n)
				if test.encode != nil {
					value = test.encode(value)
				}
				errs := validated(requestOf(t, test.base, rejection{onCreate, fmt.Sprintf(test.patch, value), nil}))
				switch {
				case n == test.most && len(errs) > 0:
					t.Errorf("%d are too long: %.200v", n, errs)
				case n > test.most && (len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), test.want)):
					t.Errorf("%d: got %.200v, want %s", n, errs, test.want)
				}
			}
		})
	}
}
