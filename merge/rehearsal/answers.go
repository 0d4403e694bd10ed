package rehearsal

import "sync"

// Memo is what is found out when it is first asked for. The zero value is not found out.
type Memo[T any] struct {
	once  sync.Once
	value T
}

// Get returns what find finds out, which only the first caller calls.
func (f *Memo[T]) Get(find func() T) T {
	f.once.Do(func() { f.value = find() })
	return f.value
}

// Memos are the few things that were found out about one thing, by type. The zero value
// has none.
type Memos struct {
	mutex sync.Mutex
	list  []any // each a *Found of its type
}

// Once returns what find finds out. It is found once for all who ask for the same type, so
// what is found must not depend on who asks.
func Once[T any](a *Memos, find func() T) T { return known[T](a).Get(find) }

func known[T any](a *Memos) *Memo[T] {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, answer := range a.list {
		if answer, is := answer.(*Memo[T]); is {
			return answer
		}
	}
	answer := &Memo[T]{}
	a.list = append(a.list, answer)
	return answer
}
