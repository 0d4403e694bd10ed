package policy

import (
	"errors"
	"maps"
	"slices"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Change is what one policy has made of an object.
type Change struct {
	Policy        string
	Before, After tree.Object
	// Secret says that what is new may be the value of a Secret: the object is one,
	// or a parameter.
	Secret bool
}

// Mutated is what the mutating policies of a cluster make of the object of a
// request.
type Mutated struct {
	// Object is the object at the request's version, nil if no policy has run.
	Object tree.Object
	// Changes are those of the policies, in order.
	Changes []Change
	// Denial is why the request is rejected, nil if it is not. Its messages are
	// several where several policies failed.
	Denial *MutationDenial
	// Undecided is what depends on what no file tells; such a mutation is left out.
	Undecided []Undecided
}

// MutationDenial is the rejection of a request by mutating policies.
type MutationDenial struct {
	Policy   string
	Reason   string
	Messages []fault.Text
}

// Objects is what a policy needs to know of the kinds of objects to change them.
type Objects interface {
	// Merge merges an ApplyConfiguration into an object of a kind.
	Merge(k schema.Kind, obj, patch tree.Object) (tree.Object, error)
	// Decode reads an object that a JSONPatch has made; an error is an internal one
	// of the server.
	Decode(k schema.Kind, obj tree.Object) (tree.Object, error)
	// Default sets the defaults of an object that a policy has made.
	Default(k schema.Kind, obj tree.Object) (tree.Object, error)
}

// Round is one run of the mutating plugins over a request; there is a second one
// where the first has changed something.
type Round struct {
	again     bool
	invoked   map[key]bool // may be invoked again, once something changes
	reinvoked map[key]bool // are to be invoked again
	last      tree.Object  // what the round before left
}

// key is a policy as one of its bindings evaluates it with one of its params.
type key struct{ policy, binding, param string }

// Mutate asks all policies about a request, which must not be about a new object of
// another round. It tells whether there must be a second round.
//
// Source: Dispatch of policy/generic/policy_dispatcher.go, dispatchInvocations of
// policy/mutating/dispatcher.go.
func (p *Policies) Mutate(r *Request, round *Round, objects Objects) (Mutated, bool) {
	m := &mutator{Policies: p, versions: versions{Request: r, convert: p.world.Convert}, round: round, objects: objects}
	if round.invoked == nil {
		round.invoked, round.reinvoked = map[key]bool{}, map[key]bool{}
	}
	if round.again && !tree.Equal(round.last, r.Object) {
		round.requireAgain()
	}
	invocations := m.invocations()
	for _, i := range invocations {
		if !m.invoke(i) {
			break
		}
	}
	if m.dirty != nil {
		round.requireAgain()
		m.Object = m.dirty.Object
		if m.dirty.Kind != r.Kind {
			m.Object = p.world.Convert(m.dirty.Object, m.dirty.Kind, r.Kind)
		}
	}
	if round.last = m.Object; m.Object == nil {
		round.last = r.Object
	}
	round.again = true
	return m.Mutated, m.dirty != nil
}

// requireAgain has all invoked again that may be.
func (r *Round) requireAgain() {
	maps.Copy(r.reinvoked, r.invoked)
	clear(r.invoked)
}

// mutator collects what becomes of one request.
type mutator struct {
	*Policies
	versions
	Mutated
	round   *Round
	objects Objects
	dirty   *Request // the form of the request that was changed last
}

// invocation is a policy that is to change the request.
type invocation struct {
	policy  *Policy
	binding *binding
	param   param
	at      Resource
	needs   string
}

// invocations lists them in order; what is wrong with the configuration denies.
func (m *mutator) invocations() (list []invocation) {
	for _, of := range m.list {
		found := m.matches(tree.Map(of.spec, "matchConstraints"), m.Request)
		if !found.yes {
			continue
		}
		err, known := m.unknownParamKind(of)
		switch {
		case err != nil && found.needs == "":
			m.fail(of, nil, "", fault.Words("failed to configure policy: %s", err))
			continue
		case err != nil || !known:
			m.undecided(of, "", found.needs, paramsOf(of, known))
			continue
		}
		for i := range of.bindings {
			list = append(list, m.bound(of, &of.bindings[i], found)...)
		}
	}
	return list
}

// bound are the invocations of a policy by one of its bindings.
func (m *mutator) bound(of *Policy, b *binding, found match) (list []invocation) {
	if narrow := tree.Map(b.spec, "matchResources"); narrow != nil {
		narrowed := m.matches(narrow, m.Request)
		if !narrowed.yes {
			return nil
		}
		if found.needs == "" {
			found.needs = narrowed.needs
		}
	}
	params, err := m.collect(of, *b, m.Request)
	if err != nil {
		m.fail(of, b, "", fault.Words("failed to configure binding: %s", err))
		return nil
	}
	for _, param := range params {
		list = append(list, invocation{of, b, param, found.at, found.needs})
	}
	return list
}

// invoke lets a policy change the object; going on is false if that ends the
// request.
func (m *mutator) invoke(i invocation) (goOn bool) {
	at := m.at(i.at.Kind)
	in := m.prepare(i.policy, at.as(i.at), m.Resource, i.param)
	applies, why, unless := in.conditions(i.policy)
	if i.needs != "" {
		unless = append(unless, Undecided{Kind: i.policy.kind, Policy: i.policy.name, Needs: []string{i.needs}})
	}
	if len(unless) > 0 && (applies || !why.Empty()) {
		for _, u := range unless {
			u.Effect = Changes
			m.Undecided = append(m.Undecided, u)
		}
		return true
	}
	if !why.Empty() {
		m.fail(i.policy, i.binding, "Invalid", why)
		return true
	}
	k := key{i.policy.name, i.binding.name, tree.String(i.param.object, "metadata", "namespace") + "/" + tree.String(i.param.object, "metadata", "name")}
	if !applies || m.round.again && !m.round.reinvoked[k] {
		return true
	}
	before := at.Object
	for _, mutation := range in.compiled.mutations {
		if !m.mutate(i, in, at, mutation) {
			return false
		}
	}
	if !tree.Equal(before, at.Object) {
		m.round.requireAgain()
		m.Changes = append(m.Changes, m.change(i, before, at.Object))
	}
	if tree.String(i.policy.spec, "reinvocationPolicy") == "IfNeeded" {
		m.round.invoked[k] = true
	}
	return true
}

// change is what a policy has changed, at the version of the request.
func (m *mutator) change(i invocation, before, after tree.Object) Change {
	if i.at.Kind != m.Kind {
		before, after = m.convert(before, i.at.Kind, m.Kind), m.convert(after, i.at.Kind, m.Kind)
	}
	return Change{i.policy.name, before, after, m.Kind.GroupKind() == "Secret" || i.policy.params != nil && i.policy.params.GroupKind() == "Secret"}
}

// mutate runs one mutation of a policy on a form of the request, which it changes.
//
// Source: dispatchOne of policy/mutating/dispatcher.go.
func (m *mutator) mutate(i invocation, in *input, at *Request, mutation mutation) (goOn bool) {
	in.object = withUnknown(at.Object, m.Unknown)
	obj, result, err := m.patched(in, i.at.Kind, at.Object, mutation)
	var internal internalError
	switch {
	case result.unknown():
		m.undecided(i.policy, mutation.text, result.needs...)
		return true
	case result.failed():
		m.fail(i.policy, i.binding, "Invalid", result.err)
		return true
	case errors.As(err, &internal):
		m.Denial = &MutationDenial{i.policy.name, "InternalError", []fault.Text{fault.Join(fault.Words("Internal error occurred: "), fault.Of(internal.error))}}
		return false
	case err != nil:
		m.fail(i.policy, i.binding, "Invalid", (&group{hidden: in.hidden}).quoted(err.Error()))
		return true
	}
	if obj, err = m.objects.Default(i.at.Kind, obj); err != nil {
		m.fail(i.policy, i.binding, "Invalid", (&group{hidden: in.hidden}).quoted(err.Error()))
		return true
	}
	at.Object, m.dirty = obj, at
	return true
}

// patched evaluates a mutation, and applies the patch that it gives.
func (m *mutator) patched(in *input, k schema.Kind, obj tree.Object, mutation mutation) (tree.Object, outcome, error) {
	if mutation.problem != "" {
		return nil, outcome{err: fault.Words("%s", mutation.problem)}, nil
	}
	g, err := in.group(celconfig.RuntimeCELCostBudget)
	if err != nil {
		return nil, outcome{}, err
	}
	result, _ := g.eval(mutation.expression)
	if result.failed() || result.unknown() {
		return nil, result, nil
	}
	if !mutation.json {
		obj, err = m.applied(k, obj, result.value)
		return obj, result, err
	}
	patched, err := jsonPatched(obj, result.value)
	if err != nil || patched == nil {
		return obj, result, err
	}
	if obj, err = m.objects.Decode(k, patched); err != nil {
		return nil, result, internalError{err}
	}
	return obj, result, nil
}

// internalError is an error for which the server blames itself.
type internalError struct{ error }

// fail denies the request for a policy that failed, if that is its failurePolicy.
// The reason is that of the first, Forbidden if it has none.
func (m *mutator) fail(of *Policy, b *binding, reason string, why fault.Text) {
	if of.ignore {
		return
	}
	head := fault.Words("policy %q denied request: ", of.name)
	if b != nil {
		head = fault.Words("policy '%s' with binding '%s' denied request: ", of.name, b.name)
	}
	if m.Denial == nil {
		if reason == "" {
			reason = "Forbidden"
		}
		m.Denial = &MutationDenial{Policy: of.name, Reason: reason}
	}
	m.Denial.Messages = append(m.Denial.Messages, fault.Join(head, why))
}

func (m *mutator) undecided(of *Policy, expression string, needs ...string) {
	needs = slices.DeleteFunc(slices.Clone(needs), func(s string) bool { return s == "" })
	m.Undecided = append(m.Undecided, Undecided{of.kind, of.name, expression, needs, Changes})
}
