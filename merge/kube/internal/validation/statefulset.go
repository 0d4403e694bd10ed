package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// createStatefulSet checks a new StatefulSet. Source of this file:
// pkg/apis/apps/validation.
func createStatefulSet(r *Request) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSLabel)
	return append(errs, statefulSetSpec(tree.Map(r.Object, "spec"), field.NewPath("spec"), statefulSetOptions{podOptions: templateOptionsOf(r)})...)
}

// updateStatefulSet checks a changed StatefulSet. What cannot be changed any
// more is not checked again; the template is not checked if the old object
// would not pass either.
func updateStatefulSet(r *Request) field.ErrorList {
	errs := updatedMeta(r)
	opts := statefulSetOptions{podOptions: templateOptionsOf(r), update: true}
	checked := minors.StatefulSetTemplates.In(r.Minor)
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	opts.skipTemplate = checked && len(statefulSetSpec(old, nil, opts)) > 0
	errs = append(errs, statefulSetSpec(spec, field.NewPath("spec"), opts)...)
	return append(errs, fixedStatefulSet(r.Minor, spec, old)...)
}

// fixedStatefulSet checks that what an update cannot change is as it was.
func fixedStatefulSet(minor int, spec, old tree.Object) field.ErrorList {
	p := field.NewPath("spec")
	now, was := fixedStatefulSetFields(spec), fixedStatefulSetFields(old)
	if minors.StatefulSetFields.In(minor) {
		var errs field.ErrorList
		if key := "volumeClaimTemplates"; !sameAs("apps/v1.StatefulSetSpec", tree.Object{key: now[key]}, tree.Object{key: was[key]}) {
			errs = append(errs, fixed(field.Invalid(p.Child(key), internalOrNull("[]core/v1.PersistentVolumeClaim", now[key]), isImmutable)))
		}
		errs = append(immutableOf("meta/v1.LabelSelector", now["selector"], was["selector"], p.Child("selector")), errs...)
		errs = append(errs, immutable(tree.String(spec, "serviceName"), tree.String(old, "serviceName"), p.Child("serviceName"))...)
		policy := named(tree.String(spec, "podManagementPolicy"))
		return append(errs, immutableAs(spec["podManagementPolicy"], old["podManagementPolicy"], policy, p.Child("podManagementPolicy"))...)
	}
	names := slices.Clone(StatefulSetUpdates)
	if !minors.MutableRevisionHistory.In(minor) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "revisionHistoryLimit" })
		now["revisionHistoryLimit"], was["revisionHistoryLimit"] = spec["revisionHistoryLimit"], old["revisionHistoryLimit"]
	}
	if sameAs("apps/v1.StatefulSetSpec", now, was) {
		return nil
	}
	last := len(names) - 1
	return field.ErrorList{fixed(field.Forbidden(p, fmt.Sprintf("updates to statefulset spec for fields other than '%s' and '%s' are forbidden",
		strings.Join(names[:last], "', '"), names[last])))}
}

// statefulSetOptions says what of a StatefulSet is not checked.
type statefulSetOptions struct {
	podOptions
	update       bool // serviceName and volumeClaimTemplates cannot change
	skipTemplate bool
}

// StatefulSetUpdates are the fields of a StatefulSet's spec that an update may
// change (ValidateStatefulSetUpdate).
var StatefulSetUpdates = []string{"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
	"persistentVolumeClaimRetentionPolicy", "minReadySeconds"}

// fixedStatefulSetFields is the part of a spec that an update has to keep. What
// claims say of their own kind is not in it: the server knows.
func fixedStatefulSetFields(spec tree.Object) tree.Object {
	fixed := tree.Shallow(spec)
	for _, key := range StatefulSetUpdates {
		delete(fixed, key)
	}
	if claims, has := fixed["volumeClaimTemplates"]; has {
		fixed["volumeClaimTemplates"] = tree.Copy(claims)
	}
	for _, claim := range tree.List(fixed, "volumeClaimTemplates") {
		if claim, ok := claim.(tree.Object); ok {
			delete(claim, "apiVersion")
			delete(claim, "kind")
		}
	}
	return fixed
}

func statefulSetSpec(spec tree.Object, p *field.Path, opts statefulSetOptions) field.ErrorList {
	errs := podManagementPolicy(tree.String(spec, "podManagementPolicy"), p.Child("podManagementPolicy"))
	errs = append(errs, statefulSetStrategy(opts.minor, tree.Map(spec, "updateStrategy"), p.Child("updateStrategy"))...)
	if policy := tree.Map(spec, "persistentVolumeClaimRetentionPolicy"); policy != nil {
		at := p.Child("persistentVolumeClaimRetentionPolicy")
		errs = append(errs, oneOf(tree.String(policy, "whenDeleted"), at.Child("whenDeleted"), "Retain", "Delete")...)
		errs = append(errs, oneOf(tree.String(policy, "whenScaled"), at.Child("whenScaled"), "Retain", "Delete")...)
	}
	if !opts.update && minors.StatefulSetTemplates.In(opts.minor) {
		for i, claim := range tree.List(spec, "volumeClaimTemplates") {
			errs = append(errs, claimSpec(tree.Map(claim, "spec"), claimOptions{}, p.Child("volumeClaimTemplates").Index(i).Child("spec"))...)
		}
	}
	errs = append(errs, nonNegativeAt(spec, "replicas", p)...)
	errs = append(errs, nonNegativeAt(spec, "minReadySeconds", p)...)
	start, _ := tree.Int(spec, "ordinals", "start")
	errs = append(errs, nonNegative(start, p.Child("ordinals.start"))...)
	if name := tree.String(spec, "serviceName"); name != "" && !opts.update && minors.ServiceNameLabel.In(opts.minor) {
		errs = append(errs, dns1123Label(name, p.Child("serviceName"))...)
	}
	errs = append(errs, requiredSelector(spec, "statefulset", p.Child("selector"))...)
	if selector := spec["selector"]; selectorParses(selector) {
		errs = append(errs, statefulSetTemplate(spec, p.Child("template"), opts)...)
	} else {
		errs = append(errs, field.Invalid(p.Child("selector"), selectorValue(selector), ""))
	}
	return append(errs, runsForever(spec["template"], "StatefulSet", p.Child("template"))...)
}

// statefulSetTemplate checks the Pod template as the controller uses it: with
// the claims as volumes in front, without host name and subdomain, which the
// controller overwrites.
func statefulSetTemplate(spec tree.Object, p *field.Path, opts statefulSetOptions) field.ErrorList {
	template := tree.Shallow(tree.Map(spec, "template"), "spec")
	tree.Delete(template, "spec", "subdomain")
	tree.Delete(template, "spec", "hostname")
	if claims := claimVolumes(spec); len(claims) > 0 {
		volumes := slices.DeleteFunc(slices.Clone(tree.List(template, "spec", "volumes")), func(v any) bool {
			return slices.ContainsFunc(claims, func(c any) bool { return tree.String(c, "name") == tree.String(v, "name") })
		})
		tree.Set(template, append(claims, volumes...), "spec", "volumes")
	}
	errs := templateMatches(spec["selector"], template, p)
	checked := minors.StatefulSetTemplates.In(opts.minor)
	if checked && !opts.skipTemplate {
		return append(errs, podTemplate(template, p, opts.podOptions)...)
	}
	set := tree.Map(template, "metadata", "annotations")
	errs = append(errs, labelSet(tree.Map(template, "metadata", "labels"), p.Child("labels"))...)
	errs = append(errs, annotations(set, p.Child("annotations"))...)
	if !checked {
		errs = append(errs, podAnnotations(set, tree.Map(template, "spec"), p.Child("annotations"), opts.podOptions)...)
	}
	return errs
}

// claimVolumes makes a volume of every volumeClaimTemplate.
func claimVolumes(spec tree.Object) []any {
	var volumes []any
	var names []string
	for _, claim := range tree.List(spec, "volumeClaimTemplates") {
		name := tree.String(claim, "metadata", "name")
		if slices.Contains(names, name) {
			continue
		}
		names = append(names, name)
		volumes = append(volumes, tree.Object{"name": name, "persistentVolumeClaim": tree.Object{"claimName": name}})
	}
	return volumes
}

func podManagementPolicy(policy string, p *field.Path) field.ErrorList {
	if policy == "OrderedReady" || policy == "Parallel" {
		return nil
	}
	return field.ErrorList{field.Invalid(p, policy, "must be 'OrderedReady' or 'Parallel'")}
}

func statefulSetStrategy(minor int, strategy tree.Object, p *field.Path) field.ErrorList {
	update := tree.Map(strategy, "rollingUpdate")
	at, recreate := p.Child("rollingUpdate"), minors.StatefulSetRecreate.In(minor)
	switch name := tree.String(strategy, "type"); {
	case name == "OnDelete", name == "Recreate" && recreate:
		if update == nil {
			return nil
		}
		value := schema.Internal("apps/v1.RollingUpdateStatefulSetStrategy", update)
		return field.ErrorList{field.Invalid(at, value, "only allowed for updateStrategy 'RollingUpdate'")}
	case name == "RollingUpdate":
		return statefulSetRollingUpdate(update, at)
	}
	value := schema.Internal("apps/v1.StatefulSetUpdateStrategy", strategy)
	if recreate {
		return field.ErrorList{field.Invalid(p, value, "must be 'RollingUpdate', 'OnDelete', or 'Recreate'")}
	}
	return field.ErrorList{field.Invalid(p, value, "must be 'RollingUpdate' or 'OnDelete'")}
}

func statefulSetRollingUpdate(update tree.Object, p *field.Path) field.ErrorList {
	errs := nonNegativeAt(update, "partition", p)
	unavailable := update["maxUnavailable"]
	if unavailable == nil {
		return errs
	}
	at := p.Child("maxUnavailable")
	errs = append(errs, intOrPercent(unavailable, at)...)
	if countOrPercent(unavailable) == 0 {
		errs = append(errs, field.Invalid(at, unavailable, "cannot be 0"))
	}
	return append(errs, atMost100Percent(unavailable, at)...)
}
