package system

import (
	"context"
	"sync"
)

// memo holds what was found out in a run.
type memo struct{ found sync.Map }

type memoKey struct{}

// Remembering returns a context of one run, in which Once does nothing twice. A server has one
// for each request: files and branches change between two.
func Remembering(ctx context.Context) context.Context {
	if ctx.Value(memoKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, memoKey{}, &memo{})
}

// Once returns what find has returned in this run for the key, which also says its type.
func Once[T any](ctx context.Context, key string, find func() (T, error)) (T, error) {
	m, ok := ctx.Value(memoKey{}).(*memo)
	if !ok {
		return find()
	}
	once, _ := m.found.LoadOrStore(key, sync.OnceValues(find))
	return once.(func() (T, error))()
}
