package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
)

// gates reads which feature gates of Kubernetes are on by default in the release's
// minor, and which it has at all.
func (r *release) gates() (map[string]bool, error) {
	if r.on != nil {
		return r.on, nil
	}
	on := map[string]bool{}
	files, err := filepath.Glob(r.dirs["k8s.io/kubernetes"] + "/pkg/features/*.go")
	if err != nil {
		return nil, err
	}
	names := map[string]string{} // Go names to those of the gates
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
					names[spec.Names[0].Name] = text(lit)
				}
			}
			return true
		})
	}
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			value, ok := kv.Value.(*ast.CompositeLit)
			if id, named := kv.Key.(*ast.Ident); ok && named && names[id.Name] != "" {
				if is, found := defaultOf(value, r.minor); found {
					on[names[id.Name]] = is
				}
			}
			return true
		})
	}
	if len(on) == 0 {
		return nil, fmt.Errorf("no feature gates in 1.%d", r.minor)
	}
	r.on = on
	return on, nil
}

// defaultOf reads {Default: true, …}, or the last of [{Version: …, Default: true, …}, …]
// that the minor has reached.
func defaultOf(spec *ast.CompositeLit, minor int) (on, found bool) {
	since, late := 0, false
	for _, e := range spec.Elts {
		switch e := e.(type) {
		case *ast.CompositeLit:
			if is, ok := defaultOf(e, minor); ok {
				on, found = is, true
			}
		case *ast.KeyValueExpr:
			switch id, _ := e.Key.(*ast.Ident); {
			case id == nil:
			case id.Name == "MinCompatibilityVersion": // a server is compatible with the minor before
				compatible, ok := versionOf(e.Value)
				late = late || ok && compatible >= minor
			case id.Name == "Default":
				value, _ := e.Value.(*ast.Ident)
				on, found = value != nil && value.Name == "true", value != nil
			case id.Name == "Version":
				since, _ = versionOf(e.Value)
			}
		}
	}
	return on, found && since <= minor && !late
}

// versionOf is the minor of version.MustParse("1.37").
func versionOf(e ast.Expr) (minor int, ok bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return 0, false
	}
	if _, err := fmt.Sscanf(text(call.Args[0]), "1.%d", &minor); err != nil {
		minor, _ = strconv.Atoi(text(call.Args[0]))
	}
	return minor, true
}

// handledElsewhere are gates of which more goes than the field
// (claimSources and dropFromPodSpec of merge/kube/internal/server, rows of minors.Fields).
var handledElsewhere = []string{"CrossNamespaceVolumeDataSource", "ContainerStopSignals", "ImageVolume", "SecurityProfileOCI"}

// addGates notes from which minor on all gates of a field are on.
func (f *field) addGates(releases []*release) error {
	for _, gate := range f.gates {
		if slices.Contains(handledElsewhere, gate) {
			continue
		}
		since, err := onSince(releases, gate)
		if err != nil {
			return err
		}
		switch {
		case since == 0:
			f.gated, f.never = true, true
		case since > f.since && since > releases[len(releases)-1].minor:
			f.gated, f.on = true, max(f.on, since)
		}
	}
	if f.never {
		f.on = 0
	}
	return nil
}

// onSince is the first minor of the releases from which on a gate stays on by default;
// 0 if it is off in the newest. A gate that the newest does not have any more has been
// locked on, or is gone with its fields.
func onSince(releases []*release, gate string) (since int, err error) {
	for _, r := range slices.SortedFunc(slices.Values(releases), func(a, b *release) int { return b.minor - a.minor }) {
		if _, ok := r.dirs["k8s.io/kubernetes"]; !ok {
			break
		}
		all, err := r.gates()
		if err != nil {
			return 0, err
		}
		on, known := all[gate]
		if known && !on {
			return since, nil
		}
		since = r.minor
	}
	return 1, nil
}
