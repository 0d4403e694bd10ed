package source

import (
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// FuzzPositionBlock holds the search in block YAML against the parser with
// positions, on every path of every object and on some that are not there.
func FuzzPositionBlock(f *testing.F) {
	seed(f)
	for _, text := range blockSeeds {
		f.Add([]byte(text))
	}
	f.Add([]byte("a:\n- b: 1\n  c: x\n-\n- d\n-   e: |\n      f\n    g: [1]\n- - h\n  - \"i\": ~\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for s := NewStream("f", Whole(DecodeText(data))); s.Next(); {
			if root, ok := s.Value.(tree.Object); ok {
				checkBlockPositions(t, s.Doc, root)
			}
		}
		value, twice, ok := decodeBlock(yamlLines(string(data)), Everything, 0, nil)
		if ok {
			checkBlockPositions(t, &Document{Text: yamlLines(string(data)), Line: 1, Column: 1, isBlock: !twice}, value)
		}
	})
}

func checkBlockPositions(t *testing.T, d *Document, root tree.Object) (told int) {
	t.Helper()
	if d.IsJSON || d.nodes() == nil {
		return 0
	}
	check := func(p fieldpath.Path) {
		offset, found, ok := d.findBlock(p)
		if !ok {
			return
		}
		told++
		if wantOffset, wantFound := d.findYAML(p); offset != wantOffset || found != wantFound {
			t.Errorf("%s: %d %v, want %d %v in\n%s", p, offset, found, wantOffset, wantFound, d.Text)
		}
	}
	eachPath(root, nil, func(p fieldpath.Path) {
		check(p)
		check(p.Child("no such field"))
		check(p.Item(2))
		if last := p[len(p)-1]; last.IsIndex {
			v, _ := p.Find(root)
			list := p[:len(p)-1]
			check(list.Element(v))
			item, _ := v.(tree.Object)
			for key, x := range item {
				check(list.Select(fieldpath.Key{Name: key, Value: x}))
				check(list.Select(fieldpath.Key{Name: key, Value: x}, fieldpath.Key{Name: "none", Value: "x"}).Child(key))
			}
		}
	})
	return told
}

const ordinary = `# the web
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 3   # three
  template:
    spec:
      containers:
      - name: web
        image: "nginx:1.29"
        args: [--port=80]
        command:
          - sh
          - -c
          - |
            exec nginx
        ports:
        - containerPort: 80
          protocol: TCP
`

// Ordinary manifests are told without the parser with positions.
func TestPositionsOfOrdinaryManifests(t *testing.T) {
	value, _, ok := decodeBlock(ordinary, Everything, 0, nil)
	if !ok {
		t.Fatal("the manifest is not ordinary")
	}
	d := &Document{Text: ordinary, Line: 1, Column: 1, isBlock: true}
	if told := checkBlockPositions(t, d, value); told < 80 {
		t.Errorf("only %d positions are told", told)
	}
}
