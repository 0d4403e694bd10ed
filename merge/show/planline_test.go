package show

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pagePhrases are the phrases of the plan line that the page makes filters of.
func pagePhrases(t *testing.T) (list []*regexp.Regexp, codes []string) {
	source, err := os.ReadFile("../../lint/report/webpage/assets/overview.js")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(source), "const phrases = [")
	table, _, _ = strings.Cut(table, "\n];")
	for _, m := range regexp.MustCompile(`\[/(.*?)/, (['"][^\]]*)\]`).FindAllStringSubmatch(table, -1) {
		list = append(list, regexp.MustCompile(m[1]))
		for _, code := range regexp.MustCompile(`danger:([\w-]+)`).FindAllStringSubmatch(m[2], -1) {
			codes = append(codes, code[1])
		}
	}
	return list, codes
}

// TestPhrasesFilter: each phrase of the plan line that is about objects is a filter of the page,
// by dangers that there are.
func TestPhrasesFilter(t *testing.T) {
	list, codes := pagePhrases(t)
	phrases := []string{
		"1 created", "2 renamed (a to b)", "3 changed", "4 rejected", "5 never reached: the run stops at the first failure", "6 pruned",
		"1 orphaned (apply without --prune does not delete it)", "stops 2 pods", "starts 1 pod", "starts the pods of 2 DaemonSets",
		"leaves 1 Service without pods", "adds 2 pods", "requests 2 more CPU in shop", "restarts 3 workloads (14 pods), 1 without overlap", "changes nothing that runs",
		"reverts 2 manual changes (by helm)", "a rollback would not restore 3 fields", staleOne, staleMany,
	}
	for _, phrase := range phrases {
		if !slices.ContainsFunc(list, func(is *regexp.Regexp) bool { return is.MatchString(strings.ReplaceAll(phrase, "%d", "2")) }) {
			t.Errorf("no filter for %q", phrase)
		}
	}
	for _, code := range codes {
		if code != string(Restart) && !slices.Contains(Codes(), code) {
			t.Errorf("no danger is called %s", code)
		}
	}
}
