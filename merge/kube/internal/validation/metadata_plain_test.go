package validation_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/fixtures/breadth"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Whatever is looked at by hand first gets the messages of package content.
func TestNamesGetTheMessagesOfContent(t *testing.T) {
	request := func(kind string, metadata tree.Object) *validation.Request {
		return &validation.Request{Kind: schema.Kind{Version: "v1", Kind: kind}, Minor: 36, Object: tree.Object{"metadata": metadata}}
	}
	labeled := func(key, value string) *validation.Request {
		return request("ConfigMap", tree.Object{"name": "a", "namespace": "b", "labels": tree.Object{key: value}})
	}
	inCharacters := func(messages []string) []string { // k8s.io/apimachinery/pkg/util/validation counts these in characters
		for i, m := range messages {
			if strings.HasPrefix(m, "must be no more than ") {
				messages[i] = strings.TrimSuffix(m, "bytes") + "characters"
			}
		}
		return messages
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b7", "Z", "9", "-", ".", "_", "/", " ", "é", "\x00", "\n", "@", "[", "`", "{", ":", "kubernetes.io/", strings.Repeat("x", 62), strings.Repeat("y.", 126)}
	var texts []string
	for range breadth.Of(20000, 4) {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		texts = append(texts, b.String())
	}
	for _, check := range []struct {
		name     string
		path     *field.Path
		request  func(s string) *validation.Request
		messages func(s string) []string
	}{
		{"label key", field.NewPath("metadata", "labels"), func(s string) *validation.Request { return labeled(s, "") }, content.IsLabelKey},
		{"label value", field.NewPath("metadata", "labels"), func(s string) *validation.Request { return labeled("a", s) }, content.IsLabelValue},
		{"DNS label", field.NewPath("metadata", "name"), func(s string) *validation.Request { return request("Namespace", tree.Object{"name": s}) },
			func(s string) []string { return inCharacters(content.IsDNS1123Label(s)) }},
		{"DNS subdomain", field.NewPath("metadata", "name"), func(s string) *validation.Request {
			return request("ConfigMap", tree.Object{"name": s, "namespace": "b"})
		},
			func(s string) []string { return inCharacters(content.IsDNS1123Subdomain(s)) }},
	} {
		accepted := 0
		for _, s := range texts {
			got, want := "", ""
			for _, err := range validated(check.request(s)) {
				got += err.Error() + "\n"
			}
			for _, m := range check.messages(s) {
				want += field.Invalid(check.path, s, m).Error() + "\n"
			}
			if got != want {
				t.Errorf("%s %q: %q, want %q", check.name, s, got, want)
			}
			if want == "" {
				accepted++
			}
		}
		if accepted < breadth.Of(500, 5) || accepted == len(texts) {
			t.Errorf("%s: %d of %d texts are right", check.name, accepted, len(texts))
		}
	}
}
