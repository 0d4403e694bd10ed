package validation

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// Rules of the kinds that add to the API.
var (
	CustomResourceDefinition = Rules{createCRD, updateCRD}
	APIService               = Rules{apiService, inOrder(updatedGeneric, apiService)}
)

// crdOptions loosens the check of a CustomResourceDefinition for what it had
// before. The names follow upstream's validationOptions.
type crdOptions struct {
	allowUnknownReviewVersions bool
	allowInvalidBundle         bool
	allowMissingSchema         bool
	allowInvalidTypes          bool
	allowNonStructural         bool
	allowNonAtomicSets         bool
	allowLooseMapKeys          bool
	manySelectableFields       map[string]bool // by version, "" for all together

	minor            int
	oldExpressions   oldExpressions
	unchangedSchemas map[string]bool // by version
	anyCost          bool            // an expression may cost more than the limit
}

// of are the options for a version.
func (o crdOptions) of(version string) crdOptions {
	o.anyCost = o.unchangedSchemas[version]
	return o
}

// Source of the functions below, if they name no other:
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.
func createCRD(r *Request) field.ErrorList {
	spec := tree.Map(r.Object, "spec")
	wanted := tree.String(spec, "names", "plural") + "." + tree.String(spec, "group")
	name := func(name string, prefix bool) []string {
		msgs := nameIsDNSSubdomain(name, prefix)
		if name != wanted {
			msgs = append(msgs, `must be spec.names.plural+"."+spec.group`)
		}
		return msgs
	}
	errs := genericObjectMeta(tree.Map(r.Object, "metadata"), name, field.NewPath("metadata"))
	errs = append(errs, crdSpec(spec, crdOptions{allowInvalidBundle: true, minor: r.Minor}, field.NewPath("spec"))...)
	return append(errs, crdStatusAndApproval(r)...)
}

func updateCRD(r *Request) field.ErrorList {
	spec, old, p := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec"), field.NewPath("spec")
	errs := updatedGeneric(r)
	errs = append(errs, crdSpec(spec, oldCRD(r), p)...)
	fixed := [][]string{{"group"}, {"names", "plural"}}
	if isEstablished(r.Old) {
		errs = append(errs, immutableAt(spec, old, "scope", p)...)
		fixed = append([][]string{{"names", "kind"}}, fixed...)
	}
	for _, keys := range fixed {
		errs = append(errs, immutable(tree.String(spec, keys...), tree.String(old, keys...), p.Child(keys[0], keys[1:]...))...)
	}
	return append(errs, crdStatusAndApproval(r)...)
}

func isEstablished(crd tree.Object) bool {
	return slices.ContainsFunc(tree.List(crd, "status", "conditions"), func(c any) bool {
		return tree.String(c, "type") == "Established" && tree.String(c, "status") == "True"
	})
}

func crdStatusAndApproval(r *Request) field.ErrorList {
	status := field.NewPath("status")
	errs := crdNames(tree.Map(r.Object, "status", "acceptedNames"), status.Child("acceptedNames"))
	errs = append(errs, storedVersions(r, status.Child("storedVersions"))...)
	errs = append(errs, apiApproval(r)...)
	if tree.Bool(r.Object, "spec", "preserveUnknownFields") && !tree.Bool(r.Old, "spec", "preserveUnknownFields") {
		errs = append(errs, field.Invalid(field.NewPath("spec", "preserveUnknownFields"), true,
			"cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"))
	}
	return errs
}

// storedVersions checks that no version goes away that has been stored. The
// storage version of the request has been stored by then, too.
//
// Source: ValidateCustomResourceDefinitionStoredVersions, after
// PrepareForUpdate of pkg/registry/customresourcedefinition/strategy.go.
func storedVersions(r *Request, p *field.Path) field.ErrorList {
	stored := stringsOf(tree.List(r.Object, "status", "storedVersions"))
	versions := tree.List(r.Object, "spec", "versions")
	if i := slices.IndexFunc(versions, isStorage); i >= 0 {
		if name := tree.String(versions[i], "name"); !slices.Contains(stored, name) {
			stored = append(stored, name)
		}
	}
	if len(stored) == 0 {
		return field.ErrorList{field.Invalid(p, stored, "must have at least one stored version")}
	}
	var errs field.ErrorList
	left := slices.Clone(stored)
	for _, v := range versions {
		name := tree.String(v, "name")
		if isStorage(v) && !slices.Contains(left, name) {
			errs = append(errs, field.Invalid(p, stored, "must have the storage version "+name))
		}
		left = slices.DeleteFunc(left, func(s string) bool { return s == name })
	}
	for i, v := range stored {
		if slices.Contains(left, v) {
			errs = append(errs, coded(fault.StoredVersion, field.Invalid(p.Index(i), v, fmt.Sprintf("missing from spec.versions; %[1]s was previously a storage version, "+
				"and must remain in spec.versions until a storage migration ensures no data remains persisted in %[1]s "+
				"and removes %[1]s from status.storedVersions", v))))
		}
	}
	return errs
}

func isStorage(version any) bool { return tree.Bool(version, "storage") }

const approvalKey = "api-approved.kubernetes.io"

// apiApproval checks that a definition in a group of the Kubernetes project
// says who approved it, unless it did not before either.
func apiApproval(r *Request) field.ErrorList {
	group := "." + tree.String(r.Object, "spec", "group")
	if !strings.HasSuffix(group, ".k8s.io") && !strings.HasSuffix(group, ".kubernetes.io") {
		return nil
	}
	annotation := tree.String(r.Object, "metadata", "annotations", approvalKey)
	state := approvalState(annotation)
	if r.Old != nil && state == approvalState(tree.String(r.Old, "metadata", "annotations", approvalKey)) {
		return nil
	}
	const see = "see https://github.com/kubernetes/enhancements/pull/1111"
	p := field.NewPath("metadata", "annotations").Key(approvalKey)
	switch state {
	case "missing":
		return field.ErrorList{field.Required(p, fmt.Sprintf("protected groups must have approval annotation %q, %s", approvalKey, see))}
	case "invalid":
		return field.ErrorList{field.Invalid(p, annotation, fmt.Sprintf(
			"protected groups must have approval annotation %q with either a URL or a reason starting with \"unapproved\", %s", approvalKey, see))}
	}
	return nil
}

// Source: GetAPIApprovalState of k8s.io/apiextensions-apiserver/pkg/apihelpers.
func approvalState(annotation string) string {
	u, err := url.ParseRequestURI(annotation)
	switch {
	case annotation == "":
		return "missing"
	case strings.HasPrefix(annotation, "unapproved"):
		return "bypassed"
	case err == nil && u.Host != "" && u.Scheme != "":
		return "approved"
	}
	return "invalid"
}

func crdSpec(spec tree.Object, opts crdOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	group := tree.String(spec, "group")
	if msgs := isDNS1123Subdomain(group); group == "" {
		errs = append(errs, field.Required(p.Child("group"), ""))
	} else if len(msgs) > 0 {
		errs = append(errs, field.Invalid(p.Child("group"), group, strings.Join(msgs, ",")))
	} else if !strings.Contains(group, ".") {
		errs = append(errs, field.Invalid(p.Child("group"), group, "should be a domain with at least one dot"))
	}
	errs = append(errs, plain(requiredOneOf(tree.String(spec, "scope"), p.Child("scope"), "Cluster", "Namespaced"))...)

	preserve := tree.Bool(spec, "preserveUnknownFields")
	shared := sharedByVersions(spec)
	errs = append(errs, missingSchemas(spec, shared, opts, preserve, p)...)
	hasDefaults := anySchema(spec, func(s tree.Object) bool { return tree.Has(s, "default") })
	if hasDefaults && preserve {
		errs = append(errs, field.Invalid(p.Child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema"))
	}
	if !preserve || hasDefaults || anySchema(spec, hasExtensions) {
		opts.allowNonStructural = false
	}
	errs = append(errs, crdVersions(spec, shared, opts, p)...)
	for _, key := range []string{"plural", "singular", "kind", "listKind"} {
		errs = append(errs, required(tree.Map(spec, "names"), p.Child("names"), key)...)
	}
	errs = append(errs, crdNames(tree.Map(spec, "names"), p.Child("names"))...)
	errs = append(errs, crdValidation(shared["schema"], anyVersionHasStatus(spec), opts.of(tree.String(first(tree.List(spec, "versions")), "name")), p.Child("validation"))...)
	errs = append(errs, crdSubresources(shared["subresources"], p.Child("subresources"))...)
	errs = append(errs, printerColumns(shared["additionalPrinterColumns"], p.Child("additionalPrinterColumns"))...)
	errs = append(errs, sharedSelectableFields(shared, opts, p)...)
	strategy := tree.String(spec, "conversion", "strategy")
	if tree.Has(spec, "conversion") && strategy != "None" && preserve {
		errs = append(errs, field.Invalid(p.Child("conversion", "strategy"), strategy, "must be None if spec.preserveUnknownFields is true"))
	}
	return append(errs, crdConversion(tree.Map(spec, "conversion"), opts, p.Child("conversion"))...)
}

// missingSchemas checks that every version has a schema, or every served one
// if the definition had versions without before.
func missingSchemas(spec, shared tree.Object, opts crdOptions, preserve bool, p *field.Path) field.ErrorList {
	if tree.Has(shared["schema"], "openAPIV3Schema") {
		return nil
	}
	var errs field.ErrorList
	for i, v := range tree.List(spec, "versions") {
		at := p.Child("versions").Index(i).Child("schema", "openAPIV3Schema")
		switch {
		case shared["schema"] == nil && tree.Has(v, "schema", "openAPIV3Schema"):
		case !opts.allowMissingSchema:
			errs = append(errs, field.Required(at, ""))
		case !preserve && tree.Bool(v, "served"):
			errs = append(errs, field.Required(at, "because otherwise all fields are pruned"))
		}
	}
	return errs
}

// sharedByVersions is what all versions have in common of schema,
// subresources, printer columns and selectable fields: internally the spec
// holds these once, and errors about them point there.
//
// Source: Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec.
func sharedByVersions(spec tree.Object) tree.Object {
	shared := tree.Object{}
	versions := tree.List(spec, "versions")
	for _, key := range []string{"subresources", "schema", "additionalPrinterColumns", "selectableFields"} {
		differ := slices.ContainsFunc(versions, func(v any) bool { return !sameAt(v, versions[0], key) })
		if v, _ := tree.Get(first(versions), key); !differ && v != nil {
			shared[key] = v
		}
	}
	return shared
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func crdVersions(spec, shared tree.Object, opts crdOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	at, versions := p.Child("versions"), tree.List(spec, "versions")
	storage, names := 0, map[string]bool{}
	for i, v := range versions {
		name := tree.String(v, "name")
		names[name] = true
		if isStorage(v) {
			storage++
		}
		if msgs := isDNS1035Label(name); len(msgs) > 0 {
			errs = append(errs, field.Invalid(at.Index(i).Child("name"), name, strings.Join(msgs, ",")))
		}
		errs = append(errs, crdVersion(tree.Map(v), shared, opts, at.Index(i))...)
	}
	printed := internalOrNull("[]apiextensions/v1.CustomResourceDefinitionVersion", spec["versions"])
	if len(names) < len(versions) {
		errs = append(errs, field.Invalid(at, printed, "must contain unique version names"))
	}
	if storage != 1 {
		errs = append(errs, field.Invalid(at, printed, "must have exactly one version marked as storage version"))
	}
	if len(versions) > 0 {
		name := tree.String(versions[0], "name")
		if msgs := isDNS1035Label(name); name != "" && len(msgs) > 0 {
			errs = append(errs, field.Invalid(p.Child("version"), name, strings.Join(msgs, ",")))
		}
	}
	return errs
}
