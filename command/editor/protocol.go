package editor

import (
	"cmp"
	"encoding/json"

	"threeway/merge/show"
	"threeway/merge/text/visible"
)

// The parts of the Language Server Protocol, version 3.17, that the server uses:
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
// Positions count lines from 0, and UTF-16 code units in a line.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Character, q.Character))
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textDocument struct {
	URI string `json:"uri"`
}

// initializeParams is what an editor says when it begins. Options are our own.
type initializeParams struct {
	RootURI          string         `json:"rootUri"`
	WorkspaceFolders []textDocument `json:"workspaceFolders"`
	Options          settings       `json:"initializationOptions"`
	Capabilities     struct {
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

// settings are the editor's own.
type settings struct {
	// AsksReason says that the editor asks for the reason of a suppression itself, by
	// its command threeway.suppress.
	AsksReason bool `json:"asksReason"`
	// BesideYAML says that a server for YAML answers in the same documents: what it knows,
	// the fields of a kind and their values, is left to it.
	BesideYAML bool `json:"besideYamlServer"`
	// ShowsFindings says that the editor shows the diagnostics beside a hover, which then has
	// none of them.
	ShowsFindings bool `json:"showsFindings"`
	// ShowsVerdict says that the editor takes the notification threeway/verdict.
	ShowsVerdict bool `json:"showsVerdict"`
}

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []change `json:"contentChanges"`
}

// change replaces a range of a text, or all of it if there is no range.
type change struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

// atPosition are the parameters of requests about a place or a range in a document.
type atPosition struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
	Range        span         `json:"range"`
	Context      struct {
		Only        []string `json:"only"`
		Declaration bool     `json:"includeDeclaration"`
	} `json:"context"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range           span             `json:"range"`
	Severity        int              `json:"severity"`
	Code            string           `json:"code,omitempty"`
	CodeDescription *codeDescription `json:"codeDescription,omitempty"`
	Source          string           `json:"source"`
	Message         shown            `json:"message"`
	Related         []related        `json:"relatedInformation,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
}

type related struct {
	Location location `json:"location"`
	Message  shown    `json:"message"`
}

// The severities of diagnostics.
const (
	severityError = iota + 1
	severityWarning
	severityInformation
)

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       shown          `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
}

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.threeway"
)

type command struct {
	Title     shown  `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type documentLink struct {
	Range   span   `json:"range"`
	Target  string `json:"target"`
	Tooltip shown  `json:"tooltip"`
}

// shown is a text for people, in which no character of a file acts.
type shown string

// MarshalJSON escapes the characters.
func (s shown) MarshalJSON() ([]byte, error) { return json.Marshal(visible.Text(string(s))) }

// virtual is the answer to threeway/diff: a text that is in no file. Live and Result are
// the object before and after the apply, for an editor that compares texts itself; both are
// empty if it is rejected.
type virtual struct {
	URI    string `json:"uri"`
	Text   shown  `json:"text"`
	Live   shown  `json:"live"`
	Result shown  `json:"result"`
}

// verdict is what threeway/verdict tells after each check: the verdict on a project, its plan
// line, and the open documents that belong to it.
type verdict struct {
	Level show.Level     `json:"level"`
	Text  shown          `json:"text"`
	Plan  shown          `json:"plan"`
	Of    []textDocument `json:"textDocuments"`
}

// page is the answer to threeway.page: the page of review.
type page struct {
	HTML string `json:"html"`
}
