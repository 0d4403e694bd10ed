package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
)

var ssaConflict = &lint.Rule{
	ID:    "ssa-conflict",
	Title: "a server-side apply would change what others own",
	Text:  "The config sets a field to another value than the one that another manager owns.",
	Why: "The server refuses the whole object. Forcing it takes the field over: an autoscaler or a certificate injector that owns it " +
		"will write it again, and the two fight.",
	Fix:      "Leave the field to its manager by removing it from the config; take it over with --force-conflicts only where the manager is gone.",
	Bad:      lint.Example{Args: "--server-side", Live: scaledByHand, Config: deployment("\n  replicas: 2")},
	Good:     lint.Example{Args: "--server-side", Live: scaledByHand, Config: deployment("")},
	NearMiss: lint.Example{Args: "--server-side", Live: scaledByHand, Config: deployment("\n  replicas: 5")},
	Links:    []string{applyPage + "#conflicts"},
	Severity: lint.Error,
	Needs:    lint.ServerSide,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		list := conflicts(f.Text)
		if len(list) == 0 {
			return nil
		}
		c := list[0]
		want, _ := c.path.Find(o.Config.Tree)
		r := &lint.Report{
			Path:     c.path,
			Message:  c.path.String() + " is owned by " + c.manager + ", and the config changes it to " + lint.Value(want) + "; apply is rejected",
			LivePath: c.path,
			Fix:      "remove " + c.path.String() + " from the config, or take it over with --force-conflicts",
		}
		for _, more := range list[1:] {
			r.Notes = append(r.Notes, more.path.String()+" is owned by "+more.manager)
		}
		return r
	},
}

type conflict struct {
	manager string
	path    fieldpath.Path
}

// conflicts reads kubectl's message about conflicts, on one line.
func conflicts(text string) []conflict {
	_, rest, ok := strings.Cut(text, "Apply failed with ")
	if !ok {
		return nil
	}
	_, rest, _ = strings.Cut(rest, ": ")
	var list []conflict
	for _, part := range strings.Split(rest, "conflict") {
		owner, fields, ok := strings.Cut(strings.TrimPrefix(part, "s"), ": ")
		owner, with := strings.CutPrefix(owner, " with ")
		if !ok {
			owner, fields, _ = strings.Cut(part, ":")
			owner, with = strings.CutPrefix(strings.TrimPrefix(owner, "s"), " with ")
		}
		if !with {
			continue
		}
		for _, field := range strings.Fields(fields) {
			if p, ok := ownedPath(field); ok {
				list = append(list, conflict{owner, p})
			}
		}
	}
	return list
}

// ownedPath reads a field as structured-merge-diff prints it:
// .spec.template.spec.containers[name="api"].image.
func ownedPath(field string) (fieldpath.Path, bool) {
	field, ok := strings.CutPrefix(field, ".")
	if !ok {
		return nil, false
	}
	p, err := fieldpath.Parse(strings.ReplaceAll(field, `"`, ""))
	return p, err == nil
}

// scaledByHand is the Deployment of the examples, applied server-side by
// kubectl and scaled by somebody.
const scaledByHand = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
  uid: 3f5b7d1e-0000-4000-8000-000000000001
  resourceVersion: "7"
  generation: 2
  creationTimestamp: "2026-01-01T00:00:00Z"
  managedFields:
  - manager: kubectl
    operation: Apply
    apiVersion: apps/v1
    time: "2026-01-01T00:00:00Z"
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:selector": {}, "f:template": {"f:metadata": {"f:labels": {"f:app": {}}}, "f:spec": {"f:containers": {'k:{"name":"api"}': {".": {}, "f:name": {}, "f:image": {}}}}}}}
  - manager: kube-controller-manager-hpa
    operation: Update
    apiVersion: apps/v1
    time: "2026-01-01T00:00:00Z"
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:replicas": {}}}
spec:
  progressDeadlineSeconds: 600
  replicas: 5
  revisionHistoryLimit: 10
  selector: {matchLabels: {app: api}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
      - name: api
        image: shop/api:1.4.2
        imagePullPolicy: IfNotPresent
        resources: {}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
`
