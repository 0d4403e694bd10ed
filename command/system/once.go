package system

import (
	"context"

	"threeway/merge/memo"
)

// found is what was found out in a run, by key.
type found = memo.Table[string, answer]

type answer struct {
	value any
	err   error
}

type foundKey struct{}

// Remembering returns a context of one run, in which Once does nothing twice. A server has one
// for each request: files and branches change between two.
func Remembering(ctx context.Context) context.Context {
	if ctx.Value(foundKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, foundKey{}, &found{})
}

// Once returns what find has returned in this run for the key, which also says its type.
func Once[T any](ctx context.Context, key string, find func() (T, error)) (T, error) {
	known, ok := ctx.Value(foundKey{}).(*found)
	if !ok {
		return find()
	}
	a := known.Get(key, func() answer {
		value, err := find()
		return answer{value, err}
	})
	value, _ := a.value.(T)
	return value, a.err
}
