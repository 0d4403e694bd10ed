package command

import (
	"errors"

	"github.com/urfave/cli/v2"
)

// lspCommand says why there is no language server in a page, whose program is smaller
// without it.
func lspCommand(*program) *cli.Command {
	return &cli.Command{Name: "lsp", Hidden: true, Action: func(*cli.Context) error {
		return errors.New("lsp talks with an editor on stdin and stdout, which a page does not have")
	}}
}
