package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/text/yamltext"
	"threeway/merge/token"
	"threeway/merge/tree"
)

func key(t *testing.T, secret string) *Key {
	t.Helper()
	k, err := NewKey([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestNewKey(t *testing.T) {
	if _, err := NewKey([]byte(" 123456789012345\n")); err == nil || !strings.Contains(err.Error(), "has 15 bytes") {
		t.Errorf("a short key: %v", err)
	}
	a, b := key(t, "0123456789abcdef"), key(t, "0123456789abcdef\n")
	if a.token("x") != b.token("x") {
		t.Error("white space around a key counts")
	}
	if other := key(t, "0123456789abcdeg"); other.token("x") == a.token("x") || other.id == a.id {
		t.Error("two keys, one hash")
	}
	if got := a.token(a.token("x")); got != a.token("x") {
		t.Errorf("a hash is hashed again: %s", got)
	}
	if got := a.token(""); got != "" {
		t.Errorf("an empty value becomes %q", got)
	}
}

const dump = `apiVersion: v1
items:
- apiVersion: v1
  data:
    empty: ""
    password: Q0FOQVJZLXBhc3N3b3Jk   # the comment stays
  kind: Secret
  metadata:
    annotations:
      example.com/hint: CANARY-password, quoted
      kapp.k14s.io/original: '{"apiVersion":"v1","data":{"password":"Q0FOQVJZLXBhc3N3b3Jk"},"kind":"Secret"}'
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{},"name":"db"},"stringData":{"password":"CANARY-password","port":null}}
      objectset.rio.cattle.io/applied: H4sIAAAAAAAA
      other: kept
    name: db
- apiVersion: v1
  data:
    .dockerconfigjson: eyJhdXRocyI6eyJDQU5BUlkiOnt9fX0=
  kind: Secret
  metadata:
    name: pull
  type: kubernetes.io/dockerconfigjson
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"spec":{"template":{"spec":{"containers":[{"env":[{"name":"DB_PASSWORD","value":"CANARY-password"},{"name":"MODE","value":"x"}]}]}}}}
    name: web
  spec:
    template:
      spec:
        containers:
        - env:
          - name: DB_PASSWORD
            value: CANARY-password
          - name: MODE
            value: x
          name: web
kind: List
metadata:
  resourceVersion: ""
`

func TestFile(t *testing.T) {
	k := key(t, "0123456789abcdef")
	r := &Redactor{Key: k, Policy: &mask.Policy{Env: []string{"*PASSWORD"}}}
	got, err := r.File("f.yaml", []byte(dump))
	if err != nil {
		t.Fatal(err)
	}
	plain := k.token("CANARY-password")
	encoded := base64.StdEncoding.EncodeToString([]byte(plain))
	docker := `{"redacted":"` + k.token(`{"auths":{"CANARY":{}}}`) + `"}`
	want := strings.NewReplacer(
		"CANARY-password, quoted", `"`+plain+`, quoted"`,
		"CANARY-password", plain,
		"Q0FOQVJZLXBhc3N3b3Jk", encoded,
		"H4sIAAAAAAAA", k.token("H4sIAAAAAAAA"),
		"eyJhdXRocyI6eyJDQU5BUlkiOnt9fX0=", base64.StdEncoding.EncodeToString([]byte(docker)),
	).Replace(dump)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if r.Values != 3 {
		t.Errorf("%d values", r.Values)
	}
	if again, err := (&Redactor{Key: key(t, "another key of enough bytes")}).File("f.yaml", []byte(got)); err != nil || again != got {
		t.Errorf("redacted again: %v\n%s", err, again)
	}
}

func TestLeftovers(t *testing.T) {
	r := &Redactor{Key: key(t, "0123456789abcdef")}
	text, err := r.File("f.yaml", []byte(dump))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	left, err := r.Leftovers(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range left {
		line := strings.Split(text, "\n")[l.Line-1]
		if !strings.Contains(line, "CANARY-password") || l.Where != "Secret/db data.password" {
			t.Errorf("line %d, of %s: %s", l.Line, l.Where, line)
		}
		lines = append(lines, line)
	}
	if len(lines) != 2 {
		t.Errorf("found %q", lines)
	}
	for text, want := range map[string]int{"CANARY-password": 1, "CANARY-password CANARY-password": 1, "xCANARY-password": 0, "CANARY-passwords": 0, "x\nCANARY-password": 2} {
		line := 0
		left, err := r.Leftovers(strings.NewReader(text))
		for _, l := range left {
			line = l.Line
		}
		if line != want || err != nil {
			t.Errorf("%q: found in line %d, want %d: %v", text, line, want, err)
		}
	}
	// Wherever a value is, between what is searched at a time, too.
	for _, before := range []int{minBuffer - 40, minBuffer - 33, minBuffer - 20, minBuffer - 15, minBuffer - 2, minBuffer - 1, minBuffer, 2*minBuffer - 50, 2*minBuffer - 10} {
		for _, around := range []string{" ", "x"} {
			text := strings.Repeat("\n", before-1) + around + "CANARY-password" + around + strings.Repeat("\n", 50)
			left, err := r.Leftovers(strings.NewReader(text))
			if want := around == " "; err != nil || want != (len(left) == 1) || want && left[0].Line != before {
				t.Errorf("after %d bytes: %v, %v", before, left, err)
			}
		}
	}
}

// Whatever a dump looks like, no value survives, the same values stay the same,
// and with the key Reveal brings back what a config has.
func TestNothingLeaks(t *testing.T) {
	k := key(t, "0123456789abcdef")
	rnd := rand.New(rand.NewPCG(1, 2))
	value := func() string { return "hunter2-" + string(rune('a'+rnd.IntN(3))) }
	for range 300 {
		data, stringData := tree.Object{}, tree.Object{}
		for i := range rnd.IntN(4) {
			data[fmt.Sprintf("k%d", i)] = base64.StdEncoding.EncodeToString([]byte(value()))
		}
		for i := range rnd.IntN(3) {
			stringData[fmt.Sprintf("s%d", i)] = value()
		}
		config := tree.Object{"apiVersion": "v1", "kind": "Secret", "metadata": tree.Object{"name": "db"}, "data": data, "stringData": stringData}
		applied, _ := json.Marshal(config)
		live := tree.CopyObject(config)
		delete(live, "stringData")
		for key, v := range stringData {
			tree.Set(live, base64.StdEncoding.EncodeToString([]byte(v.(string))), "data", key)
		}
		tree.Set(live, string(applied)+strings.Repeat("\n", rnd.IntN(2)), "metadata", "annotations", tree.LastApplied)
		text := yamltext.YAML(live)
		if rnd.IntN(2) == 0 {
			b, _ := json.MarshalIndent(live, "", " ")
			text = string(b)
		}
		redacted, err := (&Redactor{Key: k}).File("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"hunter2", "aHVudGVyMi"} {
			if strings.Contains(redacted, form) {
				t.Fatalf("%s is still in\n%s", form, redacted)
			}
		}
		back := read(redacted)
		revealed, assumed := Reveal(config, back, k)
		if revealed == nil {
			revealed = back
		}
		if len(assumed) > 0 || !tree.Equal(revealed, live) {
			t.Fatalf("assumed %v\n%v\nwant\n%v", assumed, revealed, live)
		}
		if revealed, assumed = Reveal(config, back, nil); revealed != nil && (len(assumed) != len(tree.Map(live, "data")) || !tree.Equal(revealed, live)) {
			t.Fatalf("without the key: assumed %v\n%v\nwant\n%v", assumed, revealed, live)
		}
	}
}

func read(text string) (o tree.Object) {
	_, _ = manifest.Rewrite("f", []byte(text), func(root tree.Object) { o = tree.CopyObject(root) })
	return o
}

// What is known to differ stays redacted, so that it shows as a change.
func TestRevealKeepsChanges(t *testing.T) {
	k := key(t, "0123456789abcdef")
	secret := func(applied, live string) tree.Object {
		o := tree.Object{"apiVersion": "v1", "kind": "Secret", "data": tree.Object{"a": base64.StdEncoding.EncodeToString([]byte(live))}}
		tree.Set(o, `{"stringData":{"a":"`+applied+`"}}`, "metadata", "annotations", tree.LastApplied)
		(&Redactor{Key: k}).object(o)
		return o
	}
	config := tree.Object{"apiVersion": "v1", "kind": "Secret", "stringData": tree.Object{"a": "new"}}
	changed, assumed := Reveal(config, secret("old", "old"), k)
	if len(assumed) > 0 || !tree.Equal(changed, secret("old", "old")) {
		t.Errorf("a change of the config: %v, %v", assumed, changed)
	}
	drifted, _ := Reveal(config, secret("new", "by hand"), k)
	if tree.String(drifted, "metadata", "annotations", tree.LastApplied) != `{"stringData":{"a":"new"}}` || !token.IsRedacted(tree.Map(drifted, "data")["a"]) {
		t.Errorf("a change by hand: %v", drifted)
	}
	// Without the key one of the two may be the config's, not both.
	drifted, assumed = Reveal(config, secret("new", "by hand"), nil)
	if len(assumed) != 1 || tree.String(drifted, "data", "a") != "bmV3" || strings.Contains(tree.String(drifted, "metadata", "annotations", tree.LastApplied), "new") {
		t.Errorf("without the key: %v, %v", assumed, drifted)
	}
	// Another key is none.
	if _, assumed = Reveal(config, secret("old", "old"), key(t, "another key of enough bytes")); len(assumed) != 1 {
		t.Errorf("with another key: %v", assumed)
	}
}

// TestShortValueInNames: a value that is a word of names, as the user of a database often is, leaves
// the versions of objects in annotations as they are but for the value itself, and is hidden in notes.
func TestShortValueInNames(t *testing.T) {
	const applied = `{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{"note":"NOTE"},"labels":{"app":"ledger"},"name":"ledger-db"},"stringData":{"user":"USER"}}`
	const list = `{"apiVersion":"v1","kind":"List","items":[
 {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"ledger","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"ledger\"}}"}}},
 {"apiVersion":"v1","kind":"Secret","metadata":{"name":"ledger-db","annotations":{"note":"for ledger","kubectl.kubernetes.io/last-applied-configuration":APPLIED}},"data":{"user":"bGVkZ2Vy"}}]}`
	quoted, _ := json.Marshal(strings.NewReplacer("NOTE", "for ledger", "USER", "ledger").Replace(applied))
	got, err := (&Redactor{Key: key(t, "0123456789abcdef")}).File("f", []byte(strings.Replace(list, "APPLIED", string(quoted), 1)))
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Items []tree.Object }
	if err := json.Unmarshal([]byte(got), &out); err != nil {
		t.Fatal(err)
	}
	if was := `{"kind":"ConfigMap","metadata":{"name":"ledger"}}`; tree.String(out.Items[0], "metadata", "annotations", tree.LastApplied) != was {
		t.Errorf("of another object: %v", out.Items[0])
	}
	user := key(t, "0123456789abcdef").token("ledger")
	last := tree.String(out.Items[1], "metadata", "annotations", tree.LastApplied)
	note := tree.String(out.Items[1], "metadata", "annotations", "note")
	if want := strings.NewReplacer("NOTE", note, "USER", user).Replace(applied); last != want || strings.Contains(note, "ledger") {
		t.Errorf("got  %s\nwant %s", last, want)
	}
}
