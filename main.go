// Command threeway predicts offline what kubectl apply would change and why: it reads manifests
// and exported snapshots, simulates the three-way merge and the API server, and reports the result.
package main

import (
	"os"

	"threeway/command"
)

// The linker sets these in releases: make build VERSION=v1.2.3 SITE=https://…
var (
	version string
	// site is the address at which docs/ is published.
	site string
)

func main() { os.Exit(command.Main(version, site)) }
