package merge

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/server"
)

// errBadLastApplied is what apimachinery says of an annotation that is no JSON.
var errBadLastApplied = errors.New("invalid JSON document")

// Refusal says why an object is not applied: kubectl's own refusal or the
// server's rejection.
type Refusal struct {
	// Text is what kubectl prints on stderr, without a newline at the end.
	Text string
	// Causes are the single faults, if the server found the object invalid.
	Causes []Cause
	// Conflicts are the fields that others own, of a server-side apply that is
	// refused for them.
	Conflicts []FieldConflict

	// status is how kubectl prints the API status of an invalid object, given
	// its causes; nil for other refusals.
	status func(causes string) string
}

// Listed is what kubectl apply prints of the refusal where it refuses several
// objects: the messages of the errors, without what it makes of a single one
// (kubectl pkg/cmd/util/helpers.go MultipleErrors).
func (r *Refusal) Listed() string {
	if r.status == nil {
		return strings.TrimPrefix(r.Text, "error: ")
	}
	texts := make([]string, len(r.Causes))
	for i, c := range r.Causes {
		texts[i] = c.Text
	}
	if len(texts) == 1 {
		return r.status(texts[0])
	}
	return r.status("[" + strings.Join(texts, ", ") + "]")
}

// ListsRefusals reports whether kubectl refuses several objects, and then
// lists them at the end of an apply; a diff ends at the first.
func (p *Plan) ListsRefusals() bool {
	refused := 0
	for _, o := range p.Outcomes {
		if o.Action == Rejected {
			refused++
		}
	}
	return refused > 1 && !p.Diff
}

// FieldConflict is a field of the config that somebody else owns, at another
// value.
type FieldConflict struct {
	Path    fieldpath.Path
	Manager string // as the server names it: "helm" using apps/v1
}

// Cause is one fault of an object.
type Cause struct {
	Field  string // as the server prints it: spec.ports[0].name
	Type   string // Required value, Invalid value, …
	Detail string
	Text   string // as kubectl prints it
}

// Path is the cause's field as a path into the config; nil if it is none.
func (c Cause) Path() fieldpath.Path {
	p, err := fieldpath.Parse(c.Field)
	if err != nil {
		return nil
	}
	return p
}

// rejection words what the server refused as kubectl prints it
// (kubectl pkg/cmd/util/helpers.go checkErr). verb is "creating" or
// "patching"; around wraps a message that is not about an invalid object.
func rejection(r *server.Rejection, around func(message string) string) *Refusal {
	if r.Reason != "Invalid" {
		prefix := "Error from server: "
		if r.Reason != "" {
			prefix = "Error from server (" + r.Reason + "): "
		}
		return &Refusal{Text: prefix + around(r.Message)}
	}
	out := &Refusal{}
	seen := map[string]bool{}
	for _, e := range r.Causes {
		text := e.Field + ": " + e.ErrorBody()
		if seen[text] {
			continue
		}
		seen[text] = true
		out.Causes = append(out.Causes, Cause{Field: e.Field, Type: e.Type.String(), Detail: e.Detail, Text: text})
	}
	head := "The request is invalid"
	if r.Kind.Kind != "" || r.Name != "" {
		head = fmt.Sprintf("The %s %q is invalid", r.Kind.Kind, r.Name)
	}
	out.status = func(causes string) string {
		return "Error from server (Invalid): " + around(fmt.Sprintf("%s %q is invalid: %s", r.Kind.GroupKind(), r.Name, causes))
	}
	if len(out.Causes) == 1 {
		out.Text = head + ": " + out.Causes[0].Text
		return out
	}
	lines := []string{head + ": "}
	for _, c := range out.Causes {
		lines = append(lines, "* "+c.Text)
	}
	out.Text = strings.Join(lines, "\n")
	return out
}

// noMatch is kubectl's refusal of a kind that the server does not serve
// (cli-runtime pkg/resource/mapper.go).
func (r *run) noMatch(o *Outcome) *Refusal {
	if o.Config.InList() {
		return &Refusal{Text: fmt.Sprintf("unable to recognize no matches for kind %q in version %q", o.Kind.Kind, o.Kind.APIVersion())}
	}
	namespace := o.Config.Namespace
	if o.Config.Placed {
		namespace = "" // kubectl looks the kind up before it fills in a default
	}
	return &Refusal{Text: fmt.Sprintf("error: resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first",
		o.Config.Name, namespace, o.Config.Origin.File, o.Kind.Kind, o.Kind.APIVersion())}
}

// info is how kubectl describes an object in errors (resource.Info.String).
func (o *Outcome) info() string {
	gv := o.Kind.Group + "/" + o.Kind.Version
	return fmt.Sprintf("Resource: \"%s, Resource=%s\", GroupVersionKind: \"%s, Kind=%s\"\nName: %q, Namespace: %q",
		gv, o.Resource, gv, o.Kind.Kind, o.Config.Name, o.Config.Namespace)
}

var foundValue = regexp.MustCompile(`: expected [a-z ()]+, got `)

// withoutQuotes is the refusal without the objects and patches that its text
// repeats.
func (r *Refusal) withoutQuotes() *Refusal {
	if r == nil {
		return nil
	}
	out := &Refusal{Text: r.Text, Conflicts: r.Conflicts}
	if r.status != nil {
		out.status = func(causes string) string { return withoutPatch(r.status(causes)) }
	}
	for _, c := range r.Causes {
		// What a Pod may not change is shown as a diff, on lines of its own.
		c.Detail, _, _ = strings.Cut(c.Detail, "\n")
		c.Text = c.Field + ": " + c.Type
		if c.Detail != "" {
			c.Text += ": " + c.Detail
		}
		out.Causes = append(out.Causes, c)
	}
	if len(r.Causes) > 0 {
		head, _, _ := strings.Cut(r.Text, "is invalid")
		var texts []string
		for _, c := range out.Causes {
			texts = append(texts, c.Text)
		}
		out.Text = head + "is invalid: " + strings.Join(texts, "\n* ")
		return out
	}
	// structured-merge-diff prints the values that it found, lines and all.
	if at := foundValue.FindStringIndex(out.Text); at != nil {
		out.Text = strings.TrimSuffix(out.Text[:at[1]], ", got ")
	}
	out.Text = withoutPatch(out.Text)
	return out
}

// withoutPatch leaves out a quoted patch or object, which stands on lines of
// its own: what follows the last "for: " is the message.
func withoutPatch(text string) string {
	i := strings.LastIndex(text, "\nfor: ")
	if i < 0 {
		return text
	}
	first, _, _ := strings.Cut(text, "\n")
	return first + text[i:]
}
