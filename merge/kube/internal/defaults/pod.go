package defaults

import (
	"regexp"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// pod follows SetDefaults_Pod: what a Pod gets and a pod template does not.
func pod(p tree.Object, minor int) {
	spec := tree.Map(p, "spec")
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range tree.List(spec, list) {
			if c, ok := c.(map[string]any); ok {
				requestsFromLimits(tree.Map(c, "resources"))
				if tree.Bool(spec, "hostNetwork") {
					hostPorts(c)
				}
			}
		}
	}
	if minors.PodLevelResources.In(minor) && !minors.PodLevelDefaultsLast.In(minor) {
		podLevelResources(spec)
	}
}

func requestsFromLimits(resources tree.Object) {
	if tree.Map(resources, "limits") == nil {
		return
	}
	if tree.Map(resources, "requests") == nil { // also if there is no limit
		resources["requests"] = tree.Object{}
	}
	fill(resources, "requests", "limits")
}

// hostPorts follows defaultHostNetworkPorts.
func hostPorts(container tree.Object) {
	for _, p := range tree.List(container, "ports") {
		if p, ok := p.(map[string]any); ok && tree.Empty(p["hostPort"]) {
			p["hostPort"] = p["containerPort"]
		}
	}
}

// PodLevel completes spec.resources of a Pod after admission, as
// DefaultPodLevelResources of pkg/api/pod/util.go does: a limit that every
// container has becomes one of the Pod, too.
func PodLevel(spec tree.Object) {
	resources := tree.Map(spec, "resources")
	if len(tree.Map(resources, "limits"))+len(tree.Map(resources, "requests")) == 0 {
		return
	}
	hugePageLimits(spec, resources)
	podRequests(spec, resources)
	total := aggregate(spec, "limits")
	for key, q := range tree.Map(resources, "requests") {
		if sum, ok := total[key]; ok && podLevel(key) && !tree.Has(resources, "limits", key) && limitedEverywhere(spec, key) {
			if less(sum, q) {
				sum = q
			}
			tree.Set(resources, sum, "limits", key)
		}
	}
}

func limitedEverywhere(spec tree.Object, key string) bool {
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, c := range tree.List(spec, list) {
			if !tree.Has(c, "resources", "limits", key) {
				return false
			}
		}
	}
	return true
}

func less(a, b any) bool {
	x, err := format.Quantity(tree.String(a))
	y, err2 := format.Quantity(tree.String(b))
	return err == nil && err2 == nil && x.Cmp(y) < 0
}

// podLevel reports whether a Pod as a whole can have the resource
// (IsSupportedPodLevelResource of component-helpers/resource).
func podLevel(key string) bool {
	return key == "cpu" || key == "memory" || strings.HasPrefix(key, "hugepages-")
}

// podLevelResources follows defaultHugePagePodLimits and defaultPodRequests.
func podLevelResources(spec tree.Object) {
	resources := tree.Map(spec, "resources")
	if len(tree.Map(resources, "limits"))+len(tree.Map(resources, "requests")) == 0 {
		return
	}
	hugePageLimits(spec, resources)
	if len(tree.Map(resources, "limits")) > 0 {
		podRequests(spec, resources)
	}
}

// hugePageLimits limits the huge pages of a Pod that only its containers limit.
func hugePageLimits(spec, resources tree.Object) {
	for key, q := range aggregate(spec, "limits") {
		if strings.HasPrefix(key, "hugepages-") && !tree.Has(resources, "requests", key) && !tree.Has(resources, "limits", key) {
			tree.Set(resources, q, "limits", key)
		}
	}
}

// podRequests requests what the containers request together, else the limits.
func podRequests(spec, resources tree.Object) {
	for key, q := range aggregate(spec, "requests") {
		if (key == "cpu" || key == "memory") && !tree.Has(resources, "requests", key) {
			tree.Set(resources, q, "requests", key)
		}
	}
	for key, q := range tree.Map(resources, "limits") {
		if podLevel(key) && !tree.Has(resources, "requests", key) {
			tree.Set(resources, q, "requests", key)
		}
	}
}

// aggregate is what all containers of the pod ask for together: the sum of the
// containers and sidecars, or an init container with the sidecars before it if
// that is more (component-helpers/resource AggregateContainerRequests).
func aggregate(spec tree.Object, list string) tree.Object {
	sum, peak := map[string]resource.Quantity{}, map[string]resource.Quantity{}
	each := func(c any, do func(key string, q resource.Quantity)) {
		for key, text := range tree.Map(c, "resources", list) {
			if q, err := format.Quantity(text.(string)); err == nil {
				do(key, q)
			}
		}
	}
	addTo := func(key string, q resource.Quantity) {
		// The first is kept as it is spelled.
		if total, ok := sum[key]; ok {
			total.Add(q)
			q = total
		}
		sum[key] = q
	}
	for _, c := range tree.List(spec, "initContainers") {
		if tree.String(c, "restartPolicy") == "Always" {
			each(c, addTo)
			continue
		}
		each(c, func(key string, q resource.Quantity) {
			if before, ok := sum[key]; ok {
				q.Add(before)
			}
			if p, ok := peak[key]; !ok || q.Cmp(p) > 0 {
				peak[key] = q
			}
		})
	}
	for _, c := range tree.List(spec, "containers") {
		each(c, addTo)
	}
	out := tree.Object{}
	for key, q := range peak {
		if have, ok := sum[key]; !ok || q.Cmp(have) > 0 {
			sum[key] = q
		}
	}
	for key, q := range sum {
		out[key] = q.String()
	}
	return out
}

// roundUp follows SetDefaults_ResourceList: nothing finer than a thousandth.
func roundUp(list tree.Object) {
	for key, v := range list {
		text, _ := v.(string)
		q, err := format.Quantity(text)
		if err != nil {
			continue
		}
		if !q.RoundUp(resource.Milli) {
			list[key] = q.String()
		}
	}
}

// volume follows SetDefaults_Volume: without a source it is an emptyDir.
func volume(v tree.Object, minor int) {
	if image := tree.Map(v, "image"); image != nil && minors.ImageVolumes.In(minor) && tree.String(image, "pullPolicy") == "" {
		image["pullPolicy"] = pullPolicy(tree.String(image, "reference"))
	}
	for key, source := range v {
		if key != "name" && source != nil {
			return
		}
	}
	v["emptyDir"] = tree.Object{}
}

// container follows SetDefaults_Container; the rest of it is in coreRows.
func container(c tree.Object, _ int) {
	if tree.String(c, "imagePullPolicy") == "" {
		c["imagePullPolicy"] = pullPolicy(tree.String(c, "image"))
	}
}

// pullPolicy returns Always for an image with the tag "latest", or with neither tag nor
// digest. What does not parse has no tag
// (pkg/util/parsers/parsers.go over github.com/distribution/reference).
func pullPolicy(image string) string {
	domain, rest, found := strings.Cut(image, "/")
	if !found || !strings.ContainsAny(domain, ".:") && domain != "localhost" && strings.ToLower(domain) == domain {
		domain, rest = "docker.io", image
		if !strings.Contains(rest, "/") {
			rest = "library/" + rest
		}
	}
	m := reference().FindStringSubmatch(domain + "/" + rest)
	if m == nil || len(m[1]) > 255 || identifier(image) {
		return "IfNotPresent"
	}
	if tag, digest := m[2], m[3]; tag == "latest" || tag == "" && digest == "" {
		return "Always"
	}
	return "IfNotPresent"
}

// reference is the grammar of github.com/distribution/reference: a name, and
// at will a tag and a digest.
var reference = sync.OnceValue(func() *regexp.Regexp {
	const (
		label  = `[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?`
		domain = `(?:` + label + `(?:\.` + label + `)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`
		part   = `[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`
		tag    = `[\w][\w.-]{0,127}`
		digest = `[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}`
	)
	return regexp.MustCompile(`^(?:` + domain + `/(` + part + `(?:/` + part + `)*))(?::(` + tag + `))?(?:@(` + digest + `))?$`)
})

// identifier reports whether s is a bare image ID, which is no name.
func identifier(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
