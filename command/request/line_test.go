package request

import (
	"strings"
	"testing"
)

// FuzzLine: whatever a shell acts on is not understood, and nothing panics.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		"kubectl get pods -n shop", "kubectl apply -f x.yaml; rm x", "kubectl get $(id)", `kubectl patch deploy a -p '{"spec":{"replicas":1}}'`, `kubectl label po a "b=\"c\""`, "kubectl get pods # x",
		"kustomize build a | kubectl apply -f -", "A=b kubectl get pods", "kubectl get po\\ds -A|cat", "kubectl -nshop -vx get 'a'\"b\"", "helm upgrade a b --set c=d", "kubectl get pods >x", "kubectl\nget", "kubectl get --", "helm status x",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := lineOf(text)
		if err != nil {
			return
		}
		if l.nothing == "" && l.flags == nil {
			t.Errorf("%q is understood and means nothing", text)
		}
		if strings.ContainsAny(text, "'\"\\") {
			return // a quoted character may be any
		}
		if strings.ContainsAny(text, "&;<>()$`*?[]{}~#!^\n\r\x00") || strings.Contains(text, "||") {
			t.Errorf("%q is understood", text)
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(text), " "); strings.Contains(first, "=") {
			t.Errorf("%q begins with an assignment", text)
		}
		if n := strings.Count(text, "|"); n > 1 || n == 1 && len(l.flags) == 0 {
			t.Errorf("%q is a pipe that is not understood", text)
		}
	})
}
