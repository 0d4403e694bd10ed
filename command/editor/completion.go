package editor

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/rules/reference"
)

// completions are what can be typed at a place.
type completions struct {
	IsIncomplete bool         `json:"isIncomplete"`
	Items        []completion `json:"items"`
}

type completion struct {
	Label    shown    `json:"label"`
	Kind     int      `json:"kind"`
	Detail   shown    `json:"detail,omitempty"`
	TextEdit textEdit `json:"textEdit"`
}

// The kinds of completions.
const (
	completesField = 5
	completesValue = 12
	completesName  = 18
)

// mostItems limits the names that are offered at once.
const mostItems = 500

// complete answers at once, from the text as it is now and the newest check: to wait for
// the next one takes longer than typing.
func (s *server) complete(ctx context.Context, raw json.RawMessage) (any, error) {
	var at atPosition
	if err := json.Unmarshal(raw, &at); err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	v, err := s.newest(ctx, at.TextDocument.URI)
	if v == nil || err != nil || v.Input.Plan == nil {
		return nil, err
	}
	t, ok := typedAt(relative(v.path), v.text, at.Position)
	if !ok {
		return nil, nil
	}
	answer := &completions{Items: []completion{}}
	v.namesOf(t, answer)
	if len(answer.Items) == 0 && !v.settings.BesideYAML {
		v.fieldsOf(t, answer)
	}
	return answer, nil
}

// newest is the document as it is now, with the newest check of its project.
func (s *server) newest(ctx context.Context, uri string) (*view, error) {
	s.mutex.Lock()
	d, settings := s.documents[uri], s.settings
	var a *answer
	if d != nil && s.projects[d.project] != nil {
		a = s.projects[d.project].answer
	}
	s.mutex.Unlock()
	if a == nil {
		return s.view(ctx, uri)
	}
	return &view{answer: a, openText: openText{document: d, rows: rowsOf(d.text)}, settings: settings}, nil
}

// offer adds a completion of a word.
func (a *completions) offer(t *typing, kind int, text, after, detail string) {
	if t.quoted || t.key && t.valued {
		after = ""
	}
	a.Items = append(a.Items, completion{Label: shown(text), Kind: kind, Detail: shown(detail), TextEdit: textEdit{t.at, text + after}})
}

// namesOf offers the names of objects, or of their keys and ports, where the table of
// references or the settings say that a field names one. Of a Secret it knows the keys.
func (v *view) namesOf(t *typing, answer *completions) {
	if t.key {
		return
	}
	if t.Namespace == "" {
		t.Namespace = cmp.Or(v.Input.Options.Namespace, "default")
	}
	for _, ref := range v.referencesOf(t.Object, t.Tree) {
		names := map[string]string{}
		switch {
		case ref.Path.Equal(t.path) && ref.To.Name == mark:
			v.namesIn(ref, names)
		case ref.At != nil && t.path.HasPrefix(ref.At):
			v.partsOf(ref.To, t.path[len(t.path)-1].Field == "name", names)
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if !plainName.MatchString(name) || !strings.HasPrefix(name, t.word) {
				continue
			}
			if len(answer.Items) == mostItems {
				answer.IsIncomplete = true
				return
			}
			answer.offer(t, completesName, name, "", names[name])
			if edit := &answer.Items[len(answer.Items)-1].TextEdit; notText.MatchString(name) && ref.To.Kind != "Service" && !t.quoted {
				edit.NewText = strconv.Quote(name)
			}
		}
	}
}

// plainName is what can stand in YAML as it is, and notText what would be read as a number
// or a truth.
var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9._][-A-Za-z0-9._:]*[A-Za-z0-9._]$|^[A-Za-z0-9_]$`)
	notText   = regexp.MustCompile(`(?i)^([.0-9].*|y|n|yes|no|on|off|true|false|null)$`)
)

// namesIn are the objects that a reference may name, with where they are.
func (v *view) namesIn(ref reference.Reference, names map[string]string) {
	kind := schema.Kind{Group: ref.To.Group, Kind: ref.To.Kind}.GroupKind()
	if live := v.Input.Options.Live; live != nil {
		for _, e := range live.EntriesOfKind(kind) {
			if e.Namespace == ref.To.Namespace {
				names[e.Name] = ref.To.Kind + " in the snapshot"
			}
		}
	}
	for _, out := range v.Input.Plan.Outcomes {
		if id := out.Identity(); id.Group == ref.To.Group && id.Kind == ref.To.Kind && id.Namespace == ref.To.Namespace {
			names[id.Name] = ref.To.Kind + " at " + out.Manifest.At()
		}
	}
}

// partsOf are the keys of an object, or the ports of a Service: their names, or their
// numbers. What the manifests and the snapshot have of it counts together.
func (v *view) partsOf(id manifest.Identity, named bool, names map[string]string) {
	add := func(o *manifest.Object, where string) {
		if o == nil {
			return
		}
		for part := range keysOf(id, o.Tree) {
			switch part := part.(type) {
			case int64:
				if !named {
					names[strconv.FormatInt(part, 10)] = "port of " + where
				}
			case string:
				if id.Kind == "Service" && !named {
					continue
				}
				names[part] = "in " + where
			}
		}
	}
	if live := v.Input.Options.Live; live != nil {
		add(live.Find(id), id.Kind+" "+id.Name+" in the snapshot")
	}
	if o := v.inSet(id); o != nil {
		add(o, id.Kind+" "+id.Name+" at "+o.At())
	}
}
