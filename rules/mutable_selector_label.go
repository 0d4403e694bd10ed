package rules

import (
	"regexp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var mutableSelectorLabel = &lint.Rule{
	ID:    "mutable-selector-label",
	Title: "the selector has a label that changes with releases",
	Text: "The selector of a workload, a Service, a PodDisruptionBudget or a NetworkPolicy has a label whose value is a version, a chart " +
		"or a commit: app.kubernetes.io/version, helm.sh/chart, or any other that repeats the image tag or looks like a release number; " +
		"or a hash that controllers set on pods. Or kustomization.yaml has such a label in commonLabels, which kustomize adds to every " +
		"selector (info for labels that look stable).",
	Why: "The next release changes the label. The selector of a workload is immutable, so the API server rejects the object. The others then select only the new pods, before one is ready.",
	Fix: "Select by a label that does not change, such as app.kubernetes.io/name and app.kubernetes.io/instance; keep the other one on " +
		"the object and the pod template. Recreate an existing workload once: kubectl delete --cascade=orphan leaves the pods running " +
		"meanwhile.",
	Links: []string{declarative, "https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/",
		"https://github.com/kubernetes-sigs/kustomize/issues/1009", "https://github.com/kubernetes-sigs/kustomize/issues/3718", "https://github.com/wundergraph/cosmo/issues/1523"},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			if !o.Is("Deployment.apps", "StatefulSet.apps", "DaemonSet.apps", "ReplicaSet.apps") {
				reportMutable(p, o)
				continue
			}
			for _, l := range selectorLabels(o) {
				why := mutable(l.key, l.value, imageTags(o))
				if why == "" {
					continue
				}
				way := lint.Way{Words: "remove it from the selector; it may stay on the pod template"}
				if o.Live != nil {
					way = lint.Way{
						Words:    "remove it from the selector; before you apply that, delete the workload but not its pods: ",
						Commands: []string{shell.Line("kubectl delete", o.Target(), shell.Option("--cascade=orphan"))},
						Edits:    []edit.Edit{edit.Remove(l.path)},
						Instead:  "select by a label that does not change; before you apply that, delete the workload but not its pods",
					}
				}
				p.Report(o, lint.Report{
					Path: l.path, LivePath: l.path, Ways: []lint.Way{way},
					Message: "the selector has " + l.key + "=" + l.value + ", " + why + "; the selector is immutable, so the next release is rejected",
				})
			}
		}
		for _, k := range p.Kustomizations {
			reportCommonLabels(p, k)
		}
	},
}

// reportMutable reports the labels in selectors that may change, with the pods that they select.
func reportMutable(p *lint.Pass, o *lint.Object) {
	at, effect := fieldpath.New("spec", "selector"), ""
	switch o.Kind.GroupKind() {
	case "Service":
		effect = "has no pods from the apply of the next release until its first new pod is ready"
	case "ReplicationController":
		effect = "leaves its running pods without a controller at the next release"
	case "PodDisruptionBudget.policy":
		effect = "stops protecting the running pods at the next release"
	case "NetworkPolicy.networking.k8s.io":
		at, effect = fieldpath.New("spec", "podSelector"), "no longer applies to the running pods from the apply of the next release on"
	default:
		return
	}
	for _, l := range labelsIn(o, at) {
		if why := mutable(l.key, l.value, nil); why != "" {
			p.Report(o, lint.Report{Path: l.path, LivePath: l.path,
				Message: "the selector has " + l.key + "=" + l.value + ", " + why + "; the " + o.Kind.Kind + " " + effect,
				Fix:     "select by labels that do not change"})
		}
	}
}

// selectorLabel is a label with the value that a selector asks for.
type selectorLabel struct {
	key, value string
	path       fieldpath.Path
}

func selectorLabels(o *lint.Object) []selectorLabel {
	return labelsIn(o, fieldpath.New("spec", "selector"))
}

func labelsIn(o *lint.Object, at fieldpath.Path) (list []selectorLabel) {
	found, _ := o.Find(at, o.Manifest.Tree)
	labels, in := tree.Map(found, "matchLabels"), at.Child("matchLabels")
	if o.Is("Service", "ReplicationController") {
		labels, in = tree.Map(found), at
	}
	for _, key := range tree.Keys(labels) {
		value, _ := labels[key].(string)
		list = append(list, selectorLabel{key, value, in.Child(key)})
	}
	for i, e := range tree.List(found, "matchExpressions") {
		if values := tree.List(e, "values"); tree.String(e, "operator") == "In" && len(values) == 1 {
			value, _ := values[0].(string)
			list = append(list, selectorLabel{tree.String(e, "key"), value, at.Child("matchExpressions").Item(i)})
		}
	}
	return list
}

// reportCommonLabels looks at what a kustomization puts into selectors.
func reportCommonLabels(p *lint.Pass, k *manifest.Object) {
	var tags []string
	for _, image := range tree.List(k.Tree, "images") {
		tags = append(tags, tree.String(image, "newTag"))
	}
	report := func(at fieldpath.Path, labels tree.Object) {
		for _, key := range tree.Keys(labels) {
			value, _ := labels[key].(string)
			r := lint.Report{
				Path: at.Child(key), Severity: lint.Info,
				Message: "kustomize puts " + key + "=" + value + " into every selector; once applied, the label cannot be changed or removed",
				Fix:     "move it to labels, with includeSelectors: false, unless it never changes",
			}
			if why := mutable(key, value, tags); why != "" {
				r.Severity, r.Fix = lint.Warning, "move it to labels, with includeSelectors: false"
				r.Message = "kustomize puts " + key + "=" + value + ", " + why + ", into every selector; a selector is immutable, so the next release is rejected"
			}
			p.ReportAt(k, r)
		}
	}
	report(fieldpath.New("commonLabels"), tree.Map(k.Tree, "commonLabels"))
	for i, set := range tree.List(k.Tree, "labels") {
		if tree.Bool(set, "includeSelectors") {
			report(fieldpath.New("labels").Item(i).Child("pairs"), tree.Map(set, "pairs"))
		}
	}
}

// mutable says why a label's value will not last, or ""; tags are those of the
// images that the label is about.
func mutable(key, value string, tags []string) string {
	name := key[strings.LastIndexByte(key, '/')+1:]
	switch {
	case key == "app.kubernetes.io/version":
		return "the version of the application"
	case key == "helm.sh/chart":
		return "the chart with its version"
	case key == "pod-template-hash", key == "controller-revision-hash":
		return "which controllers set on the pods of each template"
	case !release(value):
		return ""
	case slices.ContainsFunc(tags, func(tag string) bool { return strings.TrimPrefix(tag, "v") == strings.TrimPrefix(value, "v") }):
		return "which repeats an image tag"
	}
	switch {
	case semantic.MatchString(value):
		return "which looks like a release"
	}
	switch name {
	case "version", "chart", "tag", "image-tag", "commit", "sha", "git-sha", "git-commit", "revision", "build":
		return "which looks like a release"
	}
	return ""
}

// semantic are versions of three numbers.
var semantic = regexp.MustCompile(`^v?\d+\.\d+\.\d+([-_.]|$)`)

// release reports whether a value looks like a version with at least two
// numbers, or like a commit: v1 is a track and stays.
func release(value string) bool {
	dots, digits, hex := 0, 0, 0
	for i, c := range value {
		switch {
		case c >= '0' && c <= '9':
			digits++
			hex++
		case c >= 'a' && c <= 'f':
			hex++
		case c == '.' && i > 0 && value[i-1] >= '0' && value[i-1] <= '9':
			dots++
		}
	}
	return dots > 0 && digits > 1 || hex == len(value) && digits > 0 && len(value) >= 7
}

// imageTags are those of a workload's containers.
func imageTags(o *lint.Object) (tags []string) {
	for _, c := range tree.List(o.Manifest.Tree, "spec", "template", "spec", "containers") {
		if _, tag, ok := strings.Cut(lastSegment(tree.String(c, "image")), ":"); ok {
			tags = append(tags, tag)
		}
	}
	return tags
}

func lastSegment(image string) string {
	image, _, _ = strings.Cut(image, "@")
	return image[strings.LastIndexByte(image, '/')+1:]
}
