package manifest

import (
	"regexp"
	"strconv"
	"strings"
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
	kubectlError = regexp.MustCompile(`^(error: |Error from server|The connection to the server |Unable to connect to the server|Error in configuration|[EW][0-9]{4} [0-9:.]+ )`)
	// nameLine matches a line of -o name.
	nameLine = regexp.MustCompile(`^[a-z][a-z0-9.-]*/[a-z0-9][a-z0-9.:-]*$`)
)
