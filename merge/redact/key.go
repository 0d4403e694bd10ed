// Package redact makes a snapshot safe to store. It replaces the values of
// Secrets by keyed hashes, which show only whether two values are equal. For a
// rehearsal it puts back the values that are also in the manifests.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"threeway/merge/token"
)

// minKey is the minimum length of a key in bytes: half the size of a SHA-256
// hash.
const minKey = 16

// Key makes the hashes. Without the key a value cannot be recovered from its
// hash, not even by guessing.
type Key struct {
	secret []byte
	id     string
}

// NewKey returns the key for secret, ignoring white space around it.
func NewKey(secret []byte) (*Key, error) {
	trimmed := []byte(strings.TrimSpace(string(secret)))
	if len(trimmed) < minKey {
		return nil, fmt.Errorf("the key has %d bytes and needs at least %d; make one with: head -c 32 /dev/urandom | base64", len(trimmed), minKey)
	}
	k := &Key{secret: trimmed}
	k.id = k.hash("id", "")[:8]
	return k, nil
}

func (k *Key) hash(use, text string) string {
	h := hmac.New(sha256.New, k.secret)
	h.Write([]byte(use + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// token returns the replacement of a value: redacted-KEY-HASH, where KEY
// identifies the key. An empty value and a token are returned unchanged.
func (k *Key) token(value string) string {
	if value == "" || token.Find(value) != "" {
		return value
	}
	return token.Prefix + k.id + "-" + k.hash("value", value)
}

// Hash is a hash for what has secret values in it, which cannot be tried without
// the key. It may be nil.
func (k *Key) Hash() hash.Hash {
	if k == nil {
		return sha256.New()
	}
	return hmac.New(sha256.New, []byte(k.hash("digest", "")))
}

// made reports whether a token was made with the key.
func (k *Key) made(value string) bool {
	return k != nil && strings.HasPrefix(value, token.Prefix+k.id+"-")
}
