package schema

import (
	"strings"
	"sync"
	"testing"
)

func TestArchiveIsSmall(t *testing.T) {
	if len(archive) > 72_000 {
		t.Errorf("tables.zip has %d bytes, the limit is 72000", len(archive))
	}
}

// all names every type in the archive.
func all(t *table) []string {
	for name := range entries() {
		if name != "resources" && !strings.HasPrefix(name, "declared/") {
			t.load(name)
		}
	}
	var names []string
	for name := range t.source {
		names = append(names, name)
	}
	return names
}

func TestEveryTypeDecodes(t *testing.T) {
	tab := newTable()
	for _, name := range all(tab) {
		typ := tab.named(name)
		if typ.Form == Map || typ.Form == List {
			if typ.Elem == nil {
				t.Errorf("%s: no element type", name)
			}
		}
		for _, f := range typ.Fields {
			if f.Type == nil || f.Name == "" || f.Go == "" {
				t.Errorf("%s: field %+v", name, f)
				continue
			}
			if typ.Field(f.Name).Go != f.Go {
				t.Errorf("%s.%s: two fields of that name", name, f.Name)
			}
		}
	}
}

func TestOnlyWhatIsNeededIsLoaded(t *testing.T) {
	tab := newTable()
	tab.named("apps/v1.Deployment")
	if len(tab.loaded) != 3 || !tab.loaded["apps"] || !tab.loaded["core"] || !tab.loaded["meta"] {
		t.Errorf("loaded %v", tab.loaded)
	}
}

func TestConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, r := range Resources() {
				walk(map[*Type]bool{}, Lookup(r.Kind), 36, func(typ *Type, f *Field) {
					if f.Type == nil {
						t.Errorf("%s.%s: no type yet", typ.Name, f.Name)
					}
				})
			}
		})
	}
	wg.Wait()
}

// The first look at a Deployment pays for all that a pod can have: about half
// a millisecond.
func BenchmarkFirstLookup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newTable().named("apps/v1.Deployment")
	}
}
