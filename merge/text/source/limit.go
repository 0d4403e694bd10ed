package source

import (
	"cmp"
	"fmt"
	"sync/atomic"
)

// MostHeld is how much of one input is held in memory unless it is set otherwise,
// in bytes.
const MostHeld = 1 << 30

var mostHeld atomic.Int64 // 0: MostHeld

// HoldAtMost sets how much of one input is held in memory, for all that is read
// from then on. More is an error. 0 is MostHeld.
func HoldAtMost(bytes int64) { mostHeld.Store(bytes) }

// Limit is how much of one input is held in memory, in bytes.
func Limit() int64 { return cmp.Or(mostHeld.Load(), MostHeld) }

// What is neither JSON nor the block YAML that kubectl and people write goes
// through a general parser, which takes that many times as much memory. A
// document that no etcd would store as one object must therefore be smaller.
const (
	generalCost = 16
	leastHeld   = 4 << 20
)

// tooGeneral is the error of a document that is too large for a general parser.
func tooGeneral(size int) error {
	most := max(Limit()/generalCost, leastHeld)
	if int64(size) <= most {
		return nil
	}
	return fmt.Errorf("a document of %d MiB that is neither JSON nor plain block YAML (flow style, anchors, tags, tabs, a key twice), which takes %d times as much memory, so that --max-input allows %d MiB; write it as kubectl does, split it, or raise --max-input",
		size>>20, generalCost, most>>20)
}
