// Package memo remembers what was found out, so that it is found out once, however many
// goroutines ask for it: the first to ask finds it out, and the others wait. The zero value of
// each type remembers nothing yet. What is found must not depend on who asks.
package memo

import "sync"

// Value is found out when it is first asked for.
type Value[T any] struct {
	once  sync.Once
	value T
}

// Get returns what find returns, which is called by the first who asks.
func (v *Value[T]) Get(find func() T) T {
	v.once.Do(func() { v.value = find() })
	return v.value
}

// Types holds one answer for each type of answer, of which there are a few.
type Types struct {
	mu      sync.Mutex
	answers []any // each a *Value of its type
}

// Of returns what find returns, which is called by the first who asks for an answer of type T.
func Of[T any](t *Types, find func() T) T { return valueOf[T](t).Get(find) }

func valueOf[T any](t *Types) *Value[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, answer := range t.answers {
		if answer, is := answer.(*Value[T]); is {
			return answer
		}
	}
	answer := &Value[T]{}
	t.answers = append(t.answers, answer)
	return answer
}

// Table holds one answer for each key.
type Table[K comparable, V any] struct{ answers answers }

// Get returns what find returns, which is called by the first who asks for key. If find
// panics, so does each Get of the key.
func (t *Table[K, V]) Get(key K, find func() V) V {
	answer := t.answers.of(key)
	if answer == nil {
		answer = t.answers.add(key, func() any { return find() })
	}
	v, _ := answer().(V)
	return v
}

// answers are those of a Table. They are of no type and behind an interface: the compiler
// makes the code of a sync.Map again for each package that knows a struct with one.
type answers struct {
	made sync.Once
	kept interface {
		Load(key any) (any, bool)
		LoadOrStore(key, value any) (any, bool)
	}
}

func (a *answers) of(key any) func() any {
	a.made.Do(func() { a.kept = &sync.Map{} })
	answer, _ := a.kept.Load(key)
	found, _ := answer.(func() any)
	return found
}

func (a *answers) add(key any, find func() any) func() any {
	answer, _ := a.kept.LoadOrStore(key, sync.OnceValue(find))
	return answer.(func() any)
}
