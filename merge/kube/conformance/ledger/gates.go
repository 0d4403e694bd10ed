package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	gateName = regexp.MustCompile(`^\t(?:\w+\.)?(\w+): \{$`)
	gateSpec = regexp.MustCompile(`^\t\t\{Version: version\.MustParse\("1\.(\d+)"\), Default: (true|false)`)
	gateLate = regexp.MustCompile(`MinCompatibilityVersion: version\.MustParse\("1\.(\d+)"\)`)
)

// gates are the feature gates of a release, and whether each is on by default.
func (u *upstream) gates() map[string]bool {
	on := map[string]bool{}
	for _, pattern := range []string{"k8s.io/apiextensions-apiserver/pkg/features/*.go", "k8s.io/apiserver/pkg/features/*.go", "k8s.io/kubernetes/pkg/features/*.go"} {
		module := strings.Join(strings.Split(pattern, "/")[:2], "/")
		files, _ := filepath.Glob(filepath.Join(u.dirs[module], strings.TrimPrefix(pattern, module)))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err == nil && u.dirs[module] != "" && !strings.HasSuffix(file, "_test.go") {
				gatesIn(string(text), u.minor(), on)
			}
		}
	}
	return on
}

func (u *upstream) minor() int {
	minor, _ := strconv.Atoi(strings.Split(u.release, ".")[1])
	return minor
}

// gatesIn reads "Name: {" and its versions; the last that a minor has reached is its
// default. A server is compatible with the minor before.
func gatesIn(text string, minor int, on map[string]bool) {
	name := ""
	for _, line := range strings.Split(text, "\n") {
		if m := gateName.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		m := gateSpec.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		since, _ := strconv.Atoi(m[1])
		late := false
		if c := gateLate.FindStringSubmatch(line); c != nil {
			compatible, _ := strconv.Atoi(c[1])
			late = compatible >= minor
		}
		if since <= minor && !late {
			on[name] = m[2] == "true"
		}
	}
}

// tellGates prints the gates whose default changed, and the new ones that are on.
func tellGates(w io.Writer, before, after map[string]bool) {
	word := map[bool]string{true: "on", false: "off"}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		was, known := before[name]
		switch is := after[name]; {
		case known && was != is:
			fmt.Fprintf(w, "gate %s: %s, was %s\n", name, word[is], word[was])
		case !known && is:
			fmt.Fprintf(w, "gate %s: new, on\n", name)
		}
	}
}
