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

// version is set by the linker in releases (make build VERSION=v1.2.3).
var version string

func main() { os.Exit(command.Main(version)) }
