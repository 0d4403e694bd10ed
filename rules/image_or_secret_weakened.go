package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var imageOrSecretWeakened = &lint.Rule{
	ID:    "image-or-secret-weakened",
	Title: "an image is pinned less or a Secret becomes plain text",
	Text: "Apply changes an image: it loses its digest, begins to follow a moving tag (latest, none, or 1 after 1.25.3), or comes from another registry or " +
		"owner. Or an env var that came from a Secret is now plain text, or comes from a ConfigMap. New containers are not reported. " +
		"In custom resources, lists named containers or initContainers count.",
	Why: "The registry decides what a tag runs, so later pods may run code that was never tested. Plain text can be read by " +
		"everyone who may read the object or the repository.",
	Fix: "Pin the image by digest, from the registry that you trust. Take the value from the Secret by secretKeyRef, and rotate a value that was pushed.",
	Links: []string{"https://kubernetes.io/docs/concepts/containers/images/#image-names",
		"https://kubernetes.io/docs/concepts/configuration/secret/#using-secrets"},
	Severity: lint.Warning,
	Effect:   impact.Says,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range c.changed() {
			before := map[string]imageUse{}
			for _, s := range imageUses(o, o.Before) {
				before[s.key] = s
			}
			for _, s := range imageUses(o, o.Result) {
				was, found := before[s.key]
				if !found {
					continue
				}
				if words := weakerImage(was.image, s.image); words != "" {
					path := o.Keyed(s.path, o.Result)
					p.Report(o, lint.Report{Path: path, LivePath: path, Message: s.who + ": the image " + words, Fix: "use " + was.image + ", or another digest or fixed tag of the same repository"})
				}
				for _, env := range plainEnv(was.container, s.container, c.variables(o.Manifest.Namespace, was.container, c.before).from) {
					path := o.Keyed(s.path[:len(s.path)-1].Child("env").Item(env.item), o.Result)
					p.Report(o, lint.Report{Path: path, LivePath: path, Message: s.who + ": env var " + env.name + " no longer comes from Secret key " + env.from + ": " + env.now,
						Fix: "take the value from the Secret by secretKeyRef"})
				}
			}
			at, spec := podSpec(o.Kind, o.Result)
			_, old := podSpec(o.Kind, o.Before)
			for _, v := range tree.List(spec, "volumes") {
				for _, was := range tree.List(old, "volumes") {
					secret, config := tree.String(was, "secret", "secretName"), tree.String(v, "configMap", "name")
					if name := tree.String(v, "name"); name == tree.String(was, "name") && secret != "" && config != "" {
						path := at.Child("volumes").Select(fieldpath.Key{Name: "name", Value: name})
						p.Report(o, lint.Report{Path: path, LivePath: path, Message: "volume " + name + " no longer comes from Secret " + secret + ": it now comes from ConfigMap " + config + ", in plain text",
							Fix: "mount the Secret"})
					}
				}
			}
		}
	},
}

// plainVar is an env var that a Secret key no longer gives its value.
type plainVar struct {
	item            int
	name, from, now string
}

// plainEnv are those of a container, which had others from ConfigMaps and Secrets by envFrom. A value
// that takes in another env var from a Secret is none.
func plainEnv(before, after tree.Object, others map[string]string) (list []plainVar) {
	was, is := tree.List(before, "env"), tree.List(after, "env")
	secret := func(env any) string {
		if name := tree.String(env, "valueFrom", "secretKeyRef", "name"); name != "" {
			return name + "/" + tree.String(env, "valueFrom", "secretKeyRef", "key")
		}
		return ""
	}
	from, still := map[string]string{}, map[string]bool{}
	for name, of := range others {
		if source, is := strings.CutPrefix(of, "Secret "); is {
			from[name] = source + "/" + name
		}
	}
	for _, env := range was {
		from[tree.String(env, "name")] = secret(env)
	}
	for _, env := range is {
		still[tree.String(env, "name")] = secret(env) != ""
	}
	for i, env := range is {
		name, value := tree.String(env, "name"), tree.String(env, "value")
		takes := slices.ContainsFunc(references.FindAllStringSubmatch(value, -1), func(m []string) bool { return still[m[2]] })
		config := tree.String(env, "valueFrom", "configMapKeyRef", "name")
		switch {
		case from[name] == "" || takes:
		case value != "":
			list = append(list, plainVar{i, name, from[name], "its value is now in the manifest, in plain text"})
		case config != "":
			list = append(list, plainVar{i, name, from[name], "it now comes from ConfigMap " + config + ", in plain text"})
		}
	}
	return list
}
