// Package sources lists what Kubernetes warns of, from its source: every text that
// a strategy, an admission plugin, a handler of the API server or kubectl's apply
// and diff can send as a warning. fixtures/warnings.md has the list.
package sources

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Source is a text, as a format, and the file that has it.
type Source struct{ Text, File string }

// upstream is the source of a release: its functions by import path and name,
// and what its constants and variables are.
type upstream struct {
	functions map[string][]*function
	values    map[string]ast.Expr
	found     map[Source]bool
	queue     []*function
	queued    map[*function]bool
}

type function struct {
	*ast.FuncDecl
	pkg, file string
	imports   map[string]string // by the name in the file
}

// further are functions that warn otherwise than by calling AddWarning and than
// by a strategy, by their import path and name.
var further = []string{
	"k8s.io/apiextensions-apiserver/pkg/apiserver.defaultDeprecationWarning",
	"k8s.io/pod-security-admission/admission.EvaluatePod",
	"k8s.io/pod-security-admission/admission.EvaluatePodsInNamespace",
	"k8s.io/pod-security-admission/admission.decoratePodWarnings",
	"k8s.io/pod-security-admission/admission.exemptNamespaceWarning",
}

// Foreign are the texts that are not Kubernetes' own, and the file that sends them.
var Foreign = []Source{
	{`unknown field %q`, "apiserver/pkg/endpoints/handlers/rest.go"},
	{`duplicate field %q`, "apiserver/pkg/endpoints/handlers/rest.go"},
	{`tls: %s`, "pkg/registry/core/secret/strategy.go"},
	{`(deprecationWarning of a version)`, "apiextensions-apiserver/pkg/apiserver/customresource_handler.go"},
	{`(the field that a rule would reject, had it changed)`, "apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go"},
	{`(warnings of a webhook)`, "apiserver/pkg/admission/plugin/webhook/validating/dispatcher.go"},
	{`(warnings of a webhook)`, "apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go"},
}

// modules are where warnings of apply and diff come from, with the folders to read.
var modules = map[string][]string{
	"k8s.io/kubernetes":              {"pkg", "plugin"},
	"k8s.io/apiserver":               {"pkg"},
	"k8s.io/apiextensions-apiserver": {"pkg"},
	"k8s.io/apimachinery":            {"pkg"},
	"k8s.io/kube-aggregator":         {"pkg"},
	"k8s.io/pod-security-admission":  {"admission"},
	"k8s.io/kubectl":                 {"pkg/cmd/apply", "pkg/cmd/diff", "pkg/util/prune"},
}

// Read lists the sources of a release; dirs has the folder of each module.
func Read(dirs map[string]string) ([]Source, error) {
	u := &upstream{functions: map[string][]*function{}, values: map[string]ast.Expr{}, found: map[Source]bool{}, queued: map[*function]bool{}}
	for module, dir := range dirs {
		for _, folder := range modules[module] {
			if err := u.load(filepath.Join(dir, folder), path.Join(module, folder)); err != nil {
				return nil, err
			}
		}
	}
	u.start()
	for len(u.queue) > 0 {
		f := u.queue[0]
		u.queue = u.queue[1:]
		u.read(f, f.Body)
	}
	var list []Source
	for s := range u.found {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.File+"\x00"+a.Text, b.File+"\x00"+b.Text) })
	return list, nil
}

func (u *upstream) load(root, importPath string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || d.Name() == "testing" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(d.Name(), "zz_") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		u.declare(file, path.Join(importPath, filepath.ToSlash(rel)))
		return err
	})
}

func (u *upstream) declare(file *ast.File, name string) {
	pkg, imports := path.Dir(name), map[string]string{}
	for _, i := range file.Imports {
		importPath, _ := strconv.Unquote(i.Path.Value)
		as := path.Base(importPath)
		if i.Name != nil {
			as = i.Name.Name
		}
		imports[as] = importPath
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				key := pkg + "." + d.Name.Name
				u.functions[key] = append(u.functions[key], &function{d, pkg, name, imports})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
					for i, n := range v.Names {
						u.values[pkg+"."+n.Name] = v.Values[i]
					}
				}
			}
		}
	}
}

// start finds where warnings are sent.
func (u *upstream) start() {
	for key, list := range u.functions {
		for _, f := range list {
			if strings.HasPrefix(f.Name.Name, "WarningsOn") || slices.Contains(further, key) {
				u.follow(f)
			} else {
				u.sent(f)
			}
		}
	}
}

// sent reads the arguments of the calls with which f sends a warning: AddWarning in
// the server, and what kubectl writes to its stderr.
func (u *upstream) sent(f *function) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := sel.Sel.Name
		if !strings.HasPrefix(name, "AddWarning") && (!strings.HasPrefix(f.pkg, "k8s.io/kubectl") || name != "Fprintf" && !strings.HasPrefix(name, "Warning")) {
			return true
		}
		for _, arg := range call.Args {
			u.read(f, arg)
			if id, ok := arg.(*ast.Ident); ok {
				u.assigned(f, id.Name)
			}
			if inner, ok := arg.(*ast.CallExpr); ok && len(inner.Args) > 0 {
				if id, ok := inner.Args[0].(*ast.Ident); ok {
					u.assigned(f, id.Name) // the format
				}
			}
		}
		return true
	})
}

// assigned reads what a function assigns to a variable.
func (u *upstream) assigned(f *function, variable string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, left := range a.Lhs {
				if id, ok := left.(*ast.Ident); ok && id.Name == variable {
					u.read(f, a.Rhs[i])
				}
			}
		}
		return true
	})
}

// read takes the texts below a node, and follows the functions that return texts.
func (u *upstream) read(f *function, node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return u.call(f, n)
		case *ast.BasicLit:
			u.take(f.file, n)
		case *ast.Ident:
			if v := u.values[f.pkg+"."+n.Name]; v != nil {
				ast.Inspect(v, func(n ast.Node) bool {
					if literal, ok := n.(*ast.BasicLit); ok {
						u.take(f.file, literal)
					}
					return true
				})
			}
		}
		return true
	})
}

// logged are the names of functions whose texts end in a log or in an error.
var logged = regexp.MustCompile("^(Errorf?|ErrorS|Info.*|Fatalf|HandleError.*)$")

// call follows a call; it reports whether the arguments are texts as well.
func (u *upstream) call(f *function, call *ast.CallExpr) bool {
	switch to := call.Fun.(type) {
	case *ast.Ident:
		for _, g := range u.functions[f.pkg+"."+to.Name] {
			if g.Recv == nil && returnsText(g) {
				u.follow(g)
			}
		}
	case *ast.SelectorExpr:
		if logged.MatchString(to.Sel.Name) {
			return false
		}
		if id, ok := to.X.(*ast.Ident); ok {
			if id.Name == "errors" || id.Name == "field" {
				return false
			}
			if importPath := f.imports[id.Name]; importPath != "" {
				// What is wrong with a name comes after the text that warns of it.
				if !strings.HasPrefix(to.Sel.Name, "Is") {
					for _, g := range u.functions[importPath+"."+to.Sel.Name] {
						if returnsText(g) {
							u.follow(g)
						}
					}
				}
				return true
			}
		}
		for _, g := range u.functions[f.pkg+"."+to.Sel.Name] {
			if g.Recv != nil && returnsText(g) {
				u.follow(g)
			}
		}
	}
	return true
}

func (u *upstream) follow(f *function) {
	if !u.queued[f] {
		u.queued[f] = true
		u.queue = append(u.queue, f)
	}
}

func returnsText(f *function) bool {
	if f.Type.Results == nil {
		return false
	}
	for _, r := range f.Type.Results.List {
		t := r.Type
		if list, ok := t.(*ast.ArrayType); ok {
			t = list.Elt
		}
		if id, ok := t.(*ast.Ident); ok && id.Name == "string" {
			return true
		}
	}
	return false
}

var verb = regexp.MustCompile(`%[-+#]*(\[\d+\])?[a-z]`)

// take keeps a literal that has words.
func (u *upstream) take(file string, literal *ast.BasicLit) {
	text, err := strconv.Unquote(literal.Value)
	if err != nil || literal.Kind != token.STRING {
		return
	}
	if text = strings.TrimSpace(text); len(strings.Fields(verb.ReplaceAllString(text, ""))) > 1 {
		u.found[Source{text, strings.TrimPrefix(strings.TrimPrefix(file, "k8s.io/kubernetes/"), "k8s.io/")}] = true
	}
}
