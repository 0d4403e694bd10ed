package lsp

import (
	"errors"

	"github.com/urfave/cli/v2"

	"threeway/command/run"
)

// Command says why there is no language server in a page, whose program is smaller
// without it.
func Command(*run.Program) *cli.Command {
	return &cli.Command{Name: "lsp", Hidden: true, Action: func(*cli.Context) error {
		return errors.New("lsp talks with an editor on stdin and stdout, which a page does not have")
	}}
}
