package source

import (
	"cmp"
	"fmt"
)

// MostHeld is how much of one input is held in memory unless it is set otherwise,
// in bytes.
const MostHeld = 1 << 30

// Limit is how much of one input is held in memory, in bytes; 0 is MostHeld. More
// is an error.
type Limit int64

// Accepted is no limit, for what has been read within one before.
const Accepted Limit = 1 << 62

// Bytes is the limit.
func (l Limit) Bytes() int64 { return cmp.Or(int64(l), MostHeld) }

// What is neither JSON nor the YAML that kubectl and people write goes
// through a general parser, which takes that many times as much memory. A
// document that no etcd would store as one object must therefore be smaller.
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
	return fmt.Errorf("the document has %d MiB and is neither JSON nor plain YAML (it has anchors, tags, tabs or duplicate keys); reading it takes %d times as much memory, so --max-input allows only %d MiB: write it as kubectl does, split it, or raise --max-input",
		size>>20, generalCost, most>>20)
}
