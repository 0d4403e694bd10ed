package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
)

// gates reads which feature gates of Kubernetes are on by default in the release's
// minor, and which it has at all.
func (r *release) gates() (map[string]bool, error) {
	on := map[string]bool{}
	files, err := filepath.Glob(r.dirs["k8s.io/kubernetes"] + "/pkg/features/*.go")
	if err != nil {
		return nil, err
	}
	names := map[string]string{} // Go names to those of the gates
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
					names[spec.Names[0].Name] = text(lit)
				}
			}
			return true
		})
	}
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			value, ok := kv.Value.(*ast.CompositeLit)
			if id, named := kv.Key.(*ast.Ident); ok && named && names[id.Name] != "" {
				if is, found := defaultOf(value, r.minor); found {
					on[names[id.Name]] = is
				}
			}
			return true
		})
	}
	if len(on) == 0 {
		return nil, fmt.Errorf("no feature gates in 1.%d", r.minor)
	}
	return on, nil
}

// defaultOf reads {Default: true, …}, or the last of [{Version: …, Default: true, …}, …]
// that the minor has reached.
func defaultOf(spec *ast.CompositeLit, minor int) (on, found bool) {
	since := 0
	for _, e := range spec.Elts {
		switch e := e.(type) {
		case *ast.CompositeLit:
			if is, ok := defaultOf(e, minor); ok {
				on, found = is, true
			}
		case *ast.KeyValueExpr:
			switch id, _ := e.Key.(*ast.Ident); {
			case id == nil:
			case id.Name == "Default":
				value, _ := e.Value.(*ast.Ident)
				on, found = value != nil && value.Name == "true", value != nil
			case id.Name == "Version":
				if call, ok := e.Value.(*ast.CallExpr); ok && len(call.Args) == 1 {
					_, err := fmt.Sscanf(text(call.Args[0]), "1.%d", &since)
					if err != nil {
						since, _ = strconv.Atoi(text(call.Args[0]))
					}
				}
			}
		}
	}
	return on, found && since <= minor
}
