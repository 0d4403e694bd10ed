package manifest

import (
	"fmt"
	"strings"
)

// logsBegin begins the line before the log of a container.
const logsBegin = "==== START logs for container "

// withoutLogs returns what `kubectl cluster-info dump` prints to standard output
// with the logs of Pods emptied, which it prints among the lists. Lines keep
// their numbers (k8s.io/kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go).
func withoutLogs(text string) string {
	var b strings.Builder
	for {
		at := strings.Index("\n"+text, "\n"+logsBegin)
		if at < 0 {
			break
		}
		line, log, _ := strings.Cut(text[at+len(logsBegin):], "\n")
		end := fmt.Sprintf("==== END logs for container %s\n", line)
		log, rest, ended := strings.Cut(log, end)
		if !ended {
			break // truncated: the parser says where
		}
		b.WriteString(text[:at])
		b.WriteString(strings.Repeat("\n", strings.Count(log, "\n")+2))
		text = rest
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(text)
	return b.String()
}
