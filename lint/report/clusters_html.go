package report

import (
	"io"

	"threeway/lint/report/webpage"
	"threeway/merge/parallel"
	"threeway/merge/show"
)

// clusterPage is the page about several clusters, which is that of a review: an
// object is on it once for all clusters on which the same happens to it.
type clusterPage struct {
	index   pageIndex
	parts   webpage.Parts
	entries map[string]int // index of the object of the page
}

// pageCluster is what the page knows of a cluster.
type pageCluster struct {
	Name      string       `json:"name"`
	Verdict   show.Verdict `json:"verdict"`
	Line      string       `json:"line"`
	Rehearsed string       `json:"rehearsed"`
	About     string       `json:"about,omitempty"`
	// Namespace is that of all its objects, "" if they have several.
	Namespace string `json:"namespace,omitempty"`
}

// add adds what happens on a cluster.
func (p *clusterPage) add(cluster string, r *Review, opts Options) error {
	if p.entries == nil {
		p.entries = map[string]int{}
	}
	p.parts.Strike = r.Diff.Secrets.Strike
	keys := map[string]string{}
	for _, s := range r.all(show.ChangedFiles(r.Plan, r.Diff), opts) {
		key := s.name + "\n" + s.key("review", r.Diff)
		for _, f := range s.findings {
			key += "\n" + f.Fingerprint()
		}
		keys[s.name] = key
	}
	one := r.index(opts)
	p.index.Clusters = append(p.index.Clusters, pageCluster{cluster, r.Diff.Digest.Verdict(), r.Diff.Digest.PlanLine(), one.Rehearsed, one.About, r.where().namespace})
	sources := r.pageSources(opts)
	return parallel.InOrder(r.Diff.Cores, len(sources), func(i int) pageEntry { return sources[i].entry() }, func(e pageEntry) error {
		if e.err != nil {
			return e.err
		}
		key := keys[e.object.Object]
		if i, known := p.entries[key]; known {
			p.index.Objects[i].Clusters = append(p.index.Objects[i].Clusters, cluster)
			return nil
		}
		p.entries[key] = len(p.index.Objects)
		e.object.Clusters = []string{cluster}
		p.index.add(e)
		p.parts.Add(e.part)
		return nil
	})
}

func (p *clusterPage) write(w io.Writer, c *Clusters, opts Options) error {
	result := c.result()
	i := p.index
	i.Version, i.Summary, i.Notes, i.Skipped = opts.Version, c.Summary(), result.Notes, Skipped(result, false)
	i.Overlays, i.Dangers = c.overlays > 0, c.dangers()
	i.Untold = untold(i.Dangers, c.reporting.listed(c.result()))
	i.Suppressed, i.Known = len(result.Suppressed), result.Known
	for _, problem := range result.Problems {
		i.Problems = append(i.Problems, problem.String())
	}
	for _, o := range i.Objects {
		if len(o.Clusters) == len(c.names) {
			o.Clusters = nil
			continue
		}
		o.Base, o.Object = o.Object, o.Object+c.found.On(o.Clusters)
	}
	if i.Findings == nil {
		i.Findings = []*pageFinding{}
	}
	return webpage.Write(w, webpage.Page{Title: "threeway review", Summary: i.Summary, Index: i, Parts: &p.parts})
}
