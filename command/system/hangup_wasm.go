//go:build js || wasip1

package system

import "os"

// hangup is empty: no terminal can go away.
func hangup() []os.Signal { return nil }
