package validation

import (
	"encoding/asn1"
	"encoding/pem"
	"errors"

	"threeway/merge/tree"
)

// These are the types into which the server decodes a request, which its errors
// name (crypto/x509).
type certificateRequest struct {
	Raw                asn1.RawContent
	TBSCSR             tbsCertificateRequest
	SignatureAlgorithm algorithmIdentifier
	SignatureValue     asn1.BitString
}

type tbsCertificateRequest struct {
	Raw           asn1.RawContent
	Version       int
	Subject       asn1.RawValue
	PublicKey     publicKeyInfo
	RawAttributes []asn1.RawValue `asn1:"tag:0"`
}

type publicKeyInfo struct {
	Raw       asn1.RawContent
	Algorithm algorithmIdentifier
	PublicKey asn1.BitString
}

type algorithmIdentifier struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

// A name is a list of sets of attributes.
type (
	attributesSET []attribute
	attribute     struct {
		Type  asn1.ObjectIdentifier
		Value any
	}
)

// requester reads a PEM block as a certificate request, and returns the name of
// whom it is for. Neither keys nor extensions are looked at.
func requester(text []byte) ([]attributesSET, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return nil, errors.New("PEM block type must be CERTIFICATE REQUEST")
	}
	var request certificateRequest
	if rest, err := asn1.Unmarshal(block.Bytes, &request); err != nil {
		return nil, err
	} else if len(rest) != 0 {
		return nil, asn1.SyntaxError{Msg: "trailing data"}
	}
	var name []attributesSET
	if rest, err := asn1.Unmarshal(request.TBSCSR.Subject.FullBytes, &name); err != nil {
		return nil, err
	} else if len(rest) != 0 {
		return nil, errors.New("x509: trailing data after X.509 Subject")
	}
	return name, nil
}

// Organizations are the groups that a CertificateSigningRequest asks for.
func Organizations(csr tree.Object) []string {
	name, _ := requester(bytesOf(tree.Map(csr, "spec")["request"]))
	var list []string
	for _, set := range name {
		for _, a := range set {
			if group, ok := a.Value.(string); ok && a.Type.Equal(asn1.ObjectIdentifier{2, 5, 4, 10}) {
				list = append(list, group)
			}
		}
	}
	return list
}
