package validation

import (
	"slices"

	"threeway/merge/tree"
)

// oldCRD tells what an old definition had that is now an error, and so is let
// through.
func oldCRD(r *Request) crdOptions {
	var opts crdOptions
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	bundle := tree.String(old, "conversion", "webhook", "clientConfig", "caBundle")
	opts.allowInvalidBundle = !isEstablished(r.Old) || len(caBundle(bundle, nil)) > 0
	if versions := stringsOf(tree.List(old, "conversion", "webhook", "conversionReviewVersions")); len(versions) > 0 {
		opts.allowUnknownReviewVersions = !knowsReviewVersion(versions)
	}
	opts.allowInvalidTypes = anySchema(old, func(s tree.Object) bool {
		typ := tree.String(s, "type")
		return typ != "" && !slices.Contains(schemaTypes(), typ)
	})
	opts.allowNonAtomicSets = anySchema(old, func(s tree.Object) bool { return s[listType] == "set" && !isAtomicItem(tree.Map(s, "items")) })
	opts.allowLooseMapKeys = anySchema(old, func(s tree.Object) bool { return len(mapKeysAreSet(s, nil)) > 0 })
	opts.minor, opts.oldExpressions = r.Minor, expressionsOf(old)
	opts.unchangedSchemas = unchangedSchemas(spec, old)
	opts.manySelectableFields = map[string]bool{}
	for i, v := range tree.List(old, "versions") {
		root := tree.Map(v, "schema", "openAPIV3Schema")
		opts.allowMissingSchema = opts.allowMissingSchema || root == nil
		if root != nil && (unstructured(root) != "" || len(structural(root, nil)) > 0) {
			opts.allowNonStructural = true
		}
		name := tree.String(v, "name")
		for _, now := range tree.List(spec, "versions") {
			if tree.String(now, "name") == name && len(tree.List(v, "selectableFields")) > 8 && sameAt(now, v, "selectableFields") {
				opts.manySelectableFields[name] = true
				opts.manySelectableFields[""] = opts.manySelectableFields[""] || i == 0
			}
		}
	}
	return opts
}

// anySchema reports whether is holds for a schema of the versions of a spec,
// at any depth.
func anySchema(spec tree.Object, is func(tree.Object) bool) bool {
	return slices.ContainsFunc(tree.List(spec, "versions"), func(v any) bool { return anySchemaWithin(tree.Map(v, "schema", "openAPIV3Schema"), is) })
}

func anySchemaWithin(s tree.Object, is func(tree.Object) bool) bool {
	return s != nil && (is(s) || slices.ContainsFunc(schemasIn(s), func(s tree.Object) bool { return anySchemaWithin(s, is) }))
}

// hasExtensions reports whether a schema uses an extension that requires it
// to be structural.
func hasExtensions(s tree.Object) bool {
	for _, key := range []string{embedded, preserve, intOrString, listMapKeys, listType, "x-kubernetes-validations"} {
		if isSetInSchema(s, key) {
			return true
		}
	}
	return false
}

// unchangedSchemas are the versions whose schema an update leaves as it is. What
// all old versions share is the schema of one that was not there, too.
func unchangedSchemas(spec, old tree.Object) map[string]bool {
	shared, isShared := sharedByVersions(old)["schema"]
	versions := map[string]bool{}
	for _, v := range tree.List(spec, "versions") {
		name := tree.String(v, "name")
		schemaNow, _ := tree.Get(v, "schema")
		for _, was := range tree.List(old, "versions") {
			versions[name] = versions[name] || name == tree.String(was, "name") && sameAt(v, was, "schema")
		}
		versions[name] = versions[name] || isShared && same(schemaNow, shared)
	}
	return versions
}
