package source

import (
	"cmp"
	"fmt"
)

// MostHeld is the default of Limit, in bytes.
const MostHeld = 1 << 30

// Limit is how much of one input may be held in memory, in bytes; 0 means
// MostHeld. A larger input is an error.
type Limit int64

// Accepted means no limit, for input that was read within a limit before.
const Accepted Limit = 1 << 62

// Bytes returns the limit in bytes.
func (l Limit) Bytes() int64 { return cmp.Or(int64(l), MostHeld) }

// YAML in a form that kubectl and people do not write goes through a general
// parser, which takes many times as much memory. So a document that is too
// large for etcd must be smaller than the limit.
const (
	generalCost = 16
	leastHeld   = 4 << 20
)

// tooGeneral is the error of a document that is too large for a general parser.
func (l Limit) tooGeneral(size int) error {
	most := max(l.Bytes()/generalCost, leastHeld)
	if int64(size) <= most {
		return nil
	}
	return fmt.Errorf("the document has %d MiB and is neither JSON nor plain YAML (it has anchors, tags, tabs or duplicate keys); reading it takes %d times as much memory, so THREEWAY_MAX_INPUT allows only %d MiB: write it as kubectl does, split it, or raise THREEWAY_MAX_INPUT",
		size>>20, generalCost, most>>20)
}
