package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// role is a Role, ClusterRole or binding that servers make when they start.
type role struct {
	APIVersion      string           `json:"apiVersion"`
	Kind            string           `json:"kind"`
	Metadata        roleMetadata     `json:"metadata"`
	AggregationRule *aggregationRule `json:"aggregationRule,omitempty"`
	Rules           []any            `json:"rules,omitempty"`
	RoleRef         any              `json:"roleRef,omitempty"`
	Subjects        any              `json:"subjects,omitempty"`
}

type roleMetadata struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

type aggregationRule struct {
	ClusterRoleSelectors []struct {
		MatchLabels map[string]string `json:"matchLabels"`
	} `json:"clusterRoleSelectors"`
}

// writeBootstrap stores the roles and bindings of all releases, each once with the minors
// that have it. They are what upstream's test holds its policy to with the gates as they
// are by default.
func writeBootstrap(name string, releases []*release) error {
	minors := map[string][]int{} // by object
	for _, r := range releases {
		dir, ok := r.dirs["k8s.io/kubernetes"]
		if !ok {
			continue
		}
		roles, err := bootstrap(filepath.Join(dir, "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata"))
		if err != nil {
			return err
		}
		for _, one := range roles {
			text, err := json.Marshal(one)
			if err != nil {
				return err
			}
			minors[string(text)] = append(minors[string(text)], r.minor)
		}
	}
	var lines []string
	for _, text := range slices.Sorted(maps.Keys(minors)) {
		in := minors[text]
		slices.Sort(in)
		for len(in) > 0 {
			n := 1
			for n < len(in) && in[n] == in[n-1]+1 {
				n++
			}
			lines = append(lines, fmt.Sprintf("%d %d %s\n", in[0], in[n-1], text))
			in = in[n:]
		}
	}
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(strings.Join(lines, ""))); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, buf.Bytes(), 0o644)
}

// bootstrap reads the roles and bindings of a release, with the rules that a controller
// gathers in some.
func bootstrap(dir string) (all []*role, err error) {
	for _, file := range []string{"cluster-roles", "cluster-role-bindings", "controller-roles", "controller-role-bindings", "namespace-roles", "namespace-role-bindings"} {
		data, err := os.ReadFile(filepath.Join(dir, file+".yaml"))
		if err != nil {
			return nil, err
		}
		var list struct{ Items []*role }
		if err := yaml.Unmarshal(data, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, list.Items...)
	}
	slices.SortStableFunc(all, func(a, b *role) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	for _, one := range all {
		one.gather(all)
	}
	return all, nil
}

// gather has the role have the rules of those that it selects, which gather theirs first.
func (r *role) gather(all []*role) {
	if r.AggregationRule == nil || r.Rules != nil {
		return
	}
	seen := map[string]bool{}
	for _, s := range r.AggregationRule.ClusterRoleSelectors {
		for _, other := range all {
			if other == r || other.Kind != "ClusterRole" || !selects(s.MatchLabels, other.Metadata.Labels) {
				continue
			}
			other.gather(all)
			for _, rule := range other.Rules {
				if key := fmt.Sprint(rule); !seen[key] {
					seen[key] = true
					r.Rules = append(r.Rules, rule)
				}
			}
		}
	}
}

func selects(want, labels map[string]string) bool {
	for key, value := range want {
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	return true
}
