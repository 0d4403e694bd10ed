// Package editor answers an editor over the Language Server Protocol: findings while
// one types, why a field is what it is, repairs. It rehearses nothing itself: what it
// knows is the answer of an Engine, which is lint's own run over the files of a project
// with the open texts in place of the saved ones.
package editor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"threeway/lint"
	"threeway/lint/fix"
	"threeway/lint/report"
	"threeway/merge/manifest"
)

// Engine rehearses the manifests of a project.
type Engine interface {
	// Project is the name of the project that a file or a directory belongs to: the
	// directory whose settings count. ok is false if the directory has no manifests to
	// check while none is open.
	Project(path string, isDirectory bool) (project string, ok bool)
	// Check is what lint finds in a project. open has the texts of the open files of the
	// project, by absolute path. before is the newest answer about the project, nil if
	// there is none.
	Check(ctx context.Context, project string, open map[string]string, before *Checked) (*Checked, error)
}

// Checked is the answer to a check.
type Checked struct {
	Input  lint.Input
	Result *lint.Result
	// Manifests are the files that were read.
	Manifests *manifest.Kept
	// Fixer makes edits in the texts that were checked; nil if there are no objects.
	Fixer func() *fix.Fixer
	// Review is what review shows of the same, and Page writes its page; both nil without objects.
	Review func() *report.Review
	Page   func(io.Writer) error
	// RulePage is the address of the page of a rule; "" if it has none.
	RulePage func(*lint.Rule) string
}

// Options say how to serve.
type Options struct {
	// Version is that of the program.
	Version string
	// MostBytes is the size of the largest message that is read.
	MostBytes int64
	// Internal is told of a panic, which costs one answer and no more.
	Internal func(problem any, stack []byte)
}

// Serve answers the messages of an editor until it says exit or goes away. orderly
// reports whether it asked to shut down before, as the protocol wants it. An error is
// about messages that are none.
func Serve(ctx context.Context, in io.Reader, out io.Writer, engine Engine, opts Options) (orderly bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{
		engine: engine, opts: opts, exit: make(chan struct{}), wake: make(chan struct{}, 1),
		documents: map[string]*document{}, projects: map[string]*project{}, pending: map[jsonrpc2.ID]context.CancelFunc{},
	}
	codec := framing{most: opts.MostBytes, skipped: func(why error) { s.show(severityWarning, why.Error()) }, broken: func(why error) { s.broken = why }}
	s.ready.Add(1)
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stdio{io.NopCloser(in), out}, codec), s, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	s.ready.Done()
	go s.work(ctx)
	select {
	case <-s.exit:
	case <-s.conn.DisconnectNotify():
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.down, s.broken
}

// stdio is the connection, which leaves the streams to the program when it is closed.
type stdio struct {
	io.ReadCloser
	io.Writer
}

// server is one conversation with an editor.
type server struct {
	engine Engine
	opts   Options
	ready  sync.WaitGroup // until conn is set
	conn   *jsonrpc2.Conn
	exit   chan struct{}
	wake   chan struct{} // there is a project to check

	broken error // that ended the connection; read when it has ended

	read map[*document]usable // of the newest check; only work looks at it

	mutex             sync.Mutex
	begun, down, over bool
	settings          settings
	watches           bool
	documents         map[string]*document // by URI
	projects          map[string]*project
	pending           map[jsonrpc2.ID]context.CancelFunc
	complained        string // the last error of a check that was shown
}

// The errors of the protocol that have no name in jsonrpc2.
const (
	notInitialized   = -32002
	requestCancelled = -32800
)

// Handle takes one message. Notifications are taken in order; a request waits for the
// check of the texts that it is about, and others go on meanwhile.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	s.ready.Wait()
	if r.Notif {
		s.guard(func() { s.notified(r) })
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mutex.Lock()
	s.pending[r.ID] = cancel
	s.mutex.Unlock()
	answer := func() {
		defer func() {
			cancel()
			s.mutex.Lock()
			delete(s.pending, r.ID)
			s.mutex.Unlock()
		}()
		var result any
		err := fmt.Errorf("internal error; 'threeway lint' shows more")
		s.guard(func() { result, err = s.asked(ctx, r) })
		if ctx.Err() != nil {
			err = &jsonrpc2.Error{Code: requestCancelled, Message: "cancelled"}
		}
		s.reply(r.ID, result, err)
	}
	if r.Method == "initialize" || r.Method == "shutdown" {
		answer()
	} else {
		go answer()
	}
}

func (s *server) reply(id jsonrpc2.ID, result any, err error) {
	ctx := context.Background()
	switch err := err.(type) {
	case nil:
		_ = s.conn.Reply(ctx, id, result) // an editor that is gone needs no answer
	case *jsonrpc2.Error:
		_ = s.conn.ReplyWithError(ctx, id, err)
	default:
		_ = s.conn.ReplyWithError(ctx, id, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()})
	}
}

// guard keeps a panic to one message.
func (s *server) guard(do func()) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Internal(p, debug.Stack())
		}
	}()
	do()
}

// asked answers a request.
func (s *server) asked(ctx context.Context, r *jsonrpc2.Request) (any, error) {
	s.mutex.Lock()
	begun, down := s.begun, s.down
	s.mutex.Unlock()
	switch {
	case r.Method == "initialize" && !begun:
		return s.initialize(r)
	case !begun:
		return nil, &jsonrpc2.Error{Code: notInitialized, Message: "the first request must be initialize"}
	case down || r.Method == "initialize":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: r.Method + " is too late"}
	case r.Method == "shutdown":
		s.mutex.Lock()
		s.down = true
		s.mutex.Unlock()
		return nil, nil
	}
	answer, known := requests[r.Method]
	if !known {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "unknown method " + r.Method}
	}
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	return answer(s, ctx, params)
}

// requests are the methods that ask about a document.
var requests = map[string]func(*server, context.Context, json.RawMessage) (any, error){
	"textDocument/hover":          told((*view).hover),
	"textDocument/codeAction":     about((*view).actions),
	"textDocument/completion":     (*server).complete,
	"textDocument/codeLens":       told((*view).lenses),
	"textDocument/definition":     about((*view).definition),
	"textDocument/documentLink":   about((*view).links),
	"textDocument/documentSymbol": told((*view).symbols),
	"textDocument/references":     about((*view).references),
	"threeway/diff":               told((*view).diff),
	"workspace/executeCommand":    (*server).execute,
}

// about makes an answer of a question about a place in a document. A document that no
// check is about has the answer null.
func about[T any](question func(*view, atPosition) (T, error)) func(*server, context.Context, json.RawMessage) (any, error) {
	return func(s *server, ctx context.Context, raw json.RawMessage) (any, error) {
		var at atPosition
		if err := json.Unmarshal(raw, &at); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		v, err := s.view(ctx, at.TextDocument.URI)
		if v == nil || err != nil {
			return nil, err
		}
		return question(v, at)
	}
}

// told is about, for answers that are read and not written into a document: they have none
// of the known secret values.
func told[T any](question func(*view, atPosition) (T, error)) func(*server, context.Context, json.RawMessage) (any, error) {
	return about(func(v *view, at atPosition) (json.RawMessage, error) {
		answer, err := question(v, at)
		if err != nil {
			return nil, err
		}
		return v.struck(answer)
	})
}

// struck is the text of a message without the known secret values.
func (c *Checked) struck(message any) (json.RawMessage, error) {
	text, err := json.Marshal(message)
	return c.Input.Secrets.Strike(text), err
}

// harmless reports whether a message has no known secret value.
func (c *Checked) harmless(message any) bool {
	text, err := json.Marshal(message)
	return err == nil && bytes.Equal(c.Input.Secrets.Strike(text), text)
}

// The commands: what editors can ask that know commands and not our request, and what
// lenses run.
const (
	diffCommand = "threeway.diff"
	pageCommand = "threeway.page"
)

var commands = map[string]func(*server, context.Context, json.RawMessage) (any, error){
	diffCommand: told((*view).diff),
	pageCommand: about((*view).page),
}

// execute runs a command.
func (s *server) execute(ctx context.Context, raw json.RawMessage) (any, error) {
	var params struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(raw, &params); err != nil || commands[params.Command] == nil || len(params.Arguments) != 1 {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the commands are threeway.diff and threeway.page, their argument {textDocument, position}"}
	}
	return commands[params.Command](s, ctx, params.Arguments[0])
}

// initialize says what the server can do.
func (s *server) initialize(r *jsonrpc2.Request) (any, error) {
	var params initializeParams
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &params); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	folders := params.WorkspaceFolders
	if folders == nil && params.RootURI != "" {
		folders = []textDocument{{params.RootURI}}
	}
	s.mutex.Lock()
	s.begun, s.settings = true, params.Options
	s.watches = params.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	for _, folder := range folders {
		s.addFolder(folder.URI)
	}
	s.mutex.Unlock()
	type object = map[string]any
	return object{
		"serverInfo": object{"name": "threeway", "version": s.opts.Version},
		"capabilities": object{
			"positionEncoding":       "utf-16",
			"textDocumentSync":       object{"openClose": true, "change": 2, "save": object{}},
			"hoverProvider":          true,
			"codeLensProvider":       object{},
			"completionProvider":     object{"triggerCharacters": []string{" "}},
			"definitionProvider":     true,
			"documentSymbolProvider": true,
			"referencesProvider":     true,
			"codeActionProvider":     object{"codeActionKinds": []string{quickFix, fixAll}},
			"documentLinkProvider":   object{},
			"executeCommandProvider": object{"commands": slices.Sorted(maps.Keys(commands))},
			"workspace":              object{"workspaceFolders": object{"supported": true, "changeNotifications": true}},
		},
	}, nil
}

// show tells the user something.
func (s *server) show(severity int, text string) {
	s.notify("window/showMessage", map[string]any{"type": severity, "message": shown("threeway: " + text)})
}

func (s *server) notify(method string, params any) {
	_ = s.conn.Notify(context.Background(), method, params) // an editor that is gone need not know
}
