package guard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// SchemaVersion is that of the JSON; see docs/guard.schema.json.
const SchemaVersion = 1

// mostBytes is how long the JSON may be, so that it fits into what an agent reads, and
// mostText how long one text in it.
const mostBytes, mostText = 4000, 300

// Edit is a change of a file as a unified diff, which git apply takes.
type Edit struct {
	// Applicability is "certain", "likely" if most would make it, or "choose" if a person
	// must decide.
	Applicability string `json:"applicability"`
	File          string `json:"file"`
	Patch         string `json:"patch"`
}

// Digests are of all that the answer depends on: two runs with the same ones have the same
// answer.
type Digests struct {
	Manifests string `json:"manifests"`
	Live      string `json:"live"`
	// Settings are those that count, with the rules, the baseline and the revision that
	// judges.
	Settings string `json:"settings"`
	// Arguments are those of the command line, Program the version.
	Arguments string `json:"arguments"`
	Program   string `json:"program"`
}

// Report is the answer, and why.
type Report struct {
	SchemaVersion int    `json:"schemaVersion"`
	Verdict       Answer `json:"verdict"`
	// Complete: everything was looked at.
	Complete bool   `json:"complete"`
	Text     string `json:"text"`
	// Objects counts the manifests, Changes the objects that change.
	Objects int       `json:"objects"`
	Changes int       `json:"changes"`
	Reasons []Reason  `json:"reasons"`
	Missing []Missing `json:"missing,omitempty"`
	Edits   []Edit    `json:"edits,omitempty"`
	// More counts what is left out of the lists.
	More    *More   `json:"more,omitempty"`
	Digests Digests `json:"digests"`
	// Next is one command that tells more, or gets what is missing; "" if there is none.
	Next string `json:"next,omitempty"`
}

// More counts what is left out of a report.
type More struct {
	Reasons int `json:"reasons,omitempty"`
	Missing int `json:"missing,omitempty"`
	Edits   int `json:"edits,omitempty"`
}

// Join is the answer for several clusters.
func Join(parts []*Report) *Report {
	r := &Report{}
	var texts []string
	for _, part := range parts {
		for _, reason := range part.Reasons {
			if !slices.Contains(r.Reasons, reason) { // that of the whole run is in each
				r.Reasons = append(r.Reasons, reason)
			}
		}
		r.Missing, r.Edits = append(r.Missing, part.Missing...), append(r.Edits, part.Edits...)
		r.Objects, r.Changes = r.Objects+part.Objects, r.Changes+part.Changes
		r.Digests = r.Digests.and(part.Digests)
		texts = append(texts, part.Text)
	}
	r.Text = strings.Join(texts, "; ")
	r.settle()
	return r
}

// and are the digests of what two answers depend on.
func (d Digests) and(other Digests) Digests {
	if d == (Digests{}) {
		return other
	}
	sum := func(a, b string) string {
		s := sha256.Sum256([]byte(a + " " + b))
		return hex.EncodeToString(s[:])
	}
	return Digests{Manifests: sum(d.Manifests, other.Manifests), Live: sum(d.Live, other.Live), Settings: sum(d.Settings, other.Settings), Arguments: other.Arguments, Program: other.Program}
}

// Failed answers for a run that could not be made.
func Failed(err error) *Report {
	r := &Report{Text: "The run failed: " + err.Error(), Missing: []Missing{{Code: "failed", Needs: err.Error()}}}
	r.settle()
	return r
}

// NotUnderstood answers for a command that is not understood.
func NotUnderstood(err error) *Report {
	r := Failed(err)
	r.Text, r.Missing[0].Code = "The command is not understood: "+err.Error(), "command"
	return r
}

// Nothing answers for a command that changes nothing in a cluster.
func Nothing(command string) *Report {
	r := &Report{Text: command + " changes nothing"}
	r.settle()
	return r
}

// Asks answers for a command that changes live objects without their manifests. They are not
// looked at.
func Asks(command, instead string) *Report {
	r := &Report{Text: command + " is not rehearsed: " + instead,
		Reasons: []Reason{{Code: ByHand, Answer: Ask, Text: command + " changes live objects without their manifests: the next apply may revert it", Fix: instead}}}
	r.settle()
	r.Complete = false
	return r
}

// settle finds the verdict: the worst answer of a reason, or unknown if something is
// missing.
func (r *Report) settle() {
	r.SchemaVersion, r.Verdict, r.Complete = SchemaVersion, Allow, len(r.Missing) == 0
	worstFirst(r.Reasons)
	if len(r.Reasons) > 0 {
		r.Verdict = r.Reasons[0].Answer
	}
	if !r.Complete && r.Verdict != Deny {
		r.Verdict = Unknown
	}
}

// WriteJSON writes the report on one line of less than 4 kB. What does not fit is counted,
// the edits first.
func (r *Report) WriteJSON(w io.Writer) error {
	short := *r
	short.Text = cut(r.Text)
	if cut(r.Next) != r.Next {
		short.Next = "" // half a command is none
	}
	short.Reasons, short.Missing, short.Edits = []Reason{}, nil, r.Edits
	for _, reason := range r.Reasons {
		for _, text := range []*string{&reason.Cluster, &reason.Object, &reason.File, &reason.Path, &reason.Text, &reason.Fix} {
			*text = cut(*text)
		}
		short.Reasons = append(short.Reasons, reason)
	}
	for _, m := range r.Missing {
		m.Cluster, m.Object, m.Needs = cut(m.Cluster), cut(m.Object), cut(m.Needs)
		short.Missing = append(short.Missing, m)
	}
	for {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(short); err != nil {
			return err
		}
		if b.Len() <= mostBytes {
			_, err := w.Write(b.Bytes())
			return err
		}
		switch {
		case len(short.Edits) > 0:
			short.Edits = short.Edits[:len(short.Edits)-1]
		case len(short.Reasons) > max(1, len(short.Missing)):
			short.Reasons = short.Reasons[:len(short.Reasons)-1]
		default:
			short.Missing = short.Missing[:len(short.Missing)-1]
		}
		short.More = &More{len(r.Reasons) - len(short.Reasons), len(r.Missing) - len(short.Missing), len(r.Edits) - len(short.Edits)}
	}
}

// cut is a text whose JSON is not long, without its end if it would be.
func cut(text string) string {
	size := 0
	for i, c := range text {
		n := utf8.RuneLen(c)
		if c < ' ' || n < 0 || c == '"' || c == '\\' {
			n = len(`\u0000`)
		}
		if size += n; size > mostText {
			return text[:i] + "…"
		}
	}
	return text
}
