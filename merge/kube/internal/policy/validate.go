package policy

import (
	"maps"
	"strings"

	"github.com/google/cel-go/common/types"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// Validate asks all policies about a request.
//
// Source: Dispatch of policy/validating/dispatcher.go.
func (p *Policies) Validate(r *Request) Verdict {
	v := &validator{Policies: p, versions: versions{Request: r, convert: p.world.Convert}}
	for _, of := range p.list {
		v.policy(of)
	}
	if v.Denial != nil {
		v.Undecided = nil // whatever they say
	}
	return v.Verdict
}

// validator collects the verdict about one request.
type validator struct {
	*Policies
	versions
	Verdict
}

// policy asks one policy.
func (v *validator) policy(of *Policy) {
	m := v.matches(tree.Map(of.spec, "matchConstraints"), v.Request)
	if !m.yes {
		return
	}
	err, known := v.unknownParamKind(of)
	if err != nil && m.needs == "" {
		v.misconfigured(of, nil, "failed to configure policy: "+err.Error())
		return
	}
	if err != nil || !known {
		v.undecided(of, Rejects, "", m.needs, paramsOf(of, known))
		return
	}
	for i := range of.bindings {
		v.binding(of, &of.bindings[i], m)
	}
}

func paramsOf(of *Policy, known bool) string {
	if known {
		return ""
	}
	return "the definition of " + of.params.GroupKind()
}

// binding asks a policy as one of its bindings wants it.
func (v *validator) binding(of *Policy, b *binding, m match) {
	if narrow := tree.Map(b.spec, "matchResources"); narrow != nil {
		narrowed := v.matches(narrow, v.Request)
		if !narrowed.yes {
			return
		}
		if m.needs == "" {
			m.needs = narrowed.needs
		}
	}
	params, err := v.collect(of, *b, v.Request)
	if err != nil {
		if m.needs != "" {
			v.undecided(of, Rejects, "", m.needs)
			return
		}
		v.misconfigured(of, b, "failed to configure binding: "+err.Error())
		return
	}
	at := v.at(m.at.Kind)
	for _, param := range params {
		in := v.prepare(of, at.as(m.at), v.Resource, param)
		j := &judgment{validator: v, policy: of, binding: b, in: in}
		j.needs(m.needs)
		j.run()
	}
}

// misconfigured denies what a policy or a binding cannot be asked about, whatever
// the binding does with failures.
func (v *validator) misconfigured(of *Policy, b *binding, why string) {
	if !of.ignore {
		v.deny(of, b, "Invalid", fault.Words("%s", why))
	}
}

// deny keeps the first denial.
func (v *validator) deny(of *Policy, b *binding, reason string, message fault.Text) {
	if v.Denial != nil {
		return
	}
	head := "ValidatingAdmissionPolicy '" + of.name + "'"
	if b != nil {
		head += " with binding '" + b.name + "'"
	}
	v.Denial = &Denial{of.name, reason, fault.Join(fault.Words("%s denied request: ", head), message)}
}

// undecided notes what an effect of a policy needs; without needs it is decided.
func (v *validator) undecided(of *Policy, effect Effect, expression string, needs ...string) {
	var all []string
	for _, n := range needs {
		if n != "" {
			all = append(all, n)
		}
	}
	v.Undecided = append(v.Undecided, Undecided{of.kind, of.name, expression, all, effect})
}

// judgment is the evaluation of a policy for one binding and one of its params.
type judgment struct {
	*validator
	policy  *Policy
	binding *binding
	in      *input
	// unless are the expressions, or what else, on which it depends whether the
	// policy is for the request at all.
	unless []Undecided
}

func (j *judgment) needs(what string) {
	if what != "" {
		j.unless = append(j.unless, Undecided{Kind: j.policy.kind, Policy: j.policy.name, Needs: []string{what}})
	}
}

// run follows Validate of policy/validating/validator.go.
func (j *judgment) run() {
	c := j.in.compiled
	applies, why, unless := j.in.conditions(j.policy)
	j.unless = append(j.unless, unless...)
	if !why.Empty() {
		j.failed(why, "Invalid", true)
	}
	if !applies {
		return
	}
	g, err := j.in.group(celconfig.RuntimeCELCostBudget)
	if err != nil {
		j.failed(fault.Words("%s", err), "Invalid", true)
		return
	}
	results := make([]outcome, len(c.validations))
	for i, v := range c.validations {
		var ok bool
		if results[i], ok = g.eval(v.expression); !ok {
			j.failed(results[i].err, "Invalid", true)
			return
		}
	}
	messages, spent := j.messages(results, g)
	for i, v := range c.validations {
		j.validation(v, results[i], messages[i], spent)
	}
	j.annotations()
}

// conditions holds a request to match conditions: applies is false if one is
// false, why is the error that an evaluation ends with, and unless are those that
// may be false.
//
// Source: Match of webhook/matchconditions/matcher.go.
func (in *input) conditions(of *Policy) (applies bool, why fault.Text, unless []Undecided) {
	if len(in.compiled.conditions) == 0 {
		return true, why, nil
	}
	alone := *in
	alone.namespace = nil // so upstream: it is always null
	alone.unknown = maps.Clone(in.unknown)
	delete(alone.unknown, "namespaceObject")
	g, err := alone.group(celconfig.RuntimeCELCostBudgetMatchConditions)
	if err != nil {
		return false, fault.Words("%s", err), nil
	}
	var errs []fault.Text
	for _, c := range in.compiled.conditions {
		result, ok := g.eval(c)
		switch {
		case !ok:
			return false, ifNot(of.ignore, result.err), nil
		case result.failed():
			errs = append(errs, result.err)
		case result.unknown():
			unless = append(unless, Undecided{Kind: of.kind, Policy: of.name, Expression: c.text, Needs: result.needs})
		case result.value == types.False:
			return false, why, nil
		}
	}
	if len(errs) == 0 {
		return true, why, unless
	}
	return false, ifNot(of.ignore, aggregate(errs)), unless
}

func ifNot(ignore bool, text fault.Text) fault.Text {
	if ignore {
		return fault.Text{}
	}
	return text
}

// aggregate words several errors as one (NewAggregate of apimachinery
// pkg/util/errors).
func aggregate(errs []fault.Text) fault.Text {
	var texts []fault.Text
	seen := map[string]bool{}
	for _, e := range errs {
		if key := e.String(); !seen[key] {
			seen[key] = true
			if len(texts) > 0 {
				texts = append(texts, fault.Words(", "))
			}
			texts = append(texts, e)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return fault.Join(fault.Words("["), fault.Join(texts...), fault.Words("]"))
}

// messages evaluates what words the validations, with the rest of their budget;
// spent is set if it does not suffice. Where all validations
// pass there is nothing to say, and none is evaluated.
func (j *judgment) messages(results []outcome, g *group) (messages []outcome, spent bool) {
	c := j.in.compiled
	messages = make([]outcome, len(c.validations))
	most, wanted := int64(len(c.variables)), false
	for i, v := range c.validations {
		if v.message != nil {
			most++
			wanted = wanted || results[i].value != types.True
		}
	}
	if !wanted && most*celconfig.PerCallLimit <= g.budget.Left() {
		return messages, false
	}
	told, err := j.in.unauthorized().group(g.budget.Left())
	if err != nil {
		return messages, false
	}
	for i, v := range c.validations {
		if v.message == nil {
			continue
		}
		var ok bool
		if messages[i], ok = told.eval(v.message); !ok {
			return messages, true
		}
	}
	return messages, false
}

// validation judges by one validation.
func (j *judgment) validation(v validation, result, message outcome, spent bool) {
	switch {
	case result.failed():
		j.failed(result.err, "Invalid", true)
	case spent:
		j.failed(fault.Words("failed messageExpression: %s", outOfBudget), "Invalid", true)
	case result.unknown():
		j.act(func(effect Effect) { j.undecided(j.policy, effect, v.text, result.needs...) })
	case result.value != types.True:
		reason := v.reason
		if reason == "" {
			reason = "Invalid"
		}
		j.failed(j.message(v, message), reason, false)
	}
}

// message is how a validation that fails is told.
func (j *judgment) message(v validation, message outcome) fault.Text {
	if message.unknown() {
		return fault.Words("(its messageExpression needs %s)", strings.Join(message.needs, ", "))
	}
	if message.value != nil && !message.failed() {
		text, _ := message.value.Value().(string)
		text = strings.TrimSpace(text)
		if text != "" && len(text) <= celconfig.MaxEvaluatedMessageExpressionSizeBytes && !strings.Contains(text, "\n") {
			return (&group{hidden: j.in.hidden}).quoted(text)
		}
	}
	if v.words != "" {
		return fault.Words("%s", v.words)
	}
	return fault.Words("failed expression: %s", strings.TrimSpace(v.text))
}

// act does something for each effect that the binding has on the client.
func (j *judgment) act(do func(Effect)) {
	for _, action := range tree.List(j.binding.spec, "validationActions") {
		switch action {
		case "Deny":
			do(Rejects)
		case "Warn":
			do(Warns)
		}
	}
}

// failed does what the binding does with a failure. One that is an error counts
// only if failurePolicy is Fail.
func (j *judgment) failed(message fault.Text, reason string, isError bool) {
	if isError && j.policy.ignore {
		return
	}
	if len(j.unless) > 0 {
		j.act(func(effect Effect) { j.perhaps(effect) })
		return
	}
	for _, action := range tree.List(j.binding.spec, "validationActions") {
		switch action { // Audit only writes into the audit log
		case "Deny":
			j.deny(j.policy, j.binding, reason, message)
		case "Warn":
			j.Warnings = append(j.Warnings, Warning{j.policy.name, j.binding.name, message})
		}
	}
}

// perhaps notes an effect that the policy has only if it is for the request.
func (j *judgment) perhaps(effect Effect) {
	for _, u := range j.unless {
		u.Effect = effect
		j.Undecided = append(j.Undecided, u)
	}
}

// annotations evaluates the audit annotations. What they say is for the audit log,
// but an error rejects the request, whatever the binding does with failures.
func (j *judgment) annotations() {
	if len(j.in.compiled.annotations) == 0 || j.policy.ignore {
		return
	}
	g, err := j.in.unauthorized().group(celconfig.RuntimeCELCostBudget)
	if err != nil {
		return
	}
	for _, a := range j.in.compiled.annotations {
		result, ok := g.eval(a)
		switch {
		case !ok:
			j.failed(result.err, "Invalid", true)
			return
		case result.failed() && len(j.unless) > 0:
			j.perhaps(Rejects)
		case result.failed():
			j.deny(j.policy, j.binding, "Invalid", result.err)
		case result.unknown():
			j.undecided(j.policy, Rejects, a.text, result.needs...)
		}
	}
}
