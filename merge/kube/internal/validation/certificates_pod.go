package validation

import (
	"encoding/asn1"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// createPodCertificateRequest checks a new PodCertificateRequest. Keys and signatures
// are not looked at.
//
// Source: ValidatePodCertificateRequestCreate of pkg/apis/certificates/validation.
func createPodCertificateRequest(r *Request) field.ErrorList {
	const mostUID, mostRequest = 128, 10 << 10
	p, spec := field.NewPath("spec"), tree.Map(r.Object, "spec")
	signer := tree.String(spec, "signerName")
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	errs = append(errs, signerName(signer, p.Child("signerName"))...)
	errs = append(errs, userAnnotations(tree.Map(spec, "unverifiedUserAnnotations"), p.Child("unverifiedUserAnnotations"))...)
	for _, of := range []struct{ name, uid string }{{"podName", "podUID"}, {"serviceAccountName", "serviceAccountUID"}, {"nodeName", "nodeUID"}} {
		var name any = tree.String(spec, of.name)
		if of.name == "nodeName" {
			name = named(tree.String(spec, of.name))
		}
		errs = append(errs, invalidEach(p.Child(of.name), name, nameIsDNSSubdomain(tree.String(spec, of.name), false))...)
		switch uid, at := tree.String(spec, of.uid), p.Child(of.uid); {
		case uid == "":
			errs = append(errs, field.Invalid(at, named(uid), "must not be empty"))
		case len(uid) > mostUID:
			errs = append(errs, field.TooLong(at, "", mostUID))
		}
	}
	const least, mostOfKubernetes, most = 3600, 86400, 91 * 86400
	n, ok := tree.Int(spec, "maxExpirationSeconds")
	if !ok {
		return append(errs, field.Required(p.Child("maxExpirationSeconds"), "must be set"))
	}
	limit := int64(most)
	if host, _, _ := strings.Cut(signer, "/"); strings.HasSuffix("."+host, ".kubernetes.io") {
		limit = mostOfKubernetes
	}
	if n < least || n > limit {
		errs = append(errs, field.Invalid(p.Child("maxExpirationSeconds"), n, fmt.Sprintf("must be in the range [%d, %d]", least, limit)))
	}
	stub, key, proof := bytesOf(spec["stubPKCS10Request"]), bytesOf(spec["pkixPublicKey"]), bytesOf(spec["proofOfPossession"])
	at := p.Child("stubPKCS10Request")
	switch {
	case len(stub) == 0 && len(key) != 0 && len(proof) != 0:
	case len(stub) == 0 || len(key) != 0 || len(proof) != 0:
		errs = append(errs, field.Invalid(p, field.OmitValueType{}, "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set"))
	case len(stub) > mostRequest:
		errs = append(errs, field.TooLong(at, "", mostRequest))
	default:
		var request certificateRequest
		if rest, err := asn1.Unmarshal(stub, &request); err != nil || len(rest) != 0 {
			errs = append(errs, field.Invalid(at, field.OmitValueType{}, "must be a valid PKCS#10 CSR"))
		}
	}
	return errs
}

// storageMigration checks a StorageVersionMigration.
//
// Source: ValidateStorageVersionMigration of pkg/apis/storagemigration/validation.
func storageMigration(r *Request) field.ErrorList {
	errs, p := clusterMeta(r, nameIsDNSSubdomain), field.NewPath("spec", "resource")
	if name := tree.String(r.Object, "spec", "resource", "resource"); name == "" {
		errs = append(errs, field.Required(p.Child("resource"), "resource is required to be set"))
	} else if msgs := isDNS1035Label(name); len(msgs) > 0 {
		errs = append(errs, field.Invalid(p.Child("resource"), name, strings.Join(msgs, ",")))
	}
	if group := tree.String(r.Object, "spec", "resource", "group"); group != "" {
		if msgs := isDNS1123Subdomain(group); len(msgs) > 0 {
			errs = append(errs, field.Invalid(p.Child("group"), group, strings.Join(msgs, ",")))
		}
	}
	return errs
}
