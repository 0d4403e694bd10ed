package fix

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// bare finds the fields "uid" in metadata and repairs them by removing them.
var bare = &lint.Rule{ID: "bare", Severity: lint.Warning, Run: func(p *lint.Pass) {
	for o := range p.Objects() {
		path := fieldpath.New("metadata", "uid")
		if tree.Has(o.Manifest.Tree, "metadata", "uid") {
			p.Report(o, lint.Report{Path: path, Message: "a uid", Edits: []edit.Edit{edit.Remove(path)}})
		}
	}
}}

// found lints the files with the rules.
func found(t *testing.T, stdin string, rules []*lint.Rule, paths ...string) []*lint.Finding {
	t.Helper()
	return foundIn(t, manifest.Read(manifest.Options{Paths: paths, Stdin: strings.NewReader(stdin)}), rules)
}

// foundIn lints manifests with the rules.
func foundIn(t *testing.T, set *manifest.Set, rules []*lint.Rule) []*lint.Finding {
	t.Helper()
	m := merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: set, Live: &manifest.Snapshot{}}}}
	if err := manifest.Err(m.Manifests.Problems); err != nil {
		t.Fatal(err)
	}
	plan, err := merge.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return lint.Run(rules, lint.Input{Plan: plan, Options: m}, lint.Options{}).Findings
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func configMap(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  uid: x\ndata: {a: b} # é\n"
}

// TestAll repairs a file and compares it.
func TestAll(t *testing.T) {
	a, b := configMap("a"), configMap("b")
	without := strings.NewReplacer("  uid: x\n", "")
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.TrimSuffix(strings.ReplaceAll(a, "\n", "\n  "), "  ") +
		"# second\n- " + strings.TrimSuffix(strings.ReplaceAll(b, "\n", "\n  "), "  ")
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	json := `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "uid": "x"}}`
	other, noUID := strings.Replace(json, `"name": "a"`, `"name": "b"`, 1), strings.NewReplacer(`, "uid": "x"`, "")
	for name, c := range map[string]struct{ in, want string }{
		"plain":             {a, without.Replace(a)},
		"two documents":     {"# head\n---\n" + a + "--- # next\n" + b + "...\n", "# head\n---\n" + without.Replace(a) + "--- # next\n" + without.Replace(b) + "...\n"},
		"one after another": {"a: &x 1\n" + a, "a: &x 1\n" + without.Replace(a)},
		"list":              {list, strings.ReplaceAll(list, "    uid: x\n", "")},
		"line ends":         {crlf(a), crlf(without.Replace(a))},
		"mixed line ends":   {crlf(a) + "---\n" + b, crlf(without.Replace(a)) + "---\n" + without.Replace(b)},
		"byte order mark":   {"\ufeff" + a, "\ufeff" + without.Replace(a)},
		"no last line end":  {"kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\n  uid: x", "kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a"},
		"JSON":              {json + "\n" + other, noUID.Replace(json + "\n" + other)},
		"JSON list":         {`{"apiVersion": "v1", "kind": "List", "items": [` + json + `, ` + other + "]}\n", `{"apiVersion": "v1", "kind": "List", "items": [` + noUID.Replace(json+`, `+other) + "]}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.yaml", c.in)
			findings := found(t, "", []*lint.Rule{bare}, "a.yaml")
			x := New(nil)
			changes, refused := x.All(findings)
			for _, r := range refused {
				t.Errorf("refused: %v", r.Why)
			}
			if len(changes) != 1 || string(changes[0].New) != c.want || len(changes[0].Fixed) != len(findings) {
				t.Fatalf("%q\nwant %q", changes[0].New, c.want)
			}
			if before, after := changes[0].Masked(nil); before != c.in || after != c.want {
				t.Errorf("shown as %q, %q", before, after)
			}
			if err := changes[0].Stale(); err != nil {
				t.Error(err)
			}
			x.Offer(findings)
			for _, f := range findings {
				if len(f.Replacements) == 0 {
					t.Errorf("line %d: no replacements are offered", f.At().Line)
				}
			}
		})
	}
}

// TestRefused wants a file left alone, with the reason.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		after      func(t *testing.T) // before the repair
		want       string
	}{
		"standard input": {"-", configMap("a"), nil, "standard input cannot be rewritten"},
		"template":       {"a.yaml", strings.Replace(configMap("a"), "{a: b}", `{a: "{{ .Values.a }}"}`, 1), nil, "like a template"},
		"rendered":       {"a.yaml", "---\n# Source: shop/templates/a.yaml\n" + configMap("a"), nil, "rendered from shop/templates/a.yaml"},
		"comment":        {"a.yaml", strings.Replace(configMap("a"), "uid: x", "uid: x # ours", 1), nil, "a comment would be lost"},
		"anchor":         {"a.yaml", strings.Replace(configMap("a"), "uid: x", "uid: &x x", 1), nil, "an anchor or a tag"},
		"UTF-16":         {"a.yaml", "\xff\xfe" + strings.Join(strings.Split(strings.Replace(configMap("a"), " # é", "", 1), ""), "\x00") + "\x00", nil, "not in UTF-8"},
		"changed":        {"a.yaml", configMap("a"), func(t *testing.T) { write(t, "a.yaml", "# new\n"+configMap("a")) }, "has changed"},
		"gone":           {"a.yaml", configMap("a"), func(t *testing.T) { os.Remove("a.yaml") }, "no such file"},
		"read-only":      {"a.yaml", configMap("a"), func(t *testing.T) { os.Chmod("a.yaml", 0o440) }, "read-only"},
		"link":           {"a.yaml", configMap("a"), func(t *testing.T) { elsewhere(t, "a.yaml") }, "a link that points outside of"},
		"no file":        {"a.yaml", configMap("a"), func(t *testing.T) { os.Remove("a.yaml"); os.Mkdir("a.yaml", 0o750) }, "not a regular file"},
		"flow list":      {"a.yaml", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: x}}]\n", nil, "cannot be separated from the rest of its List"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			if c.file != "-" {
				write(t, c.file, c.text)
			}
			findings := found(t, c.text, []*lint.Rule{bare}, c.file)
			if len(findings) != 1 {
				t.Fatalf("%d findings", len(findings))
			}
			if c.after != nil {
				c.after(t)
			}
			changes, refused := New(func() string { return c.text }).All(findings)
			if len(changes) != 0 || len(refused) != 1 || !strings.Contains(refused[0].Why.Error(), c.want) {
				t.Errorf("%d changes, refused: %v", len(changes), refused)
			}
		})
	}
}

// elsewhere moves a file out of its directory and leaves a link.
func elsewhere(t *testing.T, name string) {
	t.Helper()
	outside := t.TempDir() + "/b.yaml"
	if err := os.Rename(name, outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, name); err != nil {
		t.Skip(err)
	}
}

// TestLinks: a link inside of the tree is followed and stays one; a file that
// is read under two names is repaired once.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "a.yaml", configMap("a"))
	if err := os.Symlink("a.yaml", "b.yaml"); err != nil {
		t.Skip(err)
	}
	changes, _ := New(nil).All(found(t, "", []*lint.Rule{bare}, "b.yaml"))
	if len(changes) != 1 || !strings.HasSuffix(changes[0].Target, "a.yaml") || changes[0].File != "b.yaml" {
		t.Errorf("%+v", changes)
	}
	changes, refused := New(nil).All(found(t, "", []*lint.Rule{bare}, "a.yaml", "b.yaml"))
	if len(changes) != 1 || len(refused) != 1 || !strings.Contains(refused[0].Why.Error(), "under two names") {
		t.Errorf("%d changes, refused: %v", len(changes), refused)
	}
	changes, refused = New(nil).All(found(t, "", []*lint.Rule{bare}, "a.yaml", "a.yaml"))
	if len(changes) != 1 || len(changes[0].Fixed) != 2 || strings.Contains(string(changes[0].New), "uid") {
		t.Errorf("%d changes, refused: %v", len(changes), refused)
	}
	write(t, "a.yaml", configMap("other"))
	if changes[0].Stale() == nil {
		t.Error("a change of a file that has changed is not stale")
	}
}

// TestTogether: of edits that get in each other's way the first is made.
func TestTogether(t *testing.T) {
	rule := func(id string, e edit.Edit) *lint.Rule {
		return &lint.Rule{ID: id, Severity: lint.Warning, Run: func(p *lint.Pass) {
			for o := range p.Objects() {
				if after, err := edit.Object(o.Manifest.Tree, []edit.Edit{e}); err == nil && !tree.Equal(after, o.Manifest.Tree) {
					p.Report(o, lint.Report{Path: e.Path, Message: id, Edits: []edit.Edit{e}})
				}
			}
		}}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "a.yaml", configMap("a"))
	uid := fieldpath.New("metadata", "uid")
	changes, refused := New(nil).All(found(t, "", []*lint.Rule{
		rule("a", edit.Remove(uid)), rule("b", edit.Set(uid, "y")), rule("c", edit.Remove(uid)), rule("d", edit.Set(fieldpath.New("data", "b"), "c")),
	}, "a.yaml"))
	if len(refused) != 1 || refused[0].Finding.Rule.ID != "b" || !strings.Contains(refused[0].Why.Error(), "another fix changes metadata.uid too") {
		t.Errorf("refused: %v", refused)
	}
	want := strings.NewReplacer("  uid: x\n", "", "{a: b}", "{a: b, b: c}").Replace(configMap("a"))
	if len(changes) != 1 || string(changes[0].New) != want {
		t.Errorf("%q, want %q", changes[0].New, want)
	}
}

// TestTooMany gives up an object whose repairs are refused one by one, and does so soon:
// each try reads all of its text.
func TestTooMany(t *testing.T) {
	for _, count := range []int{40, 4000} {
		dir := t.TempDir()
		t.Chdir(dir)
		var text strings.Builder
		text.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  last: a\n")
		for i := range count {
			fmt.Fprintf(&text, "  k%d: # why\n    a\n", i)
		}
		write(t, "a.yaml", text.String())
		findings := found(t, "", []*lint.Rule{{ID: "all", Severity: lint.Warning, Run: func(p *lint.Pass) {
			for o := range p.Objects() {
				for _, key := range tree.Keys(tree.Map(o.Manifest.Tree["data"])) {
					path := fieldpath.New("data", key)
					p.Report(o, lint.Report{Path: path, Message: key, Edits: []edit.Edit{edit.Remove(path)}})
				}
			}
		}}}, "a.yaml")
		changes, refused := New(nil).All(findings)
		if few := count == 40; few && (len(changes) != 1 || len(refused) != count) || !few && (changes != nil || len(refused) != count+1 || refused[0].Why != errTooMany) {
			t.Errorf("of %d: %d changes, %d refused: %v", count, len(changes), len(refused), refused[0].Why)
		}
	}
}

// TestListItems writes a field at the end of each item of a List.
func TestListItems(t *testing.T) {
	last := &lint.Rule{ID: "last", Severity: lint.Warning, Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			if !tree.Has(o.Manifest.Tree, "data", "z") {
				p.Report(o, lint.Report{Edits: []edit.Edit{edit.Set(fieldpath.New("data", "z"), "z")}})
			}
		}
	}}
	item := "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  data:\n    a: b\n"
	in := "apiVersion: v1\nitems:\n" + item + "      # of a\n\n# of b\n" + strings.Replace(item, "name: a", "name: b", 1) + "kind: List\n"
	want := "apiVersion: v1\nitems:\n" + item + "      # of a\n    z: z\n\n# of b\n" + strings.Replace(item, "name: a", "name: b", 1) + "    z: z\nkind: List\n"
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "a.yaml", in)
	changes, refused := New(nil).All(found(t, "", []*lint.Rule{last}, "a.yaml"))
	if len(changes) != 1 || string(changes[0].New) != want {
		t.Errorf("%v, refused: %v", changes, refused)
	}
}

// TestSecrets: values of Secrets are neither written nor shown.
func TestSecrets(t *testing.T) {
	secret := strings.NewReplacer("ConfigMap", "Secret", "data: {a: b}", "data:\n  # hush\n  a: aHVzaA==\nstringData: {b: hush}\ntype: Opaque").Replace(configMap("a"))
	oneLine := "{apiVersion: v1, kind: Secret, metadata: {name: a, uid: x, annotations: {a: hush}}, data: {a: aHVzaA==}}\n"
	for _, text := range []string{secret, oneLine} {
		dir := t.TempDir()
		t.Chdir(dir)
		write(t, "a.yaml", text)
		changes, refused := New(nil).All(found(t, "", []*lint.Rule{bare}, "a.yaml"))
		if len(changes) != 1 {
			t.Fatalf("refused: %v", refused)
		}
		before, after := changes[0].Masked(nil)
		if strings.Contains(before+after, "hush") || strings.Contains(before+after, "aHVzaA") {
			t.Errorf("before: %safter: %s", before, after)
		}
		if before == after || !strings.Contains(string(changes[0].New), "aHVzaA==") {
			t.Errorf("before: %safter: %s", before, after)
		}
	}
	writes := &lint.Rule{ID: "writes", Severity: lint.Warning, Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			if !tree.Has(o.Manifest.Tree, "data", "b") {
				p.Report(o, lint.Report{Edits: []edit.Edit{edit.Set(fieldpath.New("data", "b"), "aHVzaA==")}})
			}
		}
	}}
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "a.yaml", secret)
	if changes, refused := New(nil).All(found(t, "", []*lint.Rule{writes}, "a.yaml")); len(changes) != 0 || len(refused) != 1 {
		t.Errorf("%d changes, refused: %v", len(changes), refused)
	}
}
