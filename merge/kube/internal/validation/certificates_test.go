package validation_test

import "testing"

func TestSigningRequest(t *testing.T) {
	testRejections(t, `apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: "me:1"}
spec:
  request: `+testCSR+`
  signerName: example.com/me
  usages: [client auth]`, []rejection{
		{onCreate, `spec: {request: eA==}`, []string{`spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST`}},
		{onCreate, `spec: {usages: null}`, []string{`spec.usages: Required value`}},
		{onCreate, `spec: {usages: [foo, client auth, client auth]}`, []string{
			`spec.usages[0]: Unsupported value: "foo": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"`,
			`spec.usages[2]: Duplicate value: "client auth"`,
		}},
		{onCreate, `spec: {signerName: null}`, []string{`spec.signerName: Required value`}},
		{onCreate, `spec: {signerName: kubernetes.io/legacy-unknown}`, []string{
			`spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version`,
		}},
		{onCreate, `spec: {signerName: example/M_e, expirationSeconds: 599}`, []string{
			`spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots`,
			`spec.signerName: Invalid value: "M_e": validating label "M_e": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)`,
		}},
		{onUpdate, `spec: {usages: [foo]}`, nil},
		{onUpdate, `metadata: {labels: {a: "b!"}}`, []string{
			`metadata.labels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		}},
	})
}
