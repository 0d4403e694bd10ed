package validation

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// Whatever is looked at by hand first gets the messages of package content.
func TestNamesGetTheMessagesOfContent(t *testing.T) {
	checks := map[string][2]func(string) []string{
		"label key":     {isLabelKey, content.IsLabelKey},
		"label value":   {isLabelValue, content.IsLabelValue},
		"DNS label":     {isDNS1123Label, func(s string) []string { return countedInCharacters(content.IsDNS1123Label(s)) }},
		"DNS subdomain": {isDNS1123Subdomain, func(s string) []string { return countedInCharacters(content.IsDNS1123Subdomain(s)) }},
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b7", "Z", "9", "-", ".", "_", "/", " ", "é", "\x00", "\n", "@", "[", "`", "{", ":", "kubernetes.io/", strings.Repeat("x", 62), strings.Repeat("y.", 126)}
	texts := []string{""}
	for range 20000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		texts = append(texts, b.String())
	}
	for name, check := range checks {
		accepted := 0
		for _, s := range texts {
			got, want := check[0](s), check[1](s)
			if !slices.Equal(got, want) {
				t.Errorf("%s %q: %q, want %q", name, s, got, want)
			}
			if len(want) == 0 {
				accepted++
			}
		}
		if accepted < 500 || accepted == len(texts) {
			t.Errorf("%s: %d of %d texts are right", name, accepted, len(texts))
		}
	}
}
