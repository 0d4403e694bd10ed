package show

import (
	"io"

	"threeway/merge"
	"threeway/merge/workflow"
)

// jsonMove is the JSON form of a move; see docs/handover-to.schema.json.
type jsonMove struct {
	SchemaVersion int               `json:"schemaVersion"`
	Kubernetes    string            `json:"kubernetes"`
	From          []string          `json:"from"`
	To            string            `json:"to"`
	Steps         []jsonMoveStep    `json:"steps"`
	Objects       []jsonMovedObject `json:"objects"`
	Deletes       []jsonGone        `json:"deletes"`
	Left          []string          `json:"left"`
	Notes         []string          `json:"notes,omitempty"`
}

type jsonMoveStep struct {
	Text     string   `json:"text"`
	Commands []string `json:"commands"`
	Run      bool     `json:"run"` // the step that objects and deletes are about
}

type jsonMovedObject struct {
	Object string       `json:"object"`
	Action string       `json:"action"`
	Fields []movedField `json:"fields"`
	Takes  []managed    `json:"takes"`
	Shares []managed    `json:"shares"`
	Marks  []string     `json:"marks"` // labels and annotations of former appliers that stay
}

type jsonGone struct {
	Object string `json:"object"`
	Why    string `json:"why"`
}

// MoveJSON writes the same as JSON.
func MoveJSON(w io.Writer, plan *merge.Plan, m *workflow.Move, opts Options) error {
	j := jsonMove{SchemaVersion: SchemaVersion, Kubernetes: kubernetes(plan), From: []string{}, To: workflow.Named(m.To), Steps: []jsonMoveStep{},
		Objects: []jsonMovedObject{}, Deletes: []jsonGone{}, Left: []string{}, Notes: plan.Notes}
	for _, c := range m.From {
		j.From = append(j.From, workflow.Named(c))
	}
	for _, s := range m.Steps {
		j.Steps = append(j.Steps, jsonMoveStep{s.Text, append([]string{}, s.Commands...), s.Applies})
	}
	for _, o := range m.Objects {
		one := jsonMovedObject{Object: o.Identity().String(), Action: string(o.Action), Fields: append([]movedField{}, movedFields(o, opts)...), Marks: []string{}}
		takes, shares := transfers(o)
		one.Takes, one.Shares = append([]managed{}, takes...), append([]managed{}, shares...)
		for _, p := range o.Remaining {
			one.Marks = append(one.Marks, p.String())
		}
		j.Objects = append(j.Objects, one)
	}
	for _, gone := range plan.Prune.Pruned() {
		j.Deletes = append(j.Deletes, jsonGone{gone.Live.ID().String(), gone.Why})
	}
	for _, o := range m.Left {
		j.Left = append(j.Left, o.ID().String())
	}
	return writeJSON(w, j)
}
