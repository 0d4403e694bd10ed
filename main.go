// Command threeway rehearses kubectl apply with no cluster: it reads config
// files and exported snapshots of live objects, simulates the three-way merge
// and the API server's part, and shows what would change and why.
//
// Package command has the commands.
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
