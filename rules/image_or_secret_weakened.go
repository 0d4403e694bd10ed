package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var imageOrSecretWeakened = &lint.Rule{
	ID:    "image-or-secret-weakened",
	Title: "an image is pinned less or a Secret becomes plain text",
	Text: "Apply changes an image: it loses its digest, begins to follow a moving tag (latest, or none), or comes from another registry or " +
		"owner. Or an env var that a Secret gave its value has it in plain text, or from a ConfigMap. New containers are not reported. " +
		"Custom resources count where they have lists named containers or initContainers.",
	Why: "The registry decides what a tag runs, so pods that start later may run other code than those that were tested. Plain text can be read by everyone who may read the object or the repository.",
	Fix: "Pin the image by digest, from the registry that you trust. Take the value from the Secret by secretKeyRef, and replace a value that was pushed.",
	Links: []string{"https://kubernetes.io/docs/concepts/containers/images/#image-names",
		"https://kubernetes.io/docs/concepts/configuration/secret/#using-secrets"},
	Severity: lint.Warning,
	Effect:   impact.Says,
	Since:    "0.13",
	Run: func(p *lint.Pass) {
		for o := range clusterOf(p).changed() {
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
				for _, env := range plainEnv(was.env, s.env) {
					path := o.Keyed(s.path[:len(s.path)-1].Child("env").Item(env.item), o.Result)
					p.Report(o, lint.Report{Path: path, LivePath: path, Message: s.who + ": env var " + env.name + " no longer comes from Secret key " + env.from + ": " + env.now,
						Fix: "take the value from the Secret by secretKeyRef"})
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

// plainEnv are those of a container. A value that takes in another env var from a Secret is
// none.
func plainEnv(was, is []any) (list []plainVar) {
	secret := func(env any) string {
		if name := tree.String(env, "valueFrom", "secretKeyRef", "name"); name != "" {
			return name + "/" + tree.String(env, "valueFrom", "secretKeyRef", "key")
		}
		return ""
	}
	from, still := map[string]string{}, map[string]bool{}
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
