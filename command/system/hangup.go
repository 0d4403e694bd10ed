//go:build !js && !wasip1

package system

import (
	"os"
	"syscall"
)

// hangup is the signal that the terminal is gone.
func hangup() []os.Signal { return []os.Signal{syscall.SIGHUP} }
