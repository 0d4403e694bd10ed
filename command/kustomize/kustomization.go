// Package kustomize reads what a kustomization is made of: the directories that it builds
// on, the files that it names, and where in them a field of what is rendered stands. It
// renders nothing.
package kustomize

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"threeway/merge/tree"
)

// FileNames are the names of the file that makes a directory a kustomization, in the order
// in which kustomize looks for them (sigs.k8s.io/kustomize/api/konfig).
var FileNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// Kustomization is a directory that kustomize renders, with all that it builds on.
type Kustomization struct {
	// Dir is the directory.
	Dir string
	// Roots are the directories with a kustomization that are rendered for this one, each
	// after those that it builds on; the last is Dir.
	Roots []*Root
	// Foreign are entries that are in none of the files, such as URLs, and Programs the
	// keys by which a kustomization names programs or more settings. Misspelt are keys that
	// kustomize takes for others.
	Foreign, Programs, Misspelt []string
	// Broken says which file of a kustomization is no YAML, and why; "" if all are.
	Broken string
	// Beyond is a directory below which rendering may read files that are neither among those
	// named nor below Dirs; "" if there are none, and "/" if they may be anywhere.
	Beyond string
	total  work
}

// MostRoots is how many directories may be rendered for one, each as often as it is named.
const MostRoots = 5000

// work is what rendering a directory takes, with what it builds on as often as that is named.
type work struct{ roots, bytes int }

func (w *work) add(other work) {
	w.roots, w.bytes = min(w.roots+other.roots, MostRoots+1), min(w.bytes+other.bytes, math.MaxInt32)
}

// Excess says that rendering takes more than a run may; "" if not. most is how many bytes may
// be read.
func (k *Kustomization) Excess(most int64) string {
	switch {
	case k.total.roots > MostRoots:
		return fmt.Sprintf("builds on so many directories, each counted as often as it is named, that kustomize would render more than %d", MostRoots)
	case int64(k.total.bytes) > most:
		return fmt.Sprintf("names so many files, each counted as often as it is named, that kustomize would read more than %d MiB", most>>20)
	}
	return ""
}

// Root is one directory with a kustomization.
type Root struct {
	Dir, File string
	Tree      tree.Object
	// Names are the files that it names.
	Names []string
}

// IsComponent reports whether it is a part that is not rendered alone.
func (r *Root) IsComponent() bool { return tree.String(r.Tree, "kind") == "Component" }

// FileIn is the file that makes a directory a kustomization; "" if it is none.
func FileIn(files Files, dir string) string {
	for _, name := range FileNames {
		if _, ok := files.Read(path.Join(dir, name)); ok {
			return path.Join(dir, name)
		}
	}
	return ""
}

// The keys of a kustomization whose entries are directories or files, files, items with a
// path, and generators (sigs.k8s.io/kustomize/api/types.Kustomization).
var (
	built      = []string{"resources", "bases", "components"}
	extended   = []string{"generators", "transformers", "validators", "helmCharts", "helmChartInflationGenerator", "helmGlobals", "inventory"}
	named      = []string{"patchesStrategicMerge", "configurations", "crds"}
	pathed     = []string{"patches", "patchesJson6902", "replacements"}
	generators = []string{"configMapGenerator", "secretGenerator"}
	plain      = []string{"AnnotationsTransformer", "ImageTagTransformer", "LabelTransformer", "NamespaceTransformer", "PrefixTransformer", "ReplicaCountTransformer", "SuffixTransformer"}
)

// Read reads the kustomization of a directory. It must not be changed.
func Read(files Files, dir string) *Kustomization {
	if r, ok := files.(*remembered); ok {
		return r.built.Get(path.Clean(dir), func() *Kustomization { return read(r, dir) })
	}
	return read(files, dir)
}

func read(files Files, dir string) *Kustomization {
	k := &Kustomization{Dir: path.Clean(dir)}
	if k.total = workOf(files, k.Dir, map[string]work{}); k.total.roots <= MostRoots {
		k.read(files, k.Dir, map[string]bool{}, map[string]bool{})
	}
	return k
}

// workOf is the work of a directory; seen has that of those before, by their paths without
// links.
func workOf(files Files, dir string, seen map[string]work) (total work) {
	dir = files.Real(dir)
	file := FileIn(files, dir)
	if known, ok := seen[dir]; ok || file == "" {
		return known
	}
	is := parse(files, file)
	total = work{1, len(is.text)}
	seen[dir] = total // for a cycle, which kustomize refuses
	r := &Root{Tree: is.tree}
	for _, key := range slices.Concat(built, extended[:3]) {
		for _, item := range tree.List(r.Tree, key) {
			entry, _ := item.(string)
			if at := path.Join(dir, entry); files.IsDir(at) {
				total.add(workOf(files, at, seen))
			} else {
				text, _ := files.Read(at)
				total.add(work{bytes: len(text)})
			}
		}
	}
	for _, entry := range r.entries() {
		text, _ := files.Read(path.Join(dir, entry))
		total.add(work{bytes: len(text)})
	}
	seen[dir] = total
	return total
}

// read reads a directory under each of its paths; open are the paths without links of those
// that build on it, to which a link can lead back.
func (k *Kustomization) read(files Files, dir string, seen, open map[string]bool) {
	file, real := FileIn(files, dir), files.Real(dir)
	if seen[dir] || open[real] || file == "" {
		return
	}
	seen[dir], open[real] = true, true
	defer delete(open, real)
	is := parse(files, file)
	r := &Root{Dir: dir, File: file, Names: []string{file}, Tree: is.tree}
	for _, name := range FileNames {
		if other := path.Join(dir, name); other != file {
			if _, ok := files.Read(other); ok { // kustomize takes neither
				r.Names, k.Broken = append(r.Names, other), cmp.Or(k.Broken, files.Name(dir)+" has "+path.Base(file)+" and "+name+", and kustomize takes one of them only")
			}
		}
	}
	if is.err != nil {
		k.Broken = cmp.Or(k.Broken, files.Name(file)+" cannot be read: "+strings.TrimPrefix(is.err.Error(), "error converting YAML to JSON: "))
		k.reach(dir, is.text)
	}
	if k.Misspelt = append(k.Misspelt, r.misspelt()...); len(k.Misspelt) > 0 {
		k.reach(dir, is.text)
	}
	for _, key := range extended {
		if tree.Has(r.Tree, key) && !(key == "transformers" && r.plain(files)) {
			k.Programs = append(k.Programs, key)
			k.reach(dir, is.text)
		}
	}
	for _, key := range slices.Concat(built, extended[:3]) {
		for _, item := range tree.List(r.Tree, key) {
			entry, _ := item.(string)
			at := path.Join(dir, entry)
			switch {
			case strings.Contains(entry, "\n") && !slices.Contains(built, key): // written in place
			case !local.MatchString(entry) || remote.MatchString(entry):
				k.foreign(files, at, entry)
			case files.IsDir(at):
				k.read(files, at, seen, open)
				if FileIn(files, at) == "" {
					k.foreign(files, at, entry)
				}
			default:
				k.name(files, r, entry)
			}
			if text, _ := files.Read(at); !slices.Contains(built, key) {
				k.reach(dir, text)
			}
		}
	}
	for _, entry := range r.entries() {
		k.name(files, r, entry)
	}
	k.Roots = append(k.Roots, r)
}

var (
	// local is an entry that can be a path, and remote one that kustomize takes for a
	// repository although there may be such a path
	// (sigs.k8s.io/kustomize/api/internal/git.NewRepoSpecFromURL): it looks for a scheme and a
	// user at the beginning.
	local  = regexp.MustCompile(`^(\.\.?/[\w./+ :@-]+|[\w./+ -]+)$`)
	remote = regexp.MustCompile(`(?i)//|github\.com|\.git(/|$)|_git/|^git::`)
)

// plain reports whether the transformers are of kustomize itself, read no files
// (sigs.k8s.io/kustomize/api/internal/plugins/builtinhelpers), and name no function, which
// is done in an annotation.
func (r *Root) plain(files Files) bool {
	for _, item := range tree.List(r.Tree, "transformers") {
		text, _ := item.(string)
		if !strings.Contains(text, "\n") {
			read, _ := files.Read(path.Join(r.Dir, text))
			text = string(read)
		}
		for doc := range strings.SplitSeq(text, "\n---") {
			var o tree.Object
			if strings.ContainsRune(doc, '\r') || strings.Contains(doc, "\n...") || yaml.UnmarshalStrict([]byte(doc), &o) != nil ||
				tree.String(o, "apiVersion") != "builtin" || !slices.Contains(plain, tree.String(o, "kind")) || tree.Has(o, "metadata", "annotations") {
				return false
			}
		}
	}
	return true
}

// name adds a file that a root names.
func (k *Kustomization) name(files Files, r *Root, entry string) {
	at := path.Join(r.Dir, entry)
	if _, ok := files.Read(at); ok && !strings.Contains(entry, "://") {
		r.Names = append(r.Names, at)
		return
	}
	k.foreign(files, at, entry)
}

// foreign adds an entry that is none of the files, or that there is, too.
func (k *Kustomization) foreign(files Files, at, entry string) {
	k.Foreign = append(k.Foreign, entry)
	if _, ok := files.Read(at); ok || files.IsDir(at) {
		k.Beyond = above(k.Beyond, path.Dir(at))
	}
}

// reach notes how far up a text leads from a directory.
func (k *Kustomization) reach(dir string, text []byte) {
	if escaped.Match(text) {
		k.Beyond = "/"
	}
	ups := 0
	for word := range strings.FieldsFuncSeq(string(text), func(c rune) bool { return strings.ContainsRune(" \t\r\n\"',=[]{}", c) }) {
		ups = max(ups, strings.Count(word, ".."))
	}
	if ups > 0 {
		k.Beyond = above(k.Beyond, path.Join(dir, strings.Repeat("../", ups)))
	}
}

// escaped is what can stand for dots in quotes, or between them.
var escaped = regexp.MustCompile(`\\[xuU\r\n]`)

// above is the innermost directory that has both; "" is none.
func above(one, other string) string {
	for one != "" && one != "/" && one != other && one != "." && !strings.HasPrefix(other, one+"/") {
		if path.Base(one) == ".." {
			return "/"
		}
		one = path.Dir(one)
	}
	if one == "" || one == "." && strings.HasPrefix(other, "..") {
		return other
	}
	return one
}

// misspelt are the keys that are not as we look for them, and that kustomize reads all the
// same: it decodes JSON, in which upper and lower case do not count
// (sigs.k8s.io/kustomize/api/types.Kustomization.Unmarshal).
func (r *Root) misspelt() (list []string) {
	in := func(v any, keys ...string) {
		for key := range tree.Map(v) {
			if slices.ContainsFunc(keys, func(k string) bool { return k != key && strings.EqualFold(k, key) }) {
				list = append(list, key)
			}
		}
	}
	in(r.Tree, slices.Concat(built, extended, named, pathed, generators, []string{"openapi"})...)
	in(r.Tree["openapi"], "path")
	for _, key := range slices.Concat(pathed, generators) {
		for _, item := range tree.List(r.Tree, key) {
			in(item, "path", "files", "envs", "env")
		}
	}
	slices.Sort(list)
	return list
}

// entries are the files that a kustomization names besides those that it builds on.
func (r *Root) entries() (list []string) {
	add := func(v any) {
		if s, ok := v.(string); ok && s != "" {
			list = append(list, s)
		}
	}
	// Texts in patches are what patchesStrategicMerge has now (types.FixKustomizationPreUnmarshalling).
	for _, key := range slices.Concat(named, []string{"patches"}) {
		for _, item := range tree.List(r.Tree, key) {
			if text, _ := item.(string); !strings.Contains(text, "\n") { // else it is written in place
				add(item)
			}
		}
	}
	for _, key := range pathed {
		for _, item := range tree.List(r.Tree, key) {
			add(tree.Map(item)["path"])
		}
	}
	add(tree.Map(r.Tree, "openapi")["path"])
	for _, key := range generators {
		for _, item := range tree.List(r.Tree, key) {
			for _, file := range generated(item) {
				add(file.path)
			}
		}
	}
	return list
}

// generatedFile is a file that a generator reads: the value of a key, or one with many.
type generatedFile struct {
	key, path string
	isEnv     bool
}

// generated are the files of an item of a generator.
func generated(item any) (list []generatedFile) {
	for _, entry := range tree.List(item, "files") {
		text, _ := entry.(string)
		key, file, isNamed := strings.Cut(text, "=")
		if !isNamed {
			key, file = path.Base(text), text
		}
		list = append(list, generatedFile{key: key, path: file})
	}
	for _, entry := range append(slices.Clone(tree.List(item, "envs")), tree.Map(item)["env"]) {
		if file, ok := entry.(string); ok {
			list = append(list, generatedFile{path: file, isEnv: true})
		}
	}
	return list
}

// Unconfined says what rendering would take from elsewhere than the files, or why that is
// unknown; "" if nothing.
func (k *Kustomization) Unconfined() string {
	switch {
	case k.Broken != "":
		return k.Broken
	case len(k.Foreign) > 0:
		return "its kustomization names " + k.Foreign[0] + ", which is not a file here"
	case len(k.Misspelt) > 0:
		return "its kustomization has the key " + k.Misspelt[0] + " in another spelling"
	case len(k.Programs) > 0:
		return "its kustomization has " + k.Programs[0] + ", which may start programs"
	}
	return ""
}

// Dirs are the directories that are rendered. kustomize reads files of no other ones.
func (k *Kustomization) Dirs() (list []string) {
	for _, r := range k.Roots {
		list = append(list, r.Dir)
	}
	return list
}

// Names are the files that the kustomization is made of, without what lies beside them.
func (k *Kustomization) Names() (list []string) {
	for _, r := range k.Roots {
		list = append(list, r.Names...)
	}
	return list
}
