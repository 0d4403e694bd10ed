// Package gap has what a run does not know. Whatever is assumed, unread, not rendered or
// cannot be determined is a Gap, made where it is noticed: notes, the plan line, JSON and the
// guard print it from the list of gaps alone.
package gap

import (
	"slices"

	"threeway/merge/manifest"
)

// Code is the kind of a gap.
type Code string

// The codes.
const (
	// Refused: kubectl refuses the whole run.
	Refused Code = "refused"
	// NoPath: a path that was asked for is not there.
	NoPath Code = "noPath"
	// Unread: a file cannot be read, or not from some line on.
	Unread Code = "unread"
	// NotRead: files that may be manifests were not looked at.
	NotRead Code = "notRead"
	// BaseUnread: a part of the base cannot be read.
	BaseUnread Code = "baseUnread"
	// NoDefinition: no CustomResourceDefinition describes the kind of an object.
	NoDefinition Code = "noDefinition"
	// NotExported: the snapshot has no object of a kind that is applied or pruned.
	NotExported Code = "notExported"
	// OtherNamespaces: the snapshot has no object of a namespace.
	OtherNamespaces Code = "otherNamespaces"
	// PodSecurity: the snapshot has no Namespace whose labels say what Pods are rejected.
	PodSecurity Code = "podSecurity"
	// OtherVersion: a live object is in a version that only the server converts.
	OtherVersion Code = "otherVersion"
	// NoOwners: a live object has no managedFields, and the apply goes by them.
	NoOwners Code = "noOwners"
	// OtherApplier: another program applies a live object.
	OtherApplier Code = "otherApplier"
	// Chosen: a field is set that the cluster chose before, and that may not change.
	Chosen Code = "chosen"
	// Undecided: a check of the API server needs what no file tells, or a pattern too much
	// time.
	Undecided Code = "undecided"
	// Webhook: the server asks an admission webhook, whose answer is unknown.
	Webhook Code = "webhook"
	// Conversion: a webhook converts an object before it is stored.
	Conversion Code = "conversion"
	// Unrehearsed: a program does something before, with or after the apply that is not
	// simulated.
	Unrehearsed Code = "unrehearsed"
	// Encrypted: a value that SOPS has encrypted is assumed to equal that of the cluster.
	Encrypted Code = "encrypted"
	// Redacted: a value that the snapshot does not show is assumed to equal the manifest.
	Redacted Code = "redacted"
	// Placeholder: nothing gives the value of a placeholder in an object that changes.
	Placeholder Code = "placeholder"
	// NotRendered: an overlay is not rendered.
	NotRendered Code = "not-rendered"
	// NoSnapshot: there is nothing to compare the manifests with.
	NoSnapshot Code = "no-snapshot"
	// Moved: objects come from another set of manifests, which may be of another cluster.
	Moved Code = "moved"
	// NotLive: some live objects do not come from a cluster, as manifests are not.
	NotLive Code = "not-live"
	// RulesSkipped: rules did not run, because the snapshot lacks what they need.
	RulesSkipped Code = "rules-skipped"
	// NotJudged: whether a live object has drifted is unknown.
	NotJudged Code = "cannot-be-judged"
)

// words are those of all codes, in the order in which gaps are listed.
var words = []struct {
	code      Code
	one, many string
	// lasts: what settles it is not at hand in every run: the cluster, a key, another export.
	lasts bool
}{
	{Refused, "kubectl refuses to run", "kubectl refuses to run", false},
	{NoPath, "1 path cannot be read", "%d paths cannot be read", false},
	{Unread, "1 file cannot be read", "%d files cannot be read", false},
	{NotRead, "1 place was not read", "%d places were not read", false},
	{BaseUnread, "1 file of the base cannot be read", "%d files of the base cannot be read", false},
	{NoDefinition, "1 kind has no definition", "%d kinds have no definition", false},
	{NotExported, "1 kind is not in the snapshot", "%d kinds are not in the snapshot", false},
	{OtherNamespaces, "1 namespace is not in the snapshot", "%d namespaces are not in the snapshot", false},
	{PodSecurity, "the Pod Security of 1 namespace is unknown", "the Pod Security of %d namespaces is unknown", true},
	{OtherVersion, "1 kind is in another version in the snapshot", "%d kinds are in another version in the snapshot", false},
	{NoOwners, "the snapshot lacks managedFields", "", false},
	{OtherApplier, "another program applies the live objects", "%d other programs apply the live objects", false},
	{Chosen, "1 field that the cluster chose is unknown", "%d fields that the cluster chose are unknown", false},
	{Undecided, "1 check of admission cannot be decided", "%d checks of admission cannot be decided", false},
	{Webhook, "the answer of 1 webhook is unknown", "the answers of %d webhooks are unknown", true},
	{Conversion, "1 conversion is unknown", "%d conversions are unknown", true},
	{Unrehearsed, "1 step is not rehearsed", "%d steps are not rehearsed", true},
	{Encrypted, "values that SOPS has encrypted are unknown", "", true},
	{Redacted, "redacted values are unknown", "", true},
	{Placeholder, "placeholders have no value", "", true},
	{NotRendered, "1 overlay is not rendered", "%d overlays are not rendered", false},
	{NoSnapshot, "there is no snapshot, so every object counts as new", "", true},
	{Moved, "objects come from another set", "objects come from %d other sets", true},
	{NotLive, "some live objects do not come from a cluster", "", true},
	{RulesSkipped, "some rules are skipped", "", true},
	{NotJudged, "1 object cannot be judged", "%d objects cannot be judged", false},
}

// Codes are all codes, in the order in which gaps are listed.
func Codes() (codes []Code) {
	for _, w := range words {
		codes = append(codes, w.code)
	}
	return codes
}

func (c Code) index() int {
	for i, w := range words {
		if w.code == c {
			return i
		}
	}
	return len(words)
}

// Words say how many gaps of a code there are: of one, and of several with a %d; many is ""
// if they are not counted.
func (c Code) Words() (one, many string) { return words[c.index()].one, words[c.index()].many }

// fails reports whether a gap fails a run that compares. One does not that only the cluster,
// a key or another export settles, which a job may not have.
func (c Code) fails() bool { return !words[c.index()].lasts }

// Gap is one thing that a run does not know.
type Gap struct {
	Code Code
	// Objects are what it is about. One without a name is all objects of its kind. There
	// are none if that is unknown too.
	Objects []manifest.Identity
	// Place is where it is, as FILE:LINE, or the path that is not there; "" if there is none.
	Place string
	// Needs is what would tell.
	Needs string
	// Text says in short what is unknown; "" counts the gap among others of its code.
	Text string
	// Note is the sentence about it; "" if the words of the code and Needs say it all.
	Note string
}

// Hides reports whether because of it manifests are unknown that may change something.
func (g Gap) Hides() bool {
	return slices.Contains([]Code{NoPath, Unread, NotRead, BaseUnread, NotRendered}, g.Code)
}

// Unseen is a change of which the values are unknown: that it is one is certain.
type Unseen struct {
	Object manifest.Identity
	// Text says which values change, and why they are unknown.
	Text string
}

// List are the gaps of a run, in the order of Codes. What one thing would tell of several
// objects is in it once.
type List []Gap

// Fails reports whether one of the gaps fails a run that compares, of another code than these.
func (l List) Fails(but ...Code) bool {
	return slices.ContainsFunc(l, func(g Gap) bool { return g.Code.fails() && !slices.Contains(but, g.Code) })
}

// Add adds gaps.
func (l *List) Add(gaps ...Gap) {
	for _, g := range gaps {
		at := 0
		for at < len(*l) && (*l)[at].Code.index() <= g.Code.index() {
			if other := &(*l)[at]; other.Code == g.Code && other.Place == g.Place && other.Needs == g.Needs {
				break
			}
			at++
		}
		if at == len(*l) || (*l)[at].Code != g.Code {
			empty := g
			empty.Objects = nil
			*l = slices.Insert(*l, at, empty)
		}
		into := &(*l)[at].Objects
		known := map[manifest.Identity]bool{}
		for _, o := range *into {
			known[o] = true
		}
		for _, o := range g.Objects {
			if !known[o] {
				known[o], *into = true, append(*into, o)
			}
		}
	}
}
