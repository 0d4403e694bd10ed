package tree

import "slices"

// Selects reports whether a LabelSelector selects labels: an absent one (nil) nothing, an
// empty one everything (LabelSelectorAsSelector of apimachinery pkg/apis/meta/v1/helpers.go).
func Selects(selector any, labels Object) bool {
	if selector == nil {
		return false
	}
	for key, value := range Map(selector, "matchLabels") {
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	for _, e := range List(selector, "matchExpressions") {
		value, has := labels[String(e, "key")]
		in := has && slices.Contains(List(e, "values"), value)
		ok := false
		switch String(e, "operator") {
		case "In":
			ok = in
		case "NotIn":
			ok = !in
		case "Exists":
			ok = has
		case "DoesNotExist":
			ok = !has
		}
		if !ok {
			return false
		}
	}
	return true
}
