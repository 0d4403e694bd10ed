package imperative

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

const (
	revisionKey = "deployment.kubernetes.io/revision"
	hashLabel   = "pod-template-hash"
)

// staying are the annotations of a Deployment that its ReplicaSets do not take back
// (annotationsToSkip of kubectl's polymorphichelpers).
var staying = []string{
	rehearsal.LastAppliedKey, revisionKey, "deployment.kubernetes.io/revision-history", "deployment.kubernetes.io/desired-replicas",
	"deployment.kubernetes.io/max-replicas", "deprecated.deployment.rollback.to",
}

// undo takes a Deployment back to the template of one of its ReplicaSets
// (DeploymentRollbacker of kubectl's polymorphichelpers).
func (c *Command) undo(live *manifest.Snapshot) (Edit, error) {
	to, err := strconv.ParseInt("0"+c.Text("to-revision"), 10, 64)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--to-revision=%s is not a revision", c.Text("to-revision"))
	case !live.Covers("apps", "ReplicaSet"):
		return nil, fmt.Errorf("the snapshot has no ReplicaSet.apps; export them too: they have the templates of before")
	}
	return func(_ schema.Kind, obj tree.Object) *fault.Rejection {
		back := revision(live, obj, to)
		switch {
		case back == nil && to > 0:
			return fault.Refuse(fault.Words("unable to find specified revision %d in history", to))
		case back == nil:
			return fault.Refuse(fault.Words("no rollout history found for deployment %q", tree.String(obj, "metadata", "name")))
		case tree.Bool(obj, "spec", "paused"):
			return fault.Refuse(fault.Words("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again"))
		case tree.Equal(template(back), template(obj)):
			return nil
		case !tree.Has(obj, "metadata", "annotations"):
			return fault.Reject("Invalid", fault.Words("the server rejected our request due to an error in our request"))
		}
		annotations, now := tree.Object{}, tree.Map(obj, "metadata", "annotations")
		for _, key := range staying {
			if value, has := now[key]; has {
				annotations[key] = value
			}
		}
		for key, value := range tree.Map(back, "metadata", "annotations") {
			if !slices.Contains(staying, key) {
				annotations[key] = value
			}
		}
		tree.Set(obj, template(back), "spec", "template")
		tree.Set(obj, annotations, "metadata", "annotations")
		return nil
	}, nil
}

// template is that of an object, without what the controller adds.
func template(obj tree.Object) tree.Object {
	t := tree.CopyObject(tree.Map(obj, "spec", "template"))
	tree.Delete(t, "metadata", "labels", hashLabel)
	tree.Delete(t, "metadata", "creationTimestamp")
	return t
}

// revision is the ReplicaSet of a Deployment with a revision; of 0 it is the one before the
// newest.
func revision(live *manifest.Snapshot, deployment tree.Object, to int64) (found tree.Object) {
	type numbered struct {
		number int64
		set    tree.Object
	}
	var all []numbered
	for rs := range live.OfKind("ReplicaSet.apps") {
		uid := tree.String(deployment, "metadata", "uid")
		owned := slices.ContainsFunc(tree.List(rs.Tree, "metadata", "ownerReferences"), func(o any) bool {
			return tree.Bool(o, "controller") && tree.String(o, "uid") == uid
		})
		text := tree.String(rs.Tree, "metadata", "annotations", revisionKey)
		if n, err := strconv.ParseInt(text, 10, 64); owned && (err == nil || text == "") {
			all = append(all, numbered{n, rs.Tree})
		}
	}
	slices.SortStableFunc(all, func(a, b numbered) int { return cmp.Compare(b.number, a.number) })
	at := slices.IndexFunc(all, func(n numbered) bool { return n.number == to })
	switch {
	case to == 0 && len(all) > 1:
		return all[1].set
	case to == 0 || at < 0:
		return nil
	}
	return all[at].set
}
