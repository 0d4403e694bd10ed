package validation

import (
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// trustBundle checks a ClusterTrustBundle; one that has not changed is not read.
//
// Source: ValidateClusterTrustBundle of pkg/apis/certificates/validation.
func trustBundle(r *Request) field.ErrorList {
	p, signer := field.NewPath("spec"), tree.String(r.Object, "spec", "signerName")
	errs := clusterMeta(r, func(name string, prefix bool) []string { return bundleName(name, signer, prefix) })
	if signer != "" {
		errs = append(errs, signerName(signer, p.Child("signerName"))...)
	}
	text := tree.String(r.Object, "spec", "trustBundle")
	if r.Old != nil && text == tree.String(r.Old, "spec", "trustBundle") {
		return errs
	}
	return append(errs, anchors(text, p.Child("trustBundle"))...)
}

// bundleName returns why a bundle of a signer, or of none, cannot have the name
// (ValidateClusterTrustBundleName of pkg/apis/core/validation).
func bundleName(name, signer string, prefix bool) []string {
	if signer == "" {
		if strings.Contains(name, ":") {
			return []string{`ClusterTrustBundle without signer name must not have ":" in its name`}
		}
		return nameIsDNSSubdomain(name, prefix)
	}
	begin := strings.ReplaceAll(signer, "/", ":") + ":"
	rest, ok := strings.CutPrefix(name, begin)
	if !ok {
		return []string{fmt.Sprintf("ClusterTrustBundle for signerName %s must be named with prefix %s", signer, begin)}
	}
	return nameIsDNSSubdomain(rest, prefix)
}

// anchors checks the certificates of a bundle (validateTrustBundle). Their keys are not
// looked at.
func anchors(text string, p *field.Path) (errs field.ErrorList) {
	const most = 1 << 20
	if len(text) > most {
		return field.ErrorList{field.TooLong(p, "", most)}
	}
	bad := func(detail string, args ...any) {
		errs = append(errs, field.Invalid(p, "<value omitted>", fmt.Sprintf(detail, args...)))
	}
	indices := map[string][]int{}
	block, rest := pem.Decode([]byte(text))
	for i := 0; block != nil; i++ {
		authority, err := isAuthority(block.Bytes)
		switch {
		case block.Type != "CERTIFICATE":
			bad("entry %d has bad block type: %v", i, block.Type)
		case len(block.Headers) != 0:
			bad("entry %d has PEM block headers", i)
		case err != nil:
			bad("entry %d does not parse as X.509", i)
		case !authority:
			bad("entry %d does not have the CA bit set", i)
		default:
			indices[string(block.Bytes)] = append(indices[string(block.Bytes)], i)
		}
		block, rest = pem.Decode(rest)
	}
	if len(errs) > 0 {
		return errs
	}
	if len(indices) == 0 {
		bad("at least one trust anchor must be provided")
	}
	for _, same := range slices.SortedFunc(maps.Values(indices), slices.Compare) {
		if len(same) > 1 {
			bad("duplicate trust anchor (indices %v)", same)
		}
	}
	return errs
}

// certificate is what is read of one (crypto/x509).
type certificate struct {
	TBSCertificate struct {
		Version            int `asn1:"optional,explicit,default:0,tag:0"`
		SerialNumber       asn1.RawValue
		SignatureAlgorithm algorithmIdentifier
		Issuer             asn1.RawValue
		Validity           asn1.RawValue
		Subject            asn1.RawValue
		PublicKey          publicKeyInfo
		UniqueID           asn1.BitString `asn1:"optional,tag:1"`
		SubjectUniqueID    asn1.BitString `asn1:"optional,tag:2"`
		Extensions         []struct {
			ID       asn1.ObjectIdentifier
			Critical bool `asn1:"optional"`
			Value    []byte
		} `asn1:"optional,explicit,tag:3"`
	}
	SignatureAlgorithm algorithmIdentifier
	SignatureValue     asn1.BitString
}

// isAuthority reports whether a certificate may sign others.
func isAuthority(der []byte) (bool, error) {
	var c certificate
	if rest, err := asn1.Unmarshal(der, &c); err != nil || len(rest) != 0 {
		return false, asn1.SyntaxError{Msg: "no certificate"}
	}
	for _, e := range c.TBSCertificate.Extensions {
		if !e.ID.Equal(asn1.ObjectIdentifier{2, 5, 29, 19}) {
			continue
		}
		var constraints struct {
			IsCA       bool `asn1:"optional"`
			MaxPathLen int  `asn1:"optional,default:-1"`
		}
		_, err := asn1.Unmarshal(e.Value, &constraints)
		return constraints.IsCA, err
	}
	return false, nil
}
