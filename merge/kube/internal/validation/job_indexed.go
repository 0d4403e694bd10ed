package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// The limits of indexed Jobs, which keep the lists of indexes in the status
// short.
const (
	maxIndexed             = 100_000 // parallelism, maxFailedIndexes; completions that count as many
	maxIndexedOfMany       = 10_000  // the same two of a Job with many completions
	ofManyWithBackoffLimit = "must be less than or equal to %d when completions are above %d and used with backoff limit per index"
)

// completionMode checks the mode and what depends on it.
//
// Source: validateJobSpec of pkg/apis/batch/validation.
func completionMode(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(spec, "completionMode") {
		errs = append(errs, oneOf(tree.String(spec, "completionMode"), p.Child("completionMode"), "NonIndexed", "Indexed")...)
	}
	if isIndexed(spec) {
		return append(errs, indexedJob(spec, p)...)
	}
	if len(errs) > 0 {
		return errs
	}
	for _, key := range []string{"backoffLimitPerIndex", "maxFailedIndexes"} {
		if n, ok := tree.Int(spec, key); ok {
			errs = append(errs, field.Invalid(p.Child(key), n, "requires indexed completion mode"))
		}
	}
	return errs
}

func indexedJob(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	completions, hasCompletions := tree.Int(spec, "completions")
	parallelism, _ := tree.Int(spec, "parallelism")
	failed, hasFailed := tree.Int(spec, "maxFailedIndexes")
	add := func(key string, n int64, detail string, args ...any) {
		errs = append(errs, field.Invalid(p.Child(key), n, fmt.Sprintf(detail, args...)))
	}
	if !hasCompletions {
		errs = append(errs, field.Required(p.Child("completions"), "when completion mode is Indexed"))
	}
	if parallelism > maxIndexed {
		add("parallelism", parallelism, "must be less than or equal to %d when completion mode is Indexed", maxIndexed)
	}
	if hasCompletions && hasFailed && failed > completions {
		add("maxFailedIndexes", failed, "must be less than or equal to completions")
	}
	if failed > maxIndexed {
		add("maxFailedIndexes", failed, "must be less than or equal to %d", maxIndexed)
	}
	if completions <= maxIndexed || !tree.Has(spec, "backoffLimitPerIndex") {
		return errs
	}
	if !tree.Has(spec, "maxFailedIndexes") {
		errs = append(errs, field.Required(p.Child("maxFailedIndexes"), fmt.Sprintf("must be specified when completions is above %d", maxIndexed)))
	}
	if parallelism > maxIndexedOfMany {
		add("parallelism", parallelism, ofManyWithBackoffLimit, maxIndexedOfMany, maxIndexed)
	}
	if failed > maxIndexedOfMany {
		add("maxFailedIndexes", failed, ofManyWithBackoffLimit, maxIndexedOfMany, maxIndexed)
	}
	return errs
}
