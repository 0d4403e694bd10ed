// Package command is the command line of threeway: flags and arguments in, exit code
// out. Commands of more than two files have a folder. How anything is computed is in
// merge and the packages below it.
package command

import (
	"context"
	"fmt"
	"os"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/text/shell"
)

// Main is the whole program with the arguments, streams and signals of its
// process. v is its version and s the address of its site, if the linker knows
// them. It returns the exit code.
func Main(v, s string) int {
	system.Version, system.Site = v, s
	system.PaceGC()
	system.EndOnSignal()
	most, err := request.MaxTime()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error: "+err.Error())
		return system.ExitUsage
	}
	if serves := len(os.Args) > 1 && (os.Args[1] == "lsp" || os.Args[1] == "mcp"); most > 0 && !serves {
		system.EndAfter(most, func() {
			fmt.Fprintf(os.Stderr, "error: this is not done after %v, the limit of %s; pass fewer manifests, or raise the limit\n", most, request.MaxTimeVariable)
		})
	}
	return Run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)
}

// Line is the command line with these arguments, as it is typed into sh.
func Line(args []string) string { return shell.Line("threeway", shell.Typed(args)) }
