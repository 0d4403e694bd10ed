package server

import (
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
)

// emptied is an empty list or map as storage returns it: protobuf has none,
// JSON keeps it, and both keep empty bytes.
func (d *decoding) emptied(x any, t *schema.Type) any {
	if d.asJSON || t.Form == schema.Bytes {
		return x
	}
	return nil
}

func isCollection(f schema.Form) bool {
	return f == schema.List || f == schema.Map || f == schema.Bytes
}

// leftOut reports whether encoding prints nothing of a field that was not
// given.
func (d *decoding) leftOut(f *schema.Field) bool {
	if f.OmitZero {
		return minors.OmitsNullTimes.In(d.minor)
	}
	return !f.Printed
}

// unset is what encoding prints of a field that was not given.
func (d *decoding) unset(f *schema.Field) any {
	switch {
	case f.OmitZero, f.Pointer:
		return nil
	case f.Type.Form == schema.Struct:
		return d.object(nil, f.Type)
	}
	return zero(f.Type)
}

// zero is a Go zero value as JSON prints it.
func zero(t *schema.Type) any {
	switch t.Form {
	case schema.String:
		return ""
	case schema.Int, schema.Float, schema.IntOrString:
		return int64(0)
	case schema.Bool:
		return false
	case schema.Quantity:
		return "0"
	case schema.Duration:
		return "0s"
	}
	return nil
}
