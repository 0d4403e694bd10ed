package redact

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"threeway/merge/token"
	"threeway/merge/tree"
)

// A copy that was redacted inside a text is put back if the manifest has the same text
// around the same value.
func TestRevealCopies(t *testing.T) {
	k := key(t, "0123456789abcdef")
	a, b := k.token("hunter2-long"), k.token("another-value")
	if len(token.All(a+" "+b)) != 2 {
		t.Fatal(token.All(a + " " + b))
	}
	for _, c := range []struct {
		config, live string
		want         bool
	}{
		{"postgres://app:hunter2-long@db/shop", "postgres://app:" + a + "@db/shop", true},
		{"postgres://app:hunter3-long@db/shop", "postgres://app:" + a + "@db/shop", false},
		{"postgres://app:hunter2-long@db/shop2", "postgres://app:" + a + "@db/shop", false},
		{"mysql://app:hunter2-long@db/shop", "postgres://app:" + a + "@db/shop", false},
		{"a=hunter2-long b=another-value.", "a=" + a + " b=" + b + ".", true},
		{"a=hunter2-long b=hunter2-long.", "a=" + a + " b=" + b + ".", false},
		{"a=hunter2-long", "a=" + a + " b=" + b, false},
	} {
		of := func(text string) tree.Object {
			return tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "data": tree.Object{"url": text}}
		}
		revealed, assumed := Reveal(of(c.config), of(c.live), k)
		got := tree.String(revealed, "data", "url") == c.config
		if got != c.want || len(assumed) > 0 {
			t.Errorf("%s, %s: %v, assumed %v", c.config, c.live, got, assumed)
		}
	}
}

// TestHash: digests of the same text are equal with the same key, and tell nothing to who
// has another one, or none.
func TestHash(t *testing.T) {
	sum := func(secret string) string {
		var k *Key
		if secret != "" {
			var err error
			if k, err = NewKey([]byte(secret)); err != nil {
				t.Fatal(err)
			}
		}
		h := k.Hash()
		h.Write([]byte("text"))
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	const one, two = "0123456789abcdef0", "0123456789abcdef1"
	if again := sum(one); again != sum(one) || sum(one) == sum(two) || sum(one) == sum("") || sum("") != fmt.Sprintf("%x", sha256.Sum256([]byte("text"))) {
		t.Error("the digests are", sum(one), sum(two), sum(""))
	}
}
