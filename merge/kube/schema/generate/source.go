package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pkg is a parsed Go package.
type pkg struct {
	short  string
	types  map[string]*decl
	consts map[string]string // string constants, unquoted
	refs   map[string]string // constants that are those of another package: import path and name
	funcs  map[string]*ast.FuncDecl
}

// decl is a type declaration.
type decl struct {
	name    string
	pkg     *pkg
	spec    *ast.TypeSpec
	imports map[string]string // of its file: name to import path
	markers []string          // comment lines that start with "+", without it
}

// pkg parses a package once; nil if the release does not have it.
func (r *release) pkg(importPath string) (*pkg, error) {
	if p, ok := r.packages[importPath]; ok {
		return p, nil
	}
	r.packages[importPath] = nil
	dir, ok := r.dir(importPath)
	if !ok {
		return nil, nil
	}
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(files) == 0 {
		return nil, err
	}
	p := &pkg{short: short(importPath), types: map[string]*decl{}, consts: map[string]string{}, refs: map[string]string{}, funcs: map[string]*ast.FuncDecl{}}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "generated.pb.go") {
			continue
		}
		if err := p.parse(name); err != nil {
			return nil, err
		}
	}
	r.packages[importPath] = p
	return p, nil
}

// parse adds the declarations of a file.
func (p *pkg) parse(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	imports := map[string]string{}
	for _, im := range file.Imports {
		target, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			return err
		}
		alias := path.Base(target)
		if im.Name != nil {
			alias = im.Name.Name
		}
		imports[alias] = target
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			p.declare(d, imports, func(n ast.Node) []string { return typeMarkers(fset, file, n) })
		case *ast.FuncDecl:
			p.funcs[receiver(d)+d.Name.Name] = d
		}
	}
	return nil
}

// declare adds types with their markers, and string constants.
func (p *pkg) declare(d *ast.GenDecl, imports map[string]string, markers func(ast.Node) []string) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			t := &decl{name: spec.Name.Name, pkg: p, spec: spec, imports: imports, markers: markers(d)}
			if d.Lparen.IsValid() {
				t.markers = markers(spec)
			}
			p.types[t.name] = t
		case *ast.ValueSpec:
			for i, value := range spec.Values {
				if typed, ok := value.(*ast.CallExpr); ok && len(typed.Args) == 1 {
					value = typed.Args[0]
				}
				if sel, ok := value.(*ast.SelectorExpr); ok {
					if from, ok := sel.X.(*ast.Ident); ok {
						p.refs[spec.Names[i].Name] = imports[from.Name] + "." + sel.Sel.Name
					}
				}
				if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					p.consts[spec.Names[i].Name], _ = strconv.Unquote(lit.Value)
				}
			}
		}
	}
}

// receiver is "X." for a method of X or *X, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// typeMarkers are the markers of a declaration: those of its comment, and of
// the comment above that one, where a blank line keeps them out of the godoc.
func typeMarkers(fset *token.FileSet, file *ast.File, n ast.Node) []string {
	line := fset.Position(n.Pos()).Line
	var found []string
	for _, c := range slices.Backward(file.Comments) {
		if end := fset.Position(c.End()).Line; end < line && line-end <= 2 {
			found = append(found, markersOf(c)...)
			line = fset.Position(c.Pos()).Line
		}
	}
	return found
}

// markersOf are the markers in a comment.
func markersOf(c *ast.CommentGroup) []string {
	if c == nil {
		return nil
	}
	var found []string
	for _, line := range c.List {
		text := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
		if marker, ok := strings.CutPrefix(text, "+"); ok {
			found = append(found, marker)
		}
	}
	return found
}

// marker returns the values of the marker name: +name=value.
func marker(markers []string, name string) []string {
	var values []string
	for _, m := range markers {
		if m == name {
			values = append(values, "")
		} else if value, ok := strings.CutPrefix(m, name+"="); ok {
			values = append(values, value)
		}
	}
	return values
}

// lookup returns the declaration of a full name such as "core/v1.PodSpec".
func (r *release) lookup(name string) (*decl, error) {
	in, base, ok := strings.Cut(name, ".")
	if !ok {
		return nil, fmt.Errorf("type %s: not a full name", name)
	}
	p, err := r.pkg(importPath(in))
	if err != nil || p == nil {
		return nil, err
	}
	return p.types[base], nil
}

// constant is the text of a constant of a package.
func (r *release) constant(importPath, name string) (string, error) {
	p, err := r.pkg(importPath)
	if err != nil || p == nil {
		return "", fmt.Errorf("constant %s.%s: no such package: %w", importPath, name, err)
	}
	if value, ok := p.consts[name]; ok {
		return value, nil
	}
	at := strings.LastIndexByte(p.refs[name], '.')
	if at < 0 {
		return "", fmt.Errorf("constant %s.%s: not a text", importPath, name)
	}
	return r.constant(p.refs[name][:at], p.refs[name][at+1:])
}
