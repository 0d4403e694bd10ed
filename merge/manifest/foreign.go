package manifest

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// notObjects returns a message for a snapshot that is output of kubectl for
// people, with what to do instead. It returns "" if the text may contain
// objects. The message does not quote the text, which may contain a Secret.
func notObjects(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	line = strings.TrimSpace(line)
	switch {
	case tableHead.MatchString(line):
		return "this is a table, as kubectl get prints without -o, and has no objects; " + exportAgain
	case strings.HasPrefix(line, "No resources found"):
		return `kubectl found no objects to export ("No resources found"); check the kinds and the namespace, then ` + exportAgain
	case kubectlError.MatchString(line):
		return "this is an error message of kubectl, not objects: " + strconv.Quote(line) + "; solve it, then " + exportAgain + ", without 2>&1"
	case nameLine.MatchString(line):
		return "these are names, as kubectl get -o name prints, not objects; " + exportAgain
	case describedLine.MatchString(line):
		return "this is the output of kubectl describe, which has no objects; " + exportAgain
	}
	return ""
}

// foreign returns a message for a file without objects, which need not be read
// further. It returns "" if a file that begins with text may contain objects.
func foreign(text string) string {
	line := firstLine(text)
	switch {
	case notObjects(text) != "":
		return notObjects(text)
	case isBinary(text):
		return "this is a binary file, not objects; " + exportAgain
	case strings.HasPrefix(line, "<"):
		return "this is HTML or XML, as a proxy answers in place of the API server, not objects; " + exportAgain
	case line != "" && !beginning().MatchString(line):
		return "this is text, not objects in YAML or JSON; " + exportAgain
	}
	return ""
}

// isBinary reports whether a file that begins with text is not a text.
func isBinary(text string) bool { return strings.ContainsRune(text, 0) }

// firstLine returns the first line of a text that is neither blank nor a comment.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

const exportAgain = "export with: kubectl get KINDS -A -o yaml --show-managed-fields ('threeway snapshot' prints the command)"

var (
	// tableHead matches the first line of a table: NAME or NAMESPACE, and
	// columns in capitals (k8s.io/cli-runtime/pkg/printers/tableprinter.go).
	tableHead = regexp.MustCompile(`^(NAME|NAMESPACE|LAST SEEN)(\s+[A-Z][A-Z0-9()./-]*)*$`)
	// kubectlError matches what kubectl and klog print when a request fails
	// (k8s.io/kubectl/pkg/cmd/util/helpers.go).
	kubectlError = regexp.MustCompile(`^(error: |Error from server|The connection to the server |Unable to connect to the server|Error in configuration|[EWI][0-9]{4} [0-9:.]+ )`)
	// nameLine matches a line of -o name.
	nameLine = regexp.MustCompile(`^[a-z][a-z0-9.-]*/[a-z0-9][a-z0-9.:-]*$`)
	// describedLine matches the first line of kubectl describe
	// (k8s.io/kubectl/pkg/describe/describe.go).
	describedLine = regexp.MustCompile(`^Name:\s{2,}\S+$`)
)

// beginning matches the first line of JSON, or of a mapping, a list, a directive
// or a separator of YAML, or of a template.
var beginning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\[{%?&!|>"'-]|:(\s|$)|\{\{`)
})
