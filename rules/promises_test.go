package rules

import (
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
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

var (
	triples = flag.Int("triples", 350, "how many triples TestPromises draws, each applied in three modes")
	seed    = flag.Uint64("seed", 0, "the first of the triples")
)

// modes are the ways in which each triple is applied.
var modes = map[string]*rehearsal.ServerSide{
	"client-side": nil, "server-side": {Manager: rehearsal.DefaultManager, Migrate: true}, "forced": {Manager: rehearsal.DefaultManager, Migrate: true, Force: true},
}

// checked is one outcome, with what the same apply does next.
type checked struct {
	*rehearsal.Outcome
	next *rehearsal.Outcome
}

// vow holds an outcome against one promise by plain comparison of trees, which shares
// nothing with the finders: broken are the paths where it is broken, without the places of
// items. Findings of tells are about it, and those of only about nothing else: where nothing is
// broken they are false.
type vow struct {
	broken      func(checked) []string
	tells, only func(*lint.Finding) bool
}

func byRules(rules ...*lint.Rule) func(*lint.Finding) bool {
	return func(f *lint.Finding) bool { return slices.Contains(rules, f.Rule) }
}

var promises = map[string]vow{
	"1 said":   {notThere, byRules(missingFromResult, duplicateMergeKey), byRules(missingFromResult)},
	"2 gone":   {staying, byRules(removedFieldStays, secretStringData, missingFromResult), byRules(removedFieldStays)},
	"3 others": {overwritten, byRules(revertsLiveChange, replicasDropToOne, replaceListDropsLive, ssaForceTakesOwnership, explicitNull, flappingField, missingFromResult, clearedSetting, fallsBackToDefault, ignoredFieldOverwritten, mergeKeyRenamed, duplicateMergeKey, losesData), func(*lint.Finding) bool { return false }},
	"4 rests": {moving, func(f *lint.Finding) bool {
		return f.Rule == nextApplyDiffers || f.Rule == serverMetadataInConfig || strings.Contains(f.Message, "next apply")
	}, byRules(nextApplyDiffers)},
	"5 alone": {blamed, func(f *lint.Finding) bool {
		return f.Severity == lint.Error && (f.Rule != applyRejected || f.Live != "" || strings.Contains(f.Message, "valid alone"))
	}, byRules(liveFieldRejected)},
}

// TestPromises draws last-applied, manifest and live objects, applies them in each mode, and
// counts for each promise where it is broken, told and silent, and what is told and not so:
//
//	go test ./rules -run TestPromises -triples 34000 -seed 1000000 -v
func TestPromises(t *testing.T) {
	breadth.Long(t)
	world, err := random.Load(os.DirFS(filepath.Join(home, "../fixtures")))
	if err != nil {
		t.Fatal(err)
	}
	type figures struct{ broken, told, silent, false int }
	table, kinds, drawn := map[string]*figures{}, map[string]int{}, 0
	for n := range *triples {
		number := uint64(n) + *seed
		manifests, live := world.Triple(binary.LittleEndian.AppendUint64(nil, number*0x9e3779b97f4a7c15))
		for mode, serverSide := range modes {
			opts := merge.Options{Options: rehearsal.Options{
				Inputs:   rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(manifests))}), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(documents(live))})},
				Applying: rehearsal.Applying{ServerSide: serverSide},
			}}
			opts.EmptyCluster = len(live) == 0 // no command takes an export without objects for one
			plan, err := merge.New(opts)
			if err != nil {
				continue
			}
			then := opts
			then.EmptyCluster = false
			again, _, err := plan.Then(then, opts.Manifests)
			if err != nil {
				t.Fatal(err)
			}
			findings := map[string][]*lint.Finding{}
			for _, f := range lint.Run(All(), lint.Input{Options: opts, Plan: plan}, lint.Options{}).Findings {
				findings[f.Object] = append(findings[f.Object], f)
				for _, o := range plan.Outcomes {
					if name := o.Identity().String(); f.Others > 0 && name != f.Object && strings.Contains(strings.Join(f.Notes, "\n"), name) {
						findings[name] = append(findings[name], f)
					}
				}
			}
			for i, o := range plan.Outcomes {
				drawn++
				applied, _, _ := rehearsal.ReadLastApplied(o.Before)
				if o.Applier == "" {
					applied = nil
				}
				kinds[o.Kind.GroupKind()]++
				for name, p := range promises {
					row := table[name+" "+mode]
					if row == nil {
						row = &figures{}
						table[name+" "+mode] = row
					}
					broken, told := p.broken(checked{o, again.Outcomes[i]}), []string{}
					for _, f := range findings[o.Identity().String()] {
						path := bare(f.Path.String())
						if rest, is := strings.CutPrefix(path, "stringData"); is && o.Kind.GroupKind() == "Secret" {
							path = "data" + rest // where the server has it
						}
						if p.tells(f) {
							told = append(told, path)
						}
						v, has := f.Path.Find(o.Target())
						now, _ := f.Path.Find(o.Result)
						unseen := has && blank(v) || now == "" || o.Has(f.Path, applied) || strings.Contains(f.Path.String(), "[") // by plain lines, and managedFields
						if p.only(f) && !unseen && len(o.Dropped)+len(o.Mutations) == 0 && !overlapsAny(path, broken) {
							row.false++
							t.Errorf("triple %d, %s, %s: %s is false: %s\n%s", number, mode, name, o.Identity(), f.Message, trees(o))
						}
					}
					for _, path := range broken {
						path = strings.ReplaceAll(path, "\n", `\n`) // as findings have it
						if row.broken++; overlapsAny(path, told) {
							row.told++
						} else {
							row.silent++
							t.Errorf("triple %d, %s, %s: %s: nothing tells of %s: %q\n%s", number, mode, name, o.Identity(), path, told, trees(o)+"NEXT\n"+yamltext.YAML(again.Outcomes[i].Result)+fmt.Sprintln(again.Outcomes[i].Rejection))
						}
					}
				}
			}
		}
	}
	t.Logf("%d triples from %d on, %d outcomes of %d kinds", *triples, *seed, drawn, len(kinds))
	for _, name := range slices.Sorted(maps.Keys(table)) {
		t.Logf("%-22s %+v", name, *table[name])
	}
	if len(kinds) < 30 && *triples >= 350 {
		t.Errorf("only %d kinds", len(kinds))
	}
}

func trees(o *rehearsal.Outcome) string {
	return "LAST\n" + yamltext.YAML(o.Original) + "MANIFEST\n" + yamltext.YAML(o.Target()) + "LIVE\n" + yamltext.YAML(o.Before) + "RESULT\n" + yamltext.YAML(o.Result) + fmt.Sprintln(o.Action, o.Rejection)
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
	path = strings.NewReplacer(`["`, ".", `\"`, `"`, `"]`, "", "[", ".", "]", "", `\u2028`, "\u2028").Replace(places.ReplaceAllString(path, ""))
	return strings.TrimPrefix(path, ".")
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
// than the result, as read by the server too, and of what the server does not read. The values are
// compared as a bag of lines.
func notThere(o checked) (paths []string) {
	if o.Result == nil || o.Action == rehearsal.Rejected || len(o.Dropped)+len(o.Mutations) > 0 {
		return nil
	}
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
	plain := once(o.Target()).(tree.Object)
	written := said(plain)
	read, unread := written, map[string]int{}
	plain = withoutDirectives(plain).(tree.Object)
	if typed, known, ok := kube.Typed(plain, o.Kind, o.Run.Minor); ok && known {
		read = said(typed)
		scalars("", plain, func(path string) { unread[path]++ })
		scalars("", typed, func(path string) { unread[path]-- })
	}
	for path := range written {
		if _, lost := read[path]; lost || unread[path] > 0 {
			paths = append(paths, path)
		}
	}
	return paths
}

// once is a copy of a value in which no list has a map twice.
func once(v any) any {
	switch v := v.(type) {
	case tree.Object:
		left := tree.Object{}
		for key, x := range v {
			left[key] = once(x)
		}
		return left
	case []any:
		left := []any{}
		for i, x := range v {
			if !tree.Compound(x) || !slices.ContainsFunc(v[:i], func(y any) bool { return tree.Equal(x, y) }) {
				left = append(left, once(x))
			}
		}
		return left
	}
	return v
}

// withoutDirectives is a copy of a value without what only patches have.
func withoutDirectives(v any) any {
	switch v := v.(type) {
	case tree.Object:
		left := tree.Object{}
		for key, x := range v {
			if !strings.HasPrefix(key, "$") {
				left[key] = withoutDirectives(x)
			}
		}
		return left
	case []any:
		left := []any{}
		for _, x := range v {
			left = append(left, withoutDirectives(x))
		}
		return left
	}
	return v
}

// blank reports whether a value has no line: it is nothing but empty texts and directives.
func blank(v any) bool {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			if !strings.HasPrefix(key, "$") && !blank(x) {
				return false
			}
		}
		return len(v) > 0
	case []any:
		return len(v) > 0 && !slices.ContainsFunc(v, func(x any) bool { return !blank(x) })
	}
	return v == nil || v == ""
}

// scalars visits the values of an object, of a list without maps once.
func scalars(at string, v any, visit func(path string)) {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			scalars(at+"."+key, x, visit)
		}
	case []any:
		for i, x := range v {
			if tree.Compound(x) || i == 0 {
				scalars(at, x, visit)
			}
		}
	case nil:
	default:
		visit(strings.TrimPrefix(at, "."))
	}
}

// lines visits the values of an object that are not empty.
func lines(at string, v any, visit func(path, line string)) {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			switch path := at + "." + key; {
			case strings.HasPrefix(key, "$"), at == "" && (key == "status" || key == "apiVersion"):
			case at == "" && key == "stringData" && v["kind"] == "Secret":
				for name, text := range tree.Map(x) {
					text, is := text.(string)
					coded := base64.StdEncoding.EncodeToString([]byte(text))
					if is && text != "" && !strings.HasPrefix(name, "$") && tree.String(v, "data", name) != coded {
						visit("data."+name, ".data."+name+"="+coded)
					}
				}
			case key == rehearsal.LastAppliedKey, strings.HasPrefix(key, "autoscaling.alpha.kubernetes.io/"):
			case at == ".metadata" && slices.Contains([]string{"name", "namespace", "generateName", "ownerReferences", "managedFields", "resourceVersion", "uid", "creationTimestamp",
				"generation", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}, key):
			default:
				lines(path, x, visit)
			}
		}
	case []any:
		for i, x := range v { // a set has an item once
			if tree.String(x, "$patch") != "delete" && (tree.Compound(x) || !slices.Contains(v[:i], x)) {
				lines(at, x, visit)
			}
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
				if o.Action != rehearsal.Rejected || o.Before == nil || strings.Contains(yamltext.YAML(o.Manifest.Tree), "$retainKeys") || o.Rejection.Object == nil {
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

// texts are the values of an object that no item holds, by their paths.
func texts(obj tree.Object) map[string]string {
	all := map[string]string{}
	lines("", obj, func(path, line string) {
		if v, direct := fieldpath.New(strings.Split(path, ".")...).Find(obj); direct && !tree.Compound(v) {
			all[path] = line
		}
	})
	return all
}

// staying are the paths of what left the manifest since the last apply, and is in the result,
// though a new object would not have it.
func staying(o checked) (paths []string) {
	if o.Result == nil || o.Before == nil || o.Action == rehearsal.Rejected || o.Recreated || o.Fresh == nil || o.Fresh() == nil || len(o.Mutations) > 0 {
		return nil
	}
	said, now, fresh := texts(o.Target()), texts(o.Result), texts(o.Fresh())
	was := texts(o.Original)
	if o.Applier != "" {
		was = ownedBy(o.Before, now, func(manager, operation string) bool {
			return manager == rehearsal.DefaultManager && operation == "Apply"
		})
		for path := range ownedBy(o.Before, now, func(manager, operation string) bool { return manager != rehearsal.DefaultManager }) {
			delete(was, path)
		}
	} else if o.Original["apiVersion"] != o.Target()["apiVersion"] {
		return nil
	}
	for path, line := range was {
		allocated := slices.ContainsFunc([]string{"clusterIP", "healthCheckNodePort", "volumeName"}, func(field string) bool { return strings.HasSuffix(path, "."+field) })
		if said[path] == "" && now[path] == line && fresh[path] != line && !(allocated && !strings.HasSuffix(line, "=None")) {
			paths = append(paths, path)
		}
	}
	return paths
}

// ownedBy are the values that managers own in an object, as managedFields have it, without items.
func ownedBy(obj tree.Object, values map[string]string, is func(manager, operation string) bool) map[string]string {
	found := map[string]string{}
	var walk func(fields tree.Object, at string)
	walk = func(fields tree.Object, at string) {
		for key, below := range fields {
			if name, field := strings.CutPrefix(key, "f:"); field {
				path := strings.TrimPrefix(at+"."+name, ".")
				if values[path] != "" {
					found[path] = values[path]
				}
				walk(tree.Map(below), path)
			}
		}
	}
	for _, entry := range tree.List(obj, "metadata", "managedFields") {
		if is(tree.String(entry, "manager"), tree.String(entry, "operation")) && tree.String(entry, "subresource") == "" && entry.(tree.Object)["apiVersion"] == obj["apiVersion"] {
			walk(tree.Map(entry, "fieldsV1"), "")
		}
	}
	return found
}

// overwritten are the paths of live values that somebody has changed since the last apply, and
// that the result has no longer: by last-applied with what the server makes of it, or, of a
// server-side apply, by another manager.
func overwritten(o checked) (paths []string) {
	if o.Result == nil || o.Before == nil || o.Action == rehearsal.Rejected || o.Recreated || len(o.Mutations) > 0 {
		return nil
	}
	live, now := texts(o.Before), texts(o.Result)
	records := map[string]bool{rehearsal.DefaultManager: true, "kubectl-client-side-apply": true}
	for _, entry := range tree.List(o.Before, "metadata", "managedFields") {
		if tree.Has(tree.Map(entry, "fieldsV1", "f:metadata", "f:annotations"), "f:"+rehearsal.LastAppliedKey) {
			records[tree.String(entry, "manager")] = true
		}
	}
	own := func(manager, _ string) bool { return records[manager] }
	others := ownedBy(o.Before, live, func(manager, _ string) bool { return !own(manager, "") })
	if o.Applier != "" { // it takes over what it owns with others, and what an annotation says that it has applied
		for path := range ownedBy(o.Before, live, own) {
			delete(others, path)
		}
		last, _, _ := rehearsal.ReadLastApplied(o.Before)
		for path := range texts(last) {
			delete(others, path)
		}
	}
	var applied, stored map[string]string
	if o.Applier == "" {
		if o.Original == nil || o.Original["apiVersion"] != o.Target()["apiVersion"] {
			return nil
		}
		applied, stored = texts(o.Original), texts(o.Run.Server.Fresh(o.Kind, tree.CopyObject(o.Original)))
	}
	for path, line := range live {
		if now[path] != line && others[path] != "" && applied[path] != line && stored[path] != line && !strings.HasPrefix(path, "metadata.finalizers") {
			paths = append(paths, path)
		}
	}
	return paths
}

// moving are the paths that the next apply changes, or all if it is rejected.
func moving(o checked) (paths []string) {
	if o.Result == nil || o.Action == rehearsal.Rejected || o.Action == rehearsal.Unchanged {
		return nil
	}
	if o.Before != nil && o.next.Unserved { // no cluster has an object without its definition: a gap says that it is not exported
		return nil
	}
	bare := func(obj tree.Object) tree.Object {
		obj = tree.CopyObject(obj)
		for _, field := range []string{"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp", "selfLink"} {
			delete(tree.Map(obj, "metadata"), field)
		}
		delete(tree.Map(obj, "metadata", "annotations"), rehearsal.LastAppliedKey)
		if list := tree.List(obj, "metadata", "finalizers"); list != nil { // which may be there twice, in any order
			set := tree.Object{}
			for _, x := range list {
				set[fmt.Sprint(x)] = true
			}
			tree.Set(obj, any(set), "metadata", "finalizers")
		}
		delete(obj, "status")
		return obj
	}
	if o.next.Rejection != nil || !tree.Equal(bare(o.Result), bare(o.next.Result)) {
		return []string{""}
	}
	return nil
}

// blamed is the whole object if the server rejects it, and would accept the manifest in place
// of the live object, and where no object is live. What policies and quotas deny depends on more,
// and what the same apply again does not reject was in the way of another object of the run.
func blamed(o checked) (paths []string) {
	if o.Action != rehearsal.Rejected || o.Before == nil || o.Run == nil || o.Unserved || o.Before["kind"] != o.Manifest.Tree["kind"] || o.next.Rejection == nil {
		return nil
	}
	gone := *o.Manifest
	if gone.Tree = nil; o.Run.On(&gone).Object(o.Manifest).Action == rehearsal.Rejected || strings.Contains(fmt.Sprint(o.Rejection), "denied request") || strings.Contains(fmt.Sprint(o.Rejection), "exceeded quota") {
		return nil
	}
	obj := tree.CopyObject(o.Manifest.Tree)
	tree.Set(obj, tree.String(o.Before, "metadata", "resourceVersion"), "metadata", "resourceVersion")
	if o.Applier == "" {
		tree.DropNulls(obj)
	}
	if o.Run.Server.Update(o.Kind, o.Before, obj).Rejection == nil {
		return []string{""}
	}
	return nil
}
