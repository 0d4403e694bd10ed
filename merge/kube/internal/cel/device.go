package cel

import (
	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/ext"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/memo"
)

// What a device can have at most (k8s.io/api/resource/v1).
const (
	deviceAttributes = 32 // and as many capacities
	domainLength     = 63
	idLength         = 32
	driverLength     = 63
	attributeLength  = 64
)

// Devices is the environment of the selectors of devices, with the variable
// device, and how large that can be.
type Devices struct {
	*Env
	Sizes checker.CostEstimator
}

// devices caches environments of devices.
var devices memo.Table[devicesKey, Devices]

type devicesKey struct {
	base       *Env
	consumable bool
}

// Devices is the environment with the variable device. consumable says that
// devices can be allocated several times, as a server of 1.36 knows.
//
// Source: newCompiler of k8s.io/dynamic-resource-allocation/cel/compile.go.
func (e *Env) Devices(consumable bool) Devices {
	return devices.Get(devicesKey{e, consumable}, func() Devices { return e.newDevices(consumable) })
}

func (e *Env) newDevices(consumable bool) Devices {
	atMost := func(t *apiservercel.DeclType, elements int64) *apiservercel.DeclType {
		limited := *t
		limited.MaxElements = elements
		return &limited
	}
	attribute := atMost(apiservercel.AnyType, attributeLength)
	byName := func(of *apiservercel.DeclType) *apiservercel.DeclType {
		byID := apiservercel.NewMapType(atMost(apiservercel.StringType, idLength), of, deviceAttributes)
		return apiservercel.NewMapType(atMost(apiservercel.StringType, domainLength), byID, deviceAttributes)
	}
	known := fields{
		"driver":     atMost(apiservercel.StringType, driverLength),
		"attributes": byName(attribute),
		"capacity":   byName(apiservercel.QuantityDeclType),
	}
	if consumable {
		known["allowMultipleAllocations"] = atMost(apiservercel.BoolType, 1)
	}
	device := object("kubernetes.DRADevice", known)
	env, err := e.Extend([]*apiservercel.DeclType{device}, ext.Bindings(ext.BindingsVersion(0)), celgo.Variable("device", device.CelType()))
	if err != nil {
		panic("cel: environment of devices: " + err.Error()) // a test builds each
	}
	return Devices{env, deviceSizes{device, attribute}}
}

// deviceSizes says how large a device is and what is in it.
type deviceSizes struct{ device, attribute *apiservercel.DeclType }

// EstimateSize follows a path from the variable device.
func (s deviceSizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	path := node.Path()
	if len(path) == 0 || path[0] != "device" {
		return nil
	}
	at := s.device
	for _, name := range path[1:] {
		switch field := at.Fields[name]; {
		case name == "@items" || name == "@values":
			at = at.ElemType
		case name == "@keys":
			at = at.KeyType
		case field != nil:
			at = field.Type
		case at.ElemType == s.attribute:
			at = s.attribute
		default:
			return nil
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(at.MaxElements)}
}

// EstimateCallCost leaves calls to others.
func (deviceSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
