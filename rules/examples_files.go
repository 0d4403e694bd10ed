//go:build !js

package rules

import "embed"

// The examples that the pages of the rules show.
//
//go:embed testdata/*/examples
var exampleFiles embed.FS
