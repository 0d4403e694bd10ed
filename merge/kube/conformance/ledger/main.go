// Command ledger keeps a line for each function of Kubernetes that decides what is
// rehearsed: its package, its name, and a hash of its text, in ledger.txt; places.txt says
// where ours stands, or why there is none.
//
//	go run . -to 1.38.0                 gates that are on now, and changed, new and gone functions with both texts
//	go run . -to 1.38.0 -tick REGEXP    they have been looked at: the ledger follows
//
// A function is told until it is ticked, so the work can be put down and taken up again.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

func main() {
	to := flag.String("to", "", "the release that the ledger is to follow")
	from := flag.String("from", "", "where the old texts are from; the ledger's release if not set")
	tick := flag.String("tick", "", "take over what matches: package and function, or \".\"")
	only := flag.String("only", "", "tell only what matches")
	root := flag.String("root", "../../../..", "folder of threeway")
	list := flag.Bool("list", false, "tell names and places, no texts")
	flag.Parse()
	if err := run(os.Stdout, *root, *from, *to, *tick, *only, *list); err != nil {
		fmt.Fprintln(os.Stderr, "ledger:", err)
		os.Exit(1)
	}
}

const file = "ledger.txt"

func run(w io.Writer, root, from, to, tick, only string, list bool) error {
	have, err := readLedger(file)
	if err != nil {
		return err
	}
	if from == "" {
		from = have.release
	}
	if to == "" {
		to = have.release
	}
	now, err := open(to)
	if err != nil {
		return err
	}
	next, err := now.deciding()
	if err != nil {
		return err
	}
	if tick != "" && len(now.missing) > 0 {
		return fmt.Errorf("%s lacks %s: tick a release that has all modules", to, strings.Join(now.missing, ", "))
	}
	if tick != "" {
		return have.tick(next, to, regexp.MustCompile(tick)).write(file)
	}
	before, err := open(from)
	if err != nil {
		return err
	}
	old, err := before.deciding()
	if err != nil {
		return err
	}
	places, err := readPlaces("places.txt", root, have)
	if err != nil {
		return err
	}
	for _, module := range now.missing {
		fmt.Fprintf(w, "%s has no version %s: not compared\n", module, to)
	}
	if len(now.missing) > 0 { // nor what only the strategies of a missing module reach
		listed, err := before.functions()
		if err != nil {
			return err
		}
		for _, m := range []map[string]*function{old, next} {
			maps.DeleteFunc(m, func(key string, _ *function) bool { return !inScope(m[key].module()) || !now.has(key) })
		}
		maps.DeleteFunc(have.hashes, func(key, _ string) bool { return listed["k8s.io/"+key] == nil || !now.has(key) })
	}
	tellGates(w, before.gates(), now.gates())
	return tell(w, have, old, next, places, regexp.MustCompile(only), list)
}

// tell prints what the ledger has not followed yet, the most used kinds first.
func tell(w io.Writer, have *ledger, old, next map[string]*function, places *places, only *regexp.Regexp, list bool) error {
	counts := map[string]int{}
	var open []string
	for _, key := range have.open(next) {
		f := next[key]
		if f == nil {
			f = old[key]
		}
		if f != nil && only.MatchString(key) {
			open = append(open, key)
		}
	}
	group := func(key string) int { return usedOften(key[:strings.IndexByte(key, ' ')]) }
	slices.SortStableFunc(open, func(a, b string) int { return group(a) - group(b) })
	for _, key := range open {
		was, is := old[key], next[key]
		state := "changed"
		switch {
		case is == nil:
			state = "gone"
		case have.hashes[key] == "":
			state = "new"
		}
		place := places.of(key)
		counts[state]++
		if strings.HasPrefix(place, "-") {
			counts["without a place, for a reason"]++
		}
		fmt.Fprintf(w, "%s %s\n  ours: %s\n", state, key, place)
		if list || strings.HasPrefix(place, "-") {
			continue
		}
		if err := difference(w, was, is); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d open: %v\n", len(open), counts)
	return nil
}

// difference prints both texts of a function, lines that only one has marked.
func difference(w io.Writer, was, is *function) error {
	var names []string
	for _, f := range []*function{was, is} {
		temp, err := os.CreateTemp("", "ledger")
		if err != nil {
			return err
		}
		defer os.Remove(temp.Name())
		if f != nil {
			if _, err := temp.WriteString(f.text + "\n"); err != nil {
				return err
			}
		}
		if err := temp.Close(); err != nil {
			return err
		}
		names = append(names, temp.Name())
	}
	out, _ := exec.Command("diff", "-U1000", names[0], names[1]).Output()
	lines := strings.SplitAfter(string(out), "\n")
	if len(lines) > 3 {
		fmt.Fprint(w, strings.Join(lines[3:], ""))
	}
	return nil
}
