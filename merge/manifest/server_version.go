package manifest

import (
	"bytes"
	"regexp"
	"sync"

	"threeway/merge/text/visible"
)

// ServerVersion is the version of a server, v1.33.4, and the file that tells it.
type ServerVersion struct{ Version, File string }

// Comment tells the version at the beginning of a snapshot; "" if it is not known.
func (v ServerVersion) Comment() string {
	if v.Version == "" {
		return ""
	}
	return "# serverVersion:\n#   gitVersion: " + visible.Line(v.Version) + "\n"
}

var (
	versionOutput = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\n{,])[ \t]*"?serverVersion"?\s*:`) })
	gitVersion    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)"?serverVersion"?\s*:.*?"?gitVersion"?\s*:\s*"?(v[0-9][^\s",]*)`)
	})
)

// told is a version that a file tells; none if version is "".
func told(version, file string) ServerVersion {
	if version == "" {
		return ServerVersion{}
	}
	return ServerVersion{version, file}
}

// commentedVersion is what the comment says with which a file begins: a script that
// exports objects may put the output of kubectl version there.
func commentedVersion(head []byte) string {
	var comment []byte
	for line := range bytes.Lines(head) {
		text, is := bytes.CutPrefix(line, []byte("#"))
		if !is {
			break
		}
		comment = append(comment, text...)
	}
	return serverVersion(comment)
}

// serverVersion is what a file says of the server, given the beginning of it, if
// it is what kubectl version -o yaml or -o json printed; else "".
func serverVersion(head []byte) string {
	if !bytes.Contains(head, []byte("serverVersion")) || !versionOutput().Match(head) || versionField.Match(head) {
		return ""
	}
	if m := gitVersion().FindSubmatch(head); m != nil {
		return string(m[1])
	}
	return ""
}
