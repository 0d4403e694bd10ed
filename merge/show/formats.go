package show

import (
	"io"

	"threeway/merge"
	"threeway/merge/workflow"
)

// A writer has one format of what a command prints. A writer of differences reports
// whether there are any.
type (
	writer   = func(w io.Writer, plan *merge.Plan, opts Options) error
	differ   = func(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error)
	ofOwners = func(w io.Writer, objects []Ownership, opts Options) error
	ofMove   = func(w io.Writer, plan *merge.Plan, m *workflow.Move, opts Options) error
)

// The writers by format.
var (
	Differences = map[string]differ{"unified": Unified, "fields": Fields, "json": JSON, "yaml": YAML, "kyaml": KYAML, "name": Differing}
	Objects     = map[string]writer{"yaml": ObjectsYAML, "kyaml": ObjectsKYAML, "json": ObjectsJSON, "patch": Patches, "name": Names}
	Drifts      = map[string]differ{"text": Drift, "wide": Drift, "json": DriftJSON}
	Ownerships  = map[string]ofOwners{"text": Owners, "json": OwnersJSON}
	Moves       = map[string]ofMove{"text": Move, "json": MoveJSON}
)
