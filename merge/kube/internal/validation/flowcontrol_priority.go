package validation

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// exempt is the name of the FlowSchema and of the priority level, and the type
// of the latter in another case, for requests that are never held back.
const exempt = "exempt"

// priorityLevel checks a PriorityLevelConfiguration, new or changed. Source of
// this file: pkg/apis/flowcontrol/validation.
func priorityLevel(r *Request) field.ErrorList {
	const roundTrip = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"
	errs := clusterMeta(r, nameIsDNSSubdomain)
	if tree.Has(r.Object, "metadata", "annotations", roundTrip) {
		errs = append(errs, field.Forbidden(field.NewPath("metadata", "annotations"), "annotation '"+roundTrip+"' is forbidden"))
	}
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	levelType := tree.String(spec, "type")
	if (tree.String(r.Object, "metadata", "name") == exempt) != (levelType == "Exempt") {
		errs = append(errs, field.Invalid(p.Child("type"), levelType, "must be 'Exempt' if and only if `name` is 'exempt'"))
	}
	limited, unlimited := tree.Map(spec, "limited"), tree.Map(spec, "exempt")
	switch levelType {
	case "Exempt":
		if limited != nil {
			errs = append(errs, notAllowed(p.Child("limited"), "must be nil if the type is not Limited"))
		}
		if unlimited != nil {
			errs = append(errs, concurrencyShares(unlimited, p.Child("exempt"))...)
			errs = append(errs, lendablePercent(unlimited, p.Child("exempt"))...)
		}
	case "Limited":
		if unlimited != nil {
			errs = append(errs, notAllowed(p.Child("exempt"), "must be nil if the type is Limited"))
		}
		if limited == nil {
			errs = append(errs, field.Required(p.Child("limited"), "must not be empty when type is Limited"))
		} else {
			errs = append(errs, limitedLevel(limited, p.Child("limited"))...)
		}
	default:
		errs = append(errs, requiredOneOf(levelType, p.Child("type"), "Exempt", "Limited")...)
	}
	return append(errs, fixedFlowSpec(r, "flowcontrol/v1.PriorityLevelConfigurationSpec", builtinPriorityLevel)...)
}

func limitedLevel(level tree.Object, p *field.Path) field.ErrorList {
	errs := concurrencyShares(level, p)
	errs = append(errs, limitResponse(tree.Map(level, "limitResponse"), p.Child("limitResponse"))...)
	errs = append(errs, lendablePercent(level, p)...)
	if n, _ := tree.Int(level, "borrowingLimitPercent"); n < 0 {
		errs = append(errs, field.Invalid(p.Child("borrowingLimitPercent"), n, "if specified, must be a non-negative integer"))
	}
	return errs
}

func concurrencyShares(level tree.Object, p *field.Path) field.ErrorList {
	if n, _ := tree.Int(level, "nominalConcurrencyShares"); n < 0 {
		return field.ErrorList{field.Invalid(p.Child("nominalConcurrencyShares"), n, "must be a non-negative integer")}
	}
	return nil
}

func lendablePercent(level tree.Object, p *field.Path) field.ErrorList {
	n, _ := tree.Int(level, "lendablePercent")
	return invalidEach(p.Child("lendablePercent"), n, isInRange(n, 0, 100))
}

func limitResponse(response tree.Object, p *field.Path) field.ErrorList {
	queuing := tree.Map(response, "queuing")
	at := p.Child("queuing")
	switch responseType := tree.String(response, "type"); {
	case responseType == "Reject" && queuing != nil:
		return field.ErrorList{notAllowed(at, "must be nil if limited.limitResponse.type is not Limited")}
	case responseType == "Queue" && queuing == nil:
		return field.ErrorList{field.Required(at, "must not be empty if limited.limitResponse.type is Limited")}
	case responseType == "Queue":
		return queues(queuing, at)
	default:
		return requiredOneOf(responseType, p.Child("type"), "Queue", "Reject")
	}
}

func queues(queuing tree.Object, p *field.Path) field.ErrorList {
	const maxQueues, maxHashBits = 10_000_000, 60
	var errs field.ErrorList
	length, _ := tree.Int(queuing, "queueLengthLimit")
	count, _ := tree.Int(queuing, "queues")
	hand, _ := tree.Int(queuing, "handSize")
	add := func(key string, n int64, detail string) {
		errs = append(errs, field.Invalid(p.Child(key), n, detail))
	}
	if length <= 0 {
		add("queueLengthLimit", length, "must be positive")
	}
	if count <= 0 {
		add("queues", count, "must be positive")
	} else if count > maxQueues {
		add("queues", count, fmt.Sprintf("must not be greater than %d", maxQueues))
	}
	if hand <= 0 {
		add("handSize", hand, "must be positive")
	} else if hand > count {
		add("handSize", hand, fmt.Sprintf("should not be greater than queues (%d)", count))
	} else if bits := math.Ceil(math.Log2(float64(count)) * float64(hand)); bits > maxHashBits {
		add("handSize", hand, fmt.Sprintf("required entropy bits of deckSize %d and handSize %d should not be greater than %d", count, hand, maxHashBits))
	}
	return errs
}
