package command

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

const harmless = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: shop}\ndata: {a: b}\n"

func utf16Of(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

func indented(text, first string) string {
	return first + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+strings.Repeat(" ", len(first))) + "\n"
}

var metadataLine = regexp.MustCompile(`(?m)^metadata: \{name: (\S+), namespace: (\S+)\}$`)

// withMetadata adds a line to the metadata.
func withMetadata(text, line string) string {
	text = metadataLine.ReplaceAllString(text, "metadata:\n  name: $1\n  namespace: $2")
	return strings.Replace(text, "metadata:\n", "metadata:\n  "+line+"\n", 1)
}

var kindLine = regexp.MustCompile(`(?m)^kind: (\S+)$`)

// hidings are the places, by what they need.
var hidings = []hiding{
	// names of files
	as("plain", func(s string) string { return s }),
	{name: "json", hide: func(f files, dir string, h harm) { f[dir+"/x.json"] = asJSON(h.text) }},
	at("x.yml"), at(".x.yaml"), at(".hidden/x.yaml"), at("a name.yaml"), at("a\nname.yaml"), at("a/b/c/d/e/x.yaml"), at("vendor/x.yaml"), at("testdata/x.yaml"),
	at("node_modules/a/x.yaml"), at(".git-x/x.yaml"), at("values.yaml"), at("Chart.yaml"), at("templates/x.yaml"), at("snapshot.yaml"), at("_x.yaml"), at("#x.yaml"), at("x.yaml~.yaml"),
	at(".sops.yaml"), at("docker-compose.yml"), at("-x.yaml"), at("ünïcode.yaml"), at("kustomization.yaml"), at("crds/x.yaml"), at("examples/x.yaml"), at("test/x.yaml"), at(".github/workflows/x.yaml"), at("package.json.yaml"),
	at("\u202ex.yaml"), at("*.yaml"), at("[a].yaml"), at("x.yaml.json"),
	unreadAt("X.YAML"), unreadAt("x.txt"), unreadAt("x.yaml.bak"), unreadAt("x"), unreadAt("x.yaml "), unreadAt("x.Yml"), unreadAt("x.tpl"), unreadAt("x.yaml.tmpl"), unreadAt("x.yaml.j2"),
	unreadAt("../moved/x.yaml"), unreadAt("../docs/x.yaml"),
	{name: "Chart.yaml beside", hide: func(f files, dir string, h harm) {
		f[dir+"/chart/Chart.yaml"], f[dir+"/chart/templates/x.yaml"] = "apiVersion: v2\nname: a\nversion: 1.0.0\n", h.text
	}},
	{name: "Chart.yaml above", hide: func(f files, dir string, h harm) {
		f[dir+"/Chart.yaml"], f[dir+"/templates/x.yaml"] = "apiVersion: v2\nname: a\nversion: 1.0.0\n", h.text
	}},
	{name: "Chart.yaml of the whole", hide: func(f files, dir string, h harm) {
		f["Chart.yaml"], f[dir+"/templates/x.yaml"] = "apiVersion: v2\nname: a\nversion: 1.0.0\n", h.text
	}},
	{name: "Helmfile", hide: func(f files, dir string, h harm) {
		f[dir+"/helmfile.yaml"], f[dir+"/x.yaml"] = "releases: []\n", h.text
	}},
	// documents
	{name: "second document", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "---\n" + h.text }},
	{name: "first document", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] = h.text + "---\n" + f[dir+"/service.yaml"] }},
	{name: "after a comment", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "--- # the end\n" + h.text }},
	{name: "after blanks", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "---   \t\n" + h.text }},
	{name: "after empty documents", hide: func(f files, dir string, h harm) {
		f[dir+"/service.yaml"] += strings.Repeat("---\n# nothing\n", 200) + "---\n" + h.text
	}},
	{name: "after the end", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "...\n---\n" + h.text }},
	{name: "after the end alone", isUnread: true, hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "...\n" + h.text }},
	{name: "after much", hide: func(f files, dir string, h harm) {
		f[dir+"/service.yaml"] += strings.Repeat("# "+strings.Repeat("x", 1000)+"\n", 2000) + "---\n" + h.text
	}},
	{name: "separator of a comment", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "# ---\n---\n" + h.text }},
	{name: "after JSON", hide: func(f files, dir string, h harm) { f[dir+"/x.json"] = asJSON(harmless) + "\n" + asJSON(h.text) }},
	{name: "JSON without a break", hide: func(f files, dir string, h harm) { f[dir+"/x.json"] = asJSON(harmless) + asJSON(h.text) }},
	{name: "JSON in yaml", hide: func(f files, dir string, h harm) { f[dir+"/x.yaml"] = asJSON(h.text) }},
	{name: "JSON, then a document", hide: func(f files, dir string, h harm) { f[dir+"/x.yaml"] = asJSON(harmless) + "\n---\n" + h.text }},
	as("List", func(s string) string { return "apiVersion: v1\nkind: List\nitems:\n" + indented(s, "- ") }),
	as("List in List", func(s string) string {
		return "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n" + indented(indented(s, "- "), "  ")
	}),
	as("List three deep", func(s string) string {
		return `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[` + asJSON(s) + `]}]}]}`
	}),
	as("typed List", func(s string) string {
		kind := kindLine.FindStringSubmatch(s)[1]
		return strings.SplitN(s, "\n", 2)[0] + "\nkind: " + kind + "List\nitems:\n" + indented(s, "- ")
	}),
	as("List of another kind", func(s string) string {
		return "apiVersion: example.com/v1\nkind: AnyList\nitems:\n" + indented(s, "- ")
	}),
	as("no List", func(s string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: zz, namespace: shop}\nitems:\n" + indented(s, "- ")
	}),
	as("array", func(s string) string { return "[" + asJSON(s) + "]" }),
	as("Template", func(s string) string {
		return "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: a, namespace: shop}\nobjects:\n" + indented(s, "- ")
	}),
	// YAML
	as("alias of the kind", func(s string) string {
		return "x-kind: &k " + kindLine.FindStringSubmatch(s)[1] + "\n" + kindLine.ReplaceAllString(s, "kind: *k")
	}),
	as("merge key", func(s string) string { return indented("<<:\n"+indented(s, "  "), "") }),
	as("merge of an anchor", func(s string) string { return "x: &x\n" + indented(s, "  ") + "<<: *x\n" }),
	as("duplicate kind", func(s string) string { return "kind: ConfigMap\n" + s }),
	as("duplicate kind, last", func(s string) string { return s + "kind: ConfigMap\n" }),
	as("duplicate metadata", func(s string) string { return "metadata: {name: other}\n" + s }),
	as("escaped key", func(s string) string { return strings.Replace(s, "kind:", `"\x6bind":`, 1) }),
	as("tags", func(s string) string { return kindLine.ReplaceAllString(s, "!!str kind: !!str $1") }),
	as("own tag", func(s string) string { return "!x\n" + s }),
	as("block scalar", func(s string) string { return kindLine.ReplaceAllString(s, "kind: >-\n  $1") }),
	as("directive", func(s string) string { return "%YAML 1.1\n---\n" + s }),
	as("question mark", func(s string) string { return kindLine.ReplaceAllString(s, "? kind\n: $1") }),
	as("null, then all", func(s string) string { return "null\n---\n" + s }),
	as("text of a template", func(s string) string { return "{{- /* a */ -}}\n" + s }),
	as("a template in a comment", func(s string) string { return "# {{ if .Values.x }}\n" + s + "# {{ end }}\n" }),
	as("unknown field", func(s string) string { return s + "x-note: {{}}\n" }),
	as("more fields", func(s string) string { return s + "x-note: a\n" }),
	// encodings
	as("BOM", func(s string) string { return "\ufeff" + s }),
	as("BOM of the second", func(s string) string { return harmless + "---\n\ufeff" + s }),
	as("UTF-16LE", func(s string) string { return utf16Of(s, false) }),
	as("UTF-16BE", func(s string) string { return utf16Of(s, true) }),
	as("CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
	as("CR", func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }),
	as("second by CRLF", func(s string) string { return strings.ReplaceAll(harmless+"---\n"+s, "\n", "\r\n") }),
	as("second by CR", func(s string) string { return harmless + "---\r" + s }),
	unreadAs("second by NEL", func(s string) string { return harmless + "\u0085---\u0085" + strings.ReplaceAll(s, "\n", "\u0085") }),
	unreadAs("second by LS", func(s string) string { return harmless + "\u2028---\u2028" + s }),
	as("comment by NEL", func(s string) string { return "# x\u0085" + s }),
	unreadAs("comment by LS", func(s string) string { return harmless + "---\n# x\u2028" + strings.ReplaceAll(s, "\n", "\u2028") }),
	as("Latin-1", func(s string) string { return "# \xfc\n" + s }),
	as("NUL", func(s string) string { return "# \x00\n" + s }),
	as("bidi", func(s string) string { return "# \u202e\n" + s }),
	as("zero width kind", func(s string) string { return kindLine.ReplaceAllString(s, "kind: $1\u200b") }),
	as("gzip", func(s string) string { return "\x1f\x8b" + s }),
	as("form feed", func(s string) string { return harmless + "---\f\n" + s }),
	// links and pointers
	{name: "link to a file", hide: func(f files, dir string, h harm) { f["docs/x.txt"], f[dir+"/x.yaml"] = h.text, linkTo+"../docs/x.txt" }},
	{name: "link to a directory", isUnread: true, hide: func(f files, dir string, h harm) { f["docs/d/x.yaml"], f[dir+"/d"] = h.text, linkTo+"../docs/d" }},
	{name: "link to a link", hide: func(f files, dir string, h harm) {
		f["docs/x.yaml"], f["docs/y.yaml"], f[dir+"/x.yaml"] = h.text, linkTo+"x.yaml", linkTo+"../docs/y.yaml"
	}},
	{name: "link to nothing", isUnread: true, hide: func(f files, dir string, h harm) { f[dir+"/x.yaml"] = linkTo + "../nothing.yaml" }},
	{name: "link out", hide: func(f files, dir string, h harm) { f[dir+"/x.yaml"] = linkTo + "/etc/hostname" }},
	{name: "link in place", hide: func(f files, dir string, h harm) {
		f["x.yaml"], f[path.Join(dir, h.file)] = h.text, linkTo+strings.Repeat("../", strings.Count(path.Join(dir, h.file), "/"))+"x.yaml"
	}},
	{name: "all is a link", hide: func(f files, dir string, h harm) {
		for name, text := range f {
			if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
				delete(f, name)
				f["real/"+rest] = text
			}
		}
		f["real/x.yaml"], f[dir] = h.text, linkTo+"real"
	}},
	as("LFS", func(string) string {
		return "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	}),
	{name: "submodule", hide: func(f files, dir string, h harm) {}, git: func(t *testing.T) {
		gitHere(t, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,deploy/module")
		gitHere(t, "commit", "-qm", "module")
	}, bases: "settings found alone"},
	// what is encrypted or generated
	as("SOPS", func(s string) string {
		return s + "sops: {mac: 'ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]', version: 3.9.0, lastmodified: '2026-01-01T00:00:00Z'}\n"
	}),
	as("SOPS as annotation", func(s string) string { return withMetadata(s, "annotations: {sops: 'ENC[AES256_GCM,data:x]'}") }),
	as("generateName", func(s string) string {
		return regexp.MustCompile(`\bname: (web|db|cfg|aws-auth|shop|metrics)`).ReplaceAllString(s, "generateName: $1-")
	}),
	as("another namespace", func(s string) string {
		return regexp.MustCompile(`namespace: \S+?(\}|$)`).ReplaceAllString(s, "namespace: default$1")
	}),
	as("no namespace", func(s string) string {
		return regexp.MustCompile(`(?m)^  namespace: .*\n|, namespace: [a-z-]+`).ReplaceAllString(s, "")
	}),
	as("small kind", func(s string) string { return kindLine.ReplaceAllStringFunc(s, strings.ToLower) }),
	as("small group", func(s string) string { return strings.Replace(s, "apiVersion: ", "apiVersion: extensions/", 1) }),
	as("hook of Helm", func(s string) string { return withMetadata(s, "annotations: {helm.sh/hook: pre-install}") }),
	as("local-config", func(s string) string {
		return withMetadata(s, "annotations: {config.kubernetes.io/local-config: 'true'}")
	}),
	as("hook of Argo CD", func(s string) string {
		return withMetadata(s, "annotations: {argocd.argoproj.io/hook: Skip, argocd.argoproj.io/compare-options: IgnoreExtraneous, kustomize.toolkit.fluxcd.io/reconcile: disabled}")
	}),
	as("of a snapshot", func(s string) string {
		return withMetadata(s, "uid: 1c2f9a70-0000-4000-8000-000000000099\n  creationTimestamp: '2026-01-02T03:04:05Z'\n  managedFields: []")
	}),
	as("resourceVersion", func(s string) string { return withMetadata(s, "resourceVersion: '1'") }),
	as("owner", func(s string) string {
		return withMetadata(s, "ownerReferences: [{apiVersion: v1, kind: Node, name: x, uid: x}]")
	}),
	as("being deleted", func(s string) string { return withMetadata(s, "deletionTimestamp: '2026-01-02T03:04:05Z'") }),
	as("ignored by a comment", func(s string) string { return "# threeway:ignore * fine\n" + s }),
	as("all ignored by a comment", func(s string) string { return "# threeway:ignore-file * fine\n" + s }),
	as("ignored by an annotation", func(s string) string {
		return withMetadata(s, `annotations: {ignore.threeway.dev/rights-widen: fine, ignore.threeway.dev/service-loses-pods: fine, ignore.threeway.dev/all: fine}`)
	}),
	// what judges
	leavingWith(".threeway.yaml", "version: 1\nmanifests: [deploy/sub/cfg.yaml]\nlive: [snapshots/prod.json]\n"),
	leavingWith(".threeway.yaml", "version: 1\nmanifests: [deploy]\n"),
	leavingWith(".threeway.yaml", linkedSettings+"guard: [{answer: allow}]\n"),
	leavingWith(".threeway.yaml", linkedSettings+"ignore: [{kind: '*', reason: fine}]\n"),
	leavingWith(".threeway.yaml", linkedSettings+"fail-on: never\nlevel: error\n"),
	leavingWith(".threeway.yaml", linkedSettings+"kubernetes-version: '1.20'\n"),
	leavingWith(".threeway.yaml", linkedSettings+"apply: {prune: {selector: a=b}}\n"),
	leavingWith(".threeway.yaml", linkedSettings+"policies: [fine.yaml]\n"),
	leavingWith(".threeway.yaml", linkedSettings+"secrets: {env: ['*'], kinds: [{kind: Deployment.apps}, {kind: Namespace}]}\n"),
	leavingWith(".threeway.yaml", "{"),
	leavingWith(".threeway.yaml", "version: 1\nkustomize: [deploy]\n"),
	leavingWith("DIR/.threeway.yaml", linkedSettings+"guard: [{answer: allow}]\n"),
	leavingWith(".threeway.yml", linkedSettings+"guard: [{answer: allow}]\n"),
	leavingWith(".gitattributes", "*.yaml filter=lfs diff=lfs merge=lfs -text\n"),
	leavingWith(".gitattributes", "*.yaml export-ignore ident\n"),
	leavingWith(".gitattributes", "* -diff linguist-generated eol=crlf\n"),
	leavingWith(".gitignore", "deploy\n*.yaml\n"),
	leavingWith("DIR/.gitignore", "*\n"),
	leavingWith(".ignore", "*\n"),
	leavingWith(".helmignore", "*\n"),
	leavingWith("DIR/kustomization.yaml", "resources: [service.yaml]\n"),
	leavingWith("DIR/kustomization.yaml", "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n"),
	leavingWith("DIR/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n"),
	leavingWith("Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n"),
	leavingWith("kustomization.yaml", "resources: [README.md]\n"),
	leavingWith("overlays/a/kustomization.yaml", "resources: [../../deploy/service.yaml]\n"),
	leavingWith("snapshots/prod.json", "apiVersion: v1\nkind: List\nitems: []\n"),
	leavingWith("snapshots/more.json", "apiVersion: v1\nkind: List\nitems: []\n"),
	leavingWith("snapshots/prod.json", ""),
	leaving("no snapshot", func(f files, dir string) { delete(f, "snapshots/prod.json") }),
	leaving("no settings", func(f files, dir string) { delete(f, ".threeway.yaml") }),
	leaving("no settings, no snapshot", func(f files, dir string) { delete(f, ".threeway.yaml"); delete(f, "snapshots/prod.json") }),
	leaving("settings are a link", func(f files, dir string) {
		f["x"], f[".threeway.yaml"] = linkedSettings+"guard: [{answer: allow}]\n", linkTo+"x"
	}),
	leaving("snapshot where it is", func(f files, dir string) {
		for name := range f {
			if strings.HasPrefix(name, dir+"/") && strings.HasSuffix(name, ".yaml") {
				f["snapshots/x.yaml"] += "---\n" + strings.Replace(f[name], "metadata:", "metadata: #", 1)
			}
		}
	}),
	leaving("many beside", func(f files, dir string) {
		for i := range 300 {
			f[dir+"/many.yaml"] += strings.Replace("---\n"+harmless, "cfg", "a"+strings.Repeat("x", i%60)+string(rune('a'+i/60)), 1)
		}
	}),
	// git
	{name: "base ahead", beside: true, hide: staysThere, git: func(t *testing.T) {
		gitHere(t, "checkout", "-q", "main")
		gitHere(t, "commit", "-qm", "more", "--allow-empty")
		gitHere(t, "checkout", "-q", "change")
	}},
	{name: "base has it, too", beside: true, hide: staysThere, git: func(t *testing.T) {
		gitHere(t, "checkout", "-q", "main")
		gitHere(t, "commit", "-qm", "more", "--allow-empty")
		gitHere(t, "checkout", "-q", "change")
		gitHere(t, "merge", "-q", "--no-edit", "main")
	}},
	{name: "two commits", beside: true, hide: staysThere, git: func(t *testing.T) {
		gitHere(t, "commit", "-qm", "more", "--allow-empty")
	}},
	{name: "uncommitted", beside: true, hide: staysThere, git: func(t *testing.T) { gitHere(t, "reset", "-q", "--soft", "main") }},
	{name: "unstaged", beside: true, hide: staysThere, git: func(t *testing.T) { gitHere(t, "reset", "-q", "main") }},
	{name: "shallow", beside: true, hide: staysThere, git: func(t *testing.T) {
		gitHere(t, "clone", "-q", "--depth=1", "--no-single-branch", "file://"+here(t), "clone")
		t.Chdir("clone")
		gitHere(t, "branch", "main", "origin/main")
	}},
	{name: "detached", beside: true, hide: staysThere, git: func(t *testing.T) { gitHere(t, "checkout", "-q", "--detach") }},
	{name: "assume unchanged", beside: true, hide: staysThere, git: func(t *testing.T) {
		gitHere(t, "ls-files", "deploy")
		gitHere(t, "reset", "-q", "--soft", "main")
		gitHere(t, "update-index", "--skip-worktree", "deploy/service.yaml")
	}, bases: "settings found alone"},
	// kubectl reads nothing below a link to a directory: what was there has left the manifests
	{name: "directory becomes a link", beside: true, hide: func(f files, dir string, h harm) {
		if text, ok := tidyManifests[h.file]; ok {
			f[dir+"/"+h.file] = text
		}
		for name, text := range f {
			if rest, ok := strings.CutPrefix(name, dir+"/sub/"); ok {
				delete(f, name)
				f["linked/"+rest] = text
			}
		}
		f[dir+"/sub"] = linkTo + strings.Repeat("../", strings.Count(dir, "/")+1) + "linked"
	}, bases: "settings"},
	// the whole moves
	{name: "all moves", hide: func(f files, dir string, h harm) {
		for name, text := range f {
			if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
				delete(f, name)
				f["manifests/"+rest] = text
			}
		}
		f["manifests/"+h.file] = h.text
		f[".threeway.yaml"] = strings.ReplaceAll(linkedSettings, "deploy", "manifests")
	}, bases: "settings found alone"},
	{name: "others move, too", hide: func(f files, dir string, h harm) {
		f[dir+"/z/s.yaml"], f[dir+"/z/y.yaml"] = f[dir+"/service.yaml"], h.text
		delete(f, dir+"/service.yaml")
	}},
	{name: "two objects of the name", hide: func(f files, dir string, h harm) {
		f[dir+"/a.yaml"], f[dir+"/b.yaml"] = h.text, orText(tidyManifests[h.file], h.text)
	}},
	{name: "two objects, last", hide: func(f files, dir string, h harm) {
		f[dir+"/b.yaml"], f[dir+"/a.yaml"] = h.text, orText(tidyManifests[h.file], h.text)
	}},
}

func orText(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func staysThere(f files, dir string, h harm) {
	if !h.deletes {
		f[path.Join(dir, h.file)] = h.text
	}
}

func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
