package rules

import (
	"threeway/lint"
)

// The engine reports these two itself, when it applies suppressions.

var invalidSuppression = &lint.Rule{
	ID:       "invalid-suppression",
	Title:    "a suppression has no reason, or names an unknown rule",
	Text:     "A threeway:ignore comment or a threeway.dev/ignore annotation has no reason, names a rule that does not exist, or is written without the colon. It suppresses nothing.",
	Why:      "Without a reason, the next reader cannot judge whether the suppression is still right.",
	Fix:      "Write the ID of the rule and a reason: # threeway:ignore rule-id -- reason.",
	Severity: lint.Warning,
	Links:    []string{"https://json-schema.org/"},
}

var unusedSuppression = &lint.Rule{
	ID:       "unused-suppression",
	Title:    "a suppression matches no finding",
	Text:     "A threeway:ignore comment or a threeway.dev/ignore annotation matches no finding. Suppressions of rules that were skipped are not reported.",
	Why:      "It can hide a later finding that you have never seen.",
	Fix:      "Remove it.",
	Severity: lint.Warning,
	Links:    []string{"https://json-schema.org/"},
}
