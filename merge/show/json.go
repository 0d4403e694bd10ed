package show

import (
	"encoding/json"
	"io"
	"slices"

	sigsjson "sigs.k8s.io/json"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/rehearsal"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// SchemaVersion is that of the JSON reports, and DiffSchemaVersion that of diff; see
// docs/diff.schema.json.
const SchemaVersion, DiffSchemaVersion = 1, 2

// jsonReport is the JSON form of a diff.
type jsonReport struct {
	SchemaVersion int          `json:"schemaVersion"`
	Kubernetes    string       `json:"kubernetes"`
	Mode          string       `json:"mode"`
	Base          *jsonBase    `json:"base,omitempty"`
	Left          []string     `json:"left,omitempty"`
	Plan          any          `json:"plan,omitempty"`
	Counts        Counts       `json:"counts"`
	Objects       []jsonObject `json:"objects"`
	Prune         []jsonPruned `json:"prune,omitempty"`
	Notes         []string     `json:"notes,omitempty"`
}

// jsonBase is what live was assumed from, and what the apply leaves of it.
type jsonBase struct {
	Name string   `json:"name"`
	Left []string `json:"left"`
}

type jsonObject struct {
	Object     string           `json:"object"`
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Namespace  string           `json:"namespace,omitempty"`
	Name       string           `json:"name"`
	Action     rehearsal.Action `json:"action"`
	Differs    bool             `json:"differs"`
	Stopped    bool             `json:"stopped,omitempty"`
	By         string           `json:"by,omitempty"`
	Source     jsonSource       `json:"source"`
	Changes    []jsonChange     `json:"changes,omitempty"`
	Patch      any              `json:"patch,omitempty"`
	PatchType  string           `json:"patchType,omitempty"`
	Rejection  string           `json:"rejection,omitempty"`
	Causes     []jsonCause      `json:"causes,omitempty"`
	Warnings   []string         `json:"warnings,omitempty"`
}

type jsonSource struct {
	File     string `json:"file"`
	Document int    `json:"document"`
	Line     int    `json:"line"`
	Template string `json:"template,omitempty"`
}

// jsonChange has no old value where live has no such field, and no new one
// where the result has none.
type jsonChange struct {
	Path        string         `json:"path"`
	Old         *any           `json:"old,omitempty"`
	New         *any           `json:"new,omitempty"`
	Reason      explain.Reason `json:"reason"`
	Explanation string         `json:"explanation,omitempty"`
	Owners      []string       `json:"owners,omitempty"`
	Line        int            `json:"line,omitempty"`
	Column      int            `json:"column,omitempty"`
}

// jsonCause is one fault of a rejected object. The place is that of the field,
// or of the nearest one around it that the config has.
type jsonCause struct {
	Field  string `json:"field"`
	Type   string `json:"type"`
	Detail string `json:"detail,omitempty"`
	Text   string `json:"text"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// other is a file where it is not that of the object.
func other(file, object string) string {
	if file == object {
		return ""
	}
	return file
}

// JSON writes the whole plan with its changes and reports whether anything
// would change.
func JSON(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	r, differ := reportOf(plan, opts)
	return differ, writeJSON(w, r)
}

// YAML writes what JSON does as YAML.
func YAML(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	r, differ := reportOf(plan, opts)
	return differ, WriteYAML(w, r)
}

// WriteYAML writes a report that is made for JSON as YAML.
func WriteYAML(w io.Writer, report any) error {
	data, err := json.Marshal(report)
	if err != nil {
		return err
	}
	var v tree.Object
	if err := sigsjson.UnmarshalCaseSensitivePreserveInts(data, &v); err != nil {
		return err
	}
	_, err = io.WriteString(w, yamltext.YAML(v))
	return err
}

// ToJSON is what JSON writes, to be a part of another report.
func ToJSON(plan *merge.Plan, opts Options) any {
	r, _ := reportOf(plan, opts)
	return r
}

func reportOf(plan *merge.Plan, opts Options) (r jsonReport, differ bool) {
	r = jsonReport{
		SchemaVersion: DiffSchemaVersion,
		Kubernetes:    kubernetes(plan),
		Mode:          plan.Mode(),
		Plan:          opts.Digest.ToJSON(),
		Counts:        Count(plan, opts),
		Objects:       make([]jsonObject, len(plan.Outcomes)),
		Prune:         PruneJSON(plan.Prune),
		Notes:         plan.Notes,
	}
	for _, o := range plan.Left {
		r.Left = append(r.Left, o.ID().String())
	}
	if plan.Base != nil {
		r.Base = &jsonBase{plan.Base.Name, append([]string{}, r.Left...)}
	}
	opts.Cores.Do(len(plan.Outcomes), func(i int) { r.Objects[i] = object(plan.Outcomes[i], opts) })
	differ = slices.ContainsFunc(r.Objects, func(o jsonObject) bool { return o.Differs })
	return r, differ || r.Counts.Pruned > 0
}

func object(o *rehearsal.Outcome, opts Options) jsonObject {
	v := opts.view(o)
	stands := o.Manifest.Place(nil)
	j := jsonObject{
		Object: o.Identity().String(), APIVersion: o.Kind.APIVersion(), Kind: o.Kind.Kind,
		Namespace: o.Manifest.Namespace, Name: o.Manifest.Name,
		Action: o.Action, Differs: opts.Differs(o), Stopped: o.Stopped, PatchType: string(o.PatchType),
		Source:    jsonSource{stands.File, o.Manifest.Origin.Document, stands.Line, o.Manifest.Origin.Template},
		Rejection: v.Rejected, Warnings: v.Warnings,
	}
	j.By = o.By.Claim().By()
	if len(v.Patch) > 0 {
		j.Patch = v.Patch
	}
	for _, c := range v.Causes {
		at := o.Place(c.Path)
		j.Causes = append(j.Causes, jsonCause{c.Field, c.Type, c.Detail, c.Text, other(at.File, stands.File), at.Line, at.Column})
	}
	for _, c := range v.Changes() {
		change := jsonChange{Path: c.Path.String(), Reason: c.Reason, Explanation: c.Explanation, Owners: c.Owners}
		if c.InOld {
			change.Old = &c.Old
		}
		if c.InNew {
			change.New = &c.New
		}
		if _, _, exact := o.Manifest.Position(c.At); exact && c.At != nil {
			if at := o.Manifest.Place(c.At); at.File == stands.File {
				change.Line, change.Column = at.Line, at.Column
			}
		}
		j.Changes = append(j.Changes, change)
	}
	return j
}
