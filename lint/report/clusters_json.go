package report

import (
	"encoding/json"
	"slices"

	"threeway/lint"
	"threeway/merge/show"
)

// alone is the report of a command about one cluster.
func (c *Clusters) alone(r *Review) any {
	switch c.command {
	case "diff":
		return show.ToJSON(r.Plan, r.Diff)
	case "review":
		return r.toJSON()
	}
	return ToJSON(r.Lint)
}

// jsonClusters is the report about several clusters; see docs/clusters.schema.json.
type jsonClusters struct {
	SchemaVersion int             `json:"schemaVersion"`
	Clusters      []jsonCluster   `json:"clusters"`
	Objects       []jsonClustered `json:"objects"`
}

type jsonCluster struct {
	Name   string          `json:"name"`
	Report json.RawMessage `json:"report"`
}

// jsonClustered is an object. Differs tells that not the same is said about it on
// all clusters.
type jsonClustered struct {
	Object  string     `json:"object"`
	Differs bool       `json:"differs"`
	On      []jsonCell `json:"on"`
}

// jsonCell is an object on one cluster. Effect is the same number where the same
// happens to the object.
type jsonCell struct {
	Cluster  string `json:"cluster"`
	Action   string `json:"action,omitempty"`
	Effect   int    `json:"effect"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Info     int    `json:"info"`
}

func (c *Clusters) toJSON() any {
	if c.overlays > 0 {
		return c.overlaysJSON()
	}
	out := jsonClusters{SchemaVersion: SchemaVersion, Objects: []jsonClustered{}}
	for i, name := range c.names {
		out.Clusters = append(out.Clusters, jsonCluster{name, c.reports[i]})
	}
	for _, o := range c.rows() {
		j := jsonClustered{Object: o.name, Differs: c.differs(o)}
		for _, name := range c.names {
			if on, known := o.on[name]; known {
				j.On = append(j.On, jsonCell{name, on.action, slices.Index(o.effects, on.effect), on.findings[lint.Error], on.findings[lint.Warning], on.findings[lint.Info]})
			}
		}
		out.Objects = append(out.Objects, j)
	}
	return out
}
