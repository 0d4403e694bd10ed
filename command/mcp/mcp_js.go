package mcp

import (
	"context"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"threeway/command/run"
)

// Runner runs a command line of threeway in this process, and returns its exit code.
type Runner func(ctx context.Context, args []string, out, messages io.Writer) int

// Command says why there is no server in a page.
func Command(*run.Program, string, Runner) *cli.Command {
	return &cli.Command{Name: "mcp", Hidden: true, Action: func(*cli.Context) error {
		return errors.New("mcp talks with an agent on stdin and stdout, which a page does not have")
	}}
}
