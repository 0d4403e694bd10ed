package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/manifest"
)

// Joined collects what the rules find about one set of manifests on several
// clusters. It keeps nothing of a cluster but its findings, so that the snapshots
// need not be in memory together.
type Joined struct {
	clusters []string
	// Findings, suppressed ones, problems, notes and skipped rules, each with the
	// clusters that it is about.
	findings, suppressed joinedList[*Finding]
	problems             joinedList[manifest.Problem]
	notes                joinedList[string]
	skipped              joinedList[Skipped]
	objects, known       int
	plain                map[string]func(string) string // Unplaced, by namespace
	// Noun is what is joined, if each has its own manifests: overlay, environment, set; "" for clusters.
	Noun string
}

// joinedList is a list without repetitions.
type joinedList[T any] struct {
	items []joinedItem[T]
	index map[string]int
}

type joinedItem[T any] struct {
	item     T
	clusters []string
}

func (l *joinedList[T]) add(cluster, key string, item T) {
	i, known := l.index[key]
	if !known {
		if l.index == nil {
			l.index = map[string]int{}
		}
		i = len(l.items)
		l.index[key], l.items = i, append(l.items, joinedItem[T]{item: item})
	}
	if in := &l.items[i].clusters; !slices.Contains(*in, cluster) {
		*in = append(*in, cluster)
	}
}

// Add adds what was found on a cluster.
func (j *Joined) Add(cluster string, r *Result) {
	j.clusters = append(j.clusters, cluster)
	if j.Noun != "" {
		j.objects, j.known = j.objects+r.Objects, j.known+r.Known
	} else {
		j.objects, j.known = max(j.objects, r.Objects), max(j.known, r.Known)
	}
	for _, f := range r.Findings {
		j.find(&j.findings, cluster, f)
	}
	for _, f := range r.Suppressed {
		j.find(&j.suppressed, cluster, f)
	}
	for _, p := range r.Problems {
		p.Object = nil
		j.problems.add(cluster, p.String(), p)
	}
	for _, n := range r.Notes {
		j.notes.add(cluster, n, n)
	}
	for _, s := range r.Skipped {
		j.skipped.add(cluster, s.Why+"\n"+strings.Join(s.Rules, "\n"), s)
	}
}

// find adds a finding. Overlays may have a namespace each: what is the same but for it is one finding,
// whose words leave it out.
func (j *Joined) find(list *joinedList[*Finding], cluster string, f *Finding) {
	f, key := f.alone(), f.joinKey()
	if ns := f.id.Namespace; j.Noun != "" && ns != "" {
		if j.plain[ns] == nil {
			if j.plain == nil {
				j.plain = map[string]func(string) string{}
			}
			j.plain[ns] = Unplaced(ns)
		}
		key = j.plain[ns](key)
		if i, known := list.index[key]; known && !slices.Contains([]string{"", ns}, list.items[i].item.id.Namespace) {
			list.items[i].item.leave(j.plain)
		}
	}
	list.add(cluster, key, f)
}

// leave leaves the namespace of the object out of the words about it.
func (f *Finding) leave(plain map[string]func(string) string) {
	unplaced := plain[f.id.Namespace]
	f.id.Namespace = ""
	for _, text := range []*string{&f.Object, &f.Message, &f.LiveObject, &f.Fix} {
		*text = unplaced(*text)
	}
	f.Notes = slices.Clone(f.Notes)
	for i := range f.Notes {
		f.Notes[i] = unplaced(f.Notes[i])
	}
}

// Unplaced returns what leaves a namespace out before the names of objects, so that what is the same
// in overlays with a namespace each has the same text. A directory or an image of that name stays. "" leaves all.
func Unplaced(namespace string) func(string) string {
	if namespace == "" {
		return func(text string) string { return text }
	}
	several := regexp.MustCompile(`(?m)^[~+-] \d+ \w+: .*$`)
	titled := regexp.MustCompile(`(\b[A-Z][A-Za-z]+ )` + regexp.QuoteMeta(namespace) + `/`)
	identity := regexp.MustCompile(`(^|[^\w/.-])` + regexp.QuoteMeta(namespace) + `/([A-Z][A-Za-z]+[./])`)
	return func(text string) string {
		text = several.ReplaceAllStringFunc(text, func(head string) string { return strings.ReplaceAll(head, " "+namespace+"/", " ") })
		return identity.ReplaceAllString(titled.ReplaceAllString(text, "$1"), "$1$2")
	}
}

// Result is what was found on all clusters. A finding at one place with the same
// words on several of them is one.
func (j *Joined) Result() *Result {
	r := &Result{Objects: j.objects, Known: j.known, Findings: joined(j, &j.findings), Suppressed: joined(j, &j.suppressed)}
	for _, p := range j.problems.items {
		r.Problems = append(r.Problems, p.item)
	}
	for _, n := range j.notes.items {
		r.Notes = append(r.Notes, j.where(n.clusters)+n.item)
	}
	for _, s := range j.skipped.items {
		s.item.Why = j.where(s.clusters) + s.item.Why
		r.Skipped = append(r.Skipped, s.item)
	}
	return r
}

func joined(j *Joined, l *joinedList[*Finding]) []*Finding {
	var list []*Finding
	for _, f := range l.items {
		if len(f.clusters) < len(j.clusters) {
			f.item.Clusters, f.item.Only = f.clusters, j.word("on ", "in ")+j.among(f.clusters)
		}
		list = append(list, f.item)
	}
	sortFindings(list)
	return list
}

// where names clusters at the beginning of a sentence, unless they are all.
func (j *Joined) where(clusters []string) string {
	if len(clusters) == len(j.clusters) {
		return ""
	}
	return j.among(clusters) + ": "
}

func (j *Joined) word(clusters, overlays string) string {
	if j.Noun != "" {
		return overlays
	}
	return clusters
}

// On says where something is, after its name.
func (j *Joined) On(some []string) string { return " " + j.word("on ", "in ") + j.among(some) }

func (j *Joined) among(some []string) string {
	return Among(some, j.clusters, j.Nouns())
}

// Nouns are several of what is joined: clusters, overlays.
func (j *Joined) Nouns() string { return cmp.Or(j.Noun, "cluster") + "s" }

// Among names some of all clusters: by the others, if those are fewer.
func Among(clusters, all []string, noun string) string {
	var others []string
	for _, name := range all {
		if !slices.Contains(clusters, name) {
			others = append(others, name)
		}
	}
	switch {
	case len(others) > 0 && len(others) < len(clusters) && len(all) > 3:
		return "all " + noun + " but " + strings.Join(others, ", ")
	case len(others) > 0 || len(clusters) == 1:
		return strings.Join(clusters, ", ")
	case len(clusters) == 2:
		return "both " + noun
	}
	return fmt.Sprintf("all %d %s", len(clusters), noun)
}

// joinKey is alike for what is said with the same words about the same place.
func (f *Finding) joinKey() string {
	remedy := ""
	if f.Remedy != nil {
		remedy = f.Remedy.ID + f.Remedy.Why
		for _, s := range f.Remedy.Steps {
			remedy += strings.Join(s.Commands, "\n")
		}
	}
	return strings.Join(slices.Concat(f.about(), []string{remedy, f.Severity.String(), At(f.at.File, f.at.Line), f.Live, f.Fix, f.Suppressed}, f.Notes), "\n")
}

// alone is the finding without the objects that it was found in, which hold the
// snapshot.
func (f *Finding) alone() *Finding {
	c := *f
	c.source, c.old, c.edits, c.suggested = nil, nil, nil, nil
	if f.Remedy != nil {
		r := *f.Remedy
		r.Steps = slices.Clone(r.Steps)
		for i := range r.Steps {
			r.Steps[i].Edits = nil
		}
		c.Remedy = &r
	}
	return &c
}
