package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// Source of this file: pkg/apis/resource/validation.
func resourceSliceSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	errs := csiDriverName(tree.String(spec, "driver"), p.Child("driver"))
	errs = append(errs, resourcePool(tree.Map(spec, "pool"), p.Child("pool"))...)
	if r.Old != nil {
		errs = append(errs, immutable(tree.String(spec, "pool", "name"), tree.String(old, "pool", "name"), p.Child("pool", "name"))...)
		errs = append(errs, immutable(tree.String(spec, "driver"), tree.String(old, "driver"), p.Child("driver"))...)
		errs = append(errs, immutableAt(spec, old, "nodeName", p)...)
	}
	errs = append(errs, sliceNodes(spec, p)...)
	if tree.Has(spec, "sharedCounters") && tree.Has(spec, "devices") {
		errs = append(errs, field.Invalid(p, "", "only one of `sharedCounters` or `devices` is allowed"))
	}
	perDevice := tree.Bool(spec, "perDeviceNodeSelection")
	device := func(d any, p *field.Path) field.ErrorList {
		return sliceDevice(r, d, deviceNamed(old, tree.String(d, "name")), perDevice, p)
	}
	kept := r.Old != nil && minors.SliceDevicesKept.In(r.Minor) && same(tree.List(spec, "devices"), tree.List(old, "devices"))
	if !kept {
		errs = append(errs, setOf(maxDevices(spec), tree.List(spec, "devices"), keyed("name"), p.Child("devices"), device)...)
	}
	if minors.SliceDevicesKept.In(r.Minor) && (!kept || perDevice != tree.Bool(old, "perDeviceNodeSelection")) {
		errs = append(errs, each(tree.List(spec, "devices"), p.Child("devices"), func(d any, p *field.Path) field.ErrorList { return deviceNodes(r, d, perDevice, p) })...)
	}
	const maxCounterSets = 8
	return append(errs, setOf(maxCounterSets, tree.List(spec, "sharedCounters"), keyed("name"), p.Child("sharedCounters"), counterSet)...)
}

// maxDevices is how many devices a slice may have; fewer if some of them have
// taints or counters.
func maxDevices(spec tree.Object) int {
	for _, d := range tree.List(spec, "devices") {
		if len(tree.List(d, "taints")) > 0 || len(tree.List(d, "consumesCounters")) > 0 {
			return 64
		}
	}
	return 128
}

func deviceNamed(spec tree.Object, name string) any {
	for _, d := range tree.List(spec, "devices") {
		if tree.String(d, "name") == name {
			return d
		}
	}
	return nil
}

func resourcePool(pool tree.Object, p *field.Path) field.ErrorList {
	errs := poolNamed(tree.String(pool, "name"), p.Child("name"))
	count, _ := tree.Int(pool, "resourceSliceCount")
	errs = append(errs, positive(count, p.Child("resourceSliceCount"))...)
	if n, _ := tree.Int(pool, "generation"); n < 0 {
		errs = append(errs, field.Invalid(p.Child("generation"), n, "must be greater than or equal to zero"))
	}
	return errs
}

func poolNamed(name string, p *field.Path) field.ErrorList {
	const maxBytes = 253
	if name == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	var errs field.ErrorList
	if len(name) > maxBytes {
		errs = append(errs, field.TooLong(p, "", maxBytes))
	}
	for _, part := range strings.Split(name, "/") {
		errs = append(errs, dns1123Subdomain(part, p)...)
	}
	return errs
}

// deviceTaintRule checks which devices a rule taints.
//
// Source: ValidateDeviceTaintRule.
func deviceTaintRule(r *Request) (errs field.ErrorList) {
	p, selector := field.NewPath("spec"), tree.Map(r.Object, "spec", "deviceSelector")
	for _, of := range []struct {
		key   string
		check func(string, *field.Path) field.ErrorList
	}{{"driver", csiDriverName}, {"pool", poolNamed}, {"device", dns1123Label}} {
		if tree.Has(selector, of.key) {
			errs = append(errs, of.check(tree.String(selector, of.key), p.Child("deviceSelector", of.key))...)
		}
	}
	return append(errs, deviceTaint(tree.Map(r.Object, "spec", "taint"), p.Child("taint"))...)
}

// sliceNodes checks that a slice says in exactly one way from which nodes its
// devices can be reached.
func sliceNodes(spec tree.Object, p *field.Path) field.ErrorList {
	const oneOfFour = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
	set, errs := nodeChoices(spec, "must be either unset or set to a non-empty string", p)
	errs = append(errs, oneTerm(spec, p)...)
	for _, key := range []string{"allNodes", "perDeviceNodeSelection"} {
		set, errs = trueOrUnset(spec, key, set, errs, p)
	}
	switch len(set) {
	case 0:
		errs = append(errs, field.Required(p, oneOfFour))
	case 1:
	default:
		errs = append(errs, field.Invalid(p, "{"+strings.Join(set, ", ")+"}", oneOfFour+", but multiple fields are set"))
	}
	return errs
}

// nodeChoices checks nodeName and nodeSelector, and lists which are set.
func nodeChoices(o any, emptyName string, p *field.Path) ([]string, field.ErrorList) {
	var set []string
	var errs field.ErrorList
	if name := tree.String(o, "nodeName"); name != "" {
		set = append(set, "`nodeName`")
		errs = append(errs, dns1123Subdomain(name, p.Child("nodeName"))...)
	} else if tree.Has(o, "nodeName") {
		errs = append(errs, field.Invalid(p.Child("nodeName"), "", emptyName))
	}
	if tree.Has(o, "nodeSelector") {
		set = append(set, "`nodeSelector`")
		errs = append(errs, nodeSelector(tree.Map(o, "nodeSelector"), false, p.Child("nodeSelector"))...)
	}
	return set, errs
}

// oneTerm checks that the node selector, if there is one, has one term.
func oneTerm(o any, p *field.Path) field.ErrorList {
	terms, _ := tree.Get(tree.Map(o), "nodeSelector", "nodeSelectorTerms")
	return failing(tree.Has(o, "nodeSelector") && len(tree.List(terms)) != 1,
		field.Invalid(p.Child("nodeSelector", "nodeSelectorTerms"), internalOrNull("[]core/v1.NodeSelectorTerm", terms), "must have exactly one node selector term"))
}

// trueOrUnset checks that the boolean at key is not false, and adds key to set
// if it is there.
func trueOrUnset(o any, key string, set []string, errs field.ErrorList, p *field.Path) ([]string, field.ErrorList) {
	switch {
	case tree.Bool(o, key):
		return append(set, "`"+key+"`"), errs
	case tree.Has(o, key):
		return set, append(errs, field.Invalid(p.Child(key), false, "must be either unset or set to true"))
	}
	return set, errs
}

func counterSet(set any, p *field.Path) field.ErrorList {
	return append(counterSetName(set, "name", p), counters(set, p)...)
}

func counterSetName(o any, key string, p *field.Path) field.ErrorList {
	name := tree.String(o, key)
	if name == "" {
		return field.ErrorList{field.Required(p.Child(key), "")}
	}
	return dns1123Label(name, p.Child(key))
}

func counters(o any, p *field.Path) field.ErrorList {
	const maxCounters = 32
	at := p.Child("counters")
	set := tree.Map(o, "counters")
	if len(set) == 0 {
		return field.ErrorList{field.Required(at, "")}
	}
	if len(set) > maxCounters {
		return field.ErrorList{field.TooMany(at, len(set), maxCounters)}
	}
	var errs field.ErrorList
	for _, name := range sortedKeys(set) {
		errs = append(errs, dns1123Label(name, at)...)
	}
	return errs
}
