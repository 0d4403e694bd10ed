package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3 with the feature gates
// ClusterTrustBundleProjection and PodCertificateRequest, which are off by
// default: such volumes come from servers that have them.

func TestTrustBundleVolume(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec: {containers: [{name: a, image: a}]}`, []rejection{
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a, path: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a.example/b, path: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a, signerName: a.example/b, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle: Invalid value: {"Name":"a","SignerName":"a.example/b","LabelSelector":null,"Optional":null,"Path":"p"}: only one of name and signerName may be used`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: "", path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.name: Required value: must be a valid object name`,
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.name: Invalid value: "": not a valid clustertrustbundlename: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: A, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.name: Invalid value: "A": not a valid clustertrustbundlename: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: "a.example:b:c", path: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: "a.example:B", path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.name: Invalid value: "a.example:B": not a valid clustertrustbundlename: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: "a:", path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.name: Invalid value: "a:": not a valid clustertrustbundlename: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a, labelSelector: {}, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: "", path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Required value: must be a valid signer name`,
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Required value`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "a": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a/b, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "a": should be a domain with at least two segments separated by dots`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a.example/b/c, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "a.example/b/c": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: A.example/b, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "A.example": validating label "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a..b/c, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "a..b": validating label "": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a.example/B, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "B": validating label "B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a.example/, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Invalid value: "": validating label "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: a.example/b, labelSelector: {matchLabels: {a: b c}}, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.labelSelector.matchLabels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a}}]}}]}`, []string{`spec.volumes[0].projected.sources[0].clusterTrustBundle.path: Required value`}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a, path: ..p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.path: Invalid value: "..p": must not start with '..'`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a, path: /p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.path: Invalid value: "/p": must be a relative path`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: a, path: p}}, {clusterTrustBundle: {name: b, path: p}}]}}]}`, []string{`spec.volumes[0].projected: Invalid value: "p": conflicting duplicate paths`}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{secret: {name: a}, clusterTrustBundle: {name: a, path: p}}]}}]}`, []string{`spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source`}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd.ddddddddddddddddddddddddddddddddddddddddddddddddd/b, path: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {signerName: dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd.dddddddddddddddddddddddddddddddddddddddddddddddddd/b, path: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].clusterTrustBundle.signerName: Too long: may not be more than 253 bytes`,
		}},
	})
}

func TestPodCertificateVolume(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec: {containers: [{name: a, image: a}]}`, []rejection{
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, keyPath: p, certificateChainPath: q}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, keyPath: p, certificateChainPath: p}}]}}]}`, []string{`spec.volumes[0].projected: Invalid value: "p": conflicting duplicate paths`}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, keyPath: ..p, certificateChainPath: /q}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.keyPath: Invalid value: "..p": must not start with '..'`,
			`spec.volumes[0].projected.sources[0].podCertificate.certificateChainPath: Invalid value: "/q": must be a relative path`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, credentialBundlePath: a/../b}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.credentialBundlePath: Invalid value: "a/../b": must not contain '..'`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {keyType: ED25519, credentialBundlePath: p}}]}}]}`, []string{`spec.volumes[0].projected.sources[0].podCertificate.signerName: Required value`}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a, keyType: ED25519, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.signerName: Invalid value: "a": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: Foo, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.keyType: Unsupported value: "Foo": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.keyType: Unsupported value: "": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: RSA3072, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: RSA4096, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ECDSAP256, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ECDSAP384, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ECDSAP521, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, maxExpirationSeconds: 3599, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 3599: if provided, maxExpirationSeconds must be >= 3600`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, maxExpirationSeconds: 3600, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, maxExpirationSeconds: 7862400, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, maxExpirationSeconds: 7862401, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 7862401: if provided, maxExpirationSeconds must be <= 7862400`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.kubernetes.io/b, keyType: ED25519, maxExpirationSeconds: 86400, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.kubernetes.io/b, keyType: ED25519, maxExpirationSeconds: 86401, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: kubernetes.io/b, keyType: ED25519, maxExpirationSeconds: 86401, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a-kubernetes.io/b, keyType: ED25519, maxExpirationSeconds: 86401, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.kubernetes.io.example/b, keyType: ED25519, maxExpirationSeconds: 86401, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, userAnnotations: {a/b: c}, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, userAnnotations: {"": c}, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.userAnnotations: Required value`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, userAnnotations: {b: c}, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.userAnnotations: Invalid value: "b": must be a domain-prefixed key (such as "acme.io/foo")`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, userAnnotations: {a b/c: d}, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.userAnnotations: Invalid value: "a b/c": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, userAnnotations: {A.b/C: d}, credentialBundlePath: p}}]}}]}`, nil},
		{onCreate, `spec: {volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.example/b, keyType: ED25519, userAnnotations: {a/b: c, d: e, f g: h}, credentialBundlePath: p}}]}}]}`, []string{
			`spec.volumes[0].projected.sources[0].podCertificate.userAnnotations: Invalid value: "d": must be a domain-prefixed key (such as "acme.io/foo")`,
			`spec.volumes[0].projected.sources[0].podCertificate.userAnnotations: Invalid value: "f g": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
	})
}
