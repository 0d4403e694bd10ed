package rehearsal

import "sync"

// Answers are the few things that were found out about one thing, by type. The zero value
// has none.
type Answers struct {
	mutex sync.Mutex
	list  []any // each a func() of its type
}

// Once returns what find finds out. It is found once for all who ask for the same type, so
// what is found must not depend on who asks.
func Once[T any](a *Answers, find func() T) T { return known(a, find)() }

func known[T any](a *Answers, find func() T) func() T {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, answer := range a.list {
		if answer, is := answer.(func() T); is {
			return answer
		}
	}
	answer := sync.OnceValue(find)
	a.list = append(a.list, answer)
	return answer
}
