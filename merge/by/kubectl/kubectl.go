// Package kubectl rehearses what kubectl apply does with one object, client-side or server-side:
// the requests that it sends, and its words for what the server rejects.
package kubectl

import (
	"fmt"

	"threeway/merge/applier"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Kubectl is kubectl apply, client-side or server-side as the options say.
type Kubectl struct{}

// Claim is kubectl's, which leaves no mark that names a set.
func (Kubectl) Claim() applier.Claim { return applier.Claim{Program: applier.Kubectl} }

// Title is how it applies.
func (Kubectl) Title(mode string) string { return mode + " apply" }

// Run is apply.
func (Kubectl) Run() string { return "apply" }

// Undoes says nothing: kubectl undoes at the next apply.
func (Kubectl) Undoes() []string { return nil }

// Arrange leaves a set as it is.
func (k Kubectl) Arrange(*manifest.Set) rehearsal.Applier { return k }

// Adapt changes nothing: the options are those that were given: they are kubectl's own.
func (Kubectl) Adapt(opts rehearsal.Options) rehearsal.Options { return opts }

// Begin compares with what the live objects hold.
func (Kubectl) Begin(*rehearsal.Run) error { return nil }

// Next is the same: what was applied is in the live objects.
func (k Kubectl) Next(*manifest.Set) rehearsal.Applier { return k }

// Apply rehearses the requests for one object.
func (Kubectl) Apply(r *rehearsal.Run, o *rehearsal.Outcome) {
	switch k := (Requests{r}); {
	case SmallLetters(r, o):
	case r.ServerSide != nil:
		k.ApplyServerSide(o)
	case o.Live == nil:
		k.Create(o)
	default:
		k.update(o)
	}
}

// Requests are those that kubectl sends for one object. Argo CD sends them too.
type Requests struct{ *rehearsal.Run }

// Unserved is kubectl's rejection of a kind that the server does not serve. The error about an
// item of a list is one of a list of errors, so that nothing stands before it.
func (Kubectl) Unserved(o *rehearsal.Outcome) *fault.Rejection {
	f := o.Manifest.Unmapped()
	text := f.Text
	f.Text = fault.Text{}
	if o.Manifest.InList() {
		return fault.Unprefixed(text, f)
	}
	return fault.Refuse(text, f)
}

// Words puts the file, and in an apply the patch, before the server's answer.
func (Kubectl) Words(r *rehearsal.Run, o *rehearsal.Outcome, no *fault.Rejection, verb string) *fault.Rejection {
	return no.Around(around(r, o, verb))
}

// After says what a real apply goes on to do. What --prune deletes is found by the plan,
// which has its options.
func (Kubectl) After(_ *rehearsal.Run, done rehearsal.Results) rehearsal.Aftermath {
	objects, fields := 0, []string(nil)
	for _, o := range done.Outcomes {
		if o.Migration == nil || o.Migration.Shown {
			continue
		}
		objects++
		for _, path := range o.Migration.Removed {
			fields = append(fields, fmt.Sprintf("%s of %s", path, o.Identity()))
		}
	}
	if objects == 0 {
		return rehearsal.Aftermath{}
	}
	text := fmt.Sprintf("this is the dry run: %s applied client-side before, and a real apply also migrates the ownership of their fields", phrase.Count(objects, "object was", "objects were"))
	if len(fields) > 0 {
		text += fmt.Sprintf(" and removes %s (%s)", phrase.Count(len(fields), "more field"), phrase.Abbreviated(fields, 3))
	}
	return rehearsal.Aftermath{Notes: []string{text + "; --migrate shows the result"}}
}
