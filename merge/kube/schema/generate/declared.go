package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// firstDeclared is the first minor whose servers answer with declared checks in place
// of handwritten ones.
const firstDeclared = 37

// validations is the generated validation of a package of types.
type validations struct {
	in      string // "resource/v1"
	imports map[string]string
	funcs   map[string]*ast.FuncDecl
	vars    map[string]ast.Expr
	on      map[string]bool // feature gates
	release *release
}

var stable = regexp.MustCompile(`/v\d+$`)

// addDeclared adds the checks that upstream's tags declare, of stable types, by
// release: what its generator has made of the tags says their order too.
func addDeclared(releases []*release, entries map[string]*strings.Builder) error {
	for _, r := range releases {
		if r.minor < firstDeclared {
			continue
		}
		files, err := filepath.Glob(r.dirs["k8s.io/kubernetes"] + "/pkg/apis/*/v*/zz_generated.validations.go")
		if err != nil {
			return err
		}
		on, err := r.gates()
		if err != nil {
			return err
		}
		all := checks{}
		for _, file := range files {
			if !stable.MatchString(path.Dir(file)) {
				continue
			}
			if err := r.declaredIn(file, on, all); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		text, err := json.Marshal(all.said())
		if err != nil {
			return err
		}
		w := &strings.Builder{}
		w.Write(text)
		entries[fmt.Sprint("declared/", r.minor)] = w
	}
	return nil
}

// declaredIn reads the functions of a file.
func (r *release) declaredIn(file string, on map[string]bool, all checks) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	dir := path.Dir(file)
	v := &validations{in: path.Base(path.Dir(dir)) + "/" + path.Base(dir), imports: map[string]string{}, vars: map[string]ast.Expr{}, on: on, release: r}
	for _, im := range parsed.Imports {
		target, _ := strconv.Unquote(im.Path.Value)
		alias := path.Base(target)
		if im.Name != nil {
			alias = im.Name.Name
		}
		v.imports[alias] = target
	}
	for _, d := range parsed.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			spec := g.Specs[0].(*ast.ValueSpec)
			v.vars[spec.Names[0].Name] = spec.Values[0]
		}
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name, ok := strings.CutPrefix(f.Name.Name, "Validate_")
		if !ok {
			continue
		}
		steps, err := v.block(f.Body.List)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name.Name, err)
		}
		all[v.in+"."+name] = steps
	}
	return nil
}

// block reads the statements of a function.
func (v *validations) block(list []ast.Stmt) (steps []step, err error) {
	for _, s := range list {
		var next *step
		switch s := s.(type) {
		case *ast.BlockStmt:
			next, err = v.field(s)
		case *ast.IfStmt:
			next, err = v.condition(s)
		case *ast.ExprStmt: // a cohort: func() {…}()
			next = &step{}
			next.Steps, err = v.block(s.X.(*ast.CallExpr).Fun.(*ast.FuncLit).Body.List)
		case *ast.AssignStmt:
			next, err = v.assigned(s)
		case *ast.ReturnStmt:
			if len(s.Results) == 1 {
				if call, ok := s.Results[0].(*ast.CallExpr); ok {
					next, err = v.call(call)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		if next != nil {
			steps = append(steps, *next)
		}
	}
	return steps, nil
}

// field reads { fn := …; oldVal := …; errs = append(errs, fn(fldPath.Child("name"), …)...) }.
func (v *validations) field(s *ast.BlockStmt) (*step, error) {
	body := s.List[0].(*ast.AssignStmt).Rhs[0].(*ast.FuncLit).Body.List
	call := s.List[len(s.List)-1].(*ast.AssignStmt).Rhs[0].(*ast.CallExpr).Args[1].(*ast.CallExpr)
	at, ok := call.Args[0].(*ast.CallExpr)
	if !ok {
		return nil, fmt.Errorf("a field without a name of its own")
	}
	steps, err := v.block(body)
	return &step{Field: text(at.Args[0]), Steps: steps}, err
}

// condition reads the if around a check, or the end of what is checked first.
func (v *validations) condition(s *ast.IfStmt) (*step, error) {
	if s.Init == nil {
		if id, ok := s.Cond.(*ast.Ident); ok && id.Name == "earlyReturn" {
			return &step{Stop: true}, nil
		}
		return nil, nil // unchanged values are not looked at: so it is with every field
	}
	next, err := v.call(s.Init.(*ast.AssignStmt).Rhs[0].(*ast.CallExpr))
	if next == nil || err != nil {
		return nil, err
	}
	next.Quiet = true
	for _, b := range s.Body.List {
		switch b := b.(*ast.AssignStmt); b.Lhs[0].(*ast.Ident).Name {
		case "errs":
			next.Quiet = false
		case "earlyReturn":
			next.First = true
		}
	}
	return next, nil
}

// assigned reads errs = append(errs, CALL...).
func (v *validations) assigned(s *ast.AssignStmt) (*step, error) {
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil, nil
	}
	return v.call(call.Args[1].(*ast.CallExpr))
}

// call reads the call of a check, with what it is marked as.
func (v *validations) call(c *ast.CallExpr) (*step, error) {
	stage := ""
	for {
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || !strings.HasPrefix(sel.Sel.Name, "Mark") {
			break
		}
		switch sel.Sel.Name {
		case "MarkAlpha":
			stage = alpha
		case "MarkBeta":
			stage = beta
		}
		c = sel.X.(*ast.CallExpr)
	}
	next, err := v.check(c.Fun, c.Args[min(len(c.Args), 5):], stage)
	if next != nil {
		next.Stage = stage
	}
	return next, err
}

// check reads a check by its function and the arguments besides the value.
func (v *validations) check(fun ast.Expr, args []ast.Expr, stage string) (*step, error) {
	if lit, ok := fun.(*ast.FuncLit); ok {
		steps, err := v.block(lit.Body.List)
		return &step{Steps: steps}, err
	}
	in, name := "", ""
	switch fun := fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		in, name = v.imports[fun.X.(*ast.Ident).Name], fun.Sel.Name
	case *ast.IndexExpr: // with the type's name
		return v.check(fun.X, args, stage)
	}
	if of, ok := strings.CutPrefix(name, "Validate_"); ok {
		if in == "" {
			return &step{Type: v.in + "." + of}, nil
		}
		return &step{Type: strings.TrimPrefix(in, "k8s.io/kubernetes/pkg/apis/") + "." + of}, nil
	}
	if slices.Contains(unreached, name) {
		return nil, nil
	}
	next := &step{Check: name}
	err := v.arguments(next, args)
	if name == "IfOption" {
		// Options are gates, of which the default is known.
		if next.Number < 0 {
			return nil, err
		}
		return &step{Steps: next.Steps}, err
	}
	if err != nil && stage == alpha {
		return nil, nil // which reports nothing, whatever it is
	}
	return next, err
}

// arguments reads those of a check: numbers, names, what makes two items the same, and
// checks of items.
func (v *validations) arguments(to *step, args []ast.Expr) error {
	if !slices.Contains(known, to.Check) {
		return fmt.Errorf("check %s is unknown: write it in merge/kube/internal/validation/declared_checks.go", to.Check)
	}
	matched := false
	for _, a := range args {
		switch a := a.(type) {
		case *ast.BasicLit:
			if a.Kind == token.STRING {
				to.Names = append(to.Names, text(a))
			} else {
				to.Number, _ = strconv.ParseInt(a.Value, 10, 64)
			}
		case *ast.UnaryExpr:
			n, _ := strconv.ParseInt(a.X.(*ast.BasicLit).Value, 10, 64)
			to.Number = -n
		case *ast.Ident:
			switch {
			case a.Name == "true" || a.Name == "false":
				to.Number = -1
				if v.on[to.Names[0]] == (a.Name == "true") {
					to.Number = 1
				}
			case a.Name == "nil":
			case strings.HasPrefix(a.Name, "Validate_"):
				of, _ := v.check(a, nil, "")
				to.Steps = []step{*of}
			case v.vars[a.Name] != nil:
				names, err := v.names(v.vars[a.Name])
				if err != nil {
					return err
				}
				to.Names = names
			default:
				return fmt.Errorf("%s: argument %s", to.Check, a.Name)
			}
		case *ast.SelectorExpr:
			switch name := a.Sel.Name; name {
			case "DirectEqual", "SemanticDeepEqual":
				if !matched && slices.Contains(matching, to.Check) {
					to.Whole = true
				} else {
					to.Equal = true
				}
			case "NoSet", "NoUnset", "NoModify", "NoAddItem", "NoRemoveItem":
				to.Names = append(to.Names, name)
			default:
				of, err := v.check(a, nil, "")
				if err != nil {
					return err
				}
				to.Steps = []step{*of}
			}
		case *ast.CallExpr: // resource.MustParse("0")
			to.Names = append(to.Names, text(a.Args[0]))
		case *ast.FuncLit:
			if err := v.function(to, a); err != nil {
				return err
			}
		case *ast.CompositeLit:
			for _, e := range a.Elts {
				next := rule{}
				for _, kv := range e.(*ast.CompositeLit).Elts {
					kv := kv.(*ast.KeyValueExpr)
					if kv.Key.(*ast.Ident).Name == "Value" {
						next.Value = text(kv.Value)
						continue
					}
					of, err := v.check(kv.Value, nil, "")
					if err != nil {
						return err
					}
					next.Steps = []step{*of}
				}
				to.Rules = append(to.Rules, next)
			}
		default:
			return fmt.Errorf("%s: argument %T", to.Check, a)
		}
		matched = true
	}
	return nil
}

// function reads a function among the arguments: a check of items; else what it says
// of fields, whose Go names it has.
func (v *validations) function(to *step, f *ast.FuncLit) error {
	if r := f.Type.Results; r != nil {
		if sel, ok := r.List[0].Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "ErrorList" {
			steps, err := v.block(f.Body.List)
			to.Steps = append(to.Steps, steps...)
			return err
		}
	}
	var fields []string
	seen := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && !seen[sel.Sel.Name] {
			seen[sel.Sel.Name] = true
			fields = append(fields, sel.Sel.Name)
		}
		return !ok
	})
	to.Fields = append(to.Fields, fields...)
	return nil
}

// names are the texts in a variable: members of a union, values of an enumeration,
// which are constants of the types.
func (v *validations) names(e ast.Expr) (names []string, err error) {
	for _, a := range e.(*ast.CallExpr).Args {
		switch a := a.(type) {
		case *ast.CallExpr: // NewUnionMember("name"), NewDiscriminatedUnionMember("name", "value")
			for _, arg := range a.Args {
				names = append(names, text(arg))
			}
		case *ast.BasicLit:
			names = append(names, text(a))
		case *ast.SelectorExpr:
			value, err := v.release.constant(v.imports[a.X.(*ast.Ident).Name], a.Sel.Name)
			if err != nil {
				return nil, err
			}
			names = append(names, value)
		}
	}
	return names, nil
}

func text(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return lit.Value
	}
	return s
}
