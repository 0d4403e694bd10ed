package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var missingVariable = &lint.Rule{
	ID:     "missing-variable",
	Former: []string{"env-reference-order"},
	Title:  "a container lacks env vars that it had or refers to",
	Text: "The command, the args, an env var or a subPathExpr of a container has $(NAME), and the merged container has no variable NAME, " +
		"or defines it later; it had one before, or the reference is new. Or variables that came by envFrom are gone: the container " +
		"names another ConfigMap or Secret, or none, or a key of it was removed.",
	Why: "The program gets the literal text $(NAME); with subPathExpr the container does not start. Env vars are resolved in the order of " +
		"the list, and a merge can change it, because live items come first. Which variables came by envFrom is in no diff of the " +
		"workload.",
	Fix: "Define the variable, before the one that refers to it, or correct the reference.",
	Links: []string{issue + "47248", issue + "40373", "https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/",
		"https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/#configure-all-key-value-pairs-in-a-configmap-as-container-environment-variables"},
	Severity: lint.Warning,
	Effect:   impact.Says,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			at, spec := podSpec(o.Kind, o.Result)
			_, old := podSpec(o.Kind, o.Before)
			before := map[string]container{}
			for _, was := range containers(fieldpath.New(), old) {
				before[was.path[0].Field+was.name] = was
			}
			for _, now := range containers(at, spec) {
				was := before[now.path[len(at)].Field+now.name]
				now.path = o.Keyed(now.path, o.Result)
				had, has := c.variables(o.Manifest.Namespace, was.tree, c.before), c.variables(o.Manifest.Namespace, now.tree, c.after)
				reportEnvFrom(p, o, now, had, has, reportUnresolved(p, o, now, had, has))
			}
		}
	},
}

// variables are those of a container.
type variables struct {
	first map[string]int    // where the list env has each first
	from  map[string]string // the ConfigMap or Secret of envFrom that each comes from
	// sources are the ConfigMaps and Secrets of envFrom; unknown are those of which nothing
	// tells the keys.
	sources, unknown []string
	services         map[string]bool // prefixes of the variables of Services; nil if there are none
	uses             []variableUse
}

// variableUse is a $(NAME) in a container.
type variableUse struct {
	name string
	path fieldpath.Path // of the text, in the container
	env  int            // how many items of the list env come before it
}

// variables are those of a container, with the keys of what envFrom names as in a state of
// the cluster.
func (c *cluster) variables(namespace string, of tree.Object, in func(manifest.Identity) tree.Object) *variables {
	v := &variables{first: map[string]int{}, from: map[string]string{}}
	for i, e := range tree.List(of, "env") {
		if _, known := v.first[tree.String(e, "name")]; !known {
			v.first[tree.String(e, "name")] = i
		}
	}
	for _, e := range tree.List(of, "envFrom") {
		id := manifest.Identity{Kind: "ConfigMap", Namespace: namespace, Name: tree.String(e, "configMapRef", "name")}
		if id.Name == "" {
			id.Kind, id.Name = "Secret", tree.String(e, "secretRef", "name")
		}
		source, name := in(id), id.Kind+" "+id.Name
		v.sources = append(v.sources, name)
		if source == nil {
			v.unknown = append(v.unknown, name)
		}
		for key := range tree.Map(source, "data") {
			v.from[tree.String(e, "prefix")+key] = name
		}
	}
	v.uses = variableUses(of)
	for _, use := range v.uses {
		if _, found := v.resolve(use); !found && v.services == nil {
			v.services = c.serviceVariables(namespace)
		}
	}
	return v
}

// resolve reports whether a reference is resolved, or whether later is defined after it.
func (v *variables) resolve(use variableUse) (later, found bool) {
	i, listed := v.first[use.name]
	if v.from[use.name] != "" || listed && i < use.env || v.unknown != nil {
		return false, true
	}
	for end, letter := range use.name {
		if letter == '_' && v.services[use.name[:end]] {
			return false, true
		}
	}
	return listed && i > use.env, false
}

// serviceVariables are the prefixes of the variables that the kubelet makes of the Services of
// a namespace.
func (c *cluster) serviceVariables(namespace string) map[string]bool {
	type prefixes map[string]map[string]bool
	return lint.SharedByRun(c.p, func() prefixes {
		by := prefixes{}
		for s := range c.ofKind("Service") {
			if by[s.source.Namespace] == nil {
				by[s.source.Namespace] = map[string]bool{"KUBERNETES": true}
			}
			by[s.source.Namespace][strings.ToUpper(strings.ReplaceAll(s.source.Name, "-", "_"))] = true
		}
		return by
	})[namespace]
}

// references are $(NAME)s, with the dollars before that escape them
// (k8s.io/kubernetes third_party/forked/golang/expansion).
var references = regexp.MustCompile(`(\$*)\$\(([^()$\s]+)\)`)

func variableUses(c tree.Object) (list []variableUse) {
	env := tree.List(c, "env")
	add := func(text string, env int, path fieldpath.Path) {
		if !strings.Contains(text, "$(") {
			return
		}
		for _, m := range references.FindAllStringSubmatch(text, -1) {
			if len(m[1])%2 == 0 {
				list = append(list, variableUse{m[2], path, env})
			}
		}
	}
	for i, e := range env {
		add(tree.String(e, "value"), i, fieldpath.New("env").Select(fieldpath.Key{Name: "name", Value: tree.String(e, "name")}).Child("value"))
	}
	for _, field := range []string{"command", "args"} {
		for i, text := range tree.List(c, field) {
			text, _ := text.(string)
			add(text, len(env), fieldpath.New(field).Item(i))
		}
	}
	for i, m := range tree.List(c, "volumeMounts") {
		add(tree.String(m, "subPathExpr"), len(env), fieldpath.New("volumeMounts").Item(i).Child("subPathExpr"))
	}
	return list
}

// constant are names that no shell in the args runs as a command.
var constant = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// reportUnresolved reports the references of a container that are not resolved: of those that it
// had before, only the ones that were. It returns the names.
func reportUnresolved(p *lint.Pass, o *lint.Object, now container, had, has *variables) map[string]bool {
	known := map[string]bool{} // whether it was resolved
	place := func(use variableUse) string { return use.name + " " + use.path[0].Field }
	for _, use := range had.uses {
		_, found := had.resolve(use)
		known[place(use)] = known[place(use)] || found
	}
	told, said, names := map[string]bool{}, map[string]bool{}, slices.Sorted(maps.Keys(has.first))
	var more []string
	for _, use := range has.uses {
		later, found := has.resolve(use)
		was, old := known[place(use)]
		path := now.path.Join(use.path)
		if found || said[path.String()+use.name] || !later && (old && !was || !old && !constant.MatchString(use.name)) {
			continue
		}
		said[path.String()+use.name], told[use.name] = true, true
		r, who, gets := lint.Report{Path: path}, "the "+use.path[0].Field, "gets the literal text $("+use.name+")"
		switch use.path[0].Field {
		case "env":
			who = use.path[1].Keys[0].Value.(string)
		case "command", "args":
			if inShell(now.tree) {
				gets = "its shell looks for a program " + use.name
			}
		case "volumeMounts":
			who, gets = "a subPathExpr", "does not start"
		}
		if later {
			r.Message = fmt.Sprintf("%s refers to $(%s), which comes later in the merged list: the container %s", who, use.name, gets)
			r.Fix = "move " + use.name + " before " + who
			p.Report(o, r)
			continue
		}
		if len(said) > mostReferences {
			more = append(more, use.name)
			continue
		}
		r.Message = fmt.Sprintf("$(%s) in %s of container %s is not resolved: the container %s %s, and %s",
			use.name, who, now.name, map[bool]string{true: "no longer has", false: "has no"}[was], use.name, gets)
		r.Fix = "define " + use.name + ", or correct the reference"
		if strings.HasPrefix(gets, "its shell") {
			r.Fix = "define " + use.name + " in env, or write ${" + use.name + "} for a variable of the shell"
		}
		if source := had.from[use.name]; source != "" {
			r.Notes = []string{"it came by envFrom: " + has.why(source, 1)}
		}
		if likely := phrase.Nearest(use.name, names); likely != "" {
			r.Fix = "did you mean " + likely + "?"
		}
		p.Report(o, r)
	}
	if more != nil {
		p.Report(o, lint.Report{Path: now.path,
			Message: fmt.Sprintf("%s not resolved either in container %s: %s", phrase.Count(len(more), "more reference is", "more references are"), now.name, phrase.Abbreviated(more, 8)),
			Fix:     "define them, or correct the references"})
	}
	return told
}

// inShell reports whether a container runs a script, in which $(NAME) stands for what a program
// prints.
func inShell(c tree.Object) bool {
	return setting.RunsScript(slices.Concat(tree.List(c, "command"), tree.List(c, "args")))
}

// mostReferences is how many references of a container are reported one by one.
const mostReferences = 20

// why says why variables do not come from a ConfigMap or Secret any more.
func (v *variables) why(source string, keys int) string {
	if !slices.Contains(v.sources, source) {
		return "envFrom no longer names " + source
	}
	return source + " no longer has " + map[bool]string{true: "the key", false: "the keys"}[keys == 1]
}

// reportEnvFrom reports the variables that a container had by envFrom and has no more, but for
// those that are told.
func reportEnvFrom(p *lint.Pass, o *lint.Object, now container, had, has *variables, told map[string]bool) {
	if has.unknown != nil {
		return
	}
	by := map[string][]string{}
	for name, source := range had.from {
		if _, listed := has.first[name]; !listed && has.from[name] == "" && !told[name] {
			by[source] = append(by[source], name)
		}
	}
	path := now.path.Child("envFrom")
	for _, source := range slices.Sorted(maps.Keys(by)) {
		gone := by[source]
		slices.Sort(gone)
		p.Report(o, lint.Report{Path: path, LivePath: path,
			Message: fmt.Sprintf("container %s loses %s by envFrom (%s): %s", now.name, phrase.Count(len(gone), "variable"), phrase.Abbreviated(gone, 8), has.why(source, len(gone))),
			Fix:     "keep what the program still reads, or define it in env"})
	}
	for _, source := range had.unknown {
		if !slices.Contains(has.sources, source) && len(has.sources) < len(had.sources) {
			p.Report(o, lint.Report{Path: path, LivePath: path,
				Message: fmt.Sprintf("container %s loses the variables of %s, whose keys are not known: envFrom no longer names it", now.name, source),
				Fix:     "keep what the program still reads, or define it in env"})
		}
	}
}
