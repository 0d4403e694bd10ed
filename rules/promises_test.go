package rules

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/random"
	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSaidIsDone draws manifests and live objects: a manifest has a value that the result has
// nowhere, if and only if a rule says so of the object, and of that field. The values are
// compared as a bag of lines without the places of items, as the finder does not do it.
func TestSaidIsDone(t *testing.T) {
	world, err := random.Load(os.DirFS(filepath.Join(home, "../fixtures")))
	if err != nil {
		t.Fatal(err)
	}
	drawn, broken := 0, 0
	for n := range 700 {
		manifests, live := world.Triple(binary.LittleEndian.AppendUint64(nil, uint64(n)*0x9e3779b97f4a7c15))
		opts := merge.Options{Options: rehearsal.Options{
			Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(manifests))}),
			Live:      manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(live))}),
		}}
		plan, err := merge.New(opts)
		if err != nil {
			continue
		}
		told, said := map[string][]string{}, map[string][]string{}
		for _, f := range lint.Run([]*lint.Rule{missingFromResult, duplicateMergeKey}, lint.Input{Options: opts, Plan: plan}, lint.Options{}).Findings {
			told[f.Object] = append(told[f.Object], bare(f.Path.String()))
			if f.Rule == missingFromResult {
				said[f.Object] = append(said[f.Object], bare(f.Path.String()))
			}
		}
		for _, o := range plan.Outcomes {
			if o.Result == nil || o.Action == rehearsal.Rejected || len(o.Dropped)+len(o.Mutations) > 0 {
				continue
			}
			drawn++
			lost := notThere(o)
			if len(lost) > 0 {
				broken++
			}
			for _, path := range said[o.Identity().String()] {
				if !overlapsAny(path, lost) && path != "metadata.labelsx" { // of which the server has no field
					t.Errorf("story %d: %s: the result has %s\n%s\n%s", n, o.Identity(), path, yamltext.YAML(o.Target()), yamltext.YAML(o.Result))
				}
			}
			at := told[o.Identity().String()]
			for _, path := range lost {
				if !overlapsAny(path, at) {
					t.Errorf("story %d: %s: nothing tells that the result lacks %s: %q\n%s\n%s", n, o.Identity(), path, at, yamltext.YAML(o.Target()), yamltext.YAML(o.Result))
				}
			}
		}
	}
	t.Logf("%d outcomes, %d that lack what the manifest says", drawn, broken)
	if broken < 8 {
		t.Errorf("only %d outcomes lack something", broken)
	}
}

func documents(objects []tree.Object) string {
	var docs []string
	for _, o := range objects {
		docs = append(docs, yamltext.YAML(o))
	}
	return strings.Join(docs, "---\n")
}

var places = regexp.MustCompile(`\[[^\]]*=[^\]]*\]|\[\d+\]`)

// bare is a path without the places of items, and without the brackets and quotes of names.
func bare(path string) string {
	return strings.NewReplacer(`["`, ".", `"]`, "", "[", ".", "]", "", `\u2028`, "\u2028").Replace(places.ReplaceAllString(path, ""))
}

func overlapsAny(path string, of []string) bool {
	for _, p := range of {
		if strings.HasPrefix(path, p) || strings.HasPrefix(p, path) {
			return true
		}
	}
	return false
}

// notThere are the paths, without the places of items, of what a manifest says more often
// than the result, as read by the server too.
func notThere(o *rehearsal.Outcome) (paths []string) {
	has := map[string]int{}
	lines("", o.Result, func(path, line string) { has[line]++ })
	said := func(obj tree.Object) map[string]string {
		left, lost := map[string]int{}, map[string]string{}
		lines("", obj, func(path, line string) {
			if left[line]++; left[line] > has[line] {
				lost[path] = line
			}
		})
		return lost
	}
	written := said(o.Target())
	read := written
	if typed, known, ok := kube.Typed(o.Target(), o.Kind, o.Run.Minor); ok && known {
		read = said(typed)
	}
	for path := range written {
		if _, lost := read[path]; lost {
			paths = append(paths, path)
		}
	}
	return paths
}

// lines visits the values of an object that are not empty.
func lines(at string, v any, visit func(path, line string)) {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			switch path := at + "." + key; {
			case strings.HasPrefix(key, "$"), at == "" && (key == "status" || key == "stringData" || key == "apiVersion"):
			case key == rehearsal.LastAppliedKey, strings.HasPrefix(key, "autoscaling.alpha.kubernetes.io/"):
			case at == ".metadata" && key != "labels" && key != "annotations" && key != "finalizers":
			default:
				lines(path, x, visit)
			}
		}
	case []any:
		for _, x := range v {
			lines(at, x, visit)
		}
	case nil:
	default:
		if text := fmt.Sprint(v); text != "" && text != "0" && text != "false" {
			visit(strings.TrimPrefix(at, "."), at+"="+text)
		}
	}
}

// TestAloneItIsRight goes over the stories of all rules: live fields are named as the cause of a
// rejection if the manifest alone is accepted, and then the object that the server rejected is
// accepted without them, and not without all but one of them.
func TestAloneItIsRight(t *testing.T) {
	rejected, laid := 0, 0
	files, _ := filepath.Glob(filepath.Join(home, "testdata/*/stories.txtar"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		archive, last := txtar.Parse(data), ""
		for _, f := range archive.Files {
			n, _, _ := strings.Cut(f.Name, "/")
			if n == last {
				continue
			}
			last = n
			plan, _ := examined(t, story(archive, n))
			for _, o := range plan.Outcomes {
				if o.Action != rehearsal.Rejected || o.Before == nil || o.Rejection.Object == nil {
					continue
				}
				rejected++
				paths := promise.Blocking(o)
				if paths == nil {
					continue
				}
				laid++
				if o.Run.CreateRejection(o.Kind, o.Manifest.Tree) != nil {
					t.Errorf("story %s: %s: %s is named, and the manifest is wrong alone", n, o.Identity(), paths)
				}
				without := func(paths []fieldpath.Path) bool {
					var edits []edit.Edit
					for _, p := range paths {
						edits = append(edits, edit.Remove(p))
					}
					left, err := edit.Object(o.Rejection.Object, edits)
					if err != nil {
						t.Fatal(err)
					}
					return o.Run.Server.Update(o.Kind, o.Before, left).Rejection == nil
				}
				if !without(paths) {
					t.Errorf("story %s: %s: rejected without %s too", n, o.Identity(), paths)
				}
				for i := range paths {
					if fewer := slices.Concat(paths[:i], paths[i+1:]); without(fewer) {
						t.Errorf("story %s: %s: of %s, %s is not needed", n, o.Identity(), paths, paths[i])
					}
				}
			}
		}
	}
	t.Logf("%d rejected, %d because of live fields", rejected, laid)
	if laid < 20 {
		t.Errorf("only %d because of live fields", laid)
	}
}

// TestGoneIsGone draws manifests and live objects: a value of last-applied that the manifest no
// longer has is in the result, though a new object would not have it, if and only if the finder
// says so. The values are compared as lines without the places of items.
func TestGoneIsGone(t *testing.T) {
	world, err := random.Load(os.DirFS(filepath.Join(home, "../fixtures")))
	if err != nil {
		t.Fatal(err)
	}
	drawn, staying := 0, 0
	for n := range 700 {
		manifests, live := world.Triple(binary.LittleEndian.AppendUint64(nil, uint64(n)*0x9e3779b97f4a7c15))
		plan, err := merge.New(merge.Options{Options: rehearsal.Options{
			Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(manifests))}),
			Live:      manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(live))}),
		}})
		if err != nil {
			continue
		}
		for _, o := range plan.Outcomes {
			if o.Result == nil || o.Original == nil || o.Action == rehearsal.Rejected || o.Original["apiVersion"] != o.Target()["apiVersion"] {
				continue
			}
			drawn++
			in := func(obj tree.Object) map[string]string {
				all := map[string]string{}
				lines("", obj, func(path, line string) { all[line] = path })
				return all
			}
			said, now, fresh := in(o.Target()), in(o.Result), in(o.Fresh())
			var told []string
			for _, s := range promise.Gone(o) {
				told = append(told, bare(s.Was.String()))
			}
			want := map[string]bool{}
			for line, path := range in(o.Original) {
				_, direct := fieldpath.New(strings.Split(path, ".")...).Find(o.Original) // and not in an item, which another one may be like
				if direct && said[line] == "" && now[line] != "" && fresh[line] == "" {
					want[path] = true
				}
			}
			staying += len(want)
			for path := range want {
				if !overlapsAny(path, told) {
					t.Errorf("story %d: %s: nothing tells that %s stays: %q\n%s\n%s\n%s", n, o.Identity(), path, told, yamltext.YAML(o.Original), yamltext.YAML(o.Target()), yamltext.YAML(o.Result))
				}
			}
			for _, path := range told {
				if !strings.HasPrefix(path, "stringData") && !want[path] {
					t.Errorf("story %d: %s: %s does not stay\n%s\n%s\n%s", n, o.Identity(), path, yamltext.YAML(o.Original), yamltext.YAML(o.Target()), yamltext.YAML(o.Result))
				}
			}
		}
	}
	t.Logf("%d outcomes, %d values that stay", drawn, staying)
}

// TestItRests draws manifests and live objects, and applies the whole set once more on what the
// apply leaves: an object is rejected or changes then, if and only if a rule says so of it.
func TestItRests(t *testing.T) {
	world, err := random.Load(os.DirFS(filepath.Join(home, "../fixtures")))
	if err != nil {
		t.Fatal(err)
	}
	drawn, restless := 0, 0
	for n := range 700 {
		manifests, live := world.Triple(binary.LittleEndian.AppendUint64(nil, uint64(n)*0x9e3779b97f4a7c15))
		opts := merge.Options{Options: rehearsal.Options{
			Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(manifests))}),
			Live:      manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(live))}),
		}}
		plan, err := merge.New(opts)
		if err != nil {
			continue
		}
		again, _, err := plan.Then(opts, opts.Manifests)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{}
		for _, f := range lint.Run([]*lint.Rule{nextApplyDiffers, missingFromResult, serverMetadataInConfig}, lint.Input{Options: opts, Plan: plan}, lint.Options{}).Findings {
			told[f.Object] = told[f.Object] || f.Rule == nextApplyDiffers || strings.Contains(f.Message, "next apply")
		}
		for i, o := range plan.Outcomes {
			if o.Result == nil || o.Action == rehearsal.Rejected || o.Action == rehearsal.Unchanged {
				continue
			}
			drawn++
			next := again.Outcomes[i]
			bare := func(obj tree.Object) tree.Object {
				obj = tree.CopyObject(obj)
				for _, field := range []string{"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp"} {
					delete(tree.Map(obj, "metadata"), field)
				}
				delete(tree.Map(obj, "metadata", "annotations"), rehearsal.LastAppliedKey)
				delete(obj, "status")
				return obj
			}
			moves := next.Rejection != nil || !tree.Equal(bare(o.Result), bare(next.Result))
			if moves {
				restless++
			}
			if name := o.Identity().String(); moves != told[name] {
				t.Errorf("story %d: %s: the next apply rejects or changes it: %t, told: %t: %v\n%s\n%s", n, name, moves, told[name], next.Rejection, yamltext.YAML(o.Target()), yamltext.YAML(o.Result))
			}
		}
	}
	t.Logf("%d outcomes, %d that the next apply rejects or changes", drawn, restless)
}
