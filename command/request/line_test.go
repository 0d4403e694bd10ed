package request

import (
	"errors"
	"strings"
	"testing"

	"threeway/merge/by/imperative"
)

// notUnderstood are lines that may change anything, or of which something may be read
// otherwise than it looks.
var notUnderstood = []string{
	// what a shell acts on
	"kubectl get pods; kubectl delete ns shop", "kubectl get pods && true", "kubectl get pods || true", "kubectl get pods & true", "kubectl get pods > /etc/passwd", "kubectl get pods < x", "kubectl apply -f <(cat x)",
	"kubectl get $X", "kubectl get ${X}", "kubectl get $(id)", "kubectl get `id`", `kubectl get "$(id)"`, "kubectl get \"`id`\"", "kubectl get po*", "kubectl get po?", "kubectl get [p]o", "kubectl get {po,svc}", "kubectl get ~/x",
	"kubectl get pods # comment", "kubectl get pods\nrm x", "kubectl get pods\rrm x", "kubectl get po\\\nds", "KUBECONFIG=x kubectl get pods", "kubectl get pods !!", `kubectl get "!x"`, "kubectl get ^a", "=kubectl get pods", "kubectl get =ls",
	"(kubectl get pods)", "{ kubectl get pods; }", "kubectl get 'pods", `kubectl get "pods`, "kubectl get pods\\", "kubectl get pods |", "| kubectl get pods", "kubectl get pods |& cat", "kubectl get pods | sh", "", "  ", "\x00", "\xff", "kubectl get \u2028pods",
	// other programs, and other ways to kubectl
	"ls", "sudo kubectl get pods", "/usr/bin/kubectl get pods", "./kubectl get pods", "kubectl.exe get pods", "k get pods", "env kubectl get pods", "exec kubectl get pods", "command kubectl get pods", "time kubectl get pods", "sh -c 'kubectl get pods'",
	"xargs kubectl get", "cat x.yaml | kubectl apply -f -", "kubectl get cm a -o yaml | kubectl apply -f -", "kustomize build . | kubectl delete -f -", "kustomize build . | kubectl apply -f x.yaml", "kustomize build --enable-helm . | kubectl apply -f -",
	"kustomize build https://example.com/x | kubectl apply -f -", "kustomize build . | kubectl apply -f - | cat", "kustomize build .", "helm template . | kubectl apply -f -",
	// commands that are not read-only, and plugins
	"kubectl", "kubectl -n shop", "kubectl exec a -- ls", "kubectl cp a b", "kubectl port-forward a 80", "kubectl proxy", "kubectl run a --image b", "kubectl debug a", "kubectl attach a", "kubectl edit cm a", "kubectl drain a", "kubectl cordon a", "kubectl uncordon a",
	"kubectl taint node a b=c:NoSchedule", "kubectl auth reconcile -f x", "kubectl config set a b", "kubectl config use-context a", "kubectl rollout undo deploy a", "kubectl expose deploy a", "kubectl create deployment a --image b",
	"kubectl create token a", "kubectl certificate approve a", "kubectl set selector svc a b=c", "kubectl set subject rolebinding a --user b", "kubectl apply edit-last-applied cm a", "kubectl apply set-last-applied -f x", "kubectl apply -f x edit-last-applied",
	"kubectl cluster-info dump --output-directory=x", "kubectl neat", "kubectl plugin list", "kubectl alpha", "kubectl kuberc set", "kubectl get-all",
	// flags that choose another cluster or user, start programs, or are not there
	"kubectl get pods --kubeconfig x", "kubectl get pods --kubeconfig=x", "kubectl --kubeconfig x get pods", "kubectl get pods --server https://example.com", "kubectl get pods -s x", "kubectl get pods --token x", "kubectl get pods --as x", "kubectl get pods --cluster x",
	"kubectl get pods --user x", "kubectl get pods --insecure-skip-tls-verify", "kubectl get --raw /x", "kubectl get -f x.yaml", "kubectl get pods --profile-output x", "kubectl get pods --cache-dir x", "kubectl get pods --kuberc x", "kubectl get pods --watch=x", "kubectl get -n",
	"kubectl get pods -o", "kubectl apply -f x --context prod", "kubectl apply -f x --force", "kubectl apply -f x --dry-run", "kubectl apply -f x --dry-run=no", "kubectl apply -f x --dry-run client", "kubectl apply -f x --overwrite=false", "kubectl apply -f x --subresource status",
	"kubectl apply -f x --dry-run=client --dry-run=none --cascade=orphan", "kubectl apply -f https://example.com/x", "kubectl apply -f x,https://example.com/y", "kubectl apply -f -", "kubectl apply -f x,-", "kubectl apply -f x -f -", "kubectl apply -f ''", "kubectl apply", "kubectl apply x.yaml", "kubectl apply -k github.com/a/b",
	"kubectl apply -k https://github.com/a/b", "kubectl apply -n '' -f x", "kubectl delete", "kubectl delete pods", "kubectl delete pods a --cascade=orphan", "kubectl delete pods a --raw x", "kubectl delete pods -A --all", "kubectl delete pods --field-selector a=b",
	"kubectl replace -f x --force", "kubectl patch cm a", "kubectl scale deploy a", "kubectl label cm a", "kubectl label cm a b=c d", "kubectl set env deploy a --from=configmap/b", "kubectl set env deploy a -",
	"helm", "helm uninstall a", "helm install a .", "helm upgrade a example/chart", "helm upgrade a oci://example.com/a", "helm upgrade a . --post-renderer x", "helm plugin install x", "helm repo add a b", "helm rollback a b", "helm --kubeconfig x list", "helm list --kube-context x", "helm template a .", "helm test a", "helm pull x",
}

// TestNotUnderstood: none of the lines is one that changes nothing, and of those that are
// read as a change, no flag is left.
func TestNotUnderstood(t *testing.T) {
	for _, text := range notUnderstood {
		if l, err := lineOf(text); err == nil && (l.command == nil || understood(l)) {
			t.Errorf("%q is understood: %v", text, l)
		}
	}
}

// understood tries what is read only when the objects are looked for.
func understood(l line) bool {
	if l.nothing != "" || l.command.HasFiles() {
		return true
	}
	_, err := l.command.Targets(resources)
	return err == nil
}

var resources = imperative.Resources{Minor: 37}

// TestByHand: what is changed without manifests is asked, with what to do instead, whatever
// its flags are.
func TestByHand(t *testing.T) {
	for _, text := range []string{
		"kubectl scale deploy a -n b --replicas=1", "kubectl -n b --context c patch deploy a --subresource=scale -p x", "kubectl set image deploy/a b=c", "kubectl set sa deploy/a b",
		"kubectl rollout undo sts/a", "kubectl create deployment a --image b", "kubectl edit cm a", "kubectl label ns a b=c --dry-run=none", "kubectl expose deploy a", "kubectl cordon a",
	} {
		var hand *imperative.ByHandError
		if _, err := lineOf(text); !errors.As(err, &hand) || !strings.HasPrefix(hand.Command, "kubectl ") || !strings.HasSuffix(hand.Instead, ", and apply it") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"kubectl create -f a.yaml", "kubectl set", "kubectl rollout status deploy a", "kubectl rollout", "kubectl apply -f a.yaml", "kubectl exec a -- scale", "kubectl --kubeconfig a scale deploy b"} {
		var hand *imperative.ByHandError
		if _, err := lineOf(text); errors.As(err, &hand) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzLine: whatever a shell acts on is not understood, and nothing panics.
func FuzzLine(f *testing.F) {
	for _, line := range append([]string{
		"kubectl get pods -n shop", `kubectl patch deploy a -p '{"spec":{"replicas":1}}'`, `kubectl patch cm a --type json -p '[{"op":"remove","path":"/a"}]'`, `kubectl label po a "b=\"c\""`,
		"kubectl -nshop -vx get 'a'\"b\"", "kubectl get --", "helm status x", "kubectl set env deploy/a -c b C=d E-", "kubectl set resources sts a --limits=cpu=1,memory=2", "kubectl delete -Rfa -n b", "kubectl scale -l a=b deploy,sts --replicas=0",
	}, notUnderstood...) {
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
		if l.command != nil {
			understood(l)
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
