package helm

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"threeway/merge/manifest"
)

func packed(t testing.TB, release string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(release)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// snapshot has revisions of release shop/shop, each by kind, number, status and data.
func snapshot(t testing.TB, revisions ...[4]string) *manifest.Snapshot {
	t.Helper()
	var docs []string
	for _, r := range revisions {
		docs = append(docs, fmt.Sprintf(`apiVersion: v1
kind: %s
metadata: {name: sh.helm.release.v1.shop.v%s, namespace: shop, labels: {owner: helm, name: shop, version: '%s', status: %s}}
data: {release: '%s'}
`, r[0], r[1], r[1], r[2], r[3]))
	}
	s := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(strings.Join(docs, "---\n"))})
	if err := manifest.Err(s.Problems); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestUpgrade: an upgrade compares with the newest deployed revision, or, if there is
// none, with a failed one; an uninstalled release is installed again.
func TestUpgrade(t *testing.T) {
	for statuses, want := range map[string]string{
		"":                               "install",
		"deployed":                       "revision 1 (deployed)",
		"superseded deployed":            "revision 2 (deployed)",
		"superseded deployed failed":     "revision 2 (deployed)",
		"deployed deployed":              "revision 2 (deployed)",
		"failed":                         "revision 1 (failed)",
		"superseded superseded":          "revision 2 (superseded)",
		"uninstalled":                    "install",
		"deployed pending-upgrade":       "error: release shop/shop cannot be upgraded: another operation (install/upgrade/rollback) is in progress: revision 2 (pending-upgrade)",
		"superseded uninstalling":        `error: release shop/shop cannot be upgraded: "shop" has no deployed releases`,
		"deployed deployed pending-inst": "revision 2 (deployed)",
	} {
		var revisions [][4]string
		for i, status := range strings.Fields(statuses) {
			revisions = append(revisions, [4]string{"Secret", fmt.Sprint(i + 1), status, ""})
		}
		got := "install"
		if s, err := ReadHistory(snapshot(t, revisions...), "shop", "shop").Upgrade(); err != nil {
			got = "error: " + err.Error()
		} else if s != nil {
			got = s.String()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", statuses, got, want)
		}
	}
}

func TestRollback(t *testing.T) {
	h := ReadHistory(snapshot(t, [4]string{"Secret", "10", "deployed", ""}, [4]string{"Secret", "9", "superseded", ""}), "shop", "shop")
	for to, want := range map[int]string{0: "9", 9: "9", 10: "10", 3: "release shop/shop has no revision 3; the snapshot has [9 10]"} {
		from, target, err := h.Rollback(to)
		got := fmt.Sprint(err)
		if err == nil {
			if got = fmt.Sprint(target.Revision); from.Revision != 10 {
				t.Errorf("from %s", from)
			}
		}
		if got != want {
			t.Errorf("%d: %s, want %s", to, got, want)
		}
	}
	if _, _, err := (History{Namespace: "shop", Name: "shop"}).Rollback(0); err == nil || !strings.HasPrefix(err.Error(), "the snapshot has no release shop/shop") {
		t.Errorf("%v", err)
	}
}

// TestOpen: a release in a Secret is in base64 twice, in a ConfigMap once, and may be
// without gzip.
func TestOpen(t *testing.T) {
	release := `{"name":"shop","manifest":"a: b\n","apply_method":"ssa","config":{"replicas":3},"hooks":[{"name":"migrate","kind":"Job","events":["pre-upgrade"],"weight":-5}]}`
	once := packed(t, release)
	for name, r := range map[string][4]string{
		"Secret":    {"Secret", "1", Deployed, base64.StdEncoding.EncodeToString([]byte(once))},
		"ConfigMap": {"ConfigMap", "1", Deployed, once},
		"plain":     {"ConfigMap", "1", Deployed, base64.StdEncoding.EncodeToString([]byte(release))},
	} {
		got, err := ReadHistory(snapshot(t, r), "shop", "shop").Last().Open(0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Manifest != "a: b\n" || got.Method != "ssa" || fmt.Sprint(got.Values) != "map[replicas:3]" || fmt.Sprint(got.Hooks) != "[{Job migrate [pre-upgrade] -5}]" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, data := range []string{"", "***", "aGVsbG8=", base64.StdEncoding.EncodeToString([]byte("aGVsbG8="))} {
		_, err := ReadHistory(snapshot(t, [4]string{"Secret", "1", Deployed, data}), "shop", "shop").Last().Open(0)
		if err == nil || !strings.HasPrefix(err.Error(), "shop/Secret/sh.helm.release.v1.shop.v1 holds no release that can be read") {
			t.Errorf("%q: %v", data, err)
		}
	}
	large := packed(t, `{"manifest":"`+strings.Repeat("x", 2<<20)+`"}`)
	_, err := ReadHistory(snapshot(t, [4]string{"ConfigMap", "1", Deployed, large}), "shop", "shop").Last().Open(1 << 20)
	if err == nil || !strings.Contains(err.Error(), "larger than the 1 MiB that THREEWAY_MAX_INPUT allows") {
		t.Errorf("%v", err)
	}
}

// FuzzOpen: whatever a record holds is a release or an error.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(packed(f, `{"manifest":"a: b\n","hooks":[{"events":["test"]}]}`)))
	f.Add([]byte("H4sIAAAA"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := base64.StdEncoding.EncodeToString(data)
		s := ReadHistory(snapshot(t, [4]string{"Secret", "1", Deployed, text}), "shop", "shop").Last()
		if r, err := s.Open(1 << 20); (r == nil) == (err == nil) {
			t.Errorf("%v and %v", r, err)
		}
	})
}

// TestArrange: Helm's order of kinds and of hooks.
func TestArrange(t *testing.T) {
	set := manifest.ReadFiles([]manifest.File{{Name: "a.yaml", Data: []byte(`{apiVersion: example.com/v1, kind: Zoo, metadata: {name: z}}
---
{apiVersion: example.com/v1, kind: Bar, metadata: {name: b}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}
---
{apiVersion: v1, kind: Service, metadata: {name: s2}}
---
{apiVersion: v1, kind: Service, metadata: {name: s1}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: first}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: p}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: later, annotations: {helm.sh/hook: "post-install, POST-UPGRADE"}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: first, annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-weight: "-1"}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: odd, annotations: {helm.sh/hook: "pre-upgrade,sometimes"}}}
`)}}, manifest.Limits{})
	rest, hooks := Arrange(set.Objects)
	var names []string
	for _, o := range rest {
		names = append(names, o.Name)
	}
	if got, want := strings.Join(names, " "), "p first s2 s1 d b z"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := fmt.Sprint(hooks), "[{Job first [pre-upgrade] -1} {Job later [post-install post-upgrade] 0} {Job odd [] 0}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
