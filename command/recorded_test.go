package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/merge"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/report"
	"threeway/merge/tree"
)

// TestRecorded holds the product to what a real kubectl and kube-apiserver
// answered to every story in fixtures/: the word, the request and its body, the
// stored object, the warnings, the rejection, and kubectl diff's text.
func TestRecorded(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), ".")
	if err != nil {
		t.Fatal(err)
	}
	objects := 0
	for _, c := range cases {
		for i, a := range c.Answers {
			if a.Step.Verb == "run" || a.Step.Has("--server-side") || a.Want.Kubectl == "" || beyond[c.Name()] != "" {
				continue
			}
			objects += len(a.Want.Outcomes)
			t.Run(fmt.Sprintf("%s/%d", c.Name(), i+1), func(t *testing.T) { checkAnswer(t, c, a) })
		}
	}
	if objects < 300 {
		t.Errorf("only %d recorded objects were checked", objects)
	}
}

// checkAnswer compares one answer with ours, object by object.
func checkAnswer(t *testing.T, c *fixtures.Case, a fixtures.Answer) {
	apply := rehearse(t, c, a, false)
	diff := rehearse(t, c, a, true)
	if len(apply.Outcomes)+len(apply.Problems) < len(a.Want.Outcomes) {
		t.Fatalf("%d outcomes and %d problems, want %d", len(apply.Outcomes), len(apply.Problems), len(a.Want.Outcomes))
	}
	if a.Want.Stderr != "" {
		checkListed(t, apply, a.Want.Stderr)
	}
	used := map[*merge.Outcome]bool{}
	for _, want := range a.Want.Outcomes {
		if beyond[c.Name()+" "+want.Name] != "" {
			continue
		}
		got := find(apply, want, used)
		if got == nil {
			if !problemSays(apply, want.Error) {
				t.Errorf("%s %s: no outcome, want %q %s", want.Kind, want.Name, want.Word, want.Error)
			}
			continue
		}
		used[got] = true
		checkOutcome(t, c.Name(), got, want)
	}
	if a.Step.Verb == "rehearse" {
		checkDiff(t, diff, a)
	}
}

var fileName = regexp.MustCompile(`"[^"\s]*(STDIN|\.ya?ml|\.json)"`)

// unplaced is a text without the names of files, which lie in a temporary
// directory here, and without spaces around it.
func unplaced(text string) string {
	return strings.TrimSpace(fileName.ReplaceAllString(text, `"FILE"`))
}

// checkListed compares what kubectl prints at the end where it refuses several
// objects. Kinds that the server does not serve come first there.
func checkListed(t *testing.T, plan *merge.Plan, want string) {
	if !plan.ListsRejections() {
		t.Error("no list of refusals")
	}
	var unserved, others []string
	for _, o := range plan.Outcomes {
		switch {
		case o.Rejection == nil:
		case o.Rejection.Has(fault.UnknownKind):
			unserved = append(unserved, o.Rejection.Listed().Unmasked())
		default:
			others = append(others, o.Rejection.Listed().Unmasked())
		}
	}
	if got := strings.Join(append(unserved, others...), "\n"); unplaced(got) != unplaced(want) {
		t.Errorf("kubectl says\n%s\nwe\n%s", want, got)
	}
}

// beyond lists what the server knows and threeway does not, with the cause.
// docs/limits.md tells the user.
var beyond = map[string]string{
	"admission/namespace-protected kube-system":   "made by the server, not in the recorded live objects",
	"admission/namespace-terminating default":     "made by the server, not in the recorded live objects",
	"admission/limit-ranger several":              "the server lists the faults in the random order of a map",
	"admission/pod-security plain":                "PodSecurity is not evaluated on Pods",
	"admission/pod-security privileged":           "PodSecurity is not evaluated on Pods",
	"admission/pod-security host":                 "PodSecurity is not evaluated on Pods",
	"admission/policy many":                       "CEL is not evaluated",
	"admission/policy there":                      "CEL is not evaluated",
	"admission/resource-quota without-requests":   "quota is not enforced",
	"admission/resource-quota above":              "quota is not enforced",
	"admission/resource-quota one-more":           "quota is not enforced",
	"admission/resource-quota deployment":         "quota is not enforced",
	"custom/create rule":                          "CEL is not evaluated",
	"custom/update immutable":                     "CEL is not evaluated",
	"custom/update rule":                          "CEL is not evaluated",
	"custom/update rule-through-live":             "CEL is not evaluated",
	"custom/update":                               "CEL is not evaluated, so that the diff has more objects",
	"edges/items-at-top-level":                    "kubectl's only message is that there is nothing to apply",
	"edges/namespace-missing":                     "a dry run does not see the Namespace that the set creates first; the apply does",
	"edges/selector-flag":                         "the recorder asks one object at a time",
	"custom/update unknown":                       "the message quotes managedFields, which the recording leaves out",
	"defaults/machinery signing":                  "the requester is not in any file",
	"validation/admission condition":              "CEL is not compiled",
	"validation/admission expression":             "CEL is not compiled",
	"validation/admission expression-not-boolean": "CEL is not compiled",
	"validation/admission reason":                 "CEL is not compiled",
	"validation/admission variable":               "CEL is not compiled",
	"validation/definitions foos.zoo.example.com": "CEL is not compiled",
}

// rehearse runs the product on the files of a case.
func rehearse(t *testing.T, c *fixtures.Case, a fixtures.Answer, diff bool) *merge.Plan {
	t.Helper()
	dir := t.TempDir()
	for name, text := range c.Files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	live := filepath.Join(dir, "the-live-objects.yaml")
	if err := os.WriteFile(live, []byte(a.Live+serverMade), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"threeway", "merge", "--live", live}
	flags := a.Step.Flags()
	if diff {
		args[1] = "diff"
		flags = slices.DeleteFunc(flags, func(f string) bool {
			return strings.HasPrefix(f, "--overwrite") || strings.HasPrefix(f, "--validate")
		})
	}
	for _, f := range a.Step.Config() {
		args = append(args, "-f", filepath.Join(dir, f))
	}
	return planOf(t, append(args, flags...))
}

// serverMade is what every dump of the recording server holds besides the
// objects of a story, as far as it matters: where Service addresses come from.
const serverMade = `
---
apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: {name: kubernetes}
spec: {cidrs: [10.0.0.0/16]}
---
apiVersion: v1
kind: Namespace
metadata: {name: default, labels: {kubernetes.io/metadata.name: default}}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
---
apiVersion: v1
kind: Namespace
metadata: {name: kube-system, labels: {kubernetes.io/metadata.name: kube-system}}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: system-node-critical}
value: 2000001000
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: system-cluster-critical}
value: 2000000000
`

func find(p *merge.Plan, want fixtures.Outcome, used map[*merge.Outcome]bool) *merge.Outcome {
	for _, o := range p.Outcomes {
		if !used[o] && o.Kind.Kind == want.Kind && o.Config.Name == want.Name && (want.Namespace == "" || o.Config.Namespace == "" || o.Config.Namespace == want.Namespace) {
			return o
		}
	}
	return nil
}

func problemSays(p *merge.Plan, want string) bool {
	for _, problem := range p.Problems {
		if problem.Severity == manifest.Error && sameText(problem.Text, want) {
			return true
		}
	}
	return false
}

// sameText compares what the user reads, byte for byte, but for "error: ",
// which the command line adds, the names of files, which lie in a temporary
// directory here, and spaces around the whole.
func sameText(got, want string) bool {
	clean := func(s string) string {
		return strings.ReplaceAll(unplaced(s), "error: ", "")
	}
	return clean(got) == clean(want)
}

// sameRejection is sameText but for the rejections in uncompiled, unmanaged and
// unordered.
func sameRejection(object string, got, want string) bool {
	if uncompiled[object] {
		want = withoutExpressions(want)
	}
	if unmanaged[object] {
		want = regexp.MustCompile(`,"managedFields":\[.*?\],"name"`).ReplaceAllString(want, `,"name"`)
	}
	if unordered[object] {
		got, want = sortedLines(got), sortedLines(want)
	}
	return sameText(got, want)
}

// unordered lists the rejections whose causes the server finds by going through
// a map, in any order.
var unordered = map[string]bool{
	"custom/limits several": true,
	"validation/definition-fields metasdefault.corner.example.com":   true,
	"validation/definition-fields nots.corner.example.com":           true,
	"validation/definition-fields unsupported.corner.example.com":    true,
	"validation/definition-fields propertiesboth.corner.example.com": true,
	"validation/definition-fields listsofmaps.corner.example.com":    true,
	"validation/definition-fields listtypes.corner.example.com":      true,
	"validation/definition-fields defaultsbad.corner.example.com":    true,
	"validation/definition-fields defaultformats.corner.example.com": true,
	"validation/definition-fields nullables.corner.example.com":      true,
	"validation/faults-admissionregistration broken-19":              true,
	"validation/faults-core broken-58":                               true,
	"validation/faults-core broken-44":                               true,
	"validation/faults-core broken-52":                               true,
	"validation/faults-core resources-limits-invalid-106":            true,
	"validation/faults-core broken-109":                              true,
	"validation/faults-core broken-115":                              true,
	"validation/faults-core broken-11":                               true,
	"validation/faults-core spec-hard-invalid-15":                    true,
	"validation/faults-node broken-9":                                true,
	"validation/placement-and-metadata labels":                       true,
	"validation/placement-and-metadata annotations":                  true,
	"validation/placement-and-metadata keys":                         true,
	"validation/quota-storage hard-fraction-services":                true,
}

func sortedLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ") // as the last one is
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// unmanaged lists the rejections that quote the live object with its
// managedFields, which the recorded snapshot of the story leaves out.
var unmanaged = map[string]bool{
	"validation/decoding-patched null-item": true,
}

// uncompiled lists the rejections of which some causes come from compiling CEL,
// which threeway does not do; all others must be the server's.
var uncompiled = map[string]bool{
	"validation/faults-admissionregistration broken-4":  true,
	"validation/faults-admissionregistration broken-21": true,
	"validation/faults-admissionregistration broken-25": true,
	"validation/faults-admissionregistration broken-26": true,
	"validation/faults-admissionregistration broken-29": true,
	"validation/faults-admissionregistration broken-30": true,
}

// withoutExpressions is a rejection without the causes, of one or more lines,
// that come from CEL.
func withoutExpressions(text string) string {
	causes := strings.Split(text, "\n* ")
	causes = slices.DeleteFunc(causes, func(c string) bool {
		field, why, _ := strings.Cut(c, ": ")
		return strings.HasSuffix(strings.ToLower(field), "expression") && (strings.Contains(why, ": must evaluate to ") || strings.Contains(why, ": compilation failed: "))
	})
	return strings.Join(causes, "\n* ")
}

func checkOutcome(t *testing.T, story string, got *merge.Outcome, want fixtures.Outcome) {
	t.Helper()
	name := want.Kind + " " + want.Name
	word := string(got.Action)
	if got.Action == merge.Rejected {
		word = ""
	}
	if got.Live == nil && want.Word == "configured" {
		return // an object that the server made itself, which the recorder leaves out of live
	}
	if word != want.Word {
		why := want.Error
		if got.Rejection != nil {
			why += " — ours: " + got.Rejection.Text().Unmasked()
		}
		t.Errorf("%s: %q, want %q %s", name, word, want.Word, why)
		return
	}
	if want.Word == "" {
		text := got.Rejection.Text().Unmasked()
		if w := warnings(got); w != "" && strings.HasPrefix(want.Error, "warning: ") {
			text = w + "\n" + text
		}
		if !sameRejection(story+" "+want.Name, text, want.Error) {
			t.Errorf("%s: rejected with\n%s\nwant\n%s", name, text, want.Error)
		}
		return
	}
	if warned := warnings(got); warned != lowered(want.Warnings) {
		t.Errorf("%s: warnings\n%s\nwant\n%s", name, warned, lowered(want.Warnings))
	}
	if strings.HasPrefix(want.Request, "PATCH") && want.Patch != nil {
		compareTrees(t, name+": patch", got.Patch, want.Patch)
	}
	if want.Result != nil {
		compareTrees(t, name+": result", stable(got.Result, got.Live == nil), want.Result)
	}
}

// warnings are the lines that kubectl writes besides, with "Warning: " first.
func warnings(o *merge.Outcome) string {
	var lines []string
	for _, w := range o.Warnings {
		lines = append(lines, "warning: "+w.Unmasked())
	}
	return strings.Join(lines, "\n")
}

// lowered is text with one spelling of the word, of which kubectl has two, and
// without what PodSecurity says of workloads, which is not evaluated.
func lowered(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "Warning: ", "warning: "), "\n")
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(lines, func(l string) bool {
		return strings.HasPrefix(l, "warning: would violate PodSecurity")
	}), "\n"))
}

// stable drops what the recorder drops of results.
func stable(obj tree.Object, created bool) tree.Object {
	obj = tree.CopyObject(obj)
	tree.Delete(obj, "metadata", "managedFields")
	const now = "2026-01-01T00:00:00Z" // by the server's clock
	if tree.String(obj, "kind") == "ResourceSlice" {
		for _, device := range tree.List(obj, "spec", "devices") {
			for _, taint := range tree.List(device, "taints") {
				if !tree.Has(taint, "timeAdded") {
					tree.Set(tree.Map(taint), now, "timeAdded")
				}
			}
		}
	}
	if created {
		for _, key := range []string{"uid", "creationTimestamp", "resourceVersion"} {
			tree.Delete(obj, "metadata", key)
		}
		switch tree.String(obj, "kind") {
		case "PersistentVolume":
			tree.Set(obj, now, "status", "lastPhaseTransitionTime")
		case "APIService", "Pod":
			for _, condition := range tree.List(obj, "status", "conditions") {
				tree.Set(tree.Map(condition), now, "lastTransitionTime")
			}
		}
	}
	return obj
}

func compareTrees(t *testing.T, what string, got tree.Object, want json.RawMessage) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	for _, d := range differences("", g, w) {
		t.Errorf("%s: %s", what, d)
	}
}

// differences lists the paths at which two values differ.
func differences(path string, got, want any) []string {
	g, ok := got.(map[string]any)
	w, ok2 := want.(map[string]any)
	if ok && ok2 {
		var list []string
		keys := map[string]bool{}
		for k := range g {
			keys[k] = true
		}
		for k := range w {
			keys[k] = true
		}
		sorted := make([]string, 0, len(keys))
		for k := range keys {
			sorted = append(sorted, k)
		}
		sort.Strings(sorted)
		for _, k := range sorted {
			x, inGot := g[k]
			y, inWant := w[k]
			switch {
			case !inGot:
				list = append(list, fmt.Sprintf("%s.%s is missing, want %v", path, k, y))
			case !inWant:
				list = append(list, fmt.Sprintf("%s.%s is %v, want none", path, k, x))
			default:
				list = append(list, differences(path+"."+k, x, y)...)
			}
		}
		return list
	}
	if gl, ok := got.([]any); ok {
		if wl, ok := want.([]any); ok && len(gl) == len(wl) {
			var list []string
			for i := range gl {
				list = append(list, differences(fmt.Sprintf("%s[%d]", path, i), gl[i], wl[i])...)
			}
			return list
		}
	}
	if !reflect.DeepEqual(got, want) {
		return []string{fmt.Sprintf("%s is %v, want %v", path, got, want)}
	}
	return nil
}

// checkDiff compares the changed lines of the unified diff.
func checkDiff(t *testing.T, p *merge.Plan, a fixtures.Answer) {
	t.Helper()
	var b bytes.Buffer
	if _, err := report.Unified(&b, p, report.Options{Context: 3, ShowManagedFields: a.Step.Has("--show-managed-fields")}); err != nil {
		t.Fatal(err)
	}
	got, want := changedLines(b.String()), changedLines(a.Diff)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("diff differs:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// changedLines are the changed lines of a diff, sorted, without file names and
// without what a server makes up for new objects.
func changedLines(diff string) []string {
	volatile := regexp.MustCompile(`^[+-]\s*(uid|creationTimestamp|resourceVersion):`)
	lines := []string{}
	for _, l := range strings.Split(diff, "\n") {
		if l == "" || l[0] != '+' && l[0] != '-' || strings.HasPrefix(l, "+++ ") || strings.HasPrefix(l, "--- ") || volatile.MatchString(l) || l == "-null" {
			continue
		}
		lines = append(lines, l)
	}
	sort.Strings(lines)
	return lines
}
