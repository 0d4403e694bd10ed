//go:build unix

package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"threeway/command/system"
)

// widget is a definition whose rules are given; one is a custom resource of it.
const (
	widget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer}
              image: {type: string, maxLength: 200}
              ports: {type: array, maxItems: 20, items: {type: object, properties: {name: {type: string, maxLength: 63}, port: {type: integer}}}}
            x-kubernetes-validations: [%s]
`
	one = `apiVersion: example.com/v1
kind: Widget
metadata: {name: w%d, namespace: default}
spec: {replicas: 3, image: "registry.example.com/app:v%[1]d", ports: [{name: http, port: 80}, {name: https, port: 443}, {name: metrics, port: 9090}]}
---
`
	policyOf = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p%d}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [example.com], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [widgets]}]}
  validations: [{expression: "%s", message: is not so}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p%[1]d}
spec: {policyName: p%[1]d, validationActions: [Deny]}
`
)

// asked are expressions of usual kinds about %s, all true; %d makes each another.
var asked = []string{
	"%[1]s.replicas >= 1 && %[1]s.replicas <= 100%[2]d",
	"!has(%[1]s.image) || %[1]s.image.startsWith('registry.example.com/') && !%[1]s.image.endsWith(':latest%[2]d')",
	"%[1]s.ports.all(p, p.port > 0 && p.port < 65536 + %[2]d)",
	"%[1]s.ports.exists_one(p, p.name == 'http') || %[1]s.replicas == %[2]d",
	"size(%[1]s.image.split('/')) == 2 && %[1]s.image.matches('^[a-z./]+:v[0-9]+$') || %[2]d < 0",
}

// BenchmarkExpressions rehearses 2,000 custom resources under 20 expressions each: the
// rules of their definition, policies, or rules of one's own. cpu-ms is what both cores
// spend.
//
//	go test ./command -run XXX -bench Expressions -benchtime 10x
func BenchmarkExpressions(b *testing.B) {
	const resources, each = 2000, 20
	var rules, policies []string
	for i := range each {
		text := asked[i%len(asked)]
		rules = append(rules, fmt.Sprintf(`{rule: "%s", message: is not so}`, fmt.Sprintf(text, "self", i)))
		policies = append(policies, fmt.Sprintf(policyOf, i, fmt.Sprintf(text, "object.spec", i)))
	}
	var set strings.Builder
	for i := range resources {
		fmt.Fprintf(&set, one, i)
	}
	const namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n"
	for _, c := range []struct{ name, command, live, settings string }{
		{"none", "diff", fmt.Sprintf(widget, "") + namespace, "version: 1\n"},
		{"rules", "diff", fmt.Sprintf(widget, strings.Join(rules, ", ")) + namespace, "version: 1\n"},
		{"policies", "diff", fmt.Sprintf(widget, "") + namespace + strings.Join(policies, ""), "version: 1\n"},
		{"own", "lint", fmt.Sprintf(widget, "") + namespace, "version: 1\npolicies: [own.yaml]\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			for name, text := range map[string]string{"set.yaml": set.String(), "live.yaml": c.live, "settings.yaml": c.settings, "own.yaml": strings.TrimPrefix(strings.Join(policies, ""), "---\n")} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			args := []string{"threeway", c.command, "-c", filepath.Join(dir, "settings.yaml"), "-f", filepath.Join(dir, "set.yaml"), "--live", filepath.Join(dir, "live.yaml"), "--no-fail"}
			before := cpu(b)
			for b.Loop() {
				var said bytes.Buffer
				if code := Run(context.Background(), args, &bytes.Buffer{}, io.Discard, &said); code != system.ExitOK || strings.Contains(said.String(), "is not so") {
					b.Fatalf("exit code %d: %.2000s", code, &said)
				}
			}
			b.ReportMetric(float64((cpu(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}

// cpu is what the process has spent.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
