// Package docs_test holds the repository to what its documents say: pages,
// commands in them, translation, imports and dependencies. Its tests run in the
// root of the repository.
package docs_test

import (
	"fmt"
	"os"
	"testing"

	"threeway/command"
)

// asThreeway in the environment makes this binary run as threeway, for scripts.
const asThreeway = "RUN_AS_THREEWAY"

func TestMain(m *testing.M) {
	if os.Getenv(asThreeway) != "" {
		os.Exit(command.Main("", ""))
	}
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
