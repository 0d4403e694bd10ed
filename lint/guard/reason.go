package guard

import (
	"cmp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/show"
)

// Reason is one thing that is not allowed as it is.
type Reason struct {
	Code   string `json:"code"`
	Answer Answer `json:"answer"`
	// Cluster is one of several, or an overlay; "" if there is one.
	Cluster string `json:"cluster,omitempty"`
	// Object is ns/Kind.group/name; "" if it is about none.
	Object string `json:"object,omitempty"`
	// File, Line and Path are where it is in the manifests, as far as that is known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Path string `json:"path,omitempty"`
	Text string `json:"text"`
	// Fix says what to do about it, as far as a rule knows.
	Fix string `json:"fix,omitempty"`

	finding *lint.Finding // that says the same; nil if there is none
	told    bool          // a finding of the object says it
}

// Missing is one fact that is unknown, and what would tell.
type Missing struct {
	Code    string `json:"code"`
	Cluster string `json:"cluster,omitempty"`
	Object  string `json:"object,omitempty"`
	Needs   string `json:"needs"`
}

// Found is a rehearsal with what the rules say of it.
type Found struct {
	// Cluster is its name, if there are several.
	Cluster string
	Digest  *show.Digest
	Lint    *lint.Result
	// Empty: the cluster is said to be.
	Empty bool
	// Named: the manifests are made of live objects that a command names, and stand nowhere.
	Named bool
	// Reasons are what the change does and the policy does not allow, as Weigh finds it.
	Reasons []Reason
}

// Judge answers for one rehearsal; besides are the reasons that are about no object. If it
// leads, what shows the rehearsal begins with the answer and its words.
func (f Found) Judge(besides []Reason, leads bool) *Report {
	r := &Report{Objects: f.Lint.Objects, Changes: f.Digest.Changed(), Reasons: slices.Concat(besides, f.Reasons), Missing: f.missing()}
	r.settle()
	v := f.Digest.Verdict()
	r.Text = f.words(v, r)
	if leads {
		f.Digest.SetVerdict(show.Verdict{Level: level(r.Verdict, v.Level), Text: string(r.Verdict) + ": " + r.Text, Answer: string(r.Verdict)})
	}
	if f.Cluster != "" {
		r.Text = f.Cluster + ": " + r.Text
	}
	return r
}

// words are those of the plan, with what else the answer goes by.
func (f Found) words(plan show.Verdict, r *Report) string {
	var allowed, asked, forbidden, besides []string
	for _, danger := range f.Digest.Dangers() {
		answered := func(a Answer) (objects []string, is bool) {
			for _, reason := range r.Reasons {
				if reason.Code != danger.Code || reason.Answer != a {
					continue
				}
				if is = true; reason.Object != "" {
					objects = append(objects, reason.Object)
				}
			}
			return objects, is
		}
		if fixed[danger.Code] != "" {
			continue
		}
		if objects, is := answered(Deny); is {
			forbidden = append(forbidden, strings.TrimSuffix(danger.Code+": "+show.Titles(objects, 3), ": "))
		} else if _, is := answered(Ask); danger.Level != show.Fine {
			allowed = append(allowed, danger.Text)
		} else if is {
			asked = append(asked, danger.Text)
		}
	}
	for _, reason := range r.Reasons {
		if (reason.Object == "" && slices.Contains([]string{NoSnapshot, JudgeChanged, SelfJudged}, reason.Code) || reason.Code == LosesRecord) && reason.Answer != Allow && !slices.Contains(besides, reason.Text) {
			besides = append(besides, reason.Text)
		}
	}
	switch {
	case len(f.Reasons) == 0 && allowed != nil && len(r.Missing) == 0:
		return "The policy allows: " + strings.Join(allowed, ", ")
	case forbidden != nil && plan.Level != show.Fine && plan.Level != show.None:
		return plan.Text + "; the policy forbids " + strings.Join(forbidden, "; ")
	case forbidden != nil:
		return "The policy forbids " + strings.Join(forbidden, "; ")
	case asked != nil && plan.Level == show.Fine:
		return "The policy asks: " + strings.Join(asked, ", ")
	case plan.Level == show.Fine || plan.Level == show.None:
		return strings.Join(append([]string{plan.Text}, besides...), "; ")
	}
	return plan.Text
}

// level is how an answer is shown of a plan of a level.
func level(a Answer, plan show.Level) show.Level {
	switch {
	case a == Deny:
		return show.Stop
	case a == Unknown:
		return show.Unknown
	case a == Ask && plan != show.Stop:
		return show.Look
	case a == Allow && plan != show.None:
		return show.Fine
	}
	return plan
}

// Findings are those behind the reasons.
func (f Found) Findings() (list []*lint.Finding) {
	listed := map[*lint.Finding]bool{nil: true}
	for _, r := range f.Reasons {
		if !listed[r.finding] {
			list, listed[r.finding] = append(list, r.finding), true
		}
	}
	return list
}

// Weigh finds the reasons by a policy, the worst first.
func (f *Found) Weigh(policy Policy) {
	f.Reasons = nil
	places := f.places()
	allowed := map[string]bool{} // the objects with a finding that is no reason
	for _, danger := range f.Digest.Dangers() {
		standard := Ask
		if danger.Level == show.Fine {
			standard = Allow
		}
		if danger.Shared == nil { // it is counted, and not by objects
			danger.Shared = []show.Shared{{Objects: []string{""}}}
		}
		for _, shared := range danger.Shared {
			for _, object := range shared.Objects {
				answer := policy.answer(danger.Code, object, f.Cluster, standard)
				if answer == Allow {
					allowed[object] = allowed[object] || shared.Finding && standard != Allow
					continue
				}
				r := Reason{told: shared.Told[object], Code: danger.Code, Answer: answer, Cluster: f.Cluster, Object: object, Text: cmp.Or(shared.Text, danger.Text)}
				places.put(&r)
				f.Reasons = append(f.Reasons, r)
			}
		}
	}
	f.Reasons = slices.DeleteFunc(f.Reasons, func(r Reason) bool { return r.told && r.Answer == Ask && !allowed[r.Object] })
	base := f.base()
	if f.Empty {
		base = "an empty cluster"
	}
	if base != "" {
		if answer := policy.answer(NoSnapshot, "", f.Cluster, Ask); answer != Allow {
			f.Reasons = append(f.Reasons, Reason{Code: NoSnapshot, Answer: answer, Cluster: f.Cluster, Text: "compared with " + base + ", without a snapshot: what else the cluster has is unknown"})
		}
	}
	worstFirst(f.Reasons)
}

func worstFirst(list []Reason) {
	slices.SortStableFunc(list, func(a, b Reason) int {
		return cmp.Compare(slices.Index(order, b.Answer), slices.Index(order, a.Answer))
	})
}

// missing are the facts that are unknown, each once.
func (f Found) missing() (list []Missing) {
	add := func(m Missing) {
		m.Cluster = f.Cluster
		if !slices.ContainsFunc(list, func(other Missing) bool { return other.Code == m.Code && other.Needs == m.Needs }) {
			list = append(list, m)
		}
	}
	for _, g := range f.Lint.Gaps {
		m := Missing{Code: string(g.Code), Needs: cmp.Or(g.Needs, g.Place)}
		if len(g.Objects) > 0 && g.Objects[0].Name != "" {
			m.Object = g.Objects[0].String()
		}
		add(m)
	}
	return list
}

// base is what stands in for a snapshot; "" if nothing does.
func (f Found) base() string {
	if base := f.Lint.Impact().Plan.Base; base != nil {
		return base.Name
	}
	return ""
}

// places are where reasons stand: a finding that says the same, or else the manifest.
type places struct {
	findings map[string]*said
	// files and lines are those of the manifests.
	files map[string]string
	lines map[string]int
}

// said are the findings of an object, the first of each text and the first error by their
// number; -1 is none.
type said struct {
	list     []*lint.Finding
	first    map[string]int
	rejected int
}

func (s *said) add(f *lint.Finding) {
	n, text := len(s.list), f.Shared()
	if _, known := s.first[text]; !known {
		s.first[text] = n
	}
	if f.Severity == lint.Error && s.rejected < 0 {
		s.rejected = n
	}
	s.list = append(s.list, f)
}

// of is the finding that a reason stands at, nil if there is none.
func (s *said) of(r *Reason) *lint.Finding {
	if s == nil {
		return nil
	}
	n, found := s.first[r.Text]
	if r.Code == show.CodeRejected && s.rejected >= 0 && (!found || s.rejected < n) {
		n, found = s.rejected, true
	}
	if !found {
		return nil
	}
	return s.list[n]
}

func (f Found) places() places {
	p := places{map[string]*said{}, map[string]string{}, map[string]int{}}
	if f.Named {
		return p
	}
	for _, finding := range slices.Concat(f.Lint.Findings, f.Lint.Suppressed) {
		if p.findings[finding.Object] == nil {
			p.findings[finding.Object] = &said{first: map[string]int{}, rejected: -1}
		}
		p.findings[finding.Object].add(finding)
	}
	for _, o := range f.Lint.Impact().Plan.Outcomes {
		name, origin := o.Identity().String(), o.Manifest.Origin
		p.files[name], p.lines[name] = origin.File, origin.Line
	}
	return p
}

func (p places) put(r *Reason) {
	r.File, r.Line = p.files[r.Object], p.lines[r.Object]
	f := p.findings[r.Object].of(r)
	if f == nil {
		return
	}
	r.File, r.Line, r.Path, r.Fix, r.finding = f.At().File, f.At().Line, f.Path.String(), f.Fix, f
	if r.Code == show.CodeRejected {
		r.Text = f.Message
	}
}
