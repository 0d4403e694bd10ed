package show

import (
	"io"

	"threeway/merge"
	"threeway/merge/workflow"
)

// jsonHandover is the JSON form of a handover; see docs/handover.schema.json.
type jsonHandover struct {
	SchemaVersion int        `json:"schemaVersion"`
	Kubernetes    string     `json:"kubernetes"`
	Mode          string     `json:"mode"`
	Object        string     `json:"object"`
	Field         string     `json:"field"`
	To            string     `json:"to"` // writer or config
	Value         any        `json:"value"`
	Holds         bool       `json:"holds"`
	Steps         []jsonStep `json:"steps"`
	TooEarly      *jsonEarly `json:"tooEarly,omitempty"`
	Notes         []string   `json:"notes,omitempty"`
}

type jsonStep struct {
	Do      workflow.HandoverAction `json:"do"`
	Text    string                  `json:"text"`
	Command string                  `json:"command,omitempty"`
	Input   string                  `json:"input,omitempty"` // of the command, as YAML
	File    string                  `json:"file,omitempty"`
	Line    int                     `json:"line,omitempty"`
	Diff    string                  `json:"diff,omitempty"`   // of the file, or of last-applied as YAML
	ByHand  string                  `json:"byHand,omitempty"` // why there is no diff of the file
	Write   string                  `json:"write,omitempty"`  // then, as YAML, what to write
	Into    string                  `json:"into,omitempty"`   // and into which field
	Changes []string                `json:"changes"`          // other fields that the command changes
	Stays   bool                    `json:"stays"`
}

// jsonEarly is what an apply before a step would do to the field.
type jsonEarly struct {
	Step   int    `json:"step"`
	Effect string `json:"effect"`
}

// HandoverJSON writes the same as JSON.
func HandoverJSON(w io.Writer, plan *merge.Plan, h *workflow.Handover, file FileEdit, opts Options) error {
	opts.Paint = nil
	j := jsonHandover{SchemaVersion: SchemaVersion, Kubernetes: kubernetes(plan), Mode: plan.Mode(), Object: h.Outcome.Identity().String(),
		Field: h.Path.String(), To: "writer", Holds: h.Holds(), Notes: h.Notes}
	if h.ToConfig {
		j.To = "config"
	}
	j.Value, _ = h.Path.Find(maskedUnless(opts, h.Outcome.Before))
	for _, s := range h.Steps {
		step := jsonStep{Do: s.Do, Text: s.Text, Command: s.Command, Stays: s.Stays, Changes: []string{}}
		if s.Do == workflow.EditConfig {
			step.File, step.Line, step.ByHand = file.File, file.Line, file.Why
			step.Diff = fileDiff(file, opts)
			if step.Write = fragment(s, h, file, opts); step.Write != "" {
				step.Into = s.Into.String()
			}
		} else {
			step.Diff = annotationDiff(s, h, opts)
		}
		if s.Input != nil {
			step.Input = inputText(s, opts)
		}
		if s.Outcome != nil {
			step.Changes = append(step.Changes, besides(h, s, opts)...)
		}
		j.Steps = append(j.Steps, step)
	}
	if text := hasty(h, opts); text != "" {
		j.TooEarly = &jsonEarly{h.From, text}
	}
	return writeJSON(w, j)
}
