// Package docs_test holds the repository to what its documents say: pages,
// commands in them, translation, imports and dependencies. Its tests run in the
// root of the repository.
package docs_test

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
