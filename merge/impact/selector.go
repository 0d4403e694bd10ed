package impact

import (
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// Selector reads a metav1.LabelSelector; an empty one is not ok.
func Selector(m tree.Object) (s selector.Selector, ok bool) {
	for key, value := range tree.Map(m, "matchLabels") {
		text, _ := value.(string)
		s = append(s, selector.Requirement{Key: key, Op: "in", Values: []string{text}})
	}
	for _, e := range tree.List(m, "matchExpressions") {
		r := selector.Requirement{Key: tree.String(e, "key")}
		for _, v := range tree.List(e, "values") {
			text, _ := v.(string)
			r.Values = append(r.Values, text)
		}
		switch tree.String(e, "operator") {
		case "In":
			r.Op = "in"
		case "NotIn":
			r.Op = "notin"
		case "Exists":
			r.Op = "exists"
		case "DoesNotExist":
			r.Op = "!"
		default:
			return nil, false
		}
		s = append(s, r)
	}
	return s, len(s) > 0
}
