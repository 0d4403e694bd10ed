package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// starter is the one file that starts programs.
const starter = "command/system/program.go"

// begins is a literal that begins or goes on with a command line.
var begins = regexp.MustCompile(`(^|[ (|'` + "`" + `])(kubectl|helm|git|kustomize|argocd|flux|sops|threeway) [a-z-]+( [^.;:]*)?$`)

// prose are texts in which the name of a program is no command line.
var prose = regexp.MustCompile(`(kubectl|helm|git|flux|kustomize) (owns|takes|kept|apply should|rejects|refuses|applies|does|treats|drops|requires|visits|deletes|would|reads|is|has|version in|prints|knows|cannot|and|puts|revision)\b|threeway (has|config schema >|snapshot) `)

// TestProgramsStartInOnePlace: nothing else of the program imports os/exec, or
// starts a process by os or syscall.
func TestProgramsStartInOnePlace(t *testing.T) {
	eachSource(t, func(file string, parsed *ast.File) {
		if file == starter {
			return
		}
		for _, i := range parsed.Imports {
			if i.Path.Value == `"os/exec"` {
				t.Errorf("%s imports os/exec; start programs by system.Program", file)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && (x.Name == "os" && s.Sel.Name == "StartProcess" || x.Name == "syscall" && (s.Sel.Name == "Exec" || s.Sel.Name == "ForkExec")) {
					t.Errorf("%s: %s.%s; start programs by system.Program", fset.Position(n.Pos()), x.Name, s.Sel.Name)
				}
			}
			return true
		})
	})
}

// TestCommandLinesAreMade: no text of the program puts a value behind the words
// of a command; shell.Line does. Neither by + nor by a verb of fmt.
func TestCommandLinesAreMade(t *testing.T) {
	eachSource(t, func(file string, parsed *ast.File) {
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if text, ok := lastLiteral(n.X); ok && n.Op == token.ADD && !constant(n.Y) && begins.MatchString(text) && !prose.MatchString(text) {
					t.Errorf("%s: %q is followed by a value; make the command line with merge/text/shell", fset.Position(n.Pos()), text)
				}
			case *ast.CallExpr:
				for _, arg := range n.Args {
					text, ok := lastLiteral(arg)
					if !ok {
						continue
					}
					for at := range strings.Split(text, "%") {
						before := strings.Join(strings.SplitN(text, "%", at+2)[:min(at+1, strings.Count(text, "%")+1)], "%")
						rest, found := strings.CutPrefix(text, before+"%")
						if found && rest != "" && strings.ContainsRune("sqvw", rune(rest[0])) && begins.MatchString(before) && !prose.MatchString(before) {
							t.Errorf("%s: %q is followed by a value; make the command line with merge/text/shell", fset.Position(arg.Pos()), before)
						}
					}
				}
			}
			return true
		})
	})
}

// fset has the places of what [eachSource] has parsed.
var fset, sources = token.NewFileSet(), map[string]*ast.File{}

// eachSource parses the sources of the program, once for all tests.
func eachSource(t *testing.T, visit func(file string, parsed *ast.File)) {
	root := repositoryDir(t) + "/"
	for _, line := range goList(t, "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}} {{end}}`, "./...") {
		for _, path := range strings.Fields(line) {
			file := strings.TrimPrefix(path, root)
			if strings.HasPrefix(file, "fixtures/") || strings.HasPrefix(file, "site/") {
				continue
			}
			if sources[path] == nil {
				parsed, err := parser.ParseFile(fset, path, nil, 0)
				if err != nil {
					t.Fatal(err)
				}
				sources[path] = parsed
			}
			visit(file, sources[path])
		}
	}
}

func repositoryDir(t *testing.T) string {
	return goList(t, "-m", "-f", "{{.Dir}}")[0]
}

// lastLiteral is the literal at the end of an expression.
func lastLiteral(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return lastLiteral(e.Y)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text, true
		}
	}
	return "", false
}

// constant reports whether an expression is a literal or looks like a constant
// of ours.
func constant(e ast.Expr) bool {
	_, literal := lastLiteral(e)
	return literal
}
