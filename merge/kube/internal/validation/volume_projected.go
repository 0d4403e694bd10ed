package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file: validateProjectionSources of pkg/apis/core/validation
// and names.go beside it.

// projected checks a volume that is put together from several sources.
func projected(src any, p *field.Path, opts podOptions) field.ErrorList {
	v := projection{path: p, opts: opts, paths: map[string]bool{}}
	v.errs = fileMode(src, "defaultMode", p)
	for i, s := range tree.List(src, "sources") {
		at := p.Child("sources").Index(i)
		n := 0
		for _, source := range []struct {
			key   string
			check func(src tree.Object, p *field.Path)
		}{
			{"secret", v.items},
			{"configMap", v.items},
			{"downwardAPI", v.downwardAPI},
			{"serviceAccountToken", v.serviceAccountToken},
			{"clusterTrustBundle", v.clusterTrustBundle},
			{"podCertificate", v.podCertificate},
		} {
			if tree.Has(s, source.key) {
				n++
				source.check(tree.Map(s, source.key), at.Child(source.key))
			}
		}
		if n > 1 {
			v.add(coded(fault.OneOf, field.Forbidden(at, "may not specify more than 1 volume type per source")))
		}
	}
	return v.errs
}

// projection gathers the errors of a projected volume, whose sources must not
// lay down two files in one place.
type projection struct {
	path  *field.Path // of the volume
	opts  podOptions
	paths map[string]bool
	errs  field.ErrorList
}

func (v *projection) add(errs ...*field.Error) { v.errs = append(v.errs, errs...) }

// claim takes a path; shown is what the error calls the culprit.
func (v *projection) claim(path, shown string) {
	if v.paths[path] {
		v.add(field.Invalid(v.path, shown, "conflicting duplicate paths"))
	}
	v.paths[path] = true
}

func (v *projection) items(src tree.Object, p *field.Path) {
	v.add(required(src, p, "name")...)
	for i, item := range tree.List(src, "items") {
		v.add(keyToPath(item, p.Child("items").Index(i))...)
		if path := tree.String(item, "path"); path != "" {
			v.claim(path, tree.String(src, "name"))
		}
	}
}

func (v *projection) downwardAPI(src tree.Object, p *field.Path) {
	for _, file := range tree.List(src, "items") {
		v.add(downwardAPIFile(file, p)...)
		if path := tree.String(file, "path"); path != "" {
			v.claim(path, path)
		}
	}
}

func (v *projection) serviceAccountToken(src tree.Object, p *field.Path) {
	seconds, _ := tree.Int(src, "expirationSeconds")
	if seconds < 10*60 {
		v.add(field.Invalid(p.Child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes"))
	}
	if seconds > 1<<32 {
		v.add(field.Invalid(p.Child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds"))
	}
	if path := tree.String(src, "path"); path == "" {
		v.add(field.Required(v.path.Child("path"), ""))
	} else if !v.opts.allowNonLocalTokenPath {
		v.add(localFilePath(path, v.path.Child("path"))...)
	}
}

func (v *projection) clusterTrustBundle(src tree.Object, p *field.Path) {
	hasName, hasSigner := tree.Has(src, "name"), tree.Has(src, "signerName")
	switch {
	case hasName && hasSigner:
		v.add(field.Invalid(p, schema.Internal("core/v1.ClusterTrustBundleProjection", src), "only one of name and signerName may be used"))
	case hasName:
		name := tree.String(src, "name")
		if name == "" {
			v.add(field.Required(p.Child("name"), "must be a valid object name"))
		}
		for _, msg := range isTrustBundleName(name) {
			v.add(field.Invalid(p.Child("name"), name, "not a valid clustertrustbundlename: "+msg))
		}
		if tree.Has(src, "labelSelector") {
			v.add(field.Invalid(p.Child("labelSelector"), selectorValue(src["labelSelector"]), "labelSelector must be unset if name is specified"))
		}
	case hasSigner:
		signer := tree.String(src, "signerName")
		if signer == "" {
			v.add(field.Required(p.Child("signerName"), "must be a valid signer name"))
		}
		v.add(signerName(signer, p.Child("signerName"))...)
		v.add(labelSelector(src["labelSelector"], selectorOptions{}, p.Child("labelSelector"))...)
	default:
		v.add(field.Required(p, "either name or signerName must be specified"))
	}
	path := tree.String(src, "path")
	v.add(required(src, p, "path")...)
	v.add(localFilePath(path, p.Child("path"))...)
	v.claim(path, path)
}

func (v *projection) podCertificate(src tree.Object, p *field.Path) {
	const hour, day = 60 * 60, 24 * 60 * 60
	signer := tree.String(src, "signerName")
	v.add(signerName(signer, p.Child("signerName"))...)
	if tree.Has(src, "userAnnotations") {
		v.add(userAnnotations(tree.Map(src, "userAnnotations"), p.Child("userAnnotations"))...)
	}
	keyTypes := []string{"RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"}
	if minors.MLDSAKeys.In(v.opts.minor) {
		keyTypes = append(keyTypes, "MLDSA44", "MLDSA65", "MLDSA87")
	}
	if key := tree.String(src, "keyType"); !slices.Contains(keyTypes, key) {
		v.add(field.NotSupported(p.Child("keyType"), key, keyTypes))
	}
	if seconds, ok := tree.Int(src, "maxExpirationSeconds"); ok {
		at, limit := p.Child("maxExpirationSeconds"), int64(91*day)
		if host, _, _ := strings.Cut(signer, "/"); strings.HasSuffix("."+host, ".kubernetes.io") {
			limit = day
		}
		if seconds < hour {
			v.add(field.Invalid(at, seconds, "if provided, maxExpirationSeconds must be >= 3600"))
		}
		if seconds > limit {
			v.add(field.Invalid(at, seconds, fmt.Sprintf("if provided, maxExpirationSeconds must be <= %d", limit)))
		}
	}
	n := 0
	for _, key := range []string{"credentialBundlePath", "keyPath", "certificateChainPath"} {
		if path := tree.String(src, key); path != "" {
			n++
			v.add(localFilePath(path, p.Child(key))...)
			v.claim(path, path)
		}
	}
	if n == 0 {
		v.add(field.Required(p, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath"))
	}
}

// userAnnotations checks the annotations of a certificate request.
func userAnnotations(set tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	size := 0
	for _, k := range sortedKeys(set) {
		size += len(k) + len(tree.String(set, k))
		if k == "" {
			errs = append(errs, field.Required(p, ""))
			continue
		}
		found := qualifiedName(strings.ToLower(k), p)
		if len(found) == 0 && !strings.Contains(k, "/") {
			found = append(found, field.Invalid(p, strings.ToLower(k), "must be a domain-prefixed key (such as \"acme.io/foo\")"))
		}
		errs = append(errs, found...)
	}
	if size > annotationsMaxBytes {
		errs = append(errs, field.TooLong(p, "", annotationsMaxBytes))
	}
	return errs
}

// isTrustBundleName returns why s is not the name of a
// ClusterTrustBundle, which starts with its signer's name if it has one.
func isTrustBundleName(s string) []string {
	if i := strings.LastIndex(s, ":"); i >= 0 {
		s = s[i+1:]
	}
	return isDNS1123Subdomain(s)
}

// signerName checks the name of a signer of certificates: a domain and a
// path of one segment.
func signerName(name string, p *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	domain, path, _ := strings.Cut(name, "/")
	if strings.Count(name, "/") != 1 {
		return field.ErrorList{field.Invalid(p, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")}
	}
	var errs field.ErrorList
	if len(domain) > 253 {
		errs = append(errs, field.TooLong(p, "", 253))
	}
	errs = append(errs, firstBadLabel(domain, isDNS1123Label, p)...)
	if !strings.Contains(domain, ".") {
		errs = append(errs, field.Invalid(p, domain, "should be a domain with at least two segments separated by dots"))
	}
	errs = append(errs, firstBadLabel(path, isDNS1123Subdomain, p)...)
	if len(name) > 253+1+253+63+1 {
		errs = append(errs, field.TooLong(p, "", 253+1+253+63+1))
	}
	return errs
}

func firstBadLabel(s string, check func(string) []string, p *field.Path) field.ErrorList {
	for _, label := range strings.Split(s, ".") {
		if msgs := check(label); len(msgs) > 0 {
			for i, msg := range msgs {
				msgs[i] = fmt.Sprintf("validating label %q: %s", label, msg)
			}
			return invalidEach(p, s, msgs)
		}
	}
	return nil
}
