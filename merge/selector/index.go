package selector

import (
	"iter"
	"slices"
)

// Index has things by their labels. A selector looks only at those that have a label
// which it asks for.
type Index[T any] struct {
	labeled labeled
	things  []T
}

// Add adds a thing with its labels.
func (l *Index[T]) Add(labels map[string]any, thing T) {
	l.labeled.add(labels)
	l.things = append(l.things, thing)
}

// Matching yields the things that a selector matches, in order.
func (l *Index[T]) Matching(s Selector) iter.Seq[T] {
	return func(yield func(T) bool) {
		if l == nil {
			return
		}
		for i := range l.labeled.matching(s) {
			if !yield(l.things[i]) {
				return
			}
		}
	}
}

// labeled are the labels of an Index. What is said of their things is said by number, so that the compiler
// makes the code once and not for each type of thing.
type labeled struct {
	labels []map[string]any
	having map[label][]int // their numbers, ascending
}

type label struct{ key, value string }

func (l *labeled) add(labels map[string]any) {
	if l.having == nil {
		l.having = map[label][]int{}
	}
	for key, v := range labels {
		value, _ := v.(string)
		l.having[label{key, value}] = append(l.having[label{key, value}], len(l.labels))
	}
	l.labels = append(l.labels, labels)
}

func (l *labeled) matching(s Selector) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range l.near(s) {
			if s.Matches(l.labels[i]) && !yield(i) {
				return
			}
		}
	}
}

// near yields the numbers that a selector can match: those with the rarest of the labels
// that it asks for, and all if it asks for none.
func (l *labeled) near(s Selector) iter.Seq[int] {
	best, fewest := -1, len(l.labels)
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
			for i := 0; i < len(l.labels) && yield(i); i++ {
			}
		}
	case len(s[best].Values) == 1:
		return slices.Values(l.having[label{s[best].Key, s[best].Values[0]}])
	}
	var numbers []int
	for _, value := range s[best].Values {
		numbers = append(numbers, l.having[label{s[best].Key, value}]...)
	}
	slices.Sort(numbers)
	return slices.Values(slices.Compact(numbers))
}

// Asking has things by what their selectors ask for. Labels look only at those that ask
// for one of them, and at those that ask for no label.
type Asking[T any] struct {
	by   map[label][]asking[T]
	rest []asking[T]
}

type asking[T any] struct {
	selector Selector
	thing    T
}

// Add adds a thing with its selector, at the label that the fewest have asked for.
func (a *Asking[T]) Add(s Selector, thing T) {
	best, fewest := label{}, -1
	for _, r := range s {
		if r.Op == "in" && len(r.Values) == 1 {
			asked := label{r.Key, r.Values[0]}
			if having := len(a.by[asked]); fewest < 0 || having < fewest {
				best, fewest = asked, having
			}
		}
	}
	switch {
	case fewest < 0:
		a.rest = append(a.rest, asking[T]{s, thing})
		return
	case a.by == nil:
		a.by = map[label][]asking[T]{}
	}
	a.by[best] = append(a.by[best], asking[T]{s, thing})
}

// Of yields the things whose selectors match labels, in no order.
func (a *Asking[T]) Of(labels map[string]any) iter.Seq[T] {
	return func(yield func(T) bool) {
		each := func(list []asking[T]) bool {
			for _, x := range list {
				if x.selector.Matches(labels) && !yield(x.thing) {
					return false
				}
			}
			return true
		}
		if a == nil || !each(a.rest) {
			return
		}
		for key, v := range labels {
			if value, _ := v.(string); !each(a.by[label{key, value}]) {
				return
			}
		}
	}
}
