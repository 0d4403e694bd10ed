package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// signingRequest checks a CertificateSigningRequest; of a changed one the server leaves
// the spec as it was. That the request bears the right signature is not checked.
//
// Source: validateCertificateSigningRequest of
// pkg/apis/certificates/validation.
func signingRequest(r *Request) field.ErrorList {
	errs, of := clusterMeta(r, func(string, bool) []string { return nil }), r.Object
	if r.Old != nil {
		of = r.Old
	}
	return append(errs, signingRequestSpec(of, r.Old)...)
}

func signingRequestSpec(o, old tree.Object) field.ErrorList {
	const legacySigner = "kubernetes.io/legacy-unknown"
	var errs field.ErrorList
	p := field.NewPath("spec")
	spec := tree.Map(o, "spec")
	if _, err := requester(bytesOf(spec["request"])); err != nil {
		errs = append(errs, field.Invalid(p.Child("request"), spec["request"], err.Error()))
	}
	if old == nil {
		errs = append(errs, keyUsages(tree.List(spec, "usages"), p.Child("usages"))...)
	}
	signer := tree.String(spec, "signerName")
	if signer == legacySigner && old == nil {
		errs = append(errs, field.Invalid(p.Child("signerName"), signer, "the legacy signerName is not allowed via this API version"))
	} else {
		errs = append(errs, signerName(signer, p.Child("signerName"))...)
	}
	if n, ok := tree.Int(spec, "expirationSeconds"); ok && n < 600 {
		errs = append(errs, field.Invalid(p.Child("expirationSeconds"), n, "may not specify a duration less than 600 seconds (10 minutes)"))
	}
	return errs
}

func keyUsages(list []any, p *field.Path) field.ErrorList {
	usages := stringsOf(list)
	if len(usages) == 0 {
		return field.ErrorList{field.Required(p, "")}
	}
	var errs field.ErrorList
	for i, u := range usages {
		errs = append(errs, oneOf(u, p.Index(i),
			"any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment",
			"decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel",
			"ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime",
			"server auth", "signing", "timestamping")...)
	}
	for i, u := range usages {
		if slices.Contains(usages[:i], u) {
			errs = append(errs, field.Duplicate(p.Index(i), named(u)))
		}
	}
	return errs
}
