// Package guard answers whether a rehearsed change may be applied: by what it does, by
// what is unknown of it, and by a policy. The same inputs have the same
// answer.
package guard

import (
	"path"
	"slices"
	"strings"

	"threeway/merge/show"
)

// Answer is what a gate does with a change, or with one thing that it does.
type Answer string

// The answers, the mildest first.
const (
	// Allow: all was looked at, and nothing of the following was found.
	Allow Answer = "allow"
	// Ask: a person must confirm it.
	Ask Answer = "ask"
	// Unknown: a fact is missing.
	Unknown Answer = "unknown"
	// Deny: the API server rejects it, or the policy forbids it.
	Deny Answer = "deny"
)

// Answers are those that a policy may give.
var Answers = []string{string(Allow), string(Ask), string(Deny)}

var order = []Answer{Allow, Ask, Unknown, Deny}

// Clause is one entry of a policy. It fits what has one of its codes, about an object with
// one of its kinds, with or without the group, and namespaces, on one of its clusters. All may be patterns of path.Match;
// an empty list fits everything.
type Clause struct {
	Answer                             Answer
	Codes, Kinds, Namespaces, Clusters []string
}

// String is the clause as the settings have it, without what fits everything.
func (c Clause) String() string {
	text := string(c.Answer)
	for _, part := range []struct {
		name string
		list []string
	}{{"code", c.Codes}, {"kind", c.Kinds}, {"namespace", c.Namespaces}, {"cluster", c.Clusters}} {
		if part.list != nil {
			text += ", " + part.name + " " + strings.Join(part.list, " ")
		}
	}
	return text
}

// Policy answers by the first clause that fits, and otherwise by default: what stops an
// apply or what a person should look at is to be asked.
type Policy []Clause

// The codes of what is no danger of the plan.
const (
	// NoSnapshot: the change is compared with other manifests, and not with what the
	// cluster has.
	NoSnapshot = "no-snapshot"
	// JudgeChanged: the change touches settings, snapshots or suppressions that judge it.
	JudgeChanged = "judge-changed"
	// SelfJudged: no revision in git tells what judges the change from the change.
	SelfJudged = "self-judged"
	// LosesRecord: the object loses last-applied, which a later apply needs to remove fields.
	LosesRecord = "loses-last-applied"
	// ByHand: a command changes live objects without their manifests.
	ByHand = "by-hand"
)

// fixed are the answers that no policy changes.
var fixed = map[string]Answer{show.CodeRejected: Deny, show.CodeNotApplied: Deny, JudgeChanged: Ask, SelfJudged: Ask, LosesRecord: Ask, ByHand: Ask}

// Codes are what a policy may answer for, without those whose answer is fixed.
func Codes() []string {
	codes := []string{NoSnapshot}
	for _, code := range show.Codes() {
		if fixed[code] == "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// answer is that for a code about an object, ns/Kind.group/name or "".
func (p Policy) answer(code, object, cluster string, standard Answer) Answer {
	if a := fixed[code]; a != "" {
		return a
	}
	namespace, kind := "", ""
	switch parts := strings.Split(object, "/"); len(parts) {
	case 2:
		kind = parts[0]
	case 3:
		namespace, kind = parts[0], parts[1]
	}
	bare, _, _ := strings.Cut(kind, ".")
	for _, c := range p {
		if fits(c.Codes, code) && (fits(c.Kinds, kind) || fits(c.Kinds, bare)) && fits(c.Namespaces, namespace) && fits(c.Clusters, cluster) {
			return c.Answer
		}
	}
	return standard
}

func fits(patterns []string, value string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, _ := path.Match(pattern, value) // the settings have checked it
		return ok
	})
}
