package rules

import (
	"threeway/lint"
)

// The engine reports these two itself, when it applies suppressions.

var invalidSuppression = &lint.Rule{
	ID:       "invalid-suppression",
	Title:    "a suppression has no reason, or no such rule exists",
	Text:     "A threeway:ignore comment or a threeway.dev/ignore annotation lacks its reason, or names a rule that does not exist. It suppresses nothing.",
	Why:      "The next reader cannot tell why a finding about apply was silenced, and whether that still holds.",
	Fix:      "Write the rule's name and a reason: # threeway:ignore rule-id -- reason.",
	Severity: lint.Warning,
	Links:    []string{"https://json-schema.org/"},
	Since:    "0.1",
}

var unusedSuppression = &lint.Rule{
	ID:       "unused-suppression",
	Title:    "a suppression silences nothing",
	Text:     "A threeway:ignore comment or a threeway.dev/ignore annotation matches no finding. Suppressions of rules that were skipped are not reported.",
	Why:      "It may silence a later finding that was never looked at.",
	Fix:      "Remove it.",
	Severity: lint.Warning,
	Links:    []string{"https://json-schema.org/"},
	Since:    "0.1",
}
