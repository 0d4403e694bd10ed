package report

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/show"
	"threeway/merge/text/columns"
	"threeway/merge/text/visible"
)

// clusterPlan is what a plan comes to on one cluster; nothing for lint.
type clusterPlan struct {
	verdict
	dangers []show.Danger
}

// verdict is that of a plan, with its line.
type verdict struct {
	show.Verdict
	line string
}

func planOf(digest *show.Digest) (p clusterPlan) {
	if digest != nil {
		p = clusterPlan{verdict{digest.Verdict(), digest.PlanLine()}, digest.Dangers()}
	}
	if p.Level == show.None {
		p.line = ""
	}
	return p
}

// said is the verdict on one line; "" for lint.
func (v verdict) said() string { return strings.TrimSuffix(v.Text+". "+v.line, ". ") }

// alike are things in the order in which they came, each with the clusters that have it.
type alike[K comparable] struct {
	keys []K
	on   map[K][]string
}

func (a *alike[K]) add(key K, cluster string) {
	if a.on == nil {
		a.on = map[K][]string{}
	}
	if a.on[key] == nil {
		a.keys = append(a.keys, key)
	}
	a.on[key] = append(a.on[key], cluster)
}

// cells are what a table has of an object, with the clusters.
func (c *Clusters) cells(o *clustered) (cells alike[string]) {
	for _, name := range c.names {
		cells.add(o.cell(name), name)
	}
	return cells
}

// verdicts are those of all clusters, the worst first.
func (c *Clusters) verdicts() (list alike[verdict]) {
	for i, name := range c.names {
		if c.allUnchanged() {
			name = "all " + c.found.Nouns()
		}
		list.add(c.plans[i].verdict, name)
	}
	slices.SortStableFunc(list.keys, func(a, b verdict) int {
		return cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level))
	})
	return list
}

// dangers are those of all clusters, the worst first. What is so on several is said once,
// and where, unless that is on all.
func (c *Clusters) dangers() (list []show.Danger) {
	type cause struct{ text, object string }
	for _, code := range show.Codes() {
		var d show.Danger
		var texts alike[string]
		var causes alike[cause]
		shared, n := map[string]show.Shared{}, 0
		for i, name := range c.names {
			at := slices.IndexFunc(c.plans[i].dangers, func(d show.Danger) bool { return d.Code == code })
			if at < 0 {
				continue
			}
			d, n = c.plans[i].dangers[at], n+1
			texts.add(d.Text, name)
			for _, s := range d.Shared {
				text := fmt.Sprintf("%s %q", s.Text, s.Changes)
				told := shared[text].Told // by findings on any of them
				if told == nil {
					told = map[string]bool{}
				}
				maps.Copy(told, s.Told)
				s.Told = told
				shared[text] = s
				for _, object := range s.Objects {
					causes.add(cause{text, object}, name)
				}
			}
		}
		if n == 0 {
			continue
		}
		d.Shared = nil
		index := map[cause]int{}
		for _, each := range causes.keys {
			clusters, on := causes.on[each], ""
			if o := c.byName[each.object]; len(clusters) < n && (o == nil || len(o.on) > len(clusters)) { // else its name tells
				on = strings.TrimSpace(c.found.On(clusters))
			}
			i, found := index[cause{each.text, on}]
			if !found {
				s := shared[each.text]
				if s.Objects, s.On = nil, on; on != "" || len(clusters) == n && n < len(c.names) {
					s.Clusters = clusters
				}
				i = len(d.Shared)
				index[cause{each.text, on}], d.Shared = i, append(d.Shared, s)
			}
			d.Shared[i].Objects = append(d.Shared[i].Objects, each.object)
		}
		for i, text := range texts.keys {
			if len(texts.on[text]) < len(c.names) {
				texts.keys[i] += c.found.On(texts.on[text])
			}
		}
		d.Text = strings.Join(texts.keys, "; ")
		list = append(list, d)
	}
	return list
}

// place is where the manifest of an object that changes stands.
func (c *Clusters) place(object string) (file string, line int) {
	if o := c.byName[object]; o != nil {
		return o.file, o.line
	}
	return "", 0
}

// said are the verdicts with their plan lines, the worst first; "" for lint.
func (c *Clusters) said() string {
	var parts []string
	all := c.verdicts()
	for _, v := range all.keys {
		if v.said() != "" {
			parts = append(parts, c.in(all.on[v])+": "+v.said())
		}
	}
	return strings.Join(parts, "; ")
}

// writeVerdicts ends a text with the dangers, and the verdict and the plan line of each
// cluster, the worst nearest to the prompt.
func (c *Clusters) writeVerdicts(out *bufio.Writer, dangers []show.Danger, begun bool, opts Options) {
	if begun {
		out.WriteByte('\n')
	}
	writeDangers(out, dangers, opts)
	all := c.verdicts()
	for _, v := range slices.Backward(all.keys) {
		text := c.in(all.on[v]) + ": " + visible.Joined(v.said())
		out.WriteString(opts.paint(signs[v.Level].style, strings.Join(columns.Fold(text, opts.Width, 4), "\n    ")) + "\n")
	}
}
