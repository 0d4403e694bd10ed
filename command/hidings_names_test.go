package command

import (
	"encoding/base64"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// inKind changes how the kind is written.
func inKind(name, is string) hiding {
	return as(name, func(s string) string { return kindLine.ReplaceAllString(s, is) })
}

// linked puts the text elsewhere, and a link to it where it was.
func linked(name, at, target string) hiding {
	return hiding{name: name, hide: func(f files, dir string, h harm) {
		f[at], f[path.Join(dir, "x.yaml")] = h.text, linkTo+target
	}}
}

// outside are what becomes of a manifest that kubectl no longer reads where it is.
func outside(name string, hide func(f files, dir string, h harm)) hiding {
	return hiding{name: name, isUnread: true, hide: hide}
}

// unreadBeside adds what kubectl does not read here, and leaves all else as it was.
func unreadBeside(name string, add func(f files, dir, text string), inGit func(t *testing.T)) hiding {
	return hiding{name: name, beside: true, git: inGit, hide: func(f files, dir string, h harm) {
		if text := tidyManifests[h.file]; text != "" {
			f[path.Join(dir, h.file)] = text
		}
		add(f, dir, h.text)
	}}
}

const lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// moreHidings were tried against the mends of those before.
var moreHidings = []hiding{
	// names of files
	at("x.yaml/x.yaml"), at("сервис.yaml"), at("servіce.yaml"), at(strings.Repeat("a/", 60) + "x.yaml"), at(strings.Repeat("x", 240) + ".yaml"),
	at("a\tb.yaml"), at(`a"b.yaml`), at(`a\b.yaml`), at(" x.yaml"), at("\x1b[2Kx.yaml"), at("\xff.yaml"), at(".yaml"), at(".json"), at("..x.yaml"), at("x..yaml"), at("...yaml"), at("-f.yaml"), at("--trust=git:x.yaml"), at("$(x).yaml"), at("${x}.yaml"), at("%2e.yaml"), at("main:x.yaml"), at("git:main.yaml"),
	at("target/x.yaml"), at("dist/x.yaml"), at("build/x.yaml"), at("third_party/x.yaml"), at("__pycache__/x.yaml"), at(".terraform/x.yaml"), at(".cache/a/x.yaml"), at("charts/x.yaml"), at("snapshots/prod.yaml"), at("schemas/x.json"), at("tests/x.yaml"), at("fixtures/x.yaml"),
	at("skaffold.yaml"), at("Taskfile.yml"), at("mkdocs.yml"), at(".pre-commit-config.yaml"), at("renovate.json"), at("package-lock.json"), at("tsconfig.json"), at(".threeway.yaml"), at(".threeway.schema.json"), at("kustomization.yml"), at("Chart.yml"), at("requirements.yaml"), at("values.schema.json"), at("openapi.json"), at("deployment_apps_v1.json"),
	unreadAt("Kustomization"), unreadAt("Chart.lock"), unreadAt("x.json5"), unreadAt("x.jsonnet"), unreadAt("x.yaml.gz"), unreadAt("x.yaml,v"), unreadAt("x.yaml\t"), unreadAt("x.yaml.orig"), unreadAt("x.yaml#"), unreadAt("x.cue"), unreadAt("x.JSON"), unreadAt(".yaml.swp"), unreadAt("x.yaml.age"), unreadAt("../snapshots/x.yaml"), unreadAt("../.deploy/x.yaml"), unreadAt("../deploy.yaml"), unreadAt("../Deploy/x.yaml"), unreadAt("../deploy /x.yaml"),
	// documents
	{name: "four dashes", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "----\n" + h.text }},
	outside("text of a separator", func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "--- " + asJSON(h.text) + "\n" }),
	{name: "separator by CRLF alone", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "---\r\n" + h.text }},
	{name: "separator in a literal", hide: func(f files, dir string, h harm) {
		f[dir+"/sub/cfg.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: shop}\ndata:\n  a: b\n  # |\n---\n" + h.text
	}},
	{name: "after a directive", hide: func(f files, dir string, h harm) {
		f[dir+"/service.yaml"] += "...\n%YAML 1.2\n%TAG ! tag:example.com,2000:\n---\n" + h.text
	}},
	{name: "after an unreadable document", hide: func(f files, dir string, h harm) { f[dir+"/service.yaml"] += "---\n{[\n---\n" + h.text }},
	{name: "after 70 kB on a line", hide: func(f files, dir string, h harm) {
		f[dir+"/service.yaml"] += "---\n# " + strings.Repeat("x", 70_000) + "\n" + h.text
	}},
	{name: "between 300 objects", hide: func(f files, dir string, h harm) {
		one := strings.Repeat("---\n"+harmless, 150)
		f[dir+"/x.yaml"] = one + "---\n" + h.text + one
	}},
	as("JSON with comments", func(s string) string { return "// a\n" + asJSON(s) }),
	as("JSON of one line in a document", func(s string) string { return "--- \n" + asJSON(s) + "\n---\n" }),
	as("JSON twice a kind", func(s string) string { return strings.Replace(asJSON(s), "{", `{"kind":"ConfigMap",`, 1) }),
	as("JSON with a BOM", func(s string) string { return "\ufeff" + asJSON(s) }),
	as("JSON after blanks", func(s string) string { return strings.Repeat(" \n\t", 3000) + asJSON(s) }),
	as("escaped JSON", func(s string) string { return strings.Replace(asJSON(s), `"kind"`, `"\u006bind"`, 1) }),
	as("typed List without kinds", func(s string) string {
		m := kindLine.FindStringSubmatch(s)
		version, rest, _ := strings.Cut(s, "\n")
		return version + "\nkind: " + m[1] + "List\nitems:\n" + indented(kindLine.ReplaceAllString(rest, "x: $1"), "- ")
	}),
	as("List of a list of another kind", func(s string) string {
		return "apiVersion: v1\nkind: ConfigMapList\nitems:\n" + indented(s, "- ")
	}),
	as("List that is cut", func(s string) string {
		return "apiVersion: v1\nkind: List\nmetadata: {continue: x, remainingItemCount: 3}\nitems:\n" + indented(s, "- ")
	}),
	as("items of a map", func(s string) string { return "apiVersion: v1\nkind: List\nitems:\n  a:\n" + indented(s, "    ") }),
	as("text in a ConfigMap", func(s string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: aws-auth, namespace: kube-system}\ndata:\n  mapRoles: |\n" + indented(s, "    ")
	}),
	// YAML
	as("binary kind", func(s string) string {
		return kindLine.ReplaceAllStringFunc(s, func(line string) string {
			return "kind: !!binary " + base64.StdEncoding.EncodeToString([]byte(strings.TrimPrefix(line, "kind: ")))
		})
	}),
	as("binary values", func(s string) string {
		return regexp.MustCompile(`(name|password|image): ([a-z][\w./:-]*)`).ReplaceAllStringFunc(s, func(pair string) string {
			key, value, _ := strings.Cut(pair, ": ")
			return key + ": !!binary " + base64.StdEncoding.EncodeToString([]byte(value))
		})
	}),
	inKind("long tag", "kind: !<tag:yaml.org,2002:str> $1"), inKind("kind in single quotes", "'kind': '$1'"), inKind("comment in the kind", "kind: $1 # ConfigMap"), inKind("kind of two lines", "kind:\n  $1"), inKind("anchored kind", "kind: &a $1"), inKind("kind with a blank", "kind : $1"), inKind("tab", "kind:\t$1"),
	inKind("kind of NBSP", "kind: $1\u00a0"), inKind("capital key", "Kind: $1"), inKind("other letter", "kind: ${1}\u0435"), inKind("soft hyphen", "kind: $1\u00ad"), inKind("kind in a list", "kind: [$1]"), inKind("null kind", "kind: null\nx: $1"), inKind("two keys", "kind: $1\n\"kind\": $1"),
	as("merge of two", func(s string) string {
		return "x: [&a {z: {}}, &b\n" + indented(asJSON(s), "  ") + "]\n<<: [*a, *b]\n"
	}),
	as("all in flow", func(s string) string { return "{" + strings.TrimPrefix(asJSON(s), "{") }),
	as("flow over lines", func(s string) string { return strings.ReplaceAll(asJSON(s), ",", ",\n\n") }),
	as("hexadecimal", func(s string) string {
		return strings.NewReplacer("replicas: 0", "replicas: 0x0", "replicas: 3", "replicas: 0x3").Replace(s)
	}),
	as("minus zero", func(s string) string { return strings.Replace(s, "replicas: 0", "replicas: -0", 1) }),
	as("zero as a float", func(s string) string { return strings.Replace(s, "replicas: 0", "replicas: 0.0", 1) }),
	as("zero as text", func(s string) string { return strings.Replace(s, "replicas: 0", "replicas: '0'", 1) }),
	as("quoted keys", func(s string) string { return regexp.MustCompile(`(?m)^(\s*)(\w+):`).ReplaceAllString(s, `$1"$2":`) }),
	as("set", func(s string) string { return "? {a: b}\n: c\n" + s }),
	as("ignored list", func(s string) string { return s + "x: &x [*x]\n" }),
	as("aliases without end", func(s string) string {
		text := "a: &a [x,x,x,x,x,x,x,x,x]\n"
		for c := 'b'; c < 'j'; c++ {
			text += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ",") + "]\n"
		}
		return text + s
	}),
	as("strategic patch", func(s string) string { return s + "$patch: merge\n" }),
	as("status", func(s string) string { return s + "status: {replicas: 3}\n" }),
	// encodings
	as("UTF-16LE without a mark", func(s string) string { return utf16Of(s, false)[2:] }),
	as("UTF-32", func(s string) string {
		var b strings.Builder
		for _, c := range "\ufeff" + s {
			b.Write([]byte{byte(c), byte(c >> 8), byte(c >> 16), 0})
		}
		return b.String()
	}),
	as("UTF-16 of the second", func(s string) string { return harmless + "---\n" + utf16Of(s, true) }),
	as("overlong", func(s string) string { return strings.Replace(s, "kind", "\xc1\xabind", 1) }),
	as("vertical tab", func(s string) string { return "# a\v" + s }),
	as("escape", func(s string) string { return "# \x1b]0;x\a\n" + s }),
	as("backspaces", func(s string) string { return s + "# " + strings.Repeat("\b", 4000) + "\n" }),
	as("two marks", func(s string) string { return "\ufeff\ufeff" + s }),
	as("zero width key", func(s string) string { return strings.Replace(s, "kind:", "ki\u200bnd:", 1) }),
	as("NUL at the end", func(s string) string { return s + "\x00" }),
	as("ctrl-Z", func(s string) string { return harmless + "\x1a\n---\n" + s }),
	// links and pointers
	linked("link to a hidden file", "docs/.x.yaml", "../docs/.x.yaml"), linked("link to a snapshot", "snapshots/x.json", "../snapshots/x.json"), linked("link around", "docs/x.yaml", "../deploy/../base/../docs/x.yaml"), linked("link by dots", "docs/x.yaml", "./.././docs//x.yaml"), linked("link to a kustomization", "docs/kustomization.yaml", "../docs/kustomization.yaml"), linked("link to a template", "docs/templates/x.yaml", "../docs/templates/x.yaml"),
	unreadBeside("link to a directory", func(f files, dir, text string) { f["other/x.yaml"], f[dir+"/lib"] = text, linkTo+"../other" }, nil),
	unreadBeside("not checked out", func(f files, dir, text string) { f[dir+"/zz.yaml"] = text }, func(t *testing.T) {
		gitHere(t, "update-index", "--skip-worktree", "deploy/zz.yaml")
		if err := os.Remove("deploy/zz.yaml"); err != nil {
			t.Fatal(err)
		}
	}),
	outside("link to itself", func(f files, dir string, h harm) { f[dir+"/x.yaml"] = linkTo + "x.yaml" }),
	outside("link to .git", func(f files, dir string, h harm) { f[dir+"/x.yaml"] = linkTo + "../.git/config" }),
	outside("link to a directory of that name", func(f files, dir string, h harm) { f["docs/x/x.yaml"], f[dir+"/x.yaml"] = h.text, linkTo+"../docs/x" }),
	{name: "snapshot is a link", beside: true, hide: func(f files, dir string, h harm) {
		staysThere(f, dir, h)
		f["own.json"], f["snapshots/prod.json"] = f["snapshots/prod.json"]+"\n", linkTo+"../own.json"
	}},
	as("LFS by CRLF", func(string) string { return strings.ReplaceAll(lfsPointer, "\n", "\r\n") }),
	as("LFS before", func(s string) string { return lfsPointer + "---\n" + s }),
	as("LFS in a comment", func(s string) string { return "# " + strings.ReplaceAll(lfsPointer, "\n", "\n# ") + "\n" + s }),
	{name: "snapshot is a pointer", beside: true, hide: func(f files, dir string, h harm) { staysThere(f, dir, h); f["snapshots/prod.json"] = lfsPointer }},
	// what is encrypted
	as("SOPS of a part", func(s string) string {
		return s + "sops: {encrypted_regex: '^(data|stringData)$', mac: 'ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]', version: 3.9.0, lastmodified: '2026-01-01T00:00:00Z'}\n"
	}),
	as("SOPS with a suffix", func(s string) string {
		return s + "sops: {unencrypted_suffix: '', mac: 'ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]', age: [], version: 3.9.0}\n"
	}),
	as("SOPS of all values", func(s string) string {
		return regexp.MustCompile(`(image|password|name|groups|replicas): [\w./:-]+`).ReplaceAllString(s, "$1: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]") + "sops: {mac: 'ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]', version: 3.9.0}\n"
	}),
	as("ENC without SOPS", func(s string) string {
		return regexp.MustCompile(`(image|password|replicas): [\w./:-]+`).ReplaceAllString(s, "$1: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]")
	}),
	as("SOPS as a file", func(string) string {
		return `{"data": "ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]", "sops": {"mac": "ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]", "version": "3.9.0"}}`
	}),
	as("git-crypt", func(string) string { return "\x00GITCRYPT\x00xxxxxxxxxxxx" }), as("Ansible Vault", func(string) string { return "$ANSIBLE_VAULT;1.1;AES256\n6138\n" }), as("age", func(string) string { return "age-encryption.org/v1\n-> X25519 x\n" }),
	as("git-crypt before", func(s string) string { return "# \x00GITCRYPT\x00\n" + s }),
	as("Vault before", func(s string) string { return "$ANSIBLE_VAULT;1.1;AES256: x\n" + s }),
	as("redacted", func(s string) string {
		return regexp.MustCompile(`(image|password|replicas): [\w./:-]+`).ReplaceAllString(s, "$1: REDACTED-0123456789abcdef")
	}),
	as("placeholder", func(s string) string {
		return regexp.MustCompile(`(image|password|replicas): [\w./:-]+`).ReplaceAllString(s, "$1: $${x}")
	}),
	as("placeholder of a template", func(s string) string {
		return regexp.MustCompile(`(image|password|replicas): [\w./:-]+`).ReplaceAllString(s, "$1: '{{ .Values.x }}'")
	}),
	as("masked", func(s string) string {
		return regexp.MustCompile(`(image|password): [\w./:-]+`).ReplaceAllString(s, "$1: '***'")
	}),
	// what judges
	leavingWith(".threeway.yaml", "version: 1\nmanifests: [deploy/service.yaml]\nlive: [snapshots/prod.json]\n"), leavingWith(".threeway.yaml", "version: 1\nmanifests: [docs]\nlive: [snapshots/prod.json]\n"),
	leavingWith(".threeway.yaml", linkedSettings+"exclude: [deploy/*.yaml]\n"), leavingWith(".threeway.yaml", linkedSettings+"rules: {rights-widen: \"off\", service-loses-pods: \"off\"}\n"),
	leavingWith(".threeway.yaml", linkedSettings+"baseline: b.json\n"), leavingWith(".threeway.yaml", strings.Replace(linkedSettings, "deploy", "deploy/*", 1)), leavingWith(".threeway.yaml", "---\n"+linkedSettings+"---\nguard: []\n"),
	leavingWith(".threeway.yaml", linkedSettings+"apply: {server-side: true, force-conflicts: true}\n"), leavingWith(".threeway.yaml", linkedSettings+"apply: {namespace: other}\n"), leavingWith(".threeway.yaml", linkedSettings+"apply: {applier: argocd}\n"),
	leavingWith(".threeway.yaml", linkedSettings+"crds: [deploy]\n"), leavingWith(".threeway.yaml", "version: 1\nmanifests: [deploy]\nlive: [deploy]\n"), leavingWith(".threeway.yaml", "version: 1\nenvironments: {a: [deploy/sub]}\nlive: [snapshots/prod.json]\n"),
	leavingWith("DIR/sub/.threeway.yaml", "version: 1\n"), leavingWith(".threeway.baseline.json", "[]\n"), leavingWith("DIR/.sops.yaml", "creation_rules: [{encrypted_regex: .}]\n"), leavingWith(".git-blame-ignore-revs", "x\n"), leavingWith(".gitmodules", "[submodule \"x\"]\n\tpath = deploy/sub\n\turl = ./x\n"),
	leavingWith("DIR/sub/kustomization.yaml", "resources: [cfg.yaml]\n"), leavingWith("DIR/sub/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n"), leavingWith("DIR/kustomization.yaml", "resources: [service.yaml, nothing.yaml]\n"), leavingWith("DIR/skaffold.yaml", "apiVersion: skaffold/v4\nkind: Config\n"),
	leavingWith("snapshots/prod.json.gz", "\x1f\x8b"), leavingWith("snapshots/kustomization.yaml", "resources: []\n"), leavingWith("snapshot.yaml", "apiVersion: v1\nkind: List\nitems: []\n"),
	// git
	{name: "submodule in place of a directory", beside: true, hide: func(f files, dir string, h harm) {
		staysThere(f, dir, h)
		delete(f, dir+"/sub/cfg.yaml")
		delete(f, dir+"/sub/db.yaml")
	}, git: func(t *testing.T) {
		gitHere(t, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,deploy/sub")
		gitHere(t, "commit", "-qm", "module")
	}, bases: "settings found alone"},
	{name: "submodule with its name", beside: true, hide: staysThere, git: func(t *testing.T) {
		files{".gitmodules": "[submodule \"x\"]\n\tpath = deploy/x\n\turl = ./x\n"}.write(t, ".")
		gitHere(t, "add", ".gitmodules")
		gitHere(t, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,deploy/x")
		gitHere(t, "commit", "-qm", "module")
	}, bases: "settings found alone"},
	{name: "not staged", beside: true, hide: staysThere, git: func(t *testing.T) {
		gitHere(t, "reset", "-q", "--soft", "main")
		gitHere(t, "reset", "-q")
	}},
	{name: "replaced commit", beside: true, hide: staysThere, git: func(t *testing.T) { gitHere(t, "replace", "main", "change") }},
	{name: "attributes of the clone", beside: true, hide: staysThere, git: func(t *testing.T) {
		files{".git/info/attributes": "* -text filter=x ident\n"}.write(t, ".")
	}},
	{name: "a tag of the branch", beside: true, hide: staysThere, git: func(t *testing.T) { gitHere(t, "tag", "change", "main") }},
	{name: "another commit above", beside: true, hide: staysThere, git: func(t *testing.T) {
		files{"README.md": "# other\n"}.write(t, t.TempDir())
		if err := os.WriteFile("README.md", []byte("# other\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		gitHere(t, "commit", "-qam", "other")
	}},
}
