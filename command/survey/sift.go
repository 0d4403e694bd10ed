package survey

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/merge/manifest"
)

// Sift removes from a set the files that hold nothing for a cluster: configurations of other
// programs, and what is no object. judged reports whether a file is judged whatever it is, as one
// that was named. text returns the text of a file, nil if it cannot be read.
func Sift(set *manifest.Set, judged func(o Other) bool, text func(file string) []byte) (others []Other) {
	is := map[string]string{} // "" judges a file
	see := func(file string, o *manifest.Object) {
		if o != nil && o.Sealed() {
			is[file] = cmp.Or(is[file], Encrypted+"SOPS")
			return
		}
		before, seen := is[file]
		program := programOf(o)
		switch {
		case program != "" && (!seen || before != ""):
			is[file] = madeFor(program)
		case program == "":
			is[file] = ""
		}
	}
	for _, o := range set.Objects {
		see(o.Origin.File, o)
	}
	for _, p := range set.Problems {
		if p.Object != nil && p.Object.Kind.Kind != "" && p.Object.Kind.Version != "" {
			see(p.File, p.Object)
		}
	}
	for _, p := range set.Problems {
		if _, seen := is[p.File]; !seen && p.File != "" && p.Severity == manifest.Error {
			if data := text(p.File); data != nil {
				is[p.File] = otherIn(data)
			}
		}
	}
	drops := func(file string) bool {
		return is[file] != "" && !slices.Contains(kustomize.FileNames, path.Base(filepath.ToSlash(file))) && !judged(Other{file, is[file]})
	}
	for _, o := range set.Objects {
		note(&others, o.Origin.File, is, drops)
	}
	for _, p := range set.Problems {
		note(&others, p.File, is, drops)
	}
	beside := func(o *manifest.Object) bool { // a document of a program between manifests
		if program := programOf(o); program != "" && is[o.Origin.File] == "" && !judged(Other{Path: o.Origin.File}) {
			note := Other{o.Origin.File, "with a document for " + program}
			if !slices.Contains(others, note) {
				others = append(others, note)
			}
			return true
		}
		return false
	}
	ofOther := func(o *manifest.Object) bool { return drops(o.Origin.File) || beside(o) }
	set.Objects, set.Checked = slices.DeleteFunc(set.Objects, ofOther), slices.DeleteFunc(set.Checked, ofOther)
	set.Problems = slices.DeleteFunc(set.Problems, func(p manifest.Problem) bool {
		return drops(p.File) || p.Object != nil && beside(p.Object)
	})
	return others
}

// programOf is who reads an object that no API server stores; "" if one may. What kustomize reads
// says what is applied.
func programOf(o *manifest.Object) string {
	if o == nil || o.Kind.Group == kustomizeGroup {
		return ""
	}
	return cmp.Or(ofProgram(o.Kind.Group, o.Kind.Version, o.Kind.Kind), unnamed(o.Kind.Group, o.Tree))
}

func note(others *[]Other, file string, is map[string]string, drops func(file string) bool) {
	if drops(file) && !slices.Contains(*others, Other{file, is[file]}) {
		*others = append(*others, Other{file, is[file]})
	}
}

// Counted says in one line which files hold nothing to judge; "" if there are none.
func Counted(others []Other) string {
	if len(others) == 0 {
		return ""
	}
	var names, whats []string
	for _, o := range others {
		names = append(names, o.Path)
		if !slices.Contains(whats, o.What) {
			whats = append(whats, o.What)
		}
	}
	slices.Sort(whats)
	slices.Sort(names)
	noun := "files are"
	if len(others) == 1 {
		noun = "file is"
	}
	return fmt.Sprintf("%d %s not judged (%s): %s", len(others), noun, strings.Join(whats, ", "), strings.Join(names, ", "))
}
