package manifest

import (
	"regexp"
	"sync"
)

// ServerVersion is the version of a server, v1.33.4, and the file that tells it.
type ServerVersion struct{ Version, File string }

var (
	versionOutput = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\n{,])[ \t]*"?serverVersion"?\s*:`) })
	gitVersion    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)"?serverVersion"?\s*:.*?"?gitVersion"?\s*:\s*"?(v[0-9][^\s",]*)`)
	})
)

// serverVersion is what a file says of the server, given the beginning of it, if
// it is what kubectl version -o yaml or -o json printed; else "".
func serverVersion(head []byte) string {
	if !versionOutput().Match(head) || versionField.Match(head) {
		return ""
	}
	if m := gitVersion().FindSubmatch(head); m != nil {
		return string(m[1])
	}
	return ""
}
