package owners

import (
	"encoding/binary"
	"reflect"
	"sync"

	"threeway/merge/tree"
)

// recent are the entries that were read last, without their owners: the same object is
// read by several who ask, and objects of one template share what their managers own.
var recent cache

// cache has entries by the identities of the maps that they were read from, which it
// keeps, so that no other map gets the identity. These maps must not change.
type cache struct {
	mu    sync.RWMutex
	known map[string]cached
}

type cached struct {
	from    []any
	entries []Entry
}

// of returns the entries that were read from the same maps, or what read returns.
func (c *cache) of(from []any, read func() []Entry) []Entry {
	key := keyOf(from)
	c.mu.RLock()
	known, ok := c.known[key]
	c.mu.RUnlock()
	if ok {
		return known.entries
	}
	entries := read()
	if key == "" {
		return entries
	}
	fields := make([]any, len(from))
	for i, e := range from {
		fields[i] = tree.Map(e, "fieldsV1")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) == mostRecent {
		c.known = map[string]cached{}
	}
	c.known[key] = cached{fields, entries}
	return entries
}

// mostRecent is how many are kept.
const mostRecent = 1 << 13

// keyOf is the identities of what the entries own; "" if one has none.
func keyOf(entries []any) string {
	key := make([]byte, 0, 8*len(entries))
	for _, e := range entries {
		fields := tree.Map(e, "fieldsV1")
		if fields == nil {
			return ""
		}
		key = binary.LittleEndian.AppendUint64(key, uint64(reflect.ValueOf(fields).Pointer()))
	}
	return string(key)
}
