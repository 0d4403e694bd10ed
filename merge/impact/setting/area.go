package setting

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/format"
	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Class is the part of a cluster that a change touches.
type Class string

// The classes.
const (
	Pods       Class = "pods"       // pods are replaced
	Scale      Class = "scale"      // pods start or stop
	Traffic    Class = "traffic"    // routes, ports, endpoints, addresses, TLS
	Schedule   Class = "schedule"   // what runs when
	Access     Class = "access"     // rights, tokens, admission, trust
	Isolation  Class = "isolation"  // what may reach what
	Data       Class = "data"       // what programs read and keep
	Protection Class = "protection" // budgets, priorities, quotas, limits
	Placement  Class = "placement"  // which node
	Storage    Class = "storage"    // volumes and how they are made
	Controller Class = "controller" // a controller that is not built in decides
	Nothing    Class = "nothing"    // nothing that runs
)

// Area is a field, with all in it that no other area names, and what a change of it does.
type Area struct {
	// Kinds and Field are written as those of a [Setting].
	Kinds, Field string
	Class        Class
	// Change says what a change does, as a clause; of the class Nothing, what the field
	// is. Add, Remove, More and Less say it of the field or an item of it that comes, goes,
	// grows or shrinks, if that is something else. [Change.Fill] fills them in.
	Change, Add, Remove, More, Less string
	// Safer are those of Add, More and Less, by their names in lower case, after which less
	// can go wrong than before, so the guard does not ask about them; "usual": a value up to
	// Usual from one up to it; "double": one between half and twice the old one.
	Safer string
	// only narrows "add" to some new values, at a path of an object; nil allows all.
	only func(value any, at fieldpath.Path, after tree.Object) bool
	// Usual is up to which a higher value is safer in any case; above it, only up to ten times
	// the old one.
	Usual float64
	// Presence tells that Add and Remove also say what an object does that comes or goes.
	Presence bool
	// Ends, if it is not empty, narrows the area to fields of this name, however deep; those
	// of properties of a schema are not fields.
	Ends string
	// Keys, if it is not empty, narrows the area to some keys of its map, in which * stands
	// for any text: those named, or, after a minus, all but those.
	Keys string
	// unordered tells that the order of the items of a list means nothing.
	unordered bool
}

// holdsKey reports whether a key of the map is in the area.
func (a *Area) holdsKey(key string) bool {
	in := a.Keys == "" || strings.HasPrefix(a.Keys, "-")
	for pattern := range strings.FieldsSeq(a.Keys) {
		pattern, out := strings.CutPrefix(pattern, "-")
		if like(pattern, key) {
			in = !out
		}
	}
	return in
}

// OfProgram reports whether the key of a label or an annotation has the domain of a program that may act
// on it.
func OfProgram(key string) bool { return (&Area{Keys: ofPrograms}).holdsKey(key) }

// like reports whether a text is as a pattern says.
func like(pattern, text string) bool {
	before, after, any := strings.Cut(pattern, "*")
	if !any {
		return pattern == text
	}
	if !strings.HasPrefix(text, before) {
		return false
	}
	for text = text[len(before):]; ; text = text[1:] {
		if like(after, text) {
			return true
		}
		if text == "" {
			return false
		}
	}
}

// Custom names the kinds that are not built in.
const Custom = "custom"

type placedArea struct {
	*Area
	steps []string
}

var areasOf memo.Table[string, []placedArea] // by Kind.group

// AreaOf is the area that a field of a kind is in.
func AreaOf(k schema.Kind, path fieldpath.Path) *Area {
	if a := areaOf(k, path); a != nil {
		return a.Area
	}
	return nil
}

// scriptOf is the command of a container in place of its arguments if the command is a shell, whose
// arguments are the program; else the path.
func scriptOf(path fieldpath.Path, after tree.Object) fieldpath.Path {
	at := slices.IndexFunc(path, func(s fieldpath.Step) bool { return s.Field == "args" })
	if at < 1 {
		return path
	}
	if container, _ := path[:at].Find(after); !RunsScript(tree.List(container, "command")) {
		return path
	}
	return path[:at].Child("command")
}

// RunsScript reports whether words of a command begin with a shell that runs the next as a script.
func RunsScript(words []any) bool {
	if len(words) < 2 {
		return false
	}
	program, _ := words[0].(string)
	flag, _ := words[1].(string)
	return strings.HasSuffix(program, "sh") && strings.HasPrefix(flag, "-") && strings.HasSuffix(flag, "c")
}

func areaOf(k schema.Kind, path fieldpath.Path) *placedArea {
	var best *placedArea
	list := placedAreas(k)
	for i := range list {
		if a := &list[i]; a.holds(path) && (best == nil || a.before(best)) {
			best = a
		}
	}
	return best
}

func placedAreas(k schema.Kind) []placedArea {
	return areasOf.Get(k.GroupKind(), func() []placedArea { return placeAreas(k) })
}

func placeAreas(k schema.Kind) (list []placedArea) {
	custom := schema.Lookup(k) == nil
	for _, area := range Areas {
		places := Places(area.Kinds, k)
		if k.Kind == "PodTemplate" && area.Kinds != k.Kind && area.Kinds != Any {
			places = nil // no controller makes pods of it
		}
		if custom && area.Kinds == Custom {
			places = []string{""}
		}
		for _, at := range places {
			a := placedArea{Area: area}
			if at+a.Field != "" {
				a.steps = ParsePattern(at + a.Field).steps
			}
			list = append(list, a)
		}
	}
	return list
}

// holds reports whether a path is in the area.
func (a *placedArea) holds(path fieldpath.Path) bool {
	if len(path) < len(a.steps) || a.Area != nil && a.Ends != "" && (path[len(path)-1].Field != a.Ends || path[len(path)-2].Field == "properties") {
		return false
	}
	if a.Area != nil && a.Keys != "" && len(path) > len(a.steps) && !a.holdsKey(path[len(a.steps)].Field) {
		return false
	}
	for i, step := range a.steps {
		item := path[i].Field == "" && (path[i].IsIndex || path[i].Keys != nil)
		if item != (step == "[]") || !item && step != "*" && step != path[i].Field {
			return false
		}
	}
	return true
}

// before reports whether an area says more of a field than another: it names more of its
// path, fields rather than any, kinds rather than any.
func (a *placedArea) before(b *placedArea) bool {
	if a.Ends != b.Ends {
		return a.Ends != ""
	}
	if len(a.steps) != len(b.steps) {
		return len(a.steps) > len(b.steps)
	}
	any := func(steps []string) (n int) {
		for _, step := range steps {
			if step == "*" {
				n++
			}
		}
		return n
	}
	if x, y := any(a.steps), any(b.steps); x != y {
		return x < y
	}
	return a.named() > b.named()
}

// named orders what an area is about: every kind, those with pods, kinds by name.
func (a *placedArea) named() int {
	return -slices.Index([]string{Container, PodSpec, PodTemplate, Any}, a.Kinds)
}

// Does is what a change does to a running system: the part of a cluster that it touches,
// a clause, and whether less can go wrong after it than before. Of the class Nothing, the
// clause is what the field is.
type Does struct {
	Class Class
	Says  string
	Safer bool
}

// Effect is what a change of a field does. after is the object with all that changes with
// it.
func Effect(k schema.Kind, path fieldpath.Path, from, to any, inFrom, inTo bool, after tree.Object) Does {
	area := areaOf(k, scriptOf(path, after))
	if area == nil {
		return Does{Class: Controller, Says: "what the change does is unknown"}
	}
	if inFrom && area.Class != Nothing {
		for _, s := range Of(k) {
			switch {
			case !s.exact() || !s.Pattern.matches(path) || !s.Applies(from, to, inTo):
			case !s.Replaced(after, after):
				return Does{Class: area.Class, Says: s.Effect}
			case s.unless != "":
				return Does{Class: Nothing, Says: path.String()}
			}
		}
	}
	if area.Keys != "" && len(path) == len(area.steps) { // the whole map comes or goes
		return effectOfKeys(k, path, tree.Map(from), tree.Map(to), after)
	}
	if area.Class == Data && PodSpecOf(k) == "" && OfCluster(tree.String(after, "metadata", "namespace")) {
		return Does{Class: Controller, Says: readByCluster}
	}
	does := area.does(path, from, to, inFrom, inTo)
	does.Safer = does.Safer && (inFrom || area.only == nil || area.only(to, path, after))
	return does
}

// does is what a change of a field in the area does, by its direction.
func (a *placedArea) does(path fieldpath.Path, from, to any, inFrom, inTo bool) Does {
	does := Does{Class: a.Class, Says: a.Change}
	below := path[len(a.steps):]
	whole := len(below) == 0 || len(below) == 1 && below[0].Field == "" // the field, or an item of it
	if a.unordered && len(below) == 0 && inFrom && inTo {
		return Does{Class: Pods, Says: "new pods differ"}
	}
	order, comparable := direction(to, from)
	if comparable && order == 0 && inFrom && inTo && a.More+a.Less != "" {
		return Does{Class: Nothing, Says: "the same " + path.String() + ", written differently"}
	}
	if is, ok := to.(bool); ok && !inFrom {
		order, comparable = map[bool]int{true: 1, false: -1}[is], true
	}
	for _, direction := range []struct {
		is         bool
		name, says string
	}{{whole && !inFrom, "add", a.Add}, {whole && !inTo, "remove", a.Remove}, {comparable && order > 0, "more", a.More}, {comparable && order < 0, "less", a.Less}} {
		if direction.is && direction.says != "" {
			rises := direction.name == "add" || direction.name == "more"
			does.Says, does.Safer = direction.says, a.safer(direction.name) && (!rises || bounded(from, to, a.Usual)) || a.slight(from, to, inFrom, inTo)
		}
	}
	return does
}

// bounded reports whether a higher value can still be meant to make things safer: a day to
// stop and room for 100,000 pods cannot.
func bounded(from, to any, usual float64) bool {
	is, ok := amount(to)
	was, known := amount(from)
	return !ok || is <= usual || known && is <= 10*was
}

// slight reports whether a number changes within what is usual, or to the double at most.
func (a *Area) slight(from, to any, inFrom, inTo bool) bool {
	is, ok := amount(to)
	was, known := amount(from)
	switch {
	case !inTo || !ok || inFrom && !known:
		return false
	case a.safer("usual"):
		return is <= a.Usual && was <= a.Usual
	}
	return a.safer("double") && known && is <= 2*was && was <= 2*is && is > 0
}

func amount(v any) (float64, bool) {
	q, err := format.Quantity(strings.TrimSuffix(fmt.Sprint(v), "%"))
	return q.AsApproximateFloat64(), err == nil
}

func (a *Area) safer(direction string) bool {
	return slices.Contains(strings.Fields(a.Safer), direction)
}

// readByCluster is what a change of data in a namespace of the cluster does.
const readByCluster = "the cluster itself may read it, for its users, tokens, DNS or proxies"

// OfCluster reports whether a namespace is where the parts of the cluster are, with what they are configured
// with: they read it from the API, and no workload names it.
func OfCluster(namespace string) bool {
	return slices.Contains([]string{"kube-system", "kube-public", "kube-node-lease"}, namespace)
}

// effectOfKeys is what a change of the keys of a map does: that of the first of them that
// something reads, if there is one.
func effectOfKeys(k schema.Kind, path fieldpath.Path, from, to, after tree.Object) Does {
	for _, m := range []tree.Object{to, from} {
		for _, key := range tree.Keys(m) {
			was, inFrom := from[key]
			is, inTo := to[key]
			if inFrom && inTo && tree.Equal(was, is) {
				continue
			}
			if does := Effect(k, path.Child(key), was, is, inFrom, inTo, after); does.Class != Nothing {
				return does
			}
		}
	}
	return Does{Class: Nothing, Says: path[len(path)-1].Field}
}

// Presence yields what an object does that comes or goes, and the field that does it; nothing if it
// does nothing by being there, as what others must refer to, or as long as it is suspended.
func Presence(k schema.Kind, obj tree.Object, comes bool, yield func(does Does, field string)) {
	told := false
	for _, a := range placedAreas(k) {
		in, keys := a.in(k, obj)
		switch {
		case !in || told && !keys:
		case a.Class == Data && OfCluster(tree.String(obj, "metadata", "namespace")):
			yield(Does{Class: Controller, Says: readByCluster}, a.Field)
			told = true
		case !a.Presence || tree.Bool(obj, "spec", "suspend"):
		case comes && a.Add != "":
			yield(Does{a.Class, Change{After: obj}.Fill(a.Add), a.safer("add")}, strings.Join(a.steps, "."))
			told = told || !keys
		case !comes && a.Remove != "":
			yield(Does{Class: a.Class, Says: Change{Before: obj}.Fill(a.Remove)}, a.Field)
			told = told || !keys
		}
	}
}

// in reports whether an object has the field, or one of the keys that no other area says more of,
// and not as false if what the area says is said of a change alone.
func (a *placedArea) in(k schema.Kind, obj tree.Object) (in, keys bool) {
	if a.Keys == "" {
		value, has := tree.Get(obj, strings.Split(a.Field, ".")...)
		return a.Field == "" || has && value != false, false
	}
	for key, value := range tree.Map(obj, a.steps...) {
		if (value != "false" || a.Add == a.Change) && areaOf(k, fieldpath.New(a.steps...).Child(key)).Area == a.Area {
			return true, true
		}
	}
	return false, true
}

// exact reports whether a setting says of the new value what it is, so that it is true
// of a change that is no return to the default, too.
func (s *Setting) exact() bool { return s.To != "" && s.To != "some" && s.To != "<" && s.To != ">" }

// matches reports whether the pattern is about exactly this path.
func (p Pattern) matches(path fieldpath.Path) bool {
	return len(path) == len(p.steps) && (&placedArea{steps: p.steps}).holds(path)
}
