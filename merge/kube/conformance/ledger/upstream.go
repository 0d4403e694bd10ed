package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// function is one of upstream's.
type function struct {
	pkg, name string // name is RECEIVER.NAME for a method
	hash      string // of the normalised text
	text      string // as gofmt prints it, without comments
	file      string // in its module
	decl      *ast.FuncDecl
	imports   map[string]string // of its file: name to path
}

func (f *function) key() string { return f.pkg + " " + f.name }

// module is the module that has the function's file, and the file.
func (f *function) module() (module, file string) {
	return strings.TrimSuffix(f.pkg, "/"+path.Dir(f.file)), f.file
}

// upstream are the sources of one release.
type upstream struct {
	release string // 1.37.2
	dirs    map[string]string
	missing []string                        // modules that have no such version, as of an alpha, which has staging modules only
	parsed  map[string]map[string]*function // by package, all of its functions by name
}

// open finds a release's modules in the module cache, or at the proxy.
func open(release string) (*upstream, error) {
	u := &upstream{release: release, dirs: map[string]string{}, parsed: map[string]map[string]*function{}}
	for _, s := range scope {
		version := "v0" + strings.TrimPrefix(release, "1")
		if s.module == "k8s.io/kubernetes" {
			version = "v" + release
		}
		dir, err := download(s.module + "@" + version)
		if err != nil && strings.Contains(release, "-") {
			u.missing = append(u.missing, strings.TrimPrefix(s.module, "k8s.io/"))
			continue
		}
		if err != nil {
			return nil, err
		}
		u.dirs[s.module] = dir
	}
	return u, nil
}

// has reports whether the release has the module of a function.
func (u *upstream) has(key string) bool {
	return !slices.ContainsFunc(u.missing, func(module string) bool { return strings.HasPrefix(key, module+"/") })
}

func download(module string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var answer struct{ Dir, Zip, Error string }
	_ = json.Unmarshal(out, &answer)          // without an answer there is no Dir
	if answer.Dir == "" && answer.Zip != "" { // it is there, for a newer Go than this one
		return unpacked(module, answer.Zip)
	}
	if answer.Dir == "" {
		return "", fmt.Errorf("downloading %s: %w: %s%s", module, err, answer.Error, &stderr)
	}
	return answer.Dir, nil
}

// unpacked is the folder below the user's cache with what the zip of a module has.
func unpacked(module, name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	root := filepath.Join(cache, "threeway-sources")
	dir := filepath.Join(root, module)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	r, err := zip.OpenReader(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(root, "unpack")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := os.CopyFS(temp, r); err != nil {
		return "", err
	}
	return dir, os.Rename(filepath.Join(temp, module), dir)
}

// functions are those of the scope, by key.
func (u *upstream) functions() (map[string]*function, error) {
	all := map[string]*function{}
	for module, dir := range u.dirs {
		err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			in, err := filepath.Rel(dir, file)
			if err != nil || !inScope(module, in) {
				return err
			}
			for _, f := range u.in(module + "/" + path.Dir(in)) {
				if f.file == in {
					all[f.key()] = f
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// in are the functions of a package, nil if the release has none.
func (u *upstream) in(pkg string) map[string]*function {
	if have, ok := u.parsed[pkg]; ok {
		return have
	}
	u.parsed[pkg] = map[string]*function{}
	for module, dir := range u.dirs {
		rest, ok := strings.CutPrefix(pkg, module+"/")
		if !ok {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(dir, rest, "*.go"))
		for _, file := range files {
			if base := filepath.Base(file); !strings.HasSuffix(base, "_test.go") && !strings.HasSuffix(base, ".pb.go") && !strings.HasPrefix(base, "zz_generated") {
				u.read(pkg, rest, file)
			}
		}
	}
	return u.parsed[pkg]
}

func (u *upstream) read(pkg, rest, name string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return // testdata that is no Go
	}
	imports := map[string]string{}
	for _, im := range file.Imports {
		target := strings.Trim(im.Path.Value, `"`)
		alias := path.Base(target)
		if im.Name != nil {
			alias = im.Name.Name
		}
		imports[alias] = target
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "init" {
			continue
		}
		var text bytes.Buffer
		if err := printer.Fprint(&text, fset, fn); err != nil {
			continue
		}
		f := &function{pkg: pkg, name: receiver(fn) + fn.Name.Name, text: text.String(), file: path.Join(rest, filepath.Base(name)), decl: fn, imports: imports}
		f.hash = normalized(f.text)
		u.parsed[pkg][f.name] = f
	}
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			return x.Name + "."
		}
		return ""
	}
}

var (
	// marks say which checks are declared too; they change no answer.
	marks  = regexp.MustCompile(`\.(MarkCoveredByDeclarative|MarkDeclarativeOnly|MarkAlpha|MarkBeta|MarkFromImperative|WithOrigin)\([^()]*\)`)
	points = regexp.MustCompile(`\bptr\.To(\[[\w.]+\])?\(`)
	spaces = regexp.MustCompile(`\s+`)
)

// normalized is a short hash of a function's text without what changes no answer.
func normalized(text string) string {
	text = spaces.ReplaceAllString(points.ReplaceAllString(marks.ReplaceAllString(text, ""), "new("), "")
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:6]
}

// reached are the functions that roots call, directly or not, as far as names tell: a
// method may be any of its package with the name.
func (u *upstream) reached(roots []*function) map[string]*function {
	seen := map[string]*function{}
	for len(roots) > 0 {
		f := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if seen[f.key()] != nil {
			continue
		}
		seen[f.key()] = f
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if from, ok := n.X.(*ast.Ident); ok && f.imports[from.Name] != "" {
					if callee := u.in(f.imports[from.Name])[n.Sel.Name]; callee != nil {
						roots = append(roots, callee)
					}
					return false
				}
				for name, callee := range u.in(f.pkg) {
					if strings.HasSuffix(name, "."+n.Sel.Name) {
						roots = append(roots, callee)
					}
				}
			case *ast.Ident:
				if callee := u.in(f.pkg)[n.Name]; callee != nil {
					roots = append(roots, callee)
				}
			}
			return true
		})
	}
	return seen
}
