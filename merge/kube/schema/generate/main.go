// Command generate makes merge/kube/schema/tables.zip, the facts about the built-in
// API types, merge/access/bootstrap.gz, the roles that servers make, and
// merge/kube/internal/cel/library/*_generated.go, the functions that the API server
// adds to CEL, from the Go sources of Kubernetes. It is a module of its own, so that none of this
// reaches the product.
//
//	cd merge/kube/schema/generate && go run .
//
// The sources are the modules named in modules.go, from the module cache or
// the proxy. The result depends on nothing else: the same modules give the
// same bytes.
//
//	go run . -print    the tables as tab-separated lines, for review
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "../tables.zip", "file to write")
	show := flag.Bool("print", false, "print the tables and write nothing")
	flag.Parse()
	if err := run(*out, *show); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(out string, show bool) error {
	releases, err := load()
	if err != nil {
		return err
	}
	if !show {
		if err := writeBootstrap("../../../access/bootstrap.gz", releases); err != nil {
			return err
		}
		if err := writeLibrary("../../internal/cel/library", releases[0]); err != nil {
			return err
		}
	}
	resources, err := resources(releases)
	if err != nil {
		return err
	}
	types, err := union(releases, resources)
	if err != nil {
		return err
	}
	if err := addRequired(releases, types); err != nil {
		return err
	}
	if err := addInternal(releases, types); err != nil {
		return err
	}
	if show {
		return printTSV(os.Stdout, types, resources)
	}
	return write(out, releases, types, resources)
}
