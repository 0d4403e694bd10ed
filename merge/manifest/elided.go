package manifest

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"threeway/merge/token"
	"threeway/merge/tree"
)

// lengthOnly matches what must-gather puts in place of a value of a Secret.
var lengthOnly = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+) bytes long$`) })

// shownByMustGather are the keys whose values it keeps.
var shownByMustGather = []string{"tls.crt", "ca.crt", "service-ca.crt"}

// unelide turns the values of a Secret in a must-gather, of which only the
// lengths are known, into tokens, so that they count as redacted. It leaves a
// Secret alone that has other values
// (github.com/openshift/oc pkg/cli/admin/inspect/secret.go elideSecret).
func unelide(o tree.Object) {
	data := tree.Map(o, "data")
	tokens := tree.Object{}
	for key, v := range data {
		text, _ := v.(string)
		plain, _ := base64.StdEncoding.DecodeString(text)
		m := lengthOnly().FindSubmatch(plain)
		if m == nil {
			if slices.Contains(shownByMustGather, key) {
				continue
			}
			return
		}
		length, err := strconv.Atoi(string(m[1]))
		if err != nil {
			return
		}
		token := token.OfLength(length)
		if key == ".dockerconfigjson" || key == ".dockercfg" {
			token = `{"redacted":"` + token + `"}` // the server checks that it is JSON
		}
		tokens[key] = base64.StdEncoding.EncodeToString([]byte(token))
	}
	for key, token := range tokens {
		data[key] = token
	}
}
