//go:build !js

// Package mcp answers agents over the Model Context Protocol on stdin and stdout
// (modelcontextprotocol.io, revisions 2024-11-05 to 2025-11-25). Its tools read: each runs
// a command of threeway in this process, on paths below the working directory, and
// returns a page of what that prints. None applies anything, none opens a connection.
package mcp

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"threeway/command/run"
)

// Runner runs a command line of threeway in this process, and returns its exit code.
type Runner func(ctx context.Context, args []string, out, messages io.Writer) int

// Command is threeway mcp of a version of the program.
func Command(p *run.Program, version string, runs Runner) *cli.Command {
	return &cli.Command{
		Name:      "mcp",
		Usage:     "answer agents over the Model Context Protocol",
		UsageText: "threeway mcp",
		Description: `Speaks the Model Context Protocol on stdin and stdout. An agent's client starts it
in the repository; docs/agents.md has the settings of some.

Its tools only read: guard, review, explain_field, drift and rules. They see files
below the working directory, and answer in pages. .threeway.yaml counts as in the
commands.

Exit code: 0, 2 bad usage.`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("mcp takes no arguments: %s; an agent's client starts it", c.Args().First())
			}
			run.ForPrograms(p.Std, c.Command.Name, nil)
			serve(c.Context, p.Std.In, p.Std.Out, &toolbox{version: version, runs: runs, limit: mostTime})
			return nil
		},
	}
}
