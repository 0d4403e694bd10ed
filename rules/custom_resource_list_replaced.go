package rules

import (
	"strings"

	"threeway/lint"
)

var customResourceListReplaced = &lint.Rule{
	ID:    "custom-resource-list-replaced",
	Title: "a custom resource's list loses what only live has",
	Text: "kubectl merges custom resources without knowing their lists, so that a list in the config replaces the live one. Here the live " +
		"list has items that neither the config nor the one applied before has.",
	Why:      "What a controller or a person has added to the list is gone after the apply.",
	Fix:      "Add the item to the config, or use --server-side with a definition that marks the list with x-kubernetes-list-type: map.",
	Bad:      lint.Example{Applied: crontabDefinition, Live: liveCrontab, Config: crontab + "  commands: [backup, report]\n"},
	Good:     lint.Example{Applied: crontabDefinition, Live: liveCrontab, Config: crontab + "  commands: [backup, report, vacuum]\n"},
	NearMiss: lint.Example{Applied: crontabDefinition, Live: strings.Replace(liveCrontab, "[backup, vacuum]", "[backup]", 1), Config: crontab + "  commands: [report]\n"},
	Links:    []string{applyPage + "#custom-resources-and-server-side-apply", "https://github.com/kubernetes-sigs/cluster-api/issues/6147"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.1",
	Run:      func(p *lint.Pass) { replacedLists(p, true) },
}

const liveCrontab = `apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: nightly
  namespace: shop
  uid: 3f5b7d1e-0000-4000-8000-000000000004
  resourceVersion: "9"
  generation: 2
  creationTimestamp: "2026-01-01T00:00:00Z"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"annotations":{},"name":"nightly","namespace":"shop"},"spec":{"commands":["backup"],"cronSpec":"0 3 * * *"}}
spec:
  cronSpec: "0 3 * * *"
  commands: [backup, vacuum]
`
