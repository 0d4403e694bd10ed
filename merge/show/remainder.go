package show

import (
	"slices"

	"threeway/merge/explain"
	"threeway/merge/impact"
)

// remainderWords are those of a remainder, with the rejection masked.
func remainderWords(r *impact.Remainder, opts Options) string {
	if r.Rejected() {
		return r.Words(opts.view(r.Back).Brief)
	}
	return r.Words("")
}

// remaining is a remainder without the fields of managers that are ignored; nil if
// none is left.
func (o Options) remaining(r *impact.Remainder) *impact.Remainder {
	if len(o.IgnoreManagers) == 0 || r.Rejected() {
		return r
	}
	shown := explain.Ignoring(r.Outcome, o.IgnoreManagers).Before
	rest := *r
	rest.Fields = slices.DeleteFunc(slices.Clone(r.Fields), func(f impact.Field) bool {
		_, is := f.Path.Find(shown)
		return f.InToday && !is
	})
	if len(rest.Fields) == 0 {
		return nil
	}
	return &rest
}

// jsonRemainder is what stays different when the previous manifest is applied
// again.
type jsonRemainder struct {
	Rejection string       `json:"rejection,omitempty"`
	Fields    []jsonRemain `json:"fields,omitempty"`
	Text      string       `json:"text"`
}

// jsonRemain is one such field. It has no value where the object has no such field.
type jsonRemain struct {
	Path  string `json:"path"`
	Today *any   `json:"today,omitempty"`
	Then  *any   `json:"then,omitempty"`
}

func remainderJSON(r *impact.Remainder, opts Options) *jsonRemainder {
	j := &jsonRemainder{Text: remainderWords(r, opts)}
	if r.Rejected() {
		j.Rejection = opts.view(r.Back).Rejected
		return j
	}
	today, then := r.Today, r.Back.Result
	if !opts.ShowSecrets {
		today, then = opts.Secrets.Pair(today, then)
		today, then = r.Outcome.Hide(opts.Secrets, today), r.Back.Hide(opts.Secrets, then)
	}
	for _, f := range r.Fields {
		field := jsonRemain{Path: f.Path.String()}
		if v, ok := f.Path.Find(today); ok && f.InToday {
			field.Today = &v
		}
		if v, ok := f.Path.Find(then); ok && f.InBack {
			field.Then = &v
		}
		j.Fields = append(j.Fields, field)
	}
	return j
}
