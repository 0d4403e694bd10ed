package docs_test

import (
	"go/ast"
	values "go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// structures are literals that are structure in a format, so that a value beside
// them must be escaped for it.
var structures = map[string]*regexp.Regexp{
	"HTML":                 regexp.MustCompile(`</?[a-zA-Z]|<!`),
	"Markdown":             regexp.MustCompile("\\*\\*|```|\\]\\(|(^|\n)(#{2,} |\\| |- )"),
	"a comment":            regexp.MustCompile(`(^|\n) *# | # $`),
	"a command to GitHub":  regexp.MustCompile(`^::|\n::`),
	"a command to a shell": regexp.MustCompile(`<<|&& $|[^|]\| $`),
}

// makers make a text of a value that is safe in every format, or of one format whose
// package it is.
var makers = []string{"threeway/merge/text/markdown", "threeway/merge/text/shell", "threeway/merge/text/visible", "threeway/lint/report/webpage", "strconv"}

// raw are the places where a value stands in structure as it is, with the reason.
var raw = map[string]string{
	"command/config/init.go list":          "a key of ours and an example of it",
	"command/editor/actions.go suppress":   "spaces, and the ID of a rule, which settings take only if it is of letters",
	"lint/report/document.go writeTo":      "nouns of ours",
	"lint/report/page.go Page":             "words are Markdown by InMarkdown; a repair is one of ours, and an address is none that ends it",
	"lint/report/page.go writeExample":     "examples of our rules",
	"lint/report/services.go GitHub":       "data and property escape for GitHub",
	"lint/report/webpage/parts.go write":   "base64",
	"lint/report/webpage/webpage.go data":  "an ID of ours, and JSON in which encoding/json escapes < and >",
	"lint/report/webpage/webpage.go index": "base64",
	"lint/report/trials.go pairLines":      "the lines of a text",
	"merge/show/steps.go commandText":      "YAML of an object, of which no line is EOF",
	"merge/show/steps.go inputText":        "the YAML after the comment",

	"merge/show/objects.go Patches":     "constants, and JSON on a line of its own",
	"command/adopt.go printLastApplied": "the JSON of last-applied on a line of its own",
}

// upstream are packages whose texts are those of Kubernetes.
var upstream = regexp.MustCompile(`^merge/(kube/internal|prune)/`)

// TestFormatsAreMade: outside of the packages that make a format no value that is a
// text stands beside structure of it, by + or by a verb of fmt.
func TestFormatsAreMade(t *testing.T) {
	found := map[string]bool{}
	eachChecked(t, func(file string, parsed *ast.File, info *types.Info) {
		if strings.HasPrefix(file, "merge/text/") || upstream.MatchString(file) {
			return
		}
		report := func(at ast.Node, literal string, value ast.Expr) {
			for format, structure := range structures {
				if !structure.MatchString(literal) || escaped(info, value) {
					continue
				}
				place := file + " " + enclosing(parsed, at.Pos())
				if found[place] = true; raw[place] == "" {
					t.Errorf("%s: a value in %s (%s): %.60q; make it with merge/text, or say in raw why not", fset.Position(at.Pos()), format, place, literal)
				}
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.ADD && info.Types[n].Value == nil {
					if literal, ok := lastText(info, n.X); ok {
						report(n, literal, n.Y)
					}
					if literal, ok := text(info, n.Y); ok {
						report(n, literal, lastOf(n.X))
					}
				}
			case *ast.CallExpr:
				format, shown := formatted(info, n)
				for _, value := range shown {
					report(n, format, value)
				}
			}
			return true
		})
	})
	for place := range raw {
		if !found[place] {
			t.Errorf("%s is listed, and has no value in structure", place)
		}
	}
}

// text is the value of a constant text.
func text(info *types.Info, e ast.Expr) (string, bool) {
	v := info.Types[e].Value
	if v == nil || v.Kind() != values.String {
		return "", false
	}
	return values.StringVal(v), true
}

// lastText is the constant that a sum ends with.
func lastText(info *types.Info, e ast.Expr) (string, bool) { return text(info, lastOf(e)) }

func lastOf(e ast.Expr) ast.Expr {
	for {
		switch b := e.(type) {
		case *ast.BinaryExpr:
			e = b.Y
		case *ast.ParenExpr:
			e = b.X
		default:
			return e
		}
	}
}

// formatted is the format of a call of fmt, and what it shows.
func formatted(info *types.Info, call *ast.CallExpr) (format string, shown []ast.Expr) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	f, ok := info.Uses[s.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "fmt" || !strings.HasSuffix(f.Name(), "f") {
		return "", nil
	}
	for i, arg := range call.Args {
		if format, ok = text(info, arg); ok {
			return format, call.Args[i+1:]
		}
	}
	return "", nil
}

// escaped reports whether a value cannot be structure: a number, a constant, or made by
// one of the makers.
func escaped(info *types.Info, e ast.Expr) bool {
	v := info.Types[e]
	if v.Value != nil {
		return true
	}
	switch typ := v.Type.(type) {
	case *types.Basic:
		if typ.Info()&types.IsString == 0 {
			return true
		}
	case *types.Named:
		if typ.Obj().Pkg() != nil && slices.Contains(makers, typ.Obj().Pkg().Path()) {
			return true
		}
		if basic, ok := typ.Underlying().(*types.Basic); ok && basic.Info()&types.IsString == 0 && types.NewMethodSet(typ).Lookup(nil, "String") == nil {
			return true
		}
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	var used types.Object
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		used = info.Uses[f.Sel]
	case *ast.Ident:
		used = info.Uses[f]
	}
	return used != nil && used.Pkg() != nil && slices.Contains(makers, used.Pkg().Path())
}

// enclosing is the name of the declaration around a place.
func enclosing(file *ast.File, at token.Pos) string {
	for _, d := range file.Decls {
		if d.Pos() <= at && at < d.End() {
			if f, ok := d.(*ast.FuncDecl); ok {
				return f.Name.Name
			}
		}
	}
	return "var"
}

// eachChecked is eachSource with types.
func eachChecked(t *testing.T, visit func(file string, parsed *ast.File, info *types.Info)) {
	exports := map[string]string{}
	for _, line := range goList(t, "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".") {
		pkg, file, _ := strings.Cut(line, " ")
		exports[pkg] = file
	}
	packages := map[string][]*ast.File{}
	eachSource(t, func(file string, parsed *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(file))
		packages[dir] = append(packages[dir], parsed)
	})
	root := repositoryDir(t) + "/"
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for dir, files := range packages {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		if _, err := (&types.Config{Importer: from}).Check("threeway/"+dir, fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, parsed := range files {
			visit(strings.TrimPrefix(fset.Position(parsed.Pos()).Filename, root), parsed, info)
		}
	}
}
