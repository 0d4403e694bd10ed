package validation

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source of this file:
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.

// crdNames checks the names of a kind, which may be missing.
func crdNames(names tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	label := func(s string, p *field.Path) {
		if msgs := isDNS1035Label(s); len(msgs) > 0 {
			errs = append(errs, field.Invalid(p, s, strings.Join(msgs, ",")))
		}
	}
	for _, key := range []string{"plural", "singular"} {
		if s := tree.String(names, key); s != "" {
			label(s, p.Child(key))
		}
	}
	kind, list := tree.String(names, "kind"), tree.String(names, "listKind")
	if kind != "" {
		errs = append(errs, kindName(kind, p.Child("kind"))...)
	}
	if list != "" {
		errs = append(errs, kindName(list, p.Child("listKind"))...)
	}
	for i, s := range stringsOf(tree.List(names, "shortNames")) {
		label(s, p.Child("shortNames").Index(i))
	}
	if kind != "" && kind == list {
		errs = append(errs, field.Invalid(p.Child("listKind"), list, "kind and listKind may not be the same"))
	}
	for i, s := range stringsOf(tree.List(names, "categories")) {
		label(s, p.Child("categories").Index(i))
	}
	return errs
}

// crdVersion checks what a version does not share with all others.
func crdVersion(v, shared tree.Object, opts crdOptions, p *field.Path) field.ErrorList {
	own := func(key string) any {
		if _, isShared := shared[key]; isShared {
			return nil
		}
		return v[key]
	}
	errs := deprecationWarning(v, p)
	errs = append(errs, crdValidation(own("schema"), tree.Has(v, "subresources", "status"), opts.of(tree.String(v, "name")), p.Child("schema"))...)
	errs = append(errs, crdSubresources(own("subresources"), p.Child("subresources"))...)
	errs = append(errs, printerColumns(own("additionalPrinterColumns"), p.Child("additionalPrinterColumns"))...)
	fields, _ := own("selectableFields").([]any)
	if len(fields) == 0 {
		return errs
	}
	root := tree.Map(own("schema"), "openAPIV3Schema")
	if root == nil {
		return append(errs, field.Invalid(p.Child("selectableFields"), "", "may only be set when `version.schema.openAPIV3Schema` is not included"))
	}
	return append(errs, selectableFields(fields, root, opts, tree.String(v, "name"), p, p.Child("schema.openAPIV3Schema"))...)
}

func sharedSelectableFields(shared tree.Object, opts crdOptions, p *field.Path) field.ErrorList {
	fields := tree.List(shared, "selectableFields")
	if len(fields) == 0 {
		return nil
	}
	if shared["schema"] == nil {
		return field.ErrorList{field.Invalid(p.Child("selectableFields"), "", "may only be set when validations.schema is included")}
	}
	return selectableFields(fields, tree.Map(shared, "schema", "openAPIV3Schema"), opts, "", p, p.Child("schema.openAPIV3Schema"))
}

func deprecationWarning(version tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(version, "deprecationWarning") {
		return nil
	}
	warning := tree.String(version, "deprecationWarning")
	at := p.Child("deprecationWarning")
	if !tree.Bool(version, "deprecated") {
		return field.ErrorList{field.Invalid(at, named(warning), "can only be set for deprecated versions")}
	}
	var msgs []string
	if len(warning) > 256 {
		msgs = append(msgs, "must be <= 256 characters long")
	}
	if warning == "" {
		msgs = append(msgs, "must not be an empty string")
	}
	for i, r := range warning {
		if !unicode.IsPrint(r) {
			msgs = append(msgs, fmt.Sprintf("must only contain printable UTF-8 characters; non-printable character found at index %d", i))
			break
		}
	}
	return invalidEach(at, named(warning), msgs)
}

func anyVersionHasStatus(spec tree.Object) bool {
	return slices.ContainsFunc(tree.List(spec, "versions"), func(v any) bool { return tree.Has(v, "subresources", "status") })
}

func crdSubresources(subresources any, p *field.Path) field.ErrorList {
	scale := tree.Map(subresources, "scale")
	if scale == nil {
		return nil
	}
	errs := replicasPath(tree.String(scale, "specReplicasPath"), ".spec.", p.Child("scale.specReplicasPath"))
	errs = append(errs, replicasPath(tree.String(scale, "statusReplicasPath"), ".status.", p.Child("scale.statusReplicasPath"))...)
	selector, at := tree.String(scale, "labelSelectorPath"), p.Child("scale.labelSelectorPath")
	if selector == "" {
		return errs
	}
	if bad := simplePath(selector, at); len(bad) > 0 {
		return append(errs, bad...)
	}
	if !strings.HasPrefix(selector, ".spec.") && !strings.HasPrefix(selector, ".status.") {
		errs = append(errs, field.Invalid(at, selector, "should be a json path under either .spec or .status"))
	}
	return errs
}

func replicasPath(path, under string, p *field.Path) field.ErrorList {
	if path == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	if errs := simplePath(path, p); len(errs) > 0 {
		return errs
	}
	if !strings.HasPrefix(path, under) {
		return field.ErrorList{field.Invalid(p, path, "should be a json path under "+strings.TrimSuffix(under, "."))}
	}
	return nil
}

// simplePath checks a path like ".spec.replicas".
func simplePath(path string, p *field.Path) field.ErrorList {
	if path[0] != '.' {
		return field.ErrorList{field.Invalid(p, path, "must be a simple json path starting with .")}
	}
	return nil
}

func printerColumns(columns any, p *field.Path) field.ErrorList {
	list, _ := columns.([]any)
	var errs field.ErrorList
	for i, column := range list {
		at := p.Index(i)
		errs = append(errs, required(column, at, "name")...)
		types := []string{"boolean", "date", "integer", "number", "string"}
		if typ := tree.String(column, "type"); typ == "" {
			errs = append(errs, field.Required(at.Child("type"), "must be one of "+strings.Join(types, ",")))
		} else if !slices.Contains(types, typ) {
			errs = append(errs, field.Invalid(at.Child("type"), typ, "must be one of "+strings.Join(types, ",")))
		}
		formats := []string{"byte", "date", "date-time", "double", "float", "int32", "int64", "password"}
		if format := tree.String(column, "format"); format != "" && !slices.Contains(formats, format) {
			errs = append(errs, field.Invalid(at.Child("format"), format, "must be one of "+strings.Join(formats, ",")))
		}
		if path := tree.String(column, "jsonPath"); path == "" {
			errs = append(errs, field.Required(at.Child("JSONPath"), ""))
		} else {
			errs = append(errs, simplePath(path, at.Child("JSONPath"))...)
		}
	}
	return errs
}

func crdConversion(conversion tree.Object, opts crdOptions, p *field.Path) field.ErrorList {
	strategy := tree.String(conversion, "strategy")
	errs := plain(requiredOneOf(strategy, p.Child("strategy"), "None", "Webhook"))
	client, versions := tree.Map(conversion, "webhook", "clientConfig"), stringsOf(tree.List(conversion, "webhook", "conversionReviewVersions"))
	at := p.Child("webhookClientConfig")
	if strategy == "Webhook" {
		if client == nil {
			errs = append(errs, field.Required(at, "required when strategy is set to Webhook"))
		} else {
			errs = append(errs, webhookClient(client, at)...)
			if !opts.allowInvalidBundle {
				errs = append(errs, caBundle(tree.String(client, "caBundle"), at.Child("caBundle"))...)
			}
		}
		return append(errs, reviewVersions(versions, "", !opts.allowUnknownReviewVersions, p.Child("conversionReviewVersions"))...)
	}
	const notWebhook = "should not be set when strategy is not set to Webhook"
	if client != nil {
		errs = append(errs, notAllowed(at, notWebhook))
	}
	if len(versions) > 0 {
		errs = append(errs, notAllowed(p.Child("conversionReviewVersions"), notWebhook))
	}
	return errs
}
