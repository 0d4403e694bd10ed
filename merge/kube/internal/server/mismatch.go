package server

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// wrong notes that v is no value of type t; it returns false.
func (d *decoding) wrong(v any, t *schema.Type) bool {
	if d.create {
		return d.fail(d.cannotUnmarshal(tree.JSONType(v), t))
	}
	switch t.Form {
	case schema.Struct:
		return d.fail(fault.Errorf("cannot restore struct from: %s", goKind(v)))
	case schema.Map:
		return d.fail(fault.Errorf("cannot restore map from %s", goKind(v)))
	case schema.List, schema.Bytes:
		return d.fail(fault.Errorf("cannot restore slice from %s", goKind(v)))
	}
	return d.fail(fault.Errorf("unrecognized type: %s", reflectKind(t)))
}

func (d *decoding) fail(err error) bool {
	if d.all != nil {
		return d.note(d.here())
	}
	if d.err == nil {
		d.err = &badValue{d.here(), err}
	}
	return false
}

// note notes a value of the wrong type and goes on; it returns false.
func (d *decoding) note(at fieldpath.Path) bool {
	wants := map[schema.Form]string{
		schema.Struct: "an object", schema.Map: "an object", schema.List: "a list", schema.String: "text", schema.Bool: "true or false", schema.Int: "a number",
		schema.Float: "a number", schema.Bytes: "base64", schema.Quantity: "a quantity", schema.IntOrString: "a number or text", schema.Time: "a time", schema.MicroTime: "a time",
		schema.Duration: "a duration",
	}[d.wants.Form]
	if d.wants.Form == schema.String && d.wants.Go != "string" {
		wants = "a keyword" // such as Always
	}
	*d.all = append(*d.all, fault.Fault{Code: fault.BadValue, Path: at, Wants: wants, Text: fault.Words("%s must be %s", at, wants)})
	return false
}

// Mistyped lists all values of a manifest of a built-in kind that are of the wrong type,
// by path. The server names the first only.
func (s *Server) Mistyped(k schema.Kind, config tree.Object) (faults []fault.Fault) {
	b, ok := lookup(k)
	if !ok {
		return nil
	}
	d := decoding{minor: s.Minor, create: true, tracks: true, inOrder: true, all: &faults}
	d.object(config, b.typ)
	if s.Strict {
		faults = append(faults, d.unknown...)
	}
	return faults
}

// badValue is a value that does not decode, and where it is.
type badValue struct {
	path fieldpath.Path
	error
}

func (b *badValue) Unwrap() error { return b.error }

// FaultText is the text of the error alone.
func (b *badValue) FaultText() fault.Text { return fault.Of(b.error) }

// faultOf is the fault of obj, which cannot be decoded.
func faultOf(err error, obj tree.Object) fault.Fault {
	f := fault.Fault{Code: fault.BadValue, Detail: fault.Of(err)}
	if b := (*badValue)(nil); errors.As(err, &b) {
		f.Path = b.path
	} else if e := (*field.Error)(nil); errors.As(err, &e) { // of a custom resource
		f.Path = fault.Fields(field.ErrorList{e}, obj)[0].Path
	}
	return f
}

// undecodable are the faults for which the server rejects obj: the first value
// that does not decode, else the fields that it does not know.
func undecodable(unknown []fault.Fault, err error, obj tree.Object) []fault.Fault {
	if err != nil {
		return []fault.Fault{faultOf(err, obj)}
	}
	return unknown
}

// failFinally notes an error of a Go type that reads its JSON itself: it ends
// decoding, and encoding/json reports it rather than what came before.
func (d *decoding) failFinally(err error) bool {
	at := d.here()
	if b := (*badValue)(nil); errors.As(err, &b) { // of a decoder of its own
		at, err = at.Join(b.path), b.error
	}
	if d.all != nil {
		return d.note(at)
	}
	d.err, d.fatal = &badValue{at, err}, true
	return false
}

// mismatch is encoding/json's UnmarshalTypeError: a JSON value, the Go type
// that it does not fit, and the struct and the path of the field, if any.
type mismatch struct {
	what, typ, owner string
	path             []string
}

// FaultText is the error's text; what is the type of the value and, of some
// numbers, the value.
func (m *mismatch) FaultText() fault.Text {
	masked := *m
	if kind, _, ok := strings.Cut(m.what, " "); ok {
		masked.what = kind + " " + fault.Masked
	}
	return fault.Quote(m.Error, masked.Error())
}

func (m *mismatch) Error() string {
	if m.owner == "" {
		return fmt.Sprintf("json: cannot unmarshal %s into Go value of type %s", m.what, m.typ)
	}
	return fmt.Sprintf("json: cannot unmarshal %s into Go struct field %s.%s of type %s", m.what, m.owner, strings.Join(m.path, "."), m.typ)
}

func (d *decoding) cannotUnmarshal(what string, t *schema.Type) error {
	return d.located(mismatch{what: what, typ: t.Go})
}

// located adds where decoding is to a mismatch.
func (d *decoding) located(m mismatch) error {
	if len(d.within) == 0 {
		return &m
	}
	var path []string
	depth := 0
	for _, s := range d.path {
		if s.into == schema.Struct {
			path = append(append(path, embedding(d.within[depth].Name, s.key)...), s.key)
			depth++
		}
	}
	m.path = append(path, m.path...)
	_, m.owner, _ = strings.Cut(d.within[len(d.within)-1].Name, ".")
	return &m
}

// embedding names the Go structs that the one at hand embeds on the way to a
// field, outermost first; encoding/json names them in its errors.
func embedding(typ, field string) []string {
	switch typ {
	case "core/v1.Volume":
		return undoneOr(field == "name", "VolumeSource")
	case "core/v1.PersistentVolumeSpec":
		return undoneOr(schema.TypeNamed("core/v1.PersistentVolumeSource").Field(field) == nil, "PersistentVolumeSource")
	case "core/v1.Probe":
		return undoneOr(schema.TypeNamed("core/v1.ProbeHandler").Field(field) == nil, "ProbeHandler")
	case "core/v1.EphemeralContainer":
		return undoneOr(field == "targetContainerName", "EphemeralContainerCommon")
	case "core/v1.SecretProjection", "core/v1.ConfigMapVolumeSource", "core/v1.ConfigMapProjection", "core/v1.ConfigMapKeySelector",
		"core/v1.SecretKeySelector", "core/v1.ConfigMapEnvSource", "core/v1.SecretEnvSource":
		return undoneOr(field != "name", "LocalObjectReference")
	case "networking/v1.IngressRule":
		return undoneOr(field == "host", "IngressRuleValue")
	case "resource/v1.DeviceClaimConfiguration", "resource/v1.DeviceAllocationConfiguration", "resource/v1.DeviceClassConfiguration":
		return undoneOr(field != "opaque", "DeviceConfiguration")
	case "admissionregistration/v1.RuleWithOperations":
		return undoneOr(field == "operations", "Rule")
	case "admissionregistration/v1.NamedRuleWithOperations":
		if field != "resourceNames" {
			return append([]string{"RuleWithOperations"}, embedding("admissionregistration/v1.RuleWithOperations", field)...)
		}
		return nil
	}
	return undoneOr(field != "apiVersion" && field != "kind" || schema.TypeNamed(typ).Field("metadata") == nil, "TypeMeta")
}

func undoneOr(own bool, embedded string) []string {
	if own {
		return nil
	}
	return []string{embedded}
}

// cannotRead is the type error of a Go type that reads its JSON itself; only a
// JSON decoder around it adds the field.
func (d *decoding) cannotRead(what, typ string) error {
	if d.create {
		return d.cannotUnmarshal(what, &schema.Type{Go: typ})
	}
	return &mismatch{what: what, typ: typ}
}
