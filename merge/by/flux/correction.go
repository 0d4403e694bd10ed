package flux

import (
	"fmt"

	"threeway/merge/applier"
	"threeway/merge/applier/flux"
	"threeway/merge/by/helm"
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// Correction says that Flux's helm-controller compares the newest revision of a release
// with the cluster, and corrects what has drifted. The manifests are those of the
// revision.
type Correction struct {
	For *flux.HelmRelease
	// Namespace and Name are those of the release, Revision its newest.
	Namespace, Name string
	Revision        int
}

// Run is what the controller calls it.
func (c *Correction) Run() string { return "drift correction" }

// Claim is that of the HelmRelease.
func (c *Correction) Claim() applier.Claim {
	return c.For.Claim()
}

// Title names the HelmRelease and the revision.
func (c *Correction) Title(string) string {
	return fmt.Sprintf("Flux drift correction of HelmRelease %s, revision %d of release %s/%s", c.For, c.Revision, c.Namespace, c.Name)
}

// Arrange leaves a set as it is: the objects do not depend on each other.
func (c *Correction) Arrange(*manifest.Set) rehearsal.Applier { return c }

// Undoes says when the controller corrects drift.
func (c *Correction) Undoes() []string { return helm.UndoneBy(c.For) }

// Adapt gives the options of the controller.
func (c *Correction) Adapt(opts rehearsal.Options) rehearsal.Options {
	opts.Diff, opts.Enforce, opts.Namespace, opts.Manager, opts.FieldValidation, opts.ServerSide = false, false, c.Namespace, flux.HelmManager, rehearsal.Warn, nil
	helm.ActFor(c.For, &opts)
	return opts
}

// Begin looks for the newest revision.
func (c *Correction) Begin(r *rehearsal.Run) error {
	rel := &helm.Release{Namespace: c.Namespace, Name: c.Name, For: c.For}
	rel.History.Namespace = c.For.Storage
	return rel.Lists(r, c.Run())
}

// Next is the same: the revision is what it corrects to.
func (c *Correction) Next(*manifest.Set) rehearsal.Applier { return c }

// Unserved is the answer to a kind that the cluster does not serve.
func (c *Correction) Unserved(o *rehearsal.Outcome) *fault.Rejection {
	return (&Kustomization{}).Unserved(o)
}

// Words is the server's answer as the controller words it.
func (c *Correction) Words(r *rehearsal.Run, o *rehearsal.Outcome, no *fault.Rejection, verb string) *fault.Rejection {
	what := map[string]string{"creating": "creation", "patching": "patch"}[verb]
	switch {
	case verb == "retrieving":
		return no.Bare(nil)
	case what == "":
		return (&Kustomization{}).Words(r, o, no, verb)
	}
	return no.Bare(func(message fault.Text) fault.Text {
		return fault.Join(fault.Words("%s %s failure: ", subject(o), what), message)
	})
}

// Apply compares one object with a forced dry run of its manifest, and creates or patches
// it. An object that fails does not stop the others (helm-controller v1.6.3
// internal/action/diff.go Diff, ApplyDiff).
func (c *Correction) Apply(r *rehearsal.Run, o *rehearsal.Outcome) {
	if kubectl.SmallLetters(r, o) {
		return
	}
	rel := &helm.Release{Namespace: c.Namespace, Name: c.Name}
	o.Applied, o.Original = &helm.Outcome{}, o.Manifest.Tree
	o.Marked = rel.Mark(c.For.Stored(o.Manifest.Tree, o.Kind))
	if o.Live != nil {
		o.Before = r.InVersion(o.Live, o.Kind)
	}
	if o.Skipped = c.For.Skips(o.Marked, o.Before); o.Skipped != "" {
		o.Leave()
		return
	}
	dryRun := r.Server.Apply(o.Kind, o.Before, kube.ApplyRequest{Manifest: o.Marked, Manager: flux.HelmManager, Force: true, Time: r.Live.NewestWrite})
	o.TakeWarnings(dryRun)
	if dryRun.Rejection != nil {
		o.Refuse(c.Words(r, o, dryRun.Rejection, "dry-run"))
		return
	}
	if o.Live == nil {
		o.Action, o.Patch, o.PatchType = rehearsal.Created, o.Marked, rehearsal.Create
		r.Answer(o, r.Server.Create(o.Kind, o.Marked), "creating")
		return
	}
	corrected := c.For.Corrected(o.Marked, o.Before, dryRun.Object)
	if tree.Equal(corrected, o.Before) {
		o.Leave()
		return
	}
	// The controller sends a JSON patch; this merge patch has the same effect.
	o.Action, o.Patch, o.PatchType = rehearsal.Configured, kube.JSONDifference(o.Before, corrected), rehearsal.JSONMerge
	r.Answer(o, r.Server.Rewrite(o.Kind, o.Before, corrected), "patching")
}

// After says what of the drift the controller does not correct.
func (c *Correction) After(_ *rehearsal.Run, done rehearsal.Results) rehearsal.Aftermath {
	notes := helm.OfHelmRelease(c.For)
	var drifted, skipped []string
	for _, o := range done.Outcomes {
		switch {
		case o.Skipped != "":
			skipped = append(skipped, o.Identity().String())
		case o.Action == rehearsal.Created || o.Action == rehearsal.Configured:
			drifted = append(drifted, o.Identity().String())
		}
	}
	switch {
	case c.For.Detects == "disabled":
		notes = append(notes, fmt.Sprintf("HelmRelease %s does not detect drift: this is what spec.driftDetection.mode: enabled would correct", c.For))
	case c.For.Detects == "warn" && drifted != nil:
		notes = append(notes, fmt.Sprintf("with spec.driftDetection.mode: warn Flux only reports the drift of %s, and corrects nothing: %s", phrase.Count(len(drifted), "object"), phrase.Abbreviated(drifted, 3)))
	}
	if skipped != nil {
		notes = append(notes, fmt.Sprintf("drift detection leaves %s alone, because of %s or spec.driftDetection.ignore: %s", phrase.Count(len(skipped), "object"), flux.DriftDetection, phrase.Abbreviated(skipped, 3)))
	}
	return rehearsal.Aftermath{Notes: notes}
}
