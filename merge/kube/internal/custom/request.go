package custom

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Result is what the server makes of the body of a request.
type Result struct {
	// Object is what the server answers, as read back from storage, or as it was
	// before a conversion webhook changed it (see Converter). It is
	// meaningless if Invalid is set or Errors is not empty.
	Object tree.Object
	// Sent is it before it was stored, in which another version may lack fields.
	Sent tree.Object
	// Invalid is why the body cannot be decoded, or the object not be stored
	// in another version, in the server's words and with nothing around them.
	Invalid error
	// Unknown are the fields that were dropped because the schema does not
	// have them, in the server's order. A request with strict field validation
	// is rejected for them.
	Unknown []fault.Fault
	// Errors are what validation found, in the server's order.
	Errors field.ErrorList
	// Warnings are the rules that do not hold for values which the update
	// leaves alone.
	Warnings field.ErrorList
	// Undecided says that validation has left out what is Unmatched.
	Undecided bool
}

// Read returns the object that live, read at any version, is at the given
// one: what a get returns and what patches apply to. It reports false if the
// definition lacks the version, if the object does not fit it, or if only a
// conversion webhook knows.
func (d *Definition) Read(version string, live tree.Object) (tree.Object, bool) {
	v := d.find(version)
	converted := v != nil && tree.String(live, "apiVersion") != v.apiVersion
	if v == nil || converted && d.webhook != nil {
		return nil, false
	}
	obj := tree.CopyObject(live)
	var err error
	if converted || v == d.storage {
		err = d.store(v, obj)
	} else {
		_, err = d.fit(v, obj)
	}
	return obj, err == nil
}

// Completed is a config at the given version with its defaults, valid or not;
// nil if it cannot be decoded.
func (d *Definition) Completed(version string, config tree.Object) tree.Object {
	obj := own(config)
	if _, r := d.decode(version, obj); r.Invalid != nil {
		return nil
	}
	return obj
}

// Returned is a live object, which Read gives in a version, with the defaults that it has there;
// nil if it cannot be decoded. The server sets those of the stored version, and no others: a
// default that only another version has comes with the next write in that version.
func (d *Definition) Returned(version string, live tree.Object) tree.Object {
	v := d.find(version)
	if v == nil || v == d.storage || d.webhook != nil || d.mixed {
		return d.Completed(version, live)
	}
	obj := own(live)
	if meta, _, err := readMeta(live["metadata"]); err == nil {
		obj["metadata"] = meta
	}
	if d.store(v, obj) != nil {
		return nil
	}
	return obj
}

// Create returns what becomes of obj, the body of a create request at the
// given version. obj is left alone.
func (d *Definition) Create(version string, obj tree.Object) Result {
	obj = own(obj)
	v, r := d.decode(version, obj)
	if r.Invalid != nil {
		return r
	}
	return d.create(v, obj, r)
}

// create takes a decoded object, which it changes, through a create.
func (d *Definition) create(v *version, obj tree.Object, r Result) Result {
	if obj = d.mutated(obj); obj == nil {
		return r
	}
	if v.status {
		delete(obj, "status")
	}
	tree.Set(obj, int64(1), "metadata", "generation")
	d.validate(v, obj, nil, &r)
	return d.answer(v, obj, r)
}

// Update returns what becomes of obj, which is old with the patch merged in.
// old is the stored object at the same version (see Read). Both are left
// alone.
func (d *Definition) Update(version string, obj, old tree.Object) Result {
	obj = own(obj)
	v, r := d.decode(version, obj)
	if r.Invalid != nil {
		return r
	}
	return d.update(v, obj, old, r)
}

// update takes a decoded object, which it changes, through an update.
func (d *Definition) update(v *version, obj, old tree.Object, r Result) Result {
	if obj = d.mutated(obj); obj == nil {
		return r
	}
	if v.status {
		if status, ok := old["status"]; ok {
			obj["status"] = tree.Copy(status)
		} else {
			delete(obj, "status")
		}
	}
	d.setGeneration(obj, old)
	d.validate(v, obj, old, &r)
	return d.answer(v, obj, r)
}

// mutated is an object as others have changed it, nil if they end the request.
func (d *Definition) mutated(obj tree.Object) tree.Object {
	if d.admission.Mutate == nil {
		return obj
	}
	return d.admission.Mutate(obj)
}

// Defaulted is an object, which is left alone, with the defaults of a version.
func (d *Definition) Defaulted(version string, obj tree.Object) tree.Object {
	obj = tree.CopyObject(obj)
	if v := d.find(version); v != nil {
		fillDefaults(obj, v.schema)
	}
	return obj
}

// setGeneration counts changes of anything outside metadata. A client cannot
// write it.
func (d *Definition) setGeneration(obj, old tree.Object) {
	generation, _ := tree.Int(old, "metadata", "generation")
	if !equalOutsideMetadata(obj, old) {
		generation++
	}
	if generation == 0 {
		tree.Delete(obj, "metadata", "generation")
		return
	}
	tree.Set(obj, generation, "metadata", "generation")
}

func equalOutsideMetadata(a, b tree.Object) bool {
	_, inA := a["metadata"]
	_, inB := b["metadata"]
	n := len(a)
	if inA {
		n--
	}
	if inB {
		n++
	}
	if n != len(b) {
		return false
	}
	for k, x := range a {
		y, ok := b[k]
		if k != "metadata" && (!ok || !tree.Equal(x, y)) {
			return false
		}
	}
	return true
}

// decode does to the body what decoding does: unknown fields and superfluous
// nulls go, metadata is brought into its Go type's form, defaults are filled
// in (unstructuredSchemaCoercer in pkg/apiserver/customresource_handler.go).
func (d *Definition) decode(version string, obj tree.Object) (*version, Result) {
	v := d.find(version)
	if v == nil {
		return nil, Result{Invalid: fmt.Errorf("%s.%s has no version %q", d.plural, d.group, version)}
	}
	var r Result
	metadata, found := obj["metadata"]
	if found {
		meta, unknown, err := readMeta(metadata)
		if err != nil {
			return v, Result{Invalid: err}
		}
		r.Unknown, metadata = unknownIn(fieldpath.New("metadata"), "metadata", unknown), meta
	}
	unknown, err := d.fit(v, obj)
	if err != nil {
		return v, Result{Invalid: err}
	}
	r.Unknown = append(r.Unknown, unknown...)
	if found {
		obj["metadata"] = metadata
	}
	fillDefaults(obj, v.schema)
	return v, r
}

// fit makes obj conform to what the schema of v can hold and returns the
// fields that it cannot.
func (d *Definition) fit(v *version, obj tree.Object) ([]fault.Fault, error) {
	var unknown []fault.Fault
	if !d.keepUnknown {
		unknown = pruneRoot(obj, v.schema)
		dropNulls(obj, v.schema)
	}
	if !v.embeds() {
		return unknown, nil
	}
	embedded, err := coerce(obj, v.schema)
	if err != nil {
		return unknown, err
	}
	return append(unknown, embedded...), nil
}

// store takes obj through storage and back, in place: to the storage version
// (only apiVersion changes, as the strategy is None), through decoding, and
// back to v. What another version's schema lacks is lost on the way.
func (d *Definition) store(v *version, obj tree.Object) error {
	obj["apiVersion"] = d.storage.apiVersion
	_, err := d.fit(d.storage, obj)
	fillDefaults(obj, d.storage.schema)
	if v != d.storage && err == nil {
		obj["apiVersion"] = v.apiVersion
		_, err = d.fit(v, obj)
	}
	return err
}

// answer completes r with the object as the server answers it.
func (d *Definition) answer(v *version, obj tree.Object, r Result) Result {
	r.Object, r.Sent = obj, obj
	if len(r.Errors) > 0 {
		return r
	}
	if d.admission.Validate != nil {
		d.admission.Validate(obj)
	}
	if _, needed := d.Converter(v.name); !needed {
		if v != d.storage {
			r.Sent = tree.CopyObject(obj)
		}
		r.Invalid = d.store(v, obj)
	}
	return r
}
