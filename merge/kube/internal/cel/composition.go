package cel

import (
	"slices"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Composition are the environments of one policy, whose expressions have the
// variable variables: its fields are what the policy's own variables give. It is
// for one goroutine.
//
// Source: k8s.io/apiserver/pkg/admission/plugin/cel/composition.go.
type Composition struct {
	// Type is the type of variables; k8s.io/apiserver/pkg/cel/lazy makes values
	// of it.
	Type *apiservercel.DeclType
	envs map[admissionKey]*Env
}

// NewComposition is that of a policy, without variables yet.
func NewComposition() *Composition {
	return &Composition{object("kubernetes.variables", fields{}), map[admissionKey]*Env{}}
}

// In is the environment with variables, and those of admission that an
// expression has.
func (c *Composition) In(e *Env, has Variables) (*Env, error) {
	key := admissionKey{e, has}
	if env := c.envs[key]; env != nil {
		return env, nil
	}
	env, err := e.Admission(has).Extend([]*apiservercel.DeclType{c.Type}, celgo.Variable("variables", c.Type.CelType()))
	if err == nil {
		c.envs[key] = env
	}
	return env, err
}

// Declare adds a variable, which expressions that are compiled from then on can
// use. x is nil if it does not compile: the variable can be anything then.
func (c *Composition) Declare(name string, x *Expression) {
	typ := apiservercel.DynType
	if x != nil {
		typ = declared(x.Type())
	}
	c.Type.Fields[name] = apiservercel.NewDeclField(name, typ, true, nil, nil)
}

// simple are the types without parameters.
var simple = []*apiservercel.DeclType{apiservercel.AnyType, apiservercel.BoolType, apiservercel.BytesType, apiservercel.DoubleType,
	apiservercel.DurationType, apiservercel.IntType, apiservercel.NullType, apiservercel.StringType, apiservercel.TimestampType, apiservercel.UintType}

// declared is the type that a variable has whose expression gives typ: lists
// and maps keep what they are of, other objects are dyn.
func declared(typ *celgo.Type) *apiservercel.DeclType {
	if i := slices.IndexFunc(simple, func(t *apiservercel.DeclType) bool { return t.CelType() == typ }); i >= 0 {
		return simple[i]
	}
	if typ.HasTrait(traits.ContainerType) && typ.HasTrait(traits.IndexerType) {
		switch of := typ.Parameters(); len(of) {
		case 1:
			return apiservercel.NewListType(declared(of[0]), -1)
		case 2:
			return apiservercel.NewMapType(declared(of[0]), declared(of[1]), -1)
		}
	}
	return apiservercel.DynType
}
