package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// source makes a release of k8s.io/api with one file.
func source(t *testing.T, minor int, text string) *release {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "shop", "v1", "types.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package v1\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	return &release{minor: minor, dirs: map[string]string{"k8s.io/api": dir}, packages: map[string]*pkg{}}
}

func TestUnion(t *testing.T) {
	newer := source(t, 36, `
type Order struct {
	Common `+"`json:\",inline\"`"+`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=size
	Items []Item `+"`json:\"items,omitempty\" patchStrategy:\"merge,retainKeys\" patchMergeKey:\"name\"`"+`
	// +default=ref(Slow)
	Speed *Speed `+"`json:\"speed\"`"+`
	Notes Notes `+"`json:\"notes\"`"+`
	hidden int
}
type Common struct { ID string `+"`json:\"id\"`"+` }
type Speed string
const Slow Speed = "slow"
type Notes = map[string]string
// +structType=atomic

// Item is sold.
type Item struct { Name string `+"`json:\"name\"`"+` }
`)
	older := source(t, 28, `
type Order struct {
	Common `+"`json:\",inline\"`"+`
	Gift bool `+"`json:\"gift\"`"+`
	Notes map[string]string `+"`json:\"notes\"`"+`
}
type Common struct { ID int `+"`json:\"id\"`"+` }
`)
	types, err := union([]*release{newer, older}, []*resource{{typ: "shop/v1.Order"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"ID id string",
		"Gift gift bool <28",
		"Items items []shop/v1.Item o mname k lname,size >36",
		`Speed speed *shop/v1.Speed >36 ="slow"`,
		"Notes notes map[string]string",
	}
	var got []string
	for _, f := range types["shop/v1.Order"].fields {
		got = append(got, f.name+" "+f.json+" "+f.typ+flags(f))
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
	if !types["shop/v1.Item"].atomic || types["shop/v1.Speed"].underlying != "string" {
		t.Errorf("item %+v, speed %+v", types["shop/v1.Item"], types["shop/v1.Speed"])
	}
	if types["shop/v1.Common"] == nil {
		t.Error("the embedded struct is no type of its own")
	}
}

func TestJSONName(t *testing.T) {
	for name, want := range map[string]string{
		"DNSPolicy": "dnsPolicy", "HostIPC": "hostIPC", "SELinuxOptions": "seLinuxOptions", "UID": "uid", "Name": "name", "PodIPs": "podIPs",
	} {
		if got := jsonName("core/v1", name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := jsonName("internal/core", name); got != name {
			t.Errorf("internal %s: %s", name, got)
		}
	}
}

// A field of an internal type that has moved is at both places, each in its minors.
func TestUnionOfMovedFields(t *testing.T) {
	u := &merger{types: map[string]*typ{}}
	for _, r := range []struct {
		minor  int
		fields string
	}{{36, "ABCD"}, {37, "ACDBE"}, {35, "ABC"}} {
		order := &typ{name: "internal/shop.Order"}
		for _, name := range r.fields {
			order.fields = append(order.fields, &field{json: string(name)})
		}
		u.merge(&release{minor: r.minor}, order)
	}
	got := ""
	for _, f := range u.types["internal/shop.Order"].fields {
		got += fmt.Sprint(f.json, f.since, "-", f.until, " ")
	}
	if want := "A35-37 B35-36 C35-37 D36-37 B37-37 E37-37 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
