package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"threeway/merge/fieldpath"
)

// readText reads text as config from standard input.
func readText(text string) *Set {
	return Read(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
}

const deployment = `# the api
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  labels: {app.kubernetes.io/name: api, "quoted": x, 12: z}
spec:
  replicas: 3   # three
  template:
    spec:
      containers:
      - name: sidecar
        args: [one, "two", three]
      - image: nginx
        name: web
        ports:
        - containerPort: 80
        - containerPort: 0x35
          protocol: UDP
        - containerPort: 53
          protocol: TCP
        on: 1
        'single': 2
  überall: 1
  names: {ä: {é: 1, z: 2}}
`

func TestPositionYAML(t *testing.T) {
	for path, want := range map[string]string{
		"":              "2:1",
		"kind":          "3:1",
		"metadata.name": "5:3",
		"metadata.labels[app.kubernetes.io/name]":                               "6:12",
		"metadata.labels.quoted":                                                "6:41",
		"metadata.labels[12]":                                                   "6:54",
		"metadata.labels.missing":                                               "6:3 parent",
		"metadata.name.below":                                                   "5:3 parent",
		"spec.replicas":                                                         "8:3",
		"spec.template.spec.containers[0]":                                      "12:9",
		"spec.template.spec.containers[0].args[1]":                              "13:21",
		"spec.template.spec.containers[0].args[=three]":                         "13:28",
		"spec.template.spec.containers[name=web].image":                         "14:9",
		"spec.template.spec.containers[1].name":                                 "15:9",
		"spec.template.spec.containers[2]":                                      "11:7 parent",
		"spec.template.spec.containers[name=none].image":                        "11:7 parent",
		"spec.template.spec.containers[name=web].resources.limits":              "14:9 parent",
		"spec.template.spec.containers[1].ports[containerPort=80,protocol=TCP]": "17:11",
		"spec.template.spec.containers[1].ports[containerPort=53,protocol=UDP]": "18:11",
		"spec.template.spec.containers[1].ports[containerPort=53,protocol=TCP]": "20:11",
		"spec.template.spec.containers[1].true":                                 "22:9",
		"spec.template.spec.containers[1].on":                                   "14:9 parent",
		"spec.template.spec.containers[1].single":                               "23:9",
		"spec.überall":   "24:3",
		"spec.names.ä.z": "25:21",
		"status":         "2:1 parent",
	} {
		for name, text := range map[string]string{
			"LF":   deployment,
			"CRLF": strings.ReplaceAll(deployment, "\n", "\r\n"),
			"BOM":  "\ufeff" + deployment,
			"16":   utf16Text(deployment),
		} {
			set := readText(text)
			if len(set.Objects) != 1 {
				t.Fatalf("%s: %v", name, set.Problems)
			}
			if got := positionOf(t, set.Objects[0], path); got != want {
				t.Errorf("%s %s: %s, want %s", name, path, got, want)
			}
		}
	}
}

func utf16Text(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func positionOf(t *testing.T, o *Object, path string) string {
	t.Helper()
	p, err := fieldpath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	line, column, exact := o.Position(p)
	got := fmt.Sprintf("%d:%d", line, column)
	if !exact {
		got += " parent"
	}
	return got
}

func TestPositionElsewhere(t *testing.T) {
	tests := []struct {
		name, text string
		object     int
		path, want string
	}{
		{"second document", "a: b\n---\n\n# c\n---\napiVersion: v1\nkind: X\nmetadata:\n  name: a\n", 0, "metadata.name", "9:3"},
		{"flow", "{apiVersion: v1, kind: X, data: {a: [1, {b: 2}]}}", 0, "data.a[1].b", "1:42"},
		{"alias", "apiVersion: v1\nkind: X\nbase: &b\n  k: 1\ndata: *b\n", 0, "data.k", "4:3"},
		{"merge key", "apiVersion: v1\nkind: X\nbase: &b\n  k: 1\n  l: 1\ndata:\n  l: 2\n  <<: *b\n  k: 3\n", 0, "data.k", "9:3"},
		{"merge key that overrides", "apiVersion: v1\nkind: X\nbase: &b\n  k: 1\n  l: 1\ndata:\n  l: 2\n  <<: *b\n", 0, "data.l", "5:3"},
		{"merge of a list", "apiVersion: v1\nkind: X\nx: &x {k: 1}\ny: &y {k: 2, l: 3}\ndata: {<<: [*x, *y]}\n", 0, "data.l", "4:14"},
		{"duplicate key", "apiVersion: v1\nkind: X\ndata:\n  k: 1\n  k: 2\n", 0, "data.k", "5:3"},
		{"item of a List", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: X}\n- apiVersion: v1\n  kind: Z\n  data: {k: 1}\n", 1, "data.k", "7:10"},
		{"item itself", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: X}\n-\n  apiVersion: v1\n  kind: Z\n", 1, "", "6:3"},
		{"inherited kind", "apiVersion: v1\nkind: XList\nitems:\n- {data: 1}\n", 0, "kind", "4:3 parent"},
		{"line and paragraph separators", "apiVersion: v1\nkind: X\na: \"b\u2028c\u0085d\"\n# \u2029\ndata: {k: 1}\n", 0, "data.k", "5:8"},
		{"JSON on one line", `{"apiVersion":"v1","kind":"X","data":{"ä":[1,{"b":"\"}"}],"c":1}}`, 0, "data.c", "1:59"},
		{"JSON list", `{"apiVersion":"v1","kind":"X","data":{"ä":[1,{"b":"\"}"}],"c":1}}`, 0, "data.ä[1].b", "1:47"},
		{"JSON element", `{"apiVersion":"v1","kind":"X","data":["a", "b"]}`, 0, "data[=b]", "1:44"},
		{"JSON escapes", `{"apiVersion":"v1","kind":"X","data":{"k\u0061":1,"x":1}}`, 0, "data.ka", "1:39"},
		{"JSON with tabs and CRLF", "{\r\n\t\"apiVersion\": \"v1\",\r\n\t\"kind\": \"X\",\r\n\t\"data\": {\r\n\t\t\"k\": 1}\r\n}", 0, "data.k", "5:3"},
		{"JSON after JSON", "{\"apiVersion\":\"v1\",\"kind\":\"X\"} {\"apiVersion\":\"v1\",\"kind\":\"Y\",\n\"data\":{}}", 1, "kind", "1:51"},
		{"JSON second line", "{\"apiVersion\":\"v1\",\"kind\":\"X\"} {\"apiVersion\":\"v1\",\"kind\":\"Y\",\n \"data\":{}}", 1, "data", "2:2"},
		{"JSON List", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"apiVersion\":\"v1\",\"kind\":\"X\"},\n {\"apiVersion\":\"v1\",\"kind\":\"Y\",\"spec\":{\"ports\":[{\"port\":80},{\"port\":1.5e1}]}}]}", 1, "spec.ports[port=15]", "3:61"},
		{"JSON item itself", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"apiVersion\":\"v1\",\"kind\":\"X\"},\n {\"apiVersion\":\"v1\",\"kind\":\"Y\"}]}", 1, "", "3:2"},
		{"JSON duplicate key", `{"apiVersion":"v1","kind":"X","a":1, "a":2}`, 0, "a", "1:38"},
		{"JSON missing", `{"apiVersion":"v1","kind":"X","a":{"b":1}}`, 0, "a.c.d", "1:31 parent"},
		{"JSON item missing", `{"apiVersion":"v1","kind":"X","a":[{"b":1}]}`, 0, "a[1].b", "1:31 parent"},
		{"JSON read as YAML", "{\"apiVersion\":\"v1\",\"kind\":\"X\"}\n---\n{\"apiVersion\":\"v1\",\"kind\":\"Y\",\n\"a\":1}\n", 1, "a", "4:1"},
	}
	for _, test := range tests {
		set := readText(test.text)
		if test.object >= len(set.Objects) {
			s := snapshotOf(test.text)
			set = &Set{Objects: slices.Collect(s.Objects()), Problems: s.Problems}
		}
		if test.object >= len(set.Objects) {
			t.Errorf("%s: %v", test.name, set.Problems)
			continue
		}
		if got := positionOf(t, set.Objects[test.object], test.path); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestPositionInNestedLists(t *testing.T) {
	inner := `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"X","a":{"b":1}}]}`
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"List","items":[` + inner + `]}`,
		`[]: {} # not JSON` + "\n---\n" + `{"apiVersion":"v1","kind":"List","items":[` + inner + `]}`,
	} {
		text = strings.TrimPrefix(text, "[]: {} # not JSON\n")
		s := slices.Collect(snapshotOf(text).Objects())
		if len(s) != 1 {
			t.Fatal(s)
		}
		line, column, exact := s[0].Position(fieldpath.New("a", "b"))
		if source := s[0].SourceLine(line); !exact || !strings.HasPrefix(source[column-1:], `"b":1`) {
			t.Errorf("%d:%d %v", line, column, exact)
		}
	}
}

func TestPositionWithoutSource(t *testing.T) {
	o := &Object{}
	if line, column, exact := o.Position(fieldpath.New("a")); line != 0 || column != 0 || exact || o.SourceLine(1) != "" {
		t.Error("an object that was not read has a position")
	}
}

func TestSourceLine(t *testing.T) {
	o := readText("a: b\r\n---\r\napiVersion: v1\r\nkind: X\r\n").Objects
	if len(o) != 0 {
		t.Fatal("a document without a kind was read")
	}
	o = readText("# c\r\n---\r\napiVersion: v1\r\nkind: X\r\n---\r\n").Objects
	for line, want := range map[int]string{0: "", 1: "", 3: "apiVersion: v1", 4: "kind: X", 5: "", 99: ""} {
		if got := o[0].SourceLine(line); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
}
