package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ledger is what was looked at: the hash of each function's text at the time.
type ledger struct {
	release string
	hashes  map[string]string // by key
}

// readLedger reads "# RELEASE", and for each package "@ PACKAGE" and lines "NAME HASH".
func readLedger(name string) (*ledger, error) {
	l := &ledger{hashes: map[string]string{}}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	pkg := ""
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		first, second, _ := strings.Cut(line, " ")
		switch first {
		case "#":
			l.release = second
		case "@":
			pkg = second
		default:
			l.hashes[pkg+" "+first] = second
		}
	}
	return l, nil
}

func (l *ledger) write(name string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", l.release)
	last := ""
	for _, key := range slices.Sorted(maps.Keys(l.hashes)) {
		pkg, fn, _ := strings.Cut(key, " ")
		if pkg != last {
			fmt.Fprintf(&b, "@ %s\n", pkg)
			last = pkg
		}
		fmt.Fprintf(&b, "%s %s\n", fn, l.hashes[key])
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// open are the functions whose text is not the one that was looked at, sorted.
func (l *ledger) open(now map[string]*function) []string {
	open := map[string]bool{}
	for key, f := range now {
		open[key] = l.hashes[key] != f.hash
	}
	for key := range l.hashes {
		open[key] = open[key] || now[key] == nil
	}
	maps.DeleteFunc(open, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(open))
}

// tick is the ledger after what matches has been looked at; it is that of the release when
// nothing is open any more.
func (l *ledger) tick(now map[string]*function, release string, seen *regexp.Regexp) *ledger {
	next := &ledger{l.release, maps.Clone(l.hashes)}
	for _, key := range l.open(now) {
		switch f := now[key]; {
		case !seen.MatchString(key):
		case f == nil:
			delete(next.hashes, key)
		default:
			next.hashes[key] = f.hash
		}
	}
	if len(next.open(now)) == 0 {
		next.release = release
	}
	return next
}

// deciding are the functions of the scope, and those that a strategy reaches elsewhere in
// Kubernetes.
func (u *upstream) deciding() (map[string]*function, error) {
	all, err := u.functions()
	if err != nil {
		return nil, err
	}
	var roots []*function
	for _, f := range all {
		if strings.HasSuffix(f.file, "/strategy.go") {
			roots = append(roots, f)
		}
	}
	out := map[string]*function{}
	for _, from := range []map[string]*function{all, u.reached(roots)} {
		for key, f := range from {
			out[strings.TrimPrefix(key, "k8s.io/")] = f
		}
	}
	return out, nil
}

// places say where ours stands for a function.
type places struct {
	first, then []rule
	named       map[string][]string        // names that comments of ours have, with the files
	tells       map[string]map[string]bool // the packages that a file's comments have
	unique      map[string]bool            // names that one function has
}

type rule struct {
	pkg, name *regexp.Regexp
	place     string
}

// readPlaces reads places.txt, and the comments of our sources, which name a function if
// only one of the ledger has the name, or if the file tells its package too.
func readPlaces(name, root string, l *ledger) (*places, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p := &places{named: map[string][]string{}, tells: map[string]map[string]bool{}, unique: map[string]bool{}}
	to := &p.first
	for _, line := range strings.Split(string(text), "\n") {
		fields := strings.SplitN(line, " ", 3)
		switch {
		case line == "## named":
			to = &p.then
		case len(fields) == 3 && !strings.HasPrefix(line, "#"):
			*to = append(*to, rule{glob(fields[0]), glob(fields[1]), fields[2]})
		}
	}
	word, path := regexp.MustCompile(`[A-Za-z_]\w{7,}`), regexp.MustCompile(`(?:plugin/)?pkg(?:/[\w-]+)+`)
	for _, dir := range []string{"merge/kube/internal/server", "merge/kube/internal", "merge", "command"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/conformance/") || strings.Contains(file, "/generate/") {
				return err
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			in, err := filepath.Rel(root, file)
			p.tells[in] = map[string]bool{}
			for _, line := range strings.Split(string(source), "\n") {
				if _, comment, ok := strings.Cut(line, "//"); ok {
					for _, w := range word.FindAllString(comment, -1) {
						if !slices.Contains(p.named[w], in) {
							p.named[w] = append(p.named[w], in)
						}
					}
					for _, pkg := range path.FindAllString(comment, -1) {
						p.tells[in][pkg] = true
						p.tells[in][pkg[:max(0, strings.LastIndexByte(pkg, '/'))]] = true // of a file
					}
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	times := map[string]int{}
	for key := range l.hashes {
		_, fn, _ := strings.Cut(key, " ")
		times[fn]++
	}
	for fn, n := range times {
		p.unique[fn] = n == 1 && !strings.Contains(fn, ".")
	}
	return p, nil
}

// glob is a pattern in which "*" is any text.
func glob(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$")
}

// of is the place of a function, or "- " and the reason why there is none; "" if no line
// says.
func (p *places) of(key string) string {
	pkg, name, _ := strings.Cut(key, " ")
	for _, r := range p.first {
		if r.pkg.MatchString(pkg) && r.name.MatchString(name) {
			return r.place
		}
	}
	base := name[strings.LastIndexByte(name, '.')+1:]
	if base != strings.ToLower(base) {
		_, path, _ := strings.Cut(pkg, "/")
		for _, file := range p.named[base] {
			if p.unique[name] || p.tells[file][path] {
				return file
			}
		}
	}
	for _, r := range p.then {
		if r.pkg.MatchString(pkg) && r.name.MatchString(name) {
			return r.place
		}
	}
	return ""
}
