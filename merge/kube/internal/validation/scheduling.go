package validation

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// createPriorityClass checks a new PriorityClass. Source of this file:
// pkg/apis/scheduling/validation.
func createPriorityClass(r *Request) field.ErrorList {
	const highest = 1_000_000_000
	errs := clusterMeta(r, nameIsDNSSubdomain)
	value, _ := tree.Int(r.Object, "value")
	if name := tree.String(r.Object, "metadata", "name"); strings.HasPrefix(name, "system-") {
		if problem := systemPriorityClass(name, value, tree.Bool(r.Object, "globalDefault")); problem != "" {
			errs = append(errs, field.Forbidden(field.NewPath("metadata", "name"),
				"priority class names with 'system-' prefix are reserved for system use only. error: "+problem))
		}
	} else if value > highest {
		errs = append(errs, field.Forbidden(field.NewPath("value"), fmt.Sprintf("maximum allowed value of a user defined priority is %d", highest)))
	}
	if tree.Has(r.Object, "preemptionPolicy") {
		errs = append(errs, requiredOneOf(tree.String(r.Object, "preemptionPolicy"), field.NewPath("preemptionPolicy"), "PreemptLowerPriority", "Never")...)
	}
	return errs
}

// systemPriorityClass tells what distinguishes a class from the one that the
// system has under that name.
func systemPriorityClass(name string, value int64, global bool) string {
	known := map[string]int64{"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
	switch want, ok := known[name]; {
	case !ok:
		return name + " is not a known system priority class"
	case value != want:
		return fmt.Sprintf("value of %s PriorityClass must be %d", name, want)
	case global:
		return fmt.Sprintf("globalDefault of %s PriorityClass must be false", name)
	}
	return ""
}

func updatePriorityClass(r *Request) field.ErrorList {
	errs := updatedMeta(r)
	value, _ := tree.Int(r.Object, "value")
	if old, _ := tree.Int(r.Old, "value"); value != old {
		at := field.NewPath("value")
		if minors.PriorityValueFixed.In(r.Minor) {
			errs = append(errs, immutable(value, old, at)...)
		} else {
			errs = append(errs, fixed(field.Forbidden(at, "may not be changed in an update.")))
		}
	}
	return append(errs, immutableAt(r.Object, r.Old, "preemptionPolicy", nil)...)
}
