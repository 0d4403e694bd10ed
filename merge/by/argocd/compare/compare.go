// Package compare finds what Argo CD shows of an object: the live object and its
// prediction, both normalized, and so whether the object is Synced. It is not what a
// sync does: ignored fields are left out, and so is what Argo CD's prediction does not
// know.
//
// It follows github.com/argoproj/argo-cd/v3 v3.5.1 (util/argo/diff,
// util/argo/normalizers) and gitops-engine pkg/diff of the same tree.
package compare

import (
	"threeway/merge/applier/argocd"
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// minor is that of client-go and of the defaults that Argo CD is linked with.
const minor = 36

// Shown is what Argo CD shows of an object that is live and in a manifest.
type Shown struct {
	// Live and Predicted are what it compares, without managedFields.
	Live, Predicted tree.Object
	// Synced tells that they are equal.
	Synced bool
	// Failed is why Argo CD cannot compare: then all objects are Unknown.
	Failed fault.Text
}

// Objects are a manifest with its marks and a live object, both of a kind.
type Objects struct {
	ID           manifest.Identity
	Kind         schema.Kind
	Target, Live tree.Object
}

// Comparison compares the objects of an Application.
type Comparison struct {
	App    *argocd.Application
	Server *kube.Server
	// ServerSide tells that the Application is synced by server-side apply.
	ServerSide bool
}

// Of compares two objects (util/argo/diff/diff.go StateDiffs, gitops-engine
// pkg/diff/diff.go Diff).
func (c *Comparison) Of(o Objects) Shown {
	o.Live = tree.CopyObject(o.Live)
	c.App.Tracking.Normalize(o.Target, o.Live)
	o = c.distrusting(o)
	o.Target, o.Live = remarshalled(o.Target, o.Kind), remarshalled(o.Live, o.Kind)
	if c.App.Compare.ServerSide {
		return c.serverSide(o)
	}
	c.normalize(o, o.Target)
	c.normalize(o, o.Live)
	if c.ServerSide || argocd.OptionsOf(o.Target).Has("ServerSideApply=true") { // and =false changes nothing
		return c.structured(o)
	}
	return c.threeWay(o)
}

// Without are the objects without the fields that ignoreDifferences names.
func (c *Comparison) Without(o Objects) Objects {
	o.Target, o.Live = tree.CopyObject(o.Target), tree.CopyObject(o.Live)
	o = c.distrusting(o)
	argocd.Strip(c.App.Ignored, o.ID, o.Target)
	argocd.Strip(c.App.Ignored, o.ID, o.Live)
	return o
}

// distrusting are the objects without what differs of the fields of managers whose
// fields are ignored.
func (c *Comparison) distrusting(o Objects) Objects {
	if managers := argocd.Trusted(c.App.Ignored, o.ID); len(managers) > 0 {
		o.Live, o.Target = c.Server.Trusted(o.Kind, o.Live, o.Target, managers)
	}
	return o
}

// structured predicts by merging as a server-side apply does, with the defaults of
// built-in kinds (StructuredMergeDiff).
func (c *Comparison) structured(o Objects) Shown {
	merged, err := c.Server.Merged(o.Kind, o.Live, request(o.Target))
	if err != nil {
		return Shown{Failed: fault.Join(fault.Words("error calculating structured merge diff: "), fault.Of(err))}
	}
	if tree.Equal(merged, tree.WithoutManagedFields(o.Live)) {
		return shown(o.Live, o.Live)
	}
	return shown(defaulted(unapplied(o.Live), o.Kind), defaulted(unapplied(merged), o.Kind))
}

// serverSide predicts by a dry run of a server-side apply
// (ServerSideDiff, removeWebhookMutation).
func (c *Comparison) serverSide(o Objects) Shown {
	normalizeKind(o.Target, o.Kind, c.App.Compare.AggregatedRoles)
	normalizeKind(o.Live, o.Kind, c.App.Compare.AggregatedRoles)
	res := c.Server.Apply(o.Kind, o.Live, request(o.Target))
	if res.Rejection != nil {
		return Shown{Failed: fault.Join(fault.Words("error calculating server side diff: "), res.Rejection.Text())}
	}
	predicted := res.Object
	if !c.App.Compare.Mutations {
		var err error
		if predicted, err = c.Server.Own(o.Kind, predicted, o.Live, argocd.Manager); err != nil {
			return Shown{Failed: fault.Join(fault.Words("error calculating server side diff: "), fault.Of(err))}
		}
	}
	predicted = remarshalled(predicted, o.Kind)
	c.normalize(o, predicted)
	c.normalize(o, o.Live)
	return shown(unapplied(o.Live), unapplied(predicted))
}

// request is Argo CD's server-side apply, which takes over all fields.
func request(target tree.Object) kube.ApplyRequest {
	return kube.ApplyRequest{Manifest: target, Manager: argocd.Manager, Force: true}
}

// unapplied is an object without last-applied and without the version.
func unapplied(o tree.Object) tree.Object {
	o = tree.CopyObject(o)
	tree.Delete(o, "metadata", "annotations", tree.LastApplied)
	tree.Delete(o, "metadata", "resourceVersion")
	return o
}

// shown is what is shown of two objects.
func shown(live, predicted tree.Object) Shown {
	live, predicted = tree.WithoutManagedFields(live), tree.WithoutManagedFields(predicted)
	return Shown{Live: live, Predicted: predicted, Synced: tree.Equal(live, predicted)}
}
