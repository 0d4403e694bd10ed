package validation

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// deviceCapacity checks the policy for requests of a part of a capacity, which
// only makes sense for devices that several claims can share; p is the path of
// the policy.
//
// Source: validateRequestPolicy of pkg/apis/resource/validation, as are the
// other functions of this file.
func deviceCapacity(r *Request, device, capacity any, p *field.Path) field.ErrorList {
	policy := tree.Map(capacity, "requestPolicy")
	if policy == nil {
		return nil
	}
	if !tree.Bool(device, "allowMultipleAllocations") {
		return field.ErrorList{field.Forbidden(p, "allowMultipleAllocations must be true")}
	}
	total, _ := tree.Get(capacity, "value")
	values, steps := tree.List(policy, "validValues"), tree.Map(policy, "validRange")
	c := capacityPolicy{total: quantity(total), standard: quantity(policy["default"]), bounded: minors.RangeNamesDefault.In(r.Minor)}
	switch {
	case len(values) > 0 && steps != nil:
		return field.ErrorList{field.Forbidden(p, `exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time`)}
	case len(values) > 0 && policy["default"] == nil:
		return field.ErrorList{field.Required(p.Child("default"), "required when validValues is defined")}
	case len(values) > 0:
		return c.values(values, p.Child("validValues"))
	case steps != nil && policy["default"] == nil:
		return field.ErrorList{field.Required(p.Child("default"), "required when validRange is defined")}
	case steps != nil:
		return c.steps(steps, p.Child("validRange"))
	}
	return nil
}

// capacityPolicy is the capacity of a device and how much of it a request gets
// that does not say. If it is bounded, numbers that do not fit into 64 bits are
// rejected, and faults of the default name it.
type capacityPolicy struct {
	total, standard resource.Quantity
	bounded         bool
}

func (c capacityPolicy) values(list []any, p *field.Path) field.ErrorList {
	const most = 10
	var errs field.ErrorList
	standardIsOne := false
	for i, v := range list {
		q := quantity(v)
		if i > 0 {
			if before := quantity(list[i-1]); before.Cmp(q) > 0 {
				errs = append(errs, field.Invalid(p.Index(i), q.String(), "values must be sorted in ascending order"))
			}
		}
		standardIsOne = standardIsOne || len(list) <= most && q.Cmp(c.standard) == 0
	}
	number := func(v any) string { q := quantity(v); return fmt.Sprint(q.Value()) }
	errs = append(errs, setOf(most, list, number, p, func(v any, p *field.Path) field.ErrorList {
		if q := quantity(v); q.Cmp(c.total) > 0 {
			return field.ErrorList{field.Invalid(p, q.String(), "option is larger than capacity value: "+c.total.String())}
		}
		return nil
	})...)
	if !standardIsOne {
		errs = append(errs, field.Invalid(p, c.standard.String(), "default value is not valid according to the requestPolicy"))
	}
	return errs
}

func (c capacityPolicy) steps(steps tree.Object, p *field.Path) field.ErrorList {
	if steps["min"] == nil {
		return field.ErrorList{field.Required(p.Child("min"), "required when validRange is defined")}
	}
	var errs field.ErrorList
	check := func(a, b resource.Quantity, key string, shown resource.Quantity, detail string, named resource.Quantity) {
		if a.Cmp(b) > 0 {
			errs = append(errs, field.Invalid(p.Child(key), shown.String(), detail+named.String()))
		}
	}
	low, high := quantity(steps["min"]), quantity(steps["max"])
	least, most := "min", "max"
	if c.bounded {
		least, most = "default", "default"
	}
	check(low, c.total, "min", low, "min is larger than capacity value: ", c.total)
	check(low, c.standard, least, c.standard, "default is less than min: ", low)
	if steps["max"] != nil {
		check(low, high, "max", low, "min is larger than max: ", high)
		check(high, c.total, "max", high, "max is larger than capacity value: ", c.total)
		check(c.standard, high, most, c.standard, "default is more than max: ", high)
	}
	if steps["step"] == nil {
		return errs
	}
	step, first := quantity(steps["step"]), low.DeepCopy()
	if c.bounded && step.Sign() <= 0 {
		return append(errs, field.Invalid(p.Child("step"), step.String(), "must be greater than zero"))
	}
	first.Add(step)
	if first.Cmp(c.total) > 0 {
		errs = append(errs, field.Invalid(p.Child("step"), step.String(),
			fmt.Sprintf("one step %s is larger than capacity value: %s", first.String(), c.total.String())))
	}
	if beyond := c.beyond(steps, p); len(beyond) > 0 {
		return append(errs, beyond...)
	}
	errs = append(errs, onStep(c.standard, low, step, p.Child("step"))...)
	if steps["max"] != nil {
		errs = append(errs, onStep(high, low, step, p.Child("step"))...)
	}
	return errs
}

// beyond are the numbers that an integer of 64 bits cannot hold (validateInt64Range).
func (c capacityPolicy) beyond(steps tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range []string{"default", "min", "max", "step"} {
		q := quantity(steps[key])
		if key == "default" {
			q = c.standard
		}
		switch {
		case !c.bounded:
		case q.Sign() < 0:
			errs = append(errs, field.Invalid(p.Child(key), q.String(), "must be greater than or equal to 0"))
		case q.CmpInt64(math.MaxInt64) > 0:
			errs = append(errs, field.Invalid(p.Child(key), q.String(), "must not be larger than 9223372036854775807"))
		}
	}
	return errs
}

// onStep checks that a value is some steps away from the lowest one. The
// server cannot divide by a step of 0 either.
func onStep(value, low, step resource.Quantity, p *field.Path) field.ErrorList {
	if step.Value() == 0 || (value.Value()-low.Value())%step.Value() == 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(p, value.String(),
		fmt.Sprintf("value is not a multiple of a given step (%s) from (%s)", step.String(), low.String()))}
}
