// Package minors is the table of what one minor of kube-apiserver does and
// another does not: feature gates whose default changed, defaults, checks,
// warnings and their texts. A difference is one row with its first and last
// minor; the code asks the row, and compares no versions itself (TestOnlyRowsCompareMinors). Which minor has
// a kind or a field is in the tables of merge/kube/schema, the checks of Pod Security
// by version in merge/kube/internal/podsecurity, the end of API versions in
// merge/kube/internal/warnings, what expressions can do in merge/kube/internal/cel.
package minors

// Change is one difference between minors.
type Change struct {
	Since, Until int    // first and last minor that does it; 0: no bound
	Gate         string // the feature gate behind it, "" if there is none
	What         string // what the server does in those minors
}

// In reports whether kube-apiserver 1.minor does it.
func (c Change) In(minor int) bool {
	return minor >= c.Since && (c.Until == 0 || minor <= c.Until)
}

// Field is a field that minors before Since drop unless the old object uses it,
// though their types have it. With Since 0 every minor drops it.
//
// "*" in Path stands for every item of a list or map, and "a|b" for fields of
// one feature.
type Field struct {
	Type  string // a Go type of merge/kube/schema, or [PodSpec]
	Path  string
	Since int
	Gate  string
}

// PodSpec is the Type of fields of a pod spec, of a Pod or a pod template.
const PodSpec = "pod spec"

// DroppedBy reports whether kube-apiserver 1.minor drops the field.
func (f Field) DroppedBy(minor int) bool { return f.Since == 0 || minor < f.Since }
