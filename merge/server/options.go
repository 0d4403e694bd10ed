package server

import (
	"fmt"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
)

// maxManager is how long the name of a field manager may be.
const maxManager = 128

// ManagerRejection is the rejection of a request whose field manager the server
// does not take; nil if it does. options is the kind of the request's options:
// CreateOptions or PatchOptions
// (apimachinery pkg/apis/meta/v1/validation ValidateFieldManager).
func ManagerRejection(options, manager string) *fault.Rejection {
	p := field.NewPath("fieldManager")
	var errs field.ErrorList
	if len(manager) > maxManager {
		errs = append(errs, field.TooLong(p, manager, maxManager))
	}
	for i, r := range manager {
		if !unicode.IsPrint(r) {
			errs = append(errs, field.Invalid(p, manager, fmt.Sprintf("invalid character %#U (at position %d)", r, i)))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	faults := fault.Fields(errs, nil)
	for i := range faults {
		faults[i].Path = nil // it is no field of the object
	}
	return fault.InvalidObject(options, options+".meta.k8s.io", "", nil, faults)
}
