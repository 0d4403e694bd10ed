package impact

import (
	"fmt"
	"regexp"
	"strings"

	"threeway/merge"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Rename is a new object that does what one did that left the manifests. In the cluster
// they are two objects.
type Rename struct {
	Old *manifest.Object
	New *rehearsal.Outcome
	// Gone tells that the applier deletes the old one.
	Gone bool
}

// alike is how much of the content of two objects is the same if one of them may be the
// other by another name: all of it, or nearly.
var alike = []float64{1, 0.8}

// mostPairs is how many pairs of objects are compared.
const mostPairs = 10_000

// Renames are the objects that a plan creates in place of one that left the manifests: of
// the same kind, with another name or in another namespace, and of the same content but
// for the name, or nearly. Where an object resembles several, that with the name most
// like its own counts; if there are several of them, there is none.
func Renames(plan *merge.Plan) (list []Rename) {
	var pairs []pair
	olds := map[[2]string][]Rename{} // by kind and namespace, and by kind and name
	for _, old := range leaving(plan) {
		for _, key := range keys(old.Old) {
			olds[key] = append(olds[key], old)
		}
	}
	for _, o := range plan.Outcomes {
		if o.Action != rehearsal.Created || o.Stopped {
			continue
		}
		for _, key := range keys(o.Manifest) {
			for _, old := range olds[key] {
				if old.New = o; old.Old.Name != o.Manifest.Name || old.Old.Namespace != o.Manifest.Namespace {
					pairs = append(pairs, pair{Rename: old})
				}
			}
			if len(pairs) > mostPairs {
				return nil
			}
		}
	}
	contents := map[content]*likeness{}
	for i, p := range pairs {
		pairs[i].alike = p.compare(contents)
	}
	taken := map[any]bool{}
	for _, least := range alike {
		best := map[any]twins{}
		for _, p := range pairs {
			if p.alike >= least && !taken[p.Old] && !taken[p.New] {
				best[p.Old], best[p.New] = best[p.Old].with(p.sharedName()), best[p.New].with(p.sharedName())
			}
		}
		for i, p := range pairs {
			if only := (twins{p.sharedName(), 1}); p.alike >= least && best[p.Old] == only && best[p.New] == only {
				taken[p.Old], taken[p.New], pairs[i].chosen = true, true, true
			}
		}
	}
	for _, p := range pairs {
		if p.chosen {
			list = append(list, p.Rename)
		}
	}
	return list
}

// keys are the kind of an object with its namespace, and with its name.
func keys(o *manifest.Object) [2][2]string {
	return [2][2]string{{o.Kind.GroupKind(), "in " + o.Namespace}, {o.Kind.GroupKind(), o.Name}}
}

// leaving are the objects that left the manifests.
func leaving(plan *merge.Plan) (list []Rename) {
	if !plan.Unread() {
		for _, o := range plan.Left {
			list = append(list, Rename{Old: o})
		}
	}
	for _, c := range plan.Prune.Pruned() {
		list = append(list, Rename{Old: c.Live.Object(), Gone: true})
	}
	return list
}

// pair is what may be a rename, and how much of the two objects is the same.
type pair struct {
	Rename
	alike  float64
	chosen bool
}

// twins are the objects that one resembles, with the name most like its own: how many
// bytes of it they share, and how many objects they are.
type twins struct{ shared, n int }

func (t twins) with(shared int) twins {
	switch {
	case t.n == 0 || shared > t.shared:
		return twins{shared, 1}
	case shared == t.shared:
		t.n++
	}
	return t
}

// sharedName is how many bytes the two names have in common at their ends.
func (p pair) sharedName() (n int) {
	a, b := p.Old.Name, p.New.Manifest.Name
	for a != "" && b != "" && a[0] == b[0] {
		a, b, n = a[1:], b[1:], n+1
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	return n
}

// hash is what kustomize adds to the name of a generated object, which changes with its
// content (sigs.k8s.io/kustomize/api/hasher).
var hash = regexp.MustCompile(`-[2456789bcdfghkmt]{10}$`)

// generated reports whether two names are of one generator.
func generated(old, new *manifest.Object) bool {
	was, is := hash.FindString(old.Name), hash.FindString(new.Name)
	return was != "" && is != "" && strings.TrimSuffix(old.Name, was) == strings.TrimSuffix(new.Name, is)
}

// Generated reports whether the name is new because a generator of kustomize has other content: the old
// object stays by design, for the pods that still read it.
func (r Rename) Generated() bool { return generated(r.Old, r.New.Manifest) }

// compare is how much of the two objects is the same.
func (p pair) compare(contents map[content]*likeness) float64 {
	if generated(p.Old, p.New.Manifest) {
		return 1
	}
	of := func(key any, tree tree.Object, name string) *likeness {
		c := content{key, name}
		if contents[c] == nil {
			contents[c] = likenessOf(tree, name)
		}
		return contents[c]
	}
	was, is := p.renamed()
	old, now := of(p.Old, p.Old.Tree, was), of(p.New.Manifest, p.New.Manifest.Tree, is)
	switch {
	case now.n == 0:
		return 0
	case p.Gone:
		now = of(p.New, p.New.Result, is)
	}
	return old.to(now)
}

// renamed are the parts of the two names that differ, in whole words: web and shop of
// web-db and shop-db, since db-web may have the same field.
func (p pair) renamed() (was, is string) {
	a, b := strings.Split(p.Old.Name, "-"), strings.Split(p.New.Manifest.Name, "-")
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return strings.Join(a, "-"), strings.Join(b, "-")
}

// content is the content of an object, with what of its name is looked for.
type content struct{ of, name any }

// likeness is what an object says: how often it has each value, which is also known
// without the name, and the repositories of its images, with and without the name.
type likeness struct {
	values       map[string]int
	without      map[string]string
	n            int
	images, bare string
}

// likenessOf is that of a tree without its metadata and status; name is what of the name
// is looked for.
func likenessOf(o tree.Object, name string) *likeness {
	own := regexp.MustCompile(`(^|[^a-zA-Z0-9])` + regexp.QuoteMeta(name) + `($|[^a-zA-Z0-9])`)
	without := func(text string) string {
		for was := ""; was != text; {
			was, text = text, own.ReplaceAllString(text, "$1\x00$2")
		}
		return text
	}
	l := &likeness{values: map[string]int{}, without: map[string]string{}}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case tree.Object:
			for _, key := range tree.Keys(v) {
				if text, isText := v[key].(string); isText && key == "image" {
					l.images, l.bare = l.images+" "+setting.Repository(text), l.bare+" "+without(setting.Repository(text))
				} else if !rehearsal.Chosen(key) {
					walk(path+"."+key, v[key])
				}
			}
		case []any:
			for _, x := range v {
				walk(path+"[]", x)
			}
		default:
			text := fmt.Sprint(v)
			l.values[path+"="+text]++
			l.without[path+"="+text] = path + "=" + without(text)
			l.n++
		}
	}
	for _, key := range tree.Keys(o) {
		switch key {
		case "apiVersion", "kind", "metadata", "status":
		default:
			walk(key, o[key])
		}
	}
	return l
}

// to is how much of two likenesses is the same, from 0 to 1. What runs other images does
// something else.
func (l *likeness) to(other *likeness) float64 {
	if l.n+other.n == 0 || l.images != other.images && l.bare != other.bare {
		return 0
	}
	same := 0
	var left map[string]int // values that the other has not, without the name
	for value, n := range l.values {
		both := min(n, other.values[value])
		if same += both; both < n {
			if left == nil {
				left = map[string]int{}
			}
			left[l.without[value]] += n - both
		}
	}
	for value, n := range other.values {
		if more := n - min(n, l.values[value]); more > 0 && left != nil {
			bare := other.without[value]
			both := min(more, left[bare])
			same += both
			left[bare] -= both
		}
	}
	return 2 * float64(same) / float64(l.n+other.n)
}
