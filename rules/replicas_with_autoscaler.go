package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/by/argocd"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var replicasWithAutoscaler = &lint.Rule{
	ID:    "replicas-with-autoscaler",
	Title: "manifest and autoscaler both set the replicas",
	Text: "The manifest has spec.replicas, and a HorizontalPodAutoscaler or ScaledObject, in the manifests or in the snapshot, targets the " +
		"workload.",
	Why: "Every apply resets the number, and the autoscaler changes it back, at worst in a peak.",
	Fix: "Remove replicas from the manifest, but hand the field over first (threeway handover spec.replicas; see " +
		"replicas-drop-to-one).",
	Repair: "Removes replicas if the number of pods stays the same: last-applied does not have the field, so the live number stays, or the workload " +
		"is new and has one pod in either case.",
	Links:    []string{issue + "66385", issue + "25238", "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/"},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		path := fieldpath.New("spec", "replicas")
		for o := range p.Accepted() {
			if _, ok := workload(o); !ok || !has(o.Manifest.Tree, path) {
				continue
			}
			scaler := scalerOf(p, o)
			if scaler == nil || leftAsLive(o, path) {
				continue
			}
			r := lint.Report{
				Path:    path,
				Message: fmt.Sprintf("%s scales this workload; each apply resets its replicas to the manifest's", scaler.ID()),
				Notes:   []string{scaler.At() + " is the autoscaler"},
				Fix:     "remove replicas from the manifest",
			}
			if o.Live == nil && p.Options.Live != nil {
				r.Fix = "keep replicas for the first apply, without which the workload starts with 1 pod; then hand it over: threeway handover spec.replicas"
			}
			if o.Live != nil {
				if from, to, changed := newReplicas(o, path); changed {
					r.Message = fmt.Sprintf("apply resets spec.replicas from %v to %v, and %s scales this workload", from, to, scaler.ID())
				}
				r.LivePath, r.Notes = path, append(r.Notes, againAndAgain(o)...)
				r.Fix, r.Ways = "", []lint.Way{handOver(o, path).Behind("leave replicas to the autoscaler: ")}
			}
			if staysWithout(p, o, path) {
				r.Ways, r.Fix, r.Edits = nil, "remove replicas from the manifest", []edit.Edit{edit.Remove(path)}
			}
			p.Report(o, r)
		}
	},
}

// leftAsLive reports whether the applier leaves the live value of a field that the manifest
// sets, because Argo CD or Flux is told to ignore it.
func leftAsLive(o *lint.Object, path fieldpath.Path) bool {
	if app, is := o.By.(*argocd.Application); is && o.Live != nil && o.Result != nil && app.Options.Has("RespectIgnoreDifferences=true") && app.Hides(o.Outcome, path) {
		return true
	}
	config, _ := o.Find(path, o.Manifest.Tree)
	from, to, changed := newReplicas(o, path)
	return !o.By.Claim().IsKubectl() && from != nil && !changed && !tree.Equal(config, to)
}

// staysWithout reports whether no pod is stopped if replicas leaves the config:
// no apply before has set it, or a new workload has one pod in either case.
func staysWithout(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	switch {
	case o.ServerSide != nil || p.Options.Live == nil:
		return false
	case o.Live == nil:
		n, _ := tree.Int(o.Manifest.Tree, "spec", "replicas")
		return n == 1 && p.Options.Live.Covers(o.Kind.Group, o.Kind.Kind)
	}
	return !has(o.LastApplied(), path)
}

// newReplicas are the numbers of an apply that changes them.
func newReplicas(o *lint.Object, path fieldpath.Path) (from, to any, changed bool) {
	from, live := o.Find(path, o.Before)
	to, _ = o.Find(path, o.Result)
	return from, to, live && !tree.Equal(from, to)
}

type autoscalers []*manifest.Object

// scalers lists the autoscalers of the set, then those of the snapshot.
func scalers(p *lint.Pass) autoscalers {
	list := slices.DeleteFunc(slices.Clone(p.Options.Manifests.Objects), func(o *manifest.Object) bool { return !isScaler(o) })
	if live := p.Options.Live; live != nil {
		list = slices.AppendSeq(list, live.OfKind("HorizontalPodAutoscaler.autoscaling"))
		list = slices.AppendSeq(list, live.OfKind("ScaledObject.keda.sh"))
	}
	return list
}

func isScaler(o *manifest.Object) bool {
	return o.Kind.Kind == "HorizontalPodAutoscaler" && o.Kind.Group == "autoscaling" || isKeda(o)
}

func isKeda(o *manifest.Object) bool {
	return o.Kind.Kind == "ScaledObject" && o.Kind.Group == "keda.sh"
}

// scalerOf finds the autoscaler of the workload, nil if there is none.
func scalerOf(p *lint.Pass, o *lint.Object) *manifest.Object {
	for _, s := range lint.SharedByRun(p, func() autoscalers { return scalers(p) }) {
		if s.Namespace != o.Manifest.Namespace {
			continue
		}
		ref := tree.Map(s.Tree, "spec", "scaleTargetRef")
		target := tree.String(ref, "kind")
		if target == "" && isKeda(s) {
			target = "Deployment"
		}
		if target == o.Kind.Kind && tree.String(ref, "name") == o.Manifest.Name {
			return s
		}
	}
	return nil
}
