// Package redact makes a snapshot fit to be kept: it replaces the values of
// Secrets by keyed hashes, which show whether two values are equal and not what
// they are, and puts values back that a config has.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"threeway/merge/mask"
)

// minKey is the least length of a key, in bytes: half of what a hash is made of.
const minKey = 16

// Key makes the hashes. Without it a value cannot be found from its hash, not
// even by trying passwords.
type Key struct {
	secret []byte
	id     string
}

// NewKey returns the key made of secret, without the white space around it.
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

// token is what stands in place of a value: redacted-KEY-HASH, where KEY tells
// keys apart. An empty value, which hides nothing, and a token stay.
func (k *Key) token(value string) string {
	if value == "" || mask.Token(value) != "" {
		return value
	}
	return mask.TokenPrefix + k.id + "-" + k.hash("value", value)
}

// made reports whether the token was made with the key.
func (k *Key) made(token string) bool {
	return k != nil && strings.HasPrefix(token, mask.TokenPrefix+k.id+"-")
}
