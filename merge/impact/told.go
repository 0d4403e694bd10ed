package impact

import (
	"encoding/base64"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// told is one setting that a program gets by a variable, an argument, or a line of a ConfigMap.
type told struct{ key, value string }

// teller is the field that has a setting, and what it is called.
type teller struct {
	path fieldpath.Path
	name string
}

// telling are settings by what tells them first.
type telling map[told]teller

func (t telling) add(key, value, name string, at fieldpath.Path) {
	if _, known := t[told{key, value}]; !known {
		t[told{key, value}] = teller{at, name}
	}
}

// compiled compiles a pattern when it is first asked for: a run that rehearses nothing begins without.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// trusting are keys of settings that decide whom a program trusts, or whom it lets in.
var trusting = compiled(`(?i)insecure|verif|proxy$|tls|ssl|cert|trust|auth($|[^o])|authori[sz]|anonymous|(^|[._-])(ca|acl|hba|cors|csrf|jwt|ldap|oidc|rbac|sasl)([._-]|$)`)

// loading are the variables by which the loader of programs (ld.so(8)), shells and interpreters find code, and
// options those that have their options, of which code are those that run more of it.
var (
	loading = compiled(`preload|^(LD_(PRELOAD|AUDIT|LIBRARY_PATH)|PATH|BASH_ENV|GCONV_PATH|GIT_SSH.*|PYTHON(PATH|HOME|STARTUP)|CLASSPATH|NODE_PATH|PERL5(LIB|OPT)|RUBY(LIB|OPT)|GEM_PATH|LUA_C?PATH|.*_STARTUP_HOOKS|CORECLR_.*)$`)
	options = compiled(`^(.*JAVA.*_OPT(ION)?S|NODE_OPTIONS)$`)
	code    = compiled(`-(javaagent|agentpath|agentlib|Xbootclasspath|cp|classpath|-?require|r|-import|-experimental-loader)\b`)
	address = compiled(`(?i)[a-z][a-z0-9+.-]*://(?:[^/@\s"']*@)?([a-z0-9._-]+)|^["']?((?:[a-z0-9_-]+\.)+[a-z]{2,}:\d+)["']?$`)
	// A name with dots may be a class, a module or a file, unless it ends as few but hosts do, or the key of its setting tells.
	public = compiled(`^["']?((?:[a-z0-9_-]+\.)+(?:com|net|org|io|dev|cloud|app|info|biz|xyz))["']?$`)
	naming = compiled(`(?i)host|addr|ur[li]|endpoint|server|domain|proxy|upstream|broker|registry|mirror|peer|remote`)
	// bucket is the place of a cloud's objects, which is known by its name alone.
	bucket = compiled(`(?i)\b(?:s3[an]?|gs|wasbs?|abfss?|az|oss|cos|b2|swift)://[^/\s"']+`)
	// named is a name before = in an argument, as in postgres -c ssl=off.
	named  = compiled(`^[A-Za-z][A-Za-z0-9_.-]*$`)
	dotted = compiled(`(?i)^["']?((?:[a-z0-9_-]+\.)+[a-z]{2,})["']?$`)
)

// domains are the buckets, and the domains of the hosts outside of the cluster, that a setting names.
func (t told) domains() (list []string) {
	bare := public
	if naming().MatchString(t.key) {
		bare = dotted
	}
	list = bucket().FindAllString(t.value, -1)
	hosts := append(address().FindAllStringSubmatch(t.value, -1), bare().FindAllStringSubmatch(t.value, -1)...)
	for _, found := range hosts {
		host, _, _ := strings.Cut(strings.ToLower(strings.Join(found[1:], "")), ":")
		if ip, err := netip.ParseAddr(host); err == nil {
			if !ip.IsLoopback() && !ip.IsUnspecified() {
				list = append(list, host)
			}
			continue
		}
		labels := strings.Split(strings.Trim(host, "."), ".")
		n := len(labels)
		if n < 2 || slices.Contains(labels, "svc") || labels[n-1] == "local" || labels[n-1] == "localhost" {
			continue
		}
		// A short label before the last is of a registry, as in co.uk.
		if n > 2 && len(labels[n-2]) <= 3 {
			list = append(list, strings.Join(labels[n-3:], "."))
		} else {
			list = append(list, strings.Join(labels[n-2:], "."))
		}
	}
	return list
}

var piece = compiled(`[^\n,;{}]+`)

// lines adds the settings of a text.
func (t telling) lines(text, name string, at fieldpath.Path) {
	for _, line := range piece().FindAllString(text, -1) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if strings.Contains(key, "://") || value == "" {
			if key, value, _ = strings.Cut(line, ": "); value == "" || strings.Contains(key, "://") {
				key, value = "", line
			}
		}
		t.add(strings.Trim(key, ` "'`), strings.TrimSpace(value), name, at)
	}
}

// tells adds what some keys of a ConfigMap tell.
func (t telling) tells(obj tree.Object, keys []string) {
	for _, key := range keys {
		text := tree.String(obj, "data", key)
		t.add(key, text, key, fieldpath.New("data", key))
		t.lines(text, key, fieldpath.New("data", key))
	}
}

// pod adds what the spec of a pod tells its containers; read yields a ConfigMap that they get as variables.
func (t telling) pod(spec tree.Object, at fieldpath.Path, read func(name string) tree.Object) {
	for _, field := range []string{"containers", "initContainers"} {
		for n, c := range tree.List(spec, field) {
			here := at.Child(field).Item(n)
			for m, e := range tree.List(c, "env") {
				name, value := tree.String(e, "name"), tree.String(e, "value")
				if from := tree.Map(e, "valueFrom"); from != nil {
					value = tree.Flow(from)
				}
				t.add(name, value, name, here.Child("env").Item(m))
			}
			args := tree.List(c, "args")
			for m := range args {
				word, _ := args[m].(string)
				key, value, is := strings.Cut(word, "=")
				switch {
				case !strings.HasPrefix(word, "-") && (!is || !named().MatchString(key)):
					key, value = "", word
				case !is && m+1 < len(args):
					value, _ = args[m+1].(string)
				}
				t.add(key, value, "an argument", here.Child("args").Item(m))
			}
			for m, e := range tree.List(c, "envFrom") {
				config := read(tree.String(e, "configMapRef", "name"))
				for key, value := range tree.Map(config, "data") {
					text, _ := value.(string)
					t.add(tree.String(e, "prefix")+key, text, key, here.Child("envFrom").Item(m))
				}
			}
		}
	}
}

// tellings are the settings of an object before the apply and after it; ok is false of one that tells nothing.
func (c *cluster) tellings(o *rehearsal.Outcome) (was, is telling, ok bool) {
	was, is = telling{}, telling{}
	if o.Kind.GroupKind() == "ConfigMap" {
		keys := changedKeys(o)
		was.tells(o.Before, keys)
		is.tells(o.Result, keys)
		return was, is, o.Before != nil
	}
	if o.Kind.GroupKind() == "Secret" { // of whose values nothing is told
		for t, data := range map[*telling]tree.Object{&was: tree.Map(o.Before, "data"), &is: tree.Map(o.Result, "data")} {
			for key := range data {
				t.add(key, "", key, fieldpath.New("data", key))
			}
		}
		return was, is, o.Before != nil
	}
	if o.Kind.GroupKind() == "Service" {
		at := fieldpath.New("spec", "externalName")
		was.add("", "dns://"+tree.String(o.Before, "spec", "externalName"), "externalName", at)
		is.add("", "dns://"+tree.String(o.Result, "spec", "externalName"), "externalName", at)
		return was, is, true
	}
	place := setting.PodSpecOf(o.Kind)
	if place == "" {
		return nil, nil, false
	}
	steps := strings.Split(place, ".")
	read := func(of func(manifest.Identity) tree.Object) func(string) tree.Object {
		return func(name string) tree.Object {
			return of(manifest.Identity{Kind: "ConfigMap", Namespace: o.Manifest.Namespace, Name: name})
		}
	}
	was.pod(tree.Map(o.Before, steps...), fieldpath.New(steps...), read(c.before))
	is.pod(tree.Map(o.Result, steps...), fieldpath.New(steps...), read(c.after))
	return was, is, true
}

// toldOf are what programs are told by an apply and were not before: of hosts of other domains, of code, and whom to
// trust; and the programs that a ConfigMap has.
func (c *cluster) toldOf(o *rehearsal.Outcome) (list []Consequence) {
	if o.Action != rehearsal.Configured && o.Action != rehearsal.Created {
		return nil
	}
	was, is, ok := c.tellings(o)
	if !ok || o.Before == nil && c.knowsNothing() {
		return nil
	}
	add := func(says string, class setting.Class, at fieldpath.Path) {
		list = append(list, Consequence{setting.Does{Class: class, Says: says}, at})
	}
	for _, t := range is.besides(was) {
		from := is[t]
		switch {
		case slices.ContainsFunc(t.domains(), func(d string) bool { return !c.reached()[d] }):
			add(from.name+" names a bucket, or a host in a domain, that is new here", setting.Access, from.path)
		case o.Before == nil:
		case loading().MatchString(t.key), t.key == "ENV" && strings.Contains(t.value, "/"), options().MatchString(t.key) && code().MatchString(t.value):
			add(from.name+" names code that new pods load", setting.Access, from.path)
		case trusting().MatchString(t.key):
			add(from.name+" may decide whom a program trusts or admits", setting.Access, from.path)
		}
	}
	had, has := storesOf(o.Before), storesOf(o.Result)
	kept := map[string]bool{"": true}
	for t := range is {
		kept[has.place(t.value)] = true
	}
	for _, t := range was.besides(is) {
		switch from := was[t]; {
		case o.Before == nil:
		case trusting().MatchString(t.key):
			add(from.name+" may decide whom a program trusts or admits", setting.Access, from.path)
		case !kept[had.place(t.value)]:
			add(from.name+" no longer names the place in a volume where a program may keep its data", setting.Data, from.path)
		}
	}
	could, can := claimsOf(o, o.Before), claimsOf(o, o.Result)
	for _, m := range can {
		of := func(write bool) func(claimed) bool {
			return func(n claimed) bool {
				return n.container == m.container && n.volume == m.volume && n.writes == write
			}
		}
		if slices.ContainsFunc(could, of(true)) && !slices.ContainsFunc(can, of(true)) {
			add("container "+fieldpath.Line(m.container)+" can no longer write to volume "+fieldpath.Line(m.volume), setting.Storage, m.at)
		}
	}
	return append(list, c.programs(o)...)
}

// claimed is a volume of a claim where a container has it.
type claimed struct {
	container, volume string
	writes            bool
	at                fieldpath.Path
}

// claimsOf are those of the containers of a workload.
func claimsOf(o *rehearsal.Outcome, obj tree.Object) (list []claimed) {
	place := setting.PodSpecOf(o.Kind)
	if place == "" {
		return nil
	}
	writes := map[string]bool{} // of the volumes of claims
	for _, claim := range tree.List(obj, "spec", "volumeClaimTemplates") {
		writes[tree.String(claim, "metadata", "name")] = true
	}
	spec := tree.Map(obj, strings.Split(place, ".")...)
	for _, v := range tree.List(spec, "volumes") {
		if claim := tree.Map(v, "persistentVolumeClaim"); claim != nil {
			writes[tree.String(v, "name")] = claim["readOnly"] != true
		}
	}
	for n, c := range tree.List(spec, "containers") {
		for m, mount := range tree.List(c, "volumeMounts") {
			name := tree.String(mount, "name")
			if may, is := writes[name]; is {
				at := fieldpath.New(strings.Split(place, ".")...).Child("containers").Item(n).Child("volumeMounts").Item(m)
				list = append(list, claimed{tree.String(c, "name"), name, may && tree.Map(mount)["readOnly"] != true, at})
			}
		}
	}
	return list
}

// stores are the volumes of a workload whose files outlive a pod, by the directories where containers have them.
type stores map[string]string

func storesOf(obj tree.Object) stores {
	kept, all := map[string]bool{}, stores{}
	for _, claim := range tree.List(obj, "spec", "volumeClaimTemplates") {
		kept[tree.String(claim, "metadata", "name")] = true
	}
	spec := tree.Map(template(obj), "spec")
	for _, v := range tree.List(spec, "volumes") {
		kept[tree.String(v, "name")] = tree.Has(v, "persistentVolumeClaim") || tree.Has(v, "hostPath")
	}
	for _, c := range tree.List(spec, "containers") {
		for _, m := range tree.List(c, "volumeMounts") {
			if name := tree.String(m, "name"); kept[name] {
				all[path.Clean(tree.String(m, "mountPath"))] = name
			}
		}
	}
	return all
}

// place is a directory as one in a volume; "" if it is in none.
func (s stores) place(dir string) string {
	if !path.IsAbs(dir) {
		return ""
	}
	below := ""
	for dir = path.Clean(dir); s[dir] == "" && dir != "/"; dir = path.Dir(dir) {
		below = "/" + path.Base(dir) + below
	}
	if s[dir] == "" {
		return ""
	}
	return s[dir] + below
}

// besides are the settings that others lack, in order.
func (t telling) besides(other telling) (list []told) {
	for s := range t {
		if _, has := other[s]; !has {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b told) int { return strings.Compare(a.key+"\x00"+a.value, b.key+"\x00"+b.value) })
	return list
}

// findReached are the domains of all hosts that workloads and ConfigMaps name before the apply, that Ingresses serve, and
// of the registries of images.
func (c *cluster) findReached() map[string]bool {
	known := map[string]bool{}
	c.each(func(kind schema.Kind, obj tree.Object) {
		t := telling{}
		if place := setting.PodSpecOf(kind); place != "" {
			t.pod(tree.Map(obj, strings.Split(place, ".")...), nil, func(string) tree.Object { return nil })
			for _, image := range setting.Images(kind, obj) {
				t.add("", "oci://"+image.Registry, "", nil)
			}
		}
		switch kind.GroupKind() {
		case "ConfigMap":
			t.tells(obj, tree.Keys(tree.Map(obj, "data")))
		case "Ingress.networking.k8s.io":
			for _, rule := range tree.List(obj, "spec", "rules") {
				t.add("", "https://"+tree.String(rule, "host"), "", nil)
			}
		}
		for s := range t {
			for _, d := range s.domains() {
				known[d] = true
			}
		}
	}, "ConfigMap", "Ingress.networking.k8s.io")
	return known
}

// programs are the files of a ConfigMap that run as programs and become others: those that name their interpreter, and those
// that the command of a container names.
func (c *cluster) programs(o *rehearsal.Outcome) (list []Consequence) {
	if o.Kind.GroupKind() != "ConfigMap" || o.Before == nil {
		return nil
	}
	for _, key := range changedKeys(o) {
		for _, obj := range []tree.Object{o.Before, o.Result} {
			text := tree.String(obj, "data", key)
			if data, err := base64.StdEncoding.DecodeString(tree.String(obj, "binaryData", key)); err == nil {
				text += string(data)
			}
			if strings.HasPrefix(text, "#!") || c.unmounted().run[key] {
				list = append(list, Consequence{setting.Does{Class: setting.Protection, Says: "a container runs another program: " + fieldpath.Line(path.Base(key))}, fieldpath.New("data", key)})
				break
			}
		}
	}
	return list
}
