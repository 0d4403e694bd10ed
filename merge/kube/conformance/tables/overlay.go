package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// upstream is a package to be instrumented.
type upstream struct {
	Dir, Name string
	GoFiles   []string
	Module    struct{ Path, Version, Dir string }
	// Repository is the folder that stands for Kubernetes' own.
	Repository string `json:"-"`
}

// find locates the package in the module cache. The go command replaces no file
// there, so its module is copied, and a copy of our go.mod says so; find
// returns the path of that one as well.
func find(pkg, dir string) (p upstream, modfile string, err error) {
	list, err := exec.Command("go", "list", "-json=Dir,Name,GoFiles,Module", pkg).Output()
	if err != nil {
		return p, "", fmt.Errorf("go list: %w", err)
	}
	if err := json.Unmarshal(list, &p); err != nil {
		return p, "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return p, "", err
	}
	// In one place, so that the go command need not compile it for every run, and
	// as deep as in the repository of Kubernetes, of which some tests read files.
	repository := filepath.Join(cache, "threeway-tables", p.Module.Path+"@"+p.Module.Version)
	copied := filepath.Join(repository, "staging", "src", p.Module.Path)
	if _, err := os.Stat(copied); err != nil {
		if err := copyModule(copied, p.Module.Dir); err != nil {
			return p, "", err
		}
	}
	p.Repository = repository
	p.Dir = copied + strings.TrimPrefix(p.Dir, p.Module.Dir)
	modfile = filepath.Join(dir, "go.mod")
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(file)
		if err != nil {
			return p, "", err
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			return p, "", err
		}
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "threeway").Output()
	if err != nil {
		return p, "", err
	}
	edit := exec.Command("go", "mod", "edit", "-replace="+p.Module.Path+"="+copied, "-replace=threeway="+strings.TrimSpace(string(root)), modfile)
	if out, err := edit.CombinedOutput(); err != nil {
		return p, "", fmt.Errorf("go mod edit: %w: %s", err, out)
	}
	return p, modfile, nil
}

// published puts the OpenAPI documents of Kubernetes where its tests look for
// them; the packages are of its module k8s.io/kubernetes, v1.36.3 for v0.36.3.
func (p upstream) published() error {
	to := filepath.Join(p.Repository, "api")
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	version := "v1" + strings.TrimPrefix(p.Module.Version, "v0")
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+version).Output()
	if err != nil {
		return fmt.Errorf("go mod download: %w: %s", err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(module.Dir, "api"), to)
}

// copyModule copies a module, all or nothing.
func copyModule(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	half, err := os.MkdirTemp(filepath.Dir(to), "copy")
	if err != nil {
		return err
	}
	if err := os.CopyFS(half, os.DirFS(from)); err != nil {
		return err
	}
	return os.Rename(half, to)
}

// overlay writes what the go command's -overlay needs to see the package with
// recorders in it, and returns the path of that file.
func (h Harvest) overlay(p upstream, dir string) (string, error) {
	source, name, files := p.Dir, p.Name, p.GoFiles
	replace := map[string]string{}
	missing := slices.Clone(h.Functions)
	for _, file := range files {
		text, found, err := h.instrument(filepath.Join(source, file))
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			continue
		}
		missing = slices.DeleteFunc(missing, func(f string) bool { return slices.Contains(found, f) })
		replace[filepath.Join(source, file)] = filepath.Join(dir, file)
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			return "", err
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("no function %s", strings.Join(missing, ", "))
	}
	const recorder = "threeway_recorder.go"
	replace[filepath.Join(source, recorder)] = filepath.Join(dir, recorder)
	text := fmt.Sprintf(recorderSource, name, h.Imports, h.Encode, h.Helpers)
	if err := os.WriteFile(filepath.Join(dir, recorder), []byte(text), 0o600); err != nil {
		return "", err
	}
	config, err := json.Marshal(map[string]interface{}{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, config, 0o600)
}

// instrument renames the functions that a file declares, and adds functions of
// their names that record the arguments and call them. It returns the new text
// and the names.
func (h Harvest) instrument(file string) ([]byte, []string, error) {
	const renamed = "OfUpstream"
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	var found []string
	var added bytes.Buffer
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !slices.Contains(h.Functions, named(f)) {
			continue
		}
		found = append(found, named(f))
		wrapper, err := recording(fset, f, renamed)
		if err != nil {
			return nil, nil, err
		}
		added.WriteString(wrapper)
		f.Name.Name += renamed
	}
	var text bytes.Buffer
	if err := printer.Fprint(&text, fset, parsed); err != nil {
		return nil, nil, err
	}
	text.Write(added.Bytes())
	return text.Bytes(), found, nil
}

// named is the name of a function, or of a method with its type: Validator.Validate.
func named(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	typ := f.Recv.List[0].Type
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ = pointer.X
	}
	name, _ := typ.(*ast.Ident)
	return fmt.Sprint(name) + "." + f.Name.Name
}

// recording is the source of a function that records its arguments, passes them
// on, and records the results. The function has no type parameters and names all
// its parameters; one that is called _ is called threewayN.
func recording(fset *token.FileSet, f *ast.FuncDecl, renamed string) (string, error) {
	var args, passed, results []string
	for _, p := range f.Type.Params.List {
		_, variadic := p.Type.(*ast.Ellipsis)
		for i, n := range p.Names {
			if n.Name == "_" {
				n = ast.NewIdent(fmt.Sprintf("threeway%d", len(args)))
				p.Names[i] = n
			}
			args = append(args, n.Name)
			if variadic {
				passed = append(passed, n.Name+"...")
			} else {
				passed = append(passed, n.Name)
			}
		}
	}
	if f.Type.Results != nil {
		for _, r := range f.Type.Results.List {
			for range max(1, len(r.Names)) {
				results = append(results, fmt.Sprintf("threewayResult%d", len(results)))
			}
		}
	}
	var typ bytes.Buffer
	if err := printer.Fprint(&typ, fset, f.Type); err != nil {
		return "", err
	}
	receiver, on, recorded := "", "", "nil"
	if f.Recv != nil {
		var text bytes.Buffer
		if err := printer.Fprint(&text, fset, f.Recv.List[0].Type); err != nil {
			return "", err
		}
		on = f.Recv.List[0].Names[0].Name
		recorded = on
		receiver, on = "("+on+" "+text.String()+") ", on+"."
	}
	signature := strings.Replace(typ.String(), "func", "func "+receiver+f.Name.Name, 1)
	call := fmt.Sprintf("%s%s%s(%s)", on, f.Name.Name, renamed, strings.Join(passed, ", "))
	all := strings.Join(results, ", ")
	if len(results) > 0 {
		call = all + " := " + call
	}
	return fmt.Sprintf("\n%s {\n\tthreewayEnd := threewayBegin(%q, %s)\n\t%s\n\tthreewayEnd(%s)\n\treturn %s\n}\n",
		signature, f.Name.Name, strings.Join(append([]string{recorded}, args...), ", "), call, all, all), nil
}

// recorderSource goes into the package; a call that other recorded functions
// make is not one of the tests.
const recorderSource = `package %s

import (
	threewayjson "encoding/json"
	threewayos "os"
	threewayruntime "runtime"
	threewaystrings "strings"
	threewaysync "sync"
	%s
)

var threewayLock threewaysync.Mutex

// threewayBegin records the arguments, as they are before the call, and returns
// what records the results.
func threewayBegin(function string, on interface{}, args ...interface{}) func(results ...interface{}) {
	call := map[string]interface{}{"Func": function, "Test": "Test", "On": threewayList([]interface{}{on})[0], "Args": threewayList(args)}
	pcs := make([]uintptr, 64)
	frames := threewayruntime.CallersFrames(pcs[:threewayruntime.Callers(3, pcs)])
	for more := true; more; {
		var frame threewayruntime.Frame
		frame, more = frames.Next()
		name := frame.Function[threewaystrings.LastIndex(frame.Function, "/")+1:]
		name = name[threewaystrings.Index(name, ".")+1:]
		if i := threewaystrings.Index(name, ".func"); i >= 0 {
			name = name[:i]
		}
		if threewaystrings.HasSuffix(name, "OfUpstream") {
			return func(...interface{}) {}
		}
		if threewaystrings.HasPrefix(name, "Test") || threewaystrings.HasPrefix(name, "Fuzz") {
			call["Test"] = name // the outermost: helpers may be called so too
		}
	}
	return func(results ...interface{}) {
		call["Results"] = threewayList(results)
		text, err := threewayjson.Marshal(call)
		if err != nil {
			return
		}
		threewayLock.Lock()
		defer threewayLock.Unlock()
		file, err := threewayos.OpenFile(threewayos.Getenv("` + recordTo + `"), threewayos.O_CREATE|threewayos.O_APPEND|threewayos.O_WRONLY, 0o600)
		if err != nil {
			return
		}
		defer file.Close()
		file.Write(append(text, '\n'))
	}
}

func threewayList(values []interface{}) []threewayjson.RawMessage {
	list := []threewayjson.RawMessage{}
	for _, v := range values {
		text, err := threewayjson.Marshal(threewayData(v))
		if err != nil {
			text = []byte("null")
		}
		list = append(list, text)
	}
	return list
}

// threewayData is nil of what is not data, or not as it should be.
func threewayData(v interface{}) (data interface{}) {
	defer func() { _ = recover() }()
	switch v := v.(type) {
	%s
	case map[string]interface{}, []interface{}, string, bool, int64, float64, nil:
		return v
	case error:
		return threewayError(v)
	}
	return nil
}

// threewayError is the text of an error, nil if it is a nil pointer.
func threewayError(err error) (text interface{}) {
	defer func() { _ = recover() }()
	return err.Error()
}

%s
`
