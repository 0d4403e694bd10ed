package mask

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// KnownEnv are the patterns that "known" stands for: usual names of environment
// variables with secrets.
var KnownEnv = []string{
	"*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*_PASS", "*_PWD", "*SECRET*", "*TOKEN*", "*CREDENTIAL*", "*APIKEY*", "*API_KEY*",
	"*ACCESS_KEY*", "*PRIVATE_KEY*", "*SIGNING_KEY*", "*ENCRYPTION_KEY*", "*LICENSE_KEY*", "*DATABASE_URL*", "*CONNECTION_STRING*", "*_DSN",
}

// Policy says what is hidden besides the values of Secrets. A nil Policy hides
// nothing else.
type Policy struct {
	// Env are patterns for the names of environment variables of containers, and of
	// values for charts, as for file names. Case does not matter.
	Env []string
	// Kinds are the kinds with hidden fields.
	Kinds []Kind
	// Known are secret values of the run, of which copies are hidden in every object;
	// nil if none are known.
	Known *Known
}

// Kind is a kind with hidden fields.
type Kind struct {
	// Name is Kind.group, or Kind for the kind in every group.
	Name string
	// Fields are hidden with everything in them. A path through a list covers
	// each item. No fields means everything but the metadata.
	Fields []fieldpath.Path
}

// ParseEnv reads patterns; "known" stands for KnownEnv.
func ParseEnv(patterns []string) ([]string, error) {
	var list []string
	for _, p := range patterns {
		if p == "known" {
			list = append(list, KnownEnv...)
			continue
		}
		if _, err := path.Match(p, ""); err != nil || p == "" {
			return nil, fmt.Errorf("invalid pattern %q; write one like '*PASSWORD*', or known", p)
		}
		list = append(list, strings.ToUpper(p))
	}
	return list, nil
}

// ParseKind parses a kind and its fields, which are names separated by dots.
func ParseKind(name string, fields []string) (Kind, error) {
	k := Kind{Name: name}
	for _, text := range fields {
		p, err := fieldpath.Parse(text)
		if err != nil {
			return k, err
		}
		for _, step := range p {
			if step.IsIndex || step.Keys != nil {
				return k, fmt.Errorf("path %q: a path through a list covers all its items; remove the brackets", text)
			}
		}
		if len(p) == 0 || p[0].Field == "metadata" || p[0].Field == "apiVersion" || p[0].Field == "kind" {
			return k, fmt.Errorf("path %q: fields that identify the object cannot be masked; write a field like spec.password", text)
		}
		k.Fields = append(k.Fields, p)
	}
	return k, nil
}

// Idle reports whether the policy hides nothing.
func (p *Policy) Idle() bool { return p == nil || len(p.Env) == 0 && len(p.Kinds) == 0 }

// HidesEnv reports whether the value of an environment variable is hidden.
func (p *Policy) HidesEnv(name string) bool {
	if p == nil {
		return false
	}
	name = slashes.Replace(strings.ToUpper(name))
	return slices.ContainsFunc(p.Env, func(pattern string) bool {
		end, isEnd := strings.CutPrefix(pattern, "*") // as most are, and a file has many names
		part, isPart := strings.CutSuffix(end, "*")
		switch {
		case !isEnd || strings.ContainsAny(part, `*?[\/`):
			ok, _ := path.Match(slashes.Replace(pattern), name)
			return ok
		case isPart:
			return strings.Contains(name, part)
		}
		return strings.HasSuffix(name, part)
	})
}

// slashes are no limit of * in a name.
var slashes = strings.NewReplacer("/", "_")

// declared returns the paths of the fields of an object that are hidden for its
// kind. If a field is an object, its keys stay visible. A release that Helm keeps in a
// ConfigMap is hidden without a policy too.
func (p *Policy) declared(o tree.Object) (paths []fieldpath.Path) {
	if isRelease(o) {
		paths = append(paths, fieldpath.New("data", "release"))
	}
	if p == nil {
		return paths
	}
	group, _, grouped := strings.Cut(tree.String(o, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	for _, k := range p.Kinds {
		kind, in, named := strings.Cut(k.Name, ".")
		if kind != tree.String(o, "kind") || named && in != group {
			continue
		}
		paths = append(paths, k.Fields...)
		if len(k.Fields) > 0 {
			continue
		}
		for _, key := range tree.Keys(o) {
			if key != "apiVersion" && key != "kind" && key != "metadata" {
				paths = append(paths, fieldpath.New(key))
			}
		}
	}
	return paths
}

// isRelease reports whether an object is a ConfigMap in which Helm keeps a release,
// with all values and manifests of its chart.
func isRelease(o tree.Object) bool {
	return tree.String(o, "kind") == "ConfigMap" && IsReleaseName(tree.String(o, "metadata", "name"))
}

// IsReleaseName reports whether a Secret or a ConfigMap of a name is one in which Helm
// keeps a release (helm.sh/helm/v4/pkg/storage/storage.go makeKey).
func IsReleaseName(name string) bool { return strings.HasPrefix(name, "sh.helm.release.v1.") }
