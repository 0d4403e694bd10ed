package settings

import (
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"threeway/lint/guard"
	"threeway/merge/tree"
)

// clause are the keys of one entry of guard.
func (r *reader) clause(c *guard.Clause) []field {
	return []field{
		r.choiceField("answer", "What the guard answers where all of the following fits.", func(v string) { c.Answer = guard.Answer(v) }, guard.Answers...),
		{"code", "What the change does, by the codes of its answers.", tree.Object{"type": "array", "items": choiceForm(guard.Codes())}, func(n *yaml.Node) {
			for i, code := range r.texts(n) {
				if !slices.Contains(guard.Codes(), code) {
					r.fail(n.Content[i], "unknown code %q; known: %v", code, guard.Codes())
				}
				c.Codes = append(c.Codes, code)
			}
		}},
		r.globsField("kind", "Kinds, with or without their group.", &c.Kinds),
		r.globsField("namespace", "Namespaces.", &c.Namespaces),
		r.globsField("cluster", "Clusters and overlays, by their names in a run of several.", &c.Clusters),
	}
}

// globsField is a list of patterns of path.Match.
func (r *reader) globsField(name, doc string, to *[]string) field {
	f := r.textsField(name, doc+" Patterns, such as dev-*.", to)
	read := f.read
	f.read = func(n *yaml.Node) {
		read(n)
		for i, pattern := range *to {
			if _, err := path.Match(pattern, ""); err != nil {
				r.fail(n.Content[i], "%q is not a pattern: [ is not closed", pattern)
			}
		}
	}
	return f
}

func (r *reader) guard(n *yaml.Node, c *Config) {
	r.items(n, "guard must be a list", func(item *yaml.Node) {
		var clause guard.Clause
		r.mapping(item, "guard", r.clause(&clause))
		if r.err == nil && clause.Answer == "" {
			r.fail(item, "the answer is missing; write allow, ask or deny")
		}
		c.Guard = append(c.Guard, clause)
	})
}
