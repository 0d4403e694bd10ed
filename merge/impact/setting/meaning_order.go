package setting

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// ranked orders values by a number, the safest highest.
func ranked(rank func(v any) int) func(was, is any) (int, bool) {
	return func(was, is any) (int, bool) { return cmp.Compare(rank(is), rank(was)), true }
}

func wants(safe any) func(was, is any) (int, bool) {
	return ranked(func(v any) int { return map[bool]int{true: 1}[v == safe] })
}

func avoids(unsafe any) func(was, is any) (int, bool) {
	return ranked(func(v any) int { return map[bool]int{true: -1}[v == unsafe] })
}

// larger and smaller order amounts; one that comes or goes is not compared.
func smaller(was, is any) (int, bool) { return Compare(was, is) }
func larger(was, is any) (int, bool)  { return Compare(is, was) }

// stopsFewer orders how many pods may be stopped at a time: all are the most, however many there are.
func stopsFewer(was, is any) (int, bool) {
	if all := any("100%"); was != is && (was == all || is == all) {
		return map[bool]int{true: 1, false: -1}[was == all], true
	}
	return smaller(was, is)
}

// notRoot orders users: root before the others.
func notRoot(v any) int { return map[bool]int{false: 1}[v == any(int64(0))] }

// PodSecurity orders the levels of the Pod Security Standards. An unknown one counts as restricted, as
// the admission plugin takes it (k8s.io/pod-security-admission/api/helpers.go PolicyToEvaluate).
func PodSecurity(level any) int {
	if at := slices.Index([]any{nil, "", "privileged", "baseline"}, level); at >= 0 {
		return max(at-2, 0)
	}
	return 2
}

// safeParameters are the kernel parameters that a kubelet allows unless it is told otherwise
// (pkg/kubelet/sysctl/safe_sysctls.go).
var safeParameters = []string{"kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.ip_local_reserved_ports",
	"net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem", "net.ipv4.tcp_notsent_lowat", "net.ipv4.tcp_slow_start_after_idle"}

// parameters are the kernel parameters of a list, by name.
func parameters(v any) any {
	m := tree.Object{}
	for _, p := range tree.List(v) {
		m[tree.String(p, "name")] = tree.String(p, "value")
	}
	return map[string]any(m)
}

// asksNode orders lists of kernel parameters by the unsafe ones that only one of them has.
func asksNode(was, is any) (order int, ok bool) {
	unsafe := func(v, other any) (n int) {
		had := tree.Map(parameters(other))
		for name := range tree.Map(parameters(v)) {
			if _, has := had[name]; !has && !slices.Contains(safeParameters, name) {
				n++
			}
		}
		return n
	}
	switch more, fewer := unsafe(is, was), unsafe(was, is); {
	case more > 0:
		return -1, true
	case fewer > 0:
		return 1, len(tree.List(is)) == 0
	}
	return 0, false
}

// containerNames are the names of containers, in their order.
func containerNames(v any) any {
	var names []any
	for _, c := range tree.List(v) {
		names = append(names, tree.String(c, "name"))
	}
	return names
}

// reorders reports as less safe the same containers in another order.
func reorders(was, is any) (int, bool) {
	return -1, !tree.Equal(containerNames(was), containerNames(is)) && tree.Equal(sorted(tree.List(containerNames(was))), sorted(tree.List(containerNames(is))))
}

// schemas are the versions of a CustomResourceDefinition, whose schemas have sets of words.
func schemas(_ string, v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = schemas("", item)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for key, value := range v {
			m[key] = schemas("", value)
			if words, is := value.([]any); is && (key == "required" || key == "enum") {
				m[key] = sorted(words)
			}
		}
		return m
	}
	return v
}

// addsOptional reports as safer versions whose schemas have more optional fields without a default.
func addsOptional(was, is any) (int, bool) { return 1, optional(was, is, false) }

// optional reports whether a schema, or the fields of one, differs from another in optional fields that it
// has besides, which the other drops from objects.
func optional(was, is any, fields bool) bool {
	a, inA := was.(map[string]any)
	b, inB := is.(map[string]any)
	if list, both := is.([]any); both && !tree.Equal(was, is) {
		old, _ := was.([]any)
		for n := range list {
			if len(old) != len(list) || !optional(old[n], list[n], false) {
				return false
			}
		}
		return true
	}
	if !inA || !inB {
		return tree.Equal(was, is)
	}
	for key, v := range b {
		old, had := a[key]
		switch {
		case !had:
			if !fields || strings.Contains(fmt.Sprint(v), "default:") {
				return false
			}
		case !fields && slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, key):
			if !tree.Equal(old, v) {
				return false
			}
		case !optional(old, v, !fields && key == "properties" && !tree.Has(b, "additionalProperties") && !tree.Has(b, "x-kubernetes-preserve-unknown-fields")):
			return false
		}
	}
	for key := range a {
		if !tree.Has(b, key) {
			return false
		}
	}
	return true
}

// leavesRoot orders groups: without one, processes are in that of root unless the image has another.
func leavesRoot(was, is any) (order int, ok bool) {
	root := any(int64(0))
	switch {
	case is != nil && is != root && (was == nil || was == root):
		return 1, true
	case was != root && is == root:
		return -1, true
	}
	return 0, was == is
}

// looksUp reports as safer other options of the resolver, which finds the same names with them: a name
// with one dot, such as that of a Service and its namespace, is still looked up in the cluster first.
func looksUp(was, is any) (int, bool) {
	rest := func(v any) any {
		m := tree.CopyObject(tree.Map(v))
		delete(m, "options")
		return map[string]any(m)
	}
	return 1, tree.Equal(rest(was), rest(is)) && !slices.ContainsFunc(tree.List(is, "options"), func(o any) bool {
		n, err := strconv.Atoi(tree.String(o, "value"))
		return tree.String(o, "name") == "ndots" && (err != nil || n < 2 || n > 5)
	})
}

// pulls orders policies by how often an image is pulled.
func pulls(v any) int { return map[any]int{"IfNotPresent": 1, "Always": 2}[v] }

// or is a value, or that which stands for none.
func or(usual any) func(string, any) any {
	return func(_ string, v any) any {
		if v == nil {
			return usual
		}
		return v
	}
}

// macros are the schedules that names stand for (github.com/robfig/cron/v3 parser.go).
var macros = map[string]string{"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *"}

// schedule has the numbers of a schedule without zeros before them.
func schedule(_ string, v any) any {
	text, _ := v.(string)
	fields := strings.Fields(cmp.Or(macros[text], text))
	for i, field := range fields {
		if n, err := strconv.ParseUint(field, 10, 16); err == nil {
			fields[i] = strconv.FormatUint(n, 10)
		}
	}
	return strings.Join(fields, " ")
}

// targets orders metrics of an autoscaler that differ only in their targets: lower ones ask for
// more pods.
func targets(was, is any) (order int, ok bool) {
	var values func(v any, at string, found map[string]int64) any
	values = func(v any, at string, found map[string]int64) any {
		if n, number := v.(int64); number && strings.HasPrefix(at[strings.LastIndex(at, ".")+1:], "average") {
			found[at] = n
			return nil
		}
		rest := tree.Object{}
		for key, x := range tree.Map(v) {
			rest[key] = values(x, at+"."+key, found)
		}
		if tree.Map(v) == nil {
			return v
		}
		return map[string]any(rest)
	}
	had, has := tree.List(was), tree.List(is)
	switch more, fewer := subset(had, has), subset(has, had); { // the one that wants the most pods counts
	case more && !fewer:
		return 1, true
	case fewer && !more:
		return -1, true
	}
	for i := range had {
		before, after := map[string]int64{}, map[string]int64{}
		if len(had) != len(has) || !tree.Equal(values(had[i], "", before), values(has[i], "", after)) {
			return 0, false
		}
		for at, n := range before {
			if o := cmp.Compare(n, after[at]); o != 0 && o != order {
				if order != 0 {
					return 0, false
				}
				order = o
			}
		}
	}
	return order, true
}

// fewerBits reports whether a mode of files allows nothing that another does not.
func fewerBits(inner, outer any) bool {
	a, is := inner.(int64)
	b, too := outer.(int64)
	return is && too && a&^b == 0
}

// portion is a number of pods, or a part of them in percent: none of them is one number.
func portion(_ string, v any) any {
	if v == "0%" {
		return int64(0)
	}
	return v
}

// behavior is that of an autoscaler with its defaults
// (pkg/apis/autoscaling/v2/defaults.go GenerateHPAScaleUpRules and GenerateHPAScaleDownRules).
func behavior(_ string, v any) any {
	percent := tree.Object{"type": "Percent", "value": int64(100), "periodSeconds": int64(15)}
	full := tree.Object{}
	for direction, usual := range map[string]tree.Object{
		"scaleUp":   {"selectPolicy": "Max", "stabilizationWindowSeconds": int64(0), "policies": []any{percent, tree.Object{"type": "Pods", "value": int64(4), "periodSeconds": int64(15)}}},
		"scaleDown": {"selectPolicy": "Max", "policies": []any{percent}},
	} {
		maps.Copy(usual, tree.Map(v, direction))
		full[direction] = usual
	}
	return Canonical(full)
}

// stopsLater orders what an autoscaler does by how long it waits before it stops pods, where all else
// stays; by default five minutes (--horizontal-pod-autoscaler-downscale-stabilization).
func stopsLater(was, is any) (int, bool) {
	wait := func(v any) (any, any) {
		rest := tree.CopyObject(tree.Map(v))
		down := tree.CopyObject(tree.Map(rest, "scaleDown"))
		seconds, own := down["stabilizationWindowSeconds"]
		if !own {
			seconds = int64(300)
		}
		delete(down, "stabilizationWindowSeconds")
		rest["scaleDown"] = map[string]any(down)
		return seconds, map[string]any(rest)
	}
	before, rest := wait(was)
	after, other := wait(is)
	order, ok := Compare(after, before)
	return order, ok && order != 0 && tree.Equal(rest, other)
}

// prefers reports as safer what only adds preferences of nodes: of an affinity, or of the
// constraints on how pods are spread, in canonical form.
func prefers(was, is any) (int, bool) {
	had, required := preferences(was)
	has, requires := preferences(is)
	return 1, tree.Equal(required, requires) && subset(had, has)
}

// preferences divides an affinity, or constraints, into what is preferred and what must be.
func preferences(v any) (preferred []any, required any) {
	const prefers = "preferredDuringSchedulingIgnoredDuringExecution"
	must := tree.Object{}
	for _, kind := range tree.Keys(tree.Map(v)) {
		rules := tree.Map(v, kind)
		for _, key := range tree.Keys(rules) {
			if key != prefers {
				must[kind+" "+key] = rules[key]
			}
		}
		for _, term := range tree.List(rules, prefers) {
			preferred = append(preferred, tree.Object{kind: term})
		}
	}
	for _, constraint := range tree.List(v) {
		if tree.String(constraint, "whenUnsatisfiable") == "ScheduleAnyway" {
			preferred = append(preferred, constraint)
		} else {
			must[fmt.Sprint(len(must))] = constraint
		}
	}
	return preferred, must
}

// sleep is a command that does nothing else.
var sleep = regexp.MustCompile(`^\[(?:(?:/bin/)?(?:ba)?sh -c )?(?:/bin/)?sleep (\d+)\]$`)

// waits reports as safer that a container begins to sleep before it stops, as long as a drain
// and a rollout can wait for it.
func waits(was, is any) (int, bool) {
	seconds, sleeps := tree.Get(is, "sleep", "seconds")
	if m := sleep.FindStringSubmatch(fmt.Sprint(tree.List(is, "exec", "command"))); m != nil {
		seconds, sleeps = m[1], true
	}
	n, err := strconv.Atoi(fmt.Sprint(seconds))
	return 1, was == nil && sleeps && err == nil && n <= 600
}

// seccomp orders profiles: none, and Unconfined, before the others.
func seccomp(v any) int {
	switch tree.String(v, "type") {
	case "", "Unconfined":
		return 0
	}
	return 1
}
