package scripts_test

import (
	"archive/tar"
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"threeway/merge/manifest"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// laidOut is one object of an export and where other programs put it.
type laidOut struct {
	tree                        tree.Object
	resource, group, kind       string
	namespace, name, apiVersion string
}

// layouts write the objects of an export as other programs lay them out. They are
// written by hand, from the sources that each names.
var layouts = map[string]func(dir string, objects []laidOut){
	"must-gather":       mustGather,
	"velero":            velero,
	"cluster-info":      clusterInfo,
	"support-bundle":    supportBundle,
	"kubectl-get-all":   getAll,
	"watch":             watch,
	"kubectl-get-raw":   getRaw,
	"helm-template":     helmTemplate,
	"objects-in-a-line": objectLines,
}

// layout is the script command `layout NAME OUT EXPORT`.
func scriptLayout(ts *testscript.TestScript, _ bool, args []string) {
	write := layouts[args[0]]
	if write == nil {
		ts.Fatalf("no layout %s", args[0])
	}
	var objects []laidOut
	for o := range manifest.ReadSnapshot(manifest.Options{Paths: []string{ts.MkAbs(args[2])}}).Objects() {
		resource := strings.ToLower(o.Kind.Kind) + "s"
		if strings.HasSuffix(resource, "ss") {
			resource = strings.TrimSuffix(resource, "s") + "es"
		}
		objects = append(objects, laidOut{o.Tree, resource, o.Kind.Group, o.Kind.Kind, o.Namespace, o.Name, o.Kind.APIVersion()})
	}
	defer func() {
		if r := recover(); r != nil {
			ts.Fatalf("%v", r)
		}
	}()
	write(ts.MkAbs(args[1]), objects)
}

func putFile(dir, name, text string) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		panic(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		panic(err)
	}
}

func asJSON(v any, indent string) string {
	text, err := json.MarshalIndent(v, "", indent)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// group has the objects of one kind and namespace together.
func grouped(objects []laidOut) (keys [][3]string, groups map[[3]string][]any) {
	groups = map[[3]string][]any{}
	for _, o := range objects {
		key := [3]string{o.namespace, o.apiVersion, o.kind}
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], o.tree)
	}
	return keys, groups
}

// typed is a list of one kind, whose items name neither kind nor version.
func typed(key [3]string, items []any) tree.Object {
	var bare []any
	for _, item := range items {
		o := tree.Copy(item).(tree.Object)
		delete(o, "kind")
		delete(o, "apiVersion")
		bare = append(bare, o)
	}
	return tree.Object{"kind": key[2] + "List", "apiVersion": key[1], "metadata": tree.Object{}, "items": bare}
}

func core(group string) string {
	if group == "" {
		return "core"
	}
	return group
}

// mustGather: github.com/openshift/oc pkg/cli/admin/inspect (resource.go, namespace.go).
func mustGather(dir string, objects []laidOut) {
	const root = "must-gather.local.1/quay-io-x-sha256-1/"
	putFile(dir, root+"version", "must-gather\n4.20\n")
	putFile(dir, root+"event-filter.html", "<html>apiVersion</html>\n")
	putFile(dir, root+"audit_logs/kube-apiserver/audit.log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata"}`+"\n")
	keys, groups := grouped(objects)
	for _, key := range keys {
		group, _, found := strings.Cut(key[1], "/")
		if !found {
			group = "core"
		}
		list := yamltext.YAML(tree.Object{"apiVersion": key[1], "kind": key[2] + "List", "items": groups[key]})
		if key[0] != "" {
			putFile(dir, root+"namespaces/"+key[0]+"/"+group+"/"+strings.ToLower(key[2])+"s.yaml", "---\n"+list)
		}
	}
	for _, o := range objects {
		text := "---\n" + yamltext.YAML(o.tree)
		switch {
		case o.kind == "Namespace":
			putFile(dir, root+"namespaces/"+o.name+"/"+o.name+".yaml", text)
		case o.namespace == "":
			putFile(dir, root+"cluster-scoped-resources/"+core(o.group)+"/"+o.resource+"/"+o.name+".yaml", text)
		case o.kind == "Pod":
			putFile(dir, root+"namespaces/"+o.namespace+"/pods/"+o.name+"/"+o.name+".yaml", text)
			putFile(dir, root+"namespaces/"+o.namespace+"/pods/"+o.name+"/app/app/logs/current.log", "kind: x\napiVersion: y\n")
		}
	}
}

// velero: github.com/vmware-tanzu/velero pkg/backup/item_backupper.go and
// pkg/archive (with the feature EnableAPIGroupVersions). The other version has
// another value, which must not count.
func velero(dir string, objects []laidOut) {
	putFile(dir, "metadata/version", "1.1.0\n")
	for _, o := range objects {
		resource, scope := o.resource, "cluster"
		if o.group != "" {
			resource += "." + o.group
		}
		if o.namespace != "" {
			scope = "namespaces/" + o.namespace
		}
		_, version, found := strings.Cut(o.apiVersion, "/")
		if !found {
			version = o.apiVersion
		}
		text := strings.TrimSpace(asJSON(o.tree, ""))
		putFile(dir, "resources/"+resource+"/"+scope+"/"+o.name+".json", text)
		putFile(dir, "resources/"+resource+"/"+version+"-preferredversion/"+scope+"/"+o.name+".json", text)
		other := tree.Copy(o.tree).(tree.Object)
		other["apiVersion"] = strings.TrimSuffix(o.apiVersion, version) + "v9beta1"
		delete(other, "spec")
		putFile(dir, "resources/"+resource+"/v9beta1/"+scope+"/"+o.name+".json", strings.TrimSpace(asJSON(other, "")))
	}
}

// clusterInfo: k8s.io/kubectl pkg/cmd/clusterinfo/clusterinfo_dump.go, with all the
// kinds of the export.
func clusterInfo(dir string, objects []laidOut) {
	keys, groups := grouped(objects)
	for _, key := range keys {
		putFile(dir, filepath.Join(key[0], strings.ToLower(key[2])+"s.json"), asJSON(typed(key, groups[key]), "    "))
		putFile(dir, filepath.Join(key[0], "replication-controllers.json"), asJSON(typed([3]string{"", "v1", "ReplicationController"}, nil), "    "))
		putFile(dir, filepath.Join(key[0], "pod-1/logs.txt"), "==== START logs for container app of pod shop/pod-1 ====\n")
	}
}

// supportBundle: github.com/replicatedhq/troubleshoot pkg/collect/cluster_resources.go:
// lists of one namespace each, and custom resources as arrays.
func supportBundle(dir string, objects []laidOut) {
	const root = "support-bundle-2026/"
	putFile(dir, root+"version.yaml", "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: v0.1\n")
	putFile(dir, root+"cluster-resources/pods-errors.json", "[\"forbidden\"]\n")
	putFile(dir, root+"cluster-resources/pods/logs/shop/web/app.log", "apiVersion: x\n")
	keys, groups := grouped(objects)
	for _, key := range keys {
		name := root + "cluster-resources/" + strings.ToLower(key[2]) + "s"
		if key[0] != "" {
			name += "/" + key[0]
		}
		if strings.Contains(key[1], ".example.") {
			putFile(dir, name+".yaml", yamltext.YAML(tree.Object{"x": groups[key]})[len("x:\n"):])
			continue
		}
		putFile(dir, name+".json", asJSON(tree.Object{"kind": key[2] + "List", "apiVersion": key[1], "items": groups[key]}, "  "))
	}
}

// getAll is what scripts write that call kubectl get -o yaml for each kind, with the
// errors of others in between.
func getAll(dir string, objects []laidOut) {
	for _, o := range objects {
		putFile(dir, filepath.Join(o.namespace, o.kind, o.name+".yaml"), yamltext.YAML(o.tree))
	}
	putFile(dir, "README.md", "An export.\n")
	putFile(dir, "values.yaml", "replicas: 3\n")
	putFile(dir, "chart/templates/web.yaml", "apiVersion: apps/v1\nkind: {{ .Kind }}\n{{- if .X }}\n")
}

// watch is kubectl get --watch --output-watch-events -o json: a first state, others,
// and an object that is gone.
func watch(dir string, objects []laidOut) {
	var b strings.Builder
	for i, o := range objects {
		old := tree.Copy(o.tree).(tree.Object)
		delete(old, "spec")
		gone := tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": fmt.Sprint("gone-", i), "namespace": "shop"}}
		for _, event := range []tree.Object{{"type": "ADDED", "object": old}, {"type": "ADDED", "object": gone}, {"type": "MODIFIED", "object": o.tree}, {"type": "DELETED", "object": gone}} {
			b.WriteString(asJSON(event, "    "))
		}
	}
	b.WriteString(`{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12746","creationTimestamp":null}}}` + "\n")
	putFile(dir, "watch.json", b.String())
}

// getRaw is kubectl get --raw of each kind: typed lists in one line.
func getRaw(dir string, objects []laidOut) {
	keys, groups := grouped(objects)
	for _, key := range keys {
		text, err := json.Marshal(typed(key, groups[key]))
		if err != nil {
			panic(err)
		}
		putFile(dir, filepath.Join(key[0], key[2]+".json"), string(text))
	}
}

// helmTemplate is helm template: documents with comments.
func helmTemplate(dir string, objects []laidOut) {
	var b strings.Builder
	for _, o := range objects {
		b.WriteString("---\n# Source: chart/templates/" + o.name + ".yaml\n" + yamltext.YAML(o.tree))
	}
	putFile(dir, "rendered.yaml", b.String())
}

func objectLines(dir string, objects []laidOut) {
	var b strings.Builder
	for _, o := range objects {
		text, _ := json.Marshal(o.tree)
		b.WriteString(string(text) + "\n")
	}
	putFile(dir, "objects.jsonl", b.String())
}

// archived is the script command `archived FILE DIR`: the folder as the archive that
// the name says, or a file compressed.
func scriptArchived(ts *testscript.TestScript, _ bool, args []string) {
	out, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer out.Close()
	var w io.WriteCloser = out
	switch filepath.Ext(args[0]) {
	case ".gz", ".tgz":
		w = gzip.NewWriter(out)
	case ".zst":
		w, err = zstd.NewWriter(out)
		ts.Check(err)
	case ".zip":
		z := zip.NewWriter(out)
		ts.Check(z.AddFS(os.DirFS(ts.MkAbs(args[1]))))
		ts.Check(z.Close())
		return
	}
	if info, err := os.Stat(ts.MkAbs(args[1])); err == nil && info.IsDir() {
		t := tar.NewWriter(w)
		ts.Check(writeTar(t, os.DirFS(ts.MkAbs(args[1]))))
		ts.Check(t.Close())
	} else {
		text, err := os.ReadFile(ts.MkAbs(args[1]))
		ts.Check(err)
		_, err = w.Write(text)
		ts.Check(err)
	}
	if w != io.WriteCloser(out) {
		ts.Check(w.Close())
	}
}

// writeTar adds a folder, a link out of it, and a name that goes up.
func writeTar(t *tar.Writer, dir fs.FS) error {
	if err := t.WriteHeader(&tar.Header{Name: "link.yaml", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}); err != nil {
		return err
	}
	return fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(dir, name)
		if err == nil {
			err = t.WriteHeader(&tar.Header{Name: "../../" + name, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o600})
		}
		if err == nil {
			_, err = t.Write(text)
		}
		return err
	})
}
