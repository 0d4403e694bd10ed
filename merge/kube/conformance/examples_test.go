package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// kubectl records the answers anew: of a kubectl of the release of go.mod, and
// of the empty cluster that KUBECONFIG names.
var kubectl = flag.String("kubectl", "", "a kubectl to record the answers of the examples with")

const exampleAnswersFile = "testdata/examples/answers.json.gz"

// answer is what kubectl apply --dry-run=server of 1.37.2 said of an example.
type answer struct {
	Error  string      `json:"error"`
	Result tree.Object `json:"result"`
}

// differently lists the examples whose answers differ from ours, with the cause.
var differently = map[string]string{
	"authentication.k8s.io.v1.SelfSubjectReview":     "the server answers the review",
	"authentication.k8s.io.v1.TokenReview":           "the server answers the review",
	"authorization.k8s.io.v1.SelfSubjectRulesReview": "the server answers the review",
}

// TestExamples applies upstream's example objects (testdata/HEAD of k8s.io/api:
// every kind, with every field filled) and wants the verdict, the text and the
// result that a real kubectl and kube-apiserver gave. The names and namespaces
// of the examples are made valid first, as they were for the recording.
func TestExamples(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	examples := filepath.Join(strings.TrimSpace(string(out)), "testdata", "HEAD")
	dir := t.TempDir()
	if *kubectl != "" {
		recordExamples(t, examples, dir)
	}
	answers := exampleAnswers(t)
	live := filepath.Join(dir, "live.yaml")
	if err := os.WriteFile(live, []byte(exampleCluster), 0o644); err != nil {
		t.Fatal(err)
	}
	equal := 0
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		file := exampleManifest(t, filepath.Join(examples, name+".json"), dir)
		for mode, want := range answers[name] {
			got := applied(file, live, mode == "server")
			got.Error, _, _ = strings.Cut(got.Error, "; this is no manifest, ") // our advice behind kubectl's words
			same := sameFaults(want.Error, got.Error) && tree.Equal(want.Result, got.Result)
			if same {
				equal++
			}
			if !same && differently[name] == "" {
				t.Errorf("%s, %s-side: kubectl\n%s %v\nours\n%s %v", name, mode, want.Error, want.Result, got.Error, got.Result)
			}
		}
	}
	t.Logf("%d examples, %d of %d answers equal, %d examples listed as different", len(answers), equal, 2*len(answers), len(differently))
}

// requestOwners are the managedFields in metadata that the server quotes, with
// the time of the request.
var requestOwners = regexp.MustCompile(`,"managedFields":\[.*\]}: must be empty`)

// sameFaults compares line by line: the server sorts some faults at random.
func sameFaults(a, b string) bool {
	lines := func(s string) []string {
		return slices.Sorted(strings.SplitSeq(requestOwners.ReplaceAllString(s, "}: must be empty"), "\n"))
	}
	return slices.Equal(lines(a), lines(b))
}

// exampleAnswers reads what was recorded, by the name of the example and the
// side that merges.
func exampleAnswers(t *testing.T) map[string]map[string]answer {
	f, err := os.Open(exampleAnswersFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var answers map[string]map[string]answer
	if err := json.NewDecoder(text).Decode(&answers); err != nil {
		t.Fatal(err)
	}
	for _, sides := range answers {
		for _, a := range sides {
			whole(a.Result)
		}
	}
	return answers
}

// recordExamples asks kubectl about every example, client-side and server-side,
// and writes what it answers.
func recordExamples(t *testing.T, examples, dir string) {
	files, err := filepath.Glob(filepath.Join(examples, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]map[string]answer{}
	for _, example := range files {
		file := exampleManifest(t, example, dir)
		ask := func(flags ...string) answer {
			cmd := exec.Command(*kubectl, append([]string{"apply", "--dry-run=server", "-o", "json", "-f", filepath.Base(file)}, flags...)...)
			cmd.Dir = dir
			var out, text strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &text
			if cmd.Run() != nil {
				lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(text.String()), "\n"), func(line string) bool {
					return strings.HasPrefix(line, "Warning: ")
				})
				return answer{Error: strings.Join(lines, "\n")}
			}
			var a answer
			if err := json.Unmarshal([]byte(out.String()), &a.Result); err != nil {
				t.Fatal(err)
			}
			return answer{Result: bare(a.Result)}
		}
		answers[strings.TrimSuffix(filepath.Base(file), ".json")] = map[string]answer{"client": ask(), "server": ask("--server-side", "--force-conflicts")}
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	text := json.NewEncoder(w)
	text.SetIndent("", " ")
	text.SetEscapeHTML(false)
	if err := errors.Join(text.Encode(answers), w.Close(), os.WriteFile(exampleAnswersFile, packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// bare takes away what the server makes up for each request.
func bare(result tree.Object) tree.Object {
	for _, key := range []string{"uid", "creationTimestamp", "resourceVersion", "managedFields"} {
		tree.Delete(result, "metadata", key)
	}
	return result
}

// exampleCluster is what the server of the recording held.
const exampleCluster = `
apiVersion: v1
kind: NamespaceList
items:
- metadata: {name: default}
- metadata: {name: kube-system}
---
apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: {name: kubernetes}
spec: {cidrs: [10.0.0.0/16]}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: system-node-critical}
value: 2000001000
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinitionList
items: []
`

// exampleManifest writes an example into a folder, with metadata that could be
// that of a manifest.
func exampleManifest(t *testing.T, example, dir string) string {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	var obj tree.Object
	if err := json.Unmarshal(text, &obj); err != nil {
		t.Fatal(err)
	}
	if given, ok := obj["metadata"].(map[string]any); ok {
		metadata := tree.Object{"labels": tree.Object{"a": "b"}, "annotations": tree.Object{"a": "b"}, "finalizers": []any{"example.com/a"}}
		if given["namespace"] != nil {
			metadata["namespace"] = "default"
		}
		if given["name"] != nil {
			metadata["name"] = "x"
		}
		for _, key := range []string{"remainingItemCount", "continue"} {
			if v, ok := given[key]; ok {
				metadata[key] = v
			}
		}
		obj["metadata"] = metadata
	}
	if text, err = json.Marshal(obj); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, filepath.Base(example))
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// unread is what we say of a file without an object: kubectl's own validation
// has refused it.
func unread(set *manifest.Set) string {
	for _, p := range set.Problems {
		if p.Severity == manifest.Error {
			return "error: " + strings.ReplaceAll(p.Text, filepath.Dir(p.File)+"/", "")
		}
	}
	return "nothing to apply"
}

// applied is what we say of a manifest of one object.
func applied(file, live string, serverSide bool) answer {
	opts := merge.Options{
		Options: rehearsal.Options{
			Minor:  minor,
			Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{file}}), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{live}})},
		},
	}
	if serverSide {
		opts.ServerSide = &rehearsal.ServerSide{Force: true, Manager: rehearsal.DefaultManager}
	}
	plan, err := merge.New(opts)
	switch {
	case err != nil:
		return answer{Error: err.Error()}
	case len(plan.Outcomes) == 0:
		return answer{Error: unread(opts.Manifests)}
	}
	o := plan.Outcomes[0]
	if o.Rejection != nil {
		return answer{Error: strings.ReplaceAll(o.Rejection.Text().Unmasked(), file, filepath.Base(file))}
	}
	return answer{Result: bare(tree.CopyObject(o.Result))}
}

// whole makes integers of the numbers that are integers.
func whole(v any) any {
	switch v := v.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case map[string]any:
		for k, x := range v {
			v[k] = whole(x)
		}
	case []any:
		for i, x := range v {
			v[i] = whole(x)
		}
	}
	return v
}
