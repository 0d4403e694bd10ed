package server

import (
	"fmt"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/validation"
)

// maxManager is how long the name of a field manager may be.
const maxManager = 128

// ManagerRejection returns the rejection of a request whose field manager the server
// does not take; nil if it does. options is the kind of the request's options:
// CreateOptions or PatchOptions
// (apimachinery pkg/apis/meta/v1/validation ValidateFieldManager).
func (s *Server) ManagerRejection(options, manager string) *fault.Rejection {
	return badOptions(options, managerErrors(manager), s.Minor)
}

// ApplierRejection is the same of a server-side apply, which does not go without
// a name (ValidatePatchOptions).
func (s *Server) ApplierRejection(manager string) *fault.Rejection {
	errs := managerErrors(manager)
	if manager == "" {
		errs = field.ErrorList{field.Required(field.NewPath("fieldManager"), "is required for apply patch")}
	}
	return badOptions("PatchOptions", errs, s.Minor)
}

func managerErrors(manager string) (errs field.ErrorList) {
	p := field.NewPath("fieldManager")
	if len(manager) > maxManager {
		errs = append(errs, field.TooLong(p, manager, maxManager))
	}
	for i, r := range manager {
		if !unicode.IsPrint(r) {
			errs = append(errs, field.Invalid(p, manager, fmt.Sprintf("invalid character %#U (at position %d)", r, i)))
		}
	}
	return errs
}

func badOptions(options string, errs field.ErrorList, minor int) *fault.Rejection {
	if len(errs) == 0 {
		return nil
	}
	faults := fault.Fields(validation.Worded(errs, minor), nil)
	for i := range faults {
		faults[i].Path = nil // it is no field of the object
	}
	return fault.InvalidObject(options, options+".meta.k8s.io", "", nil, faults)
}
