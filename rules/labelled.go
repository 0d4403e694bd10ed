package rules

import (
	"iter"
	"slices"

	"threeway/merge/selector"
	"threeway/merge/tree"
)

// labelled are things with labels. A selector looks only at those that have a label
// which it asks for.
type labelled[T any] struct {
	labels []tree.Object
	things []T
	having map[label][]int // their places, ascending
}

type label struct{ key, value string }

func (l *labelled[T]) add(labels tree.Object, thing T) {
	if l.having == nil {
		l.having = map[label][]int{}
	}
	for key, v := range labels {
		value, _ := v.(string)
		l.having[label{key, value}] = append(l.having[label{key, value}], len(l.things))
	}
	l.labels, l.things = append(l.labels, labels), append(l.things, thing)
}

// matching yields the things that a selector matches, in order.
func (l *labelled[T]) matching(s selector.Selector) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range l.near(s) {
			if s.Matches(l.labels[i]) && !yield(l.things[i]) {
				return
			}
		}
	}
}

// near yields the places that a selector can match: those with the rarest of the labels
// that it asks for, and all if it asks for none.
func (l *labelled[T]) near(s selector.Selector) iter.Seq[int] {
	best, fewest := -1, len(l.things)
	for i, r := range s {
		having := 0
		for _, value := range r.Values {
			having += len(l.having[label{r.Key, value}])
		}
		if r.Op == "in" && having <= fewest {
			best, fewest = i, having
		}
	}
	switch {
	case best < 0:
		return func(yield func(int) bool) {
			for i := 0; i < len(l.things) && yield(i); i++ {
			}
		}
	case len(s[best].Values) == 1:
		return slices.Values(l.having[label{s[best].Key, s[best].Values[0]}])
	}
	var places []int
	for _, value := range s[best].Values {
		places = append(places, l.having[label{s[best].Key, value}]...)
	}
	slices.Sort(places)
	return slices.Values(slices.Compact(places))
}
