package docs_test

import (
	"go/ast"
	"testing"
)

// ownMarkdown are the files whose Markdown is that of our rules.
var ownMarkdown = map[string]bool{"lint/report/page.go": true}

// TestMarkdownIsMade: outside of merge/text/markdown nothing but a constant becomes
// a markdown.Text by conversion. So the compiler keeps a value out of Markdown,
// unless a function escapes it.
func TestMarkdownIsMade(t *testing.T) {
	eachSource(t, func(file string, parsed *ast.File) {
		ast.Inspect(parsed, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if ok && s.Sel.Name == "Ours" && isPackage(s.X, "markdown") && !ownMarkdown[file] {
				t.Errorf("%s: markdown.Ours is for the words of our rules", fset.Position(n.Pos()))
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok = call.Fun.(*ast.SelectorExpr)
			if ok && s.Sel.Name == "Text" && isPackage(s.X, "markdown") && !constant(call.Args[0]) {
				t.Errorf("%s: markdown.Text of a value; use markdown.Escape, Code, HTML or Fenced", fset.Position(n.Pos()))
			}
			return true
		})
	})
}

func isPackage(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Ident)
	return ok && x.Name == name
}
