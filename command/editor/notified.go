package editor

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
)

// notified takes a notification. One that is unknown, or makes no sense, is ignored, as
// the protocol wants it.
func (s *server) notified(r *jsonrpc2.Request) {
	var raw json.RawMessage
	if r.Params != nil {
		raw = *r.Params
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch r.Method {
	case "exit":
		if !s.over {
			s.over = true
			close(s.exit)
		}
		return
	case "$/cancelRequest":
		var params struct {
			ID jsonrpc2.ID `json:"id"`
		}
		if json.Unmarshal(raw, &params) == nil && s.pending[params.ID] != nil {
			s.pending[params.ID]()
		}
		return
	}
	if !s.begun || s.down {
		return
	}
	if take := notifications[r.Method]; take != nil {
		take(s, raw)
	}
}

// notifications are what an editor tells. They are taken with the mutex held.
var notifications = map[string]func(*server, json.RawMessage){
	"initialized":                         (*server).initialized,
	"textDocument/didOpen":                (*server).didOpen,
	"textDocument/didChange":              (*server).didChange,
	"textDocument/didClose":               (*server).didClose,
	"textDocument/didSave":                (*server).filesChanged,
	"workspace/didChangeWatchedFiles":     (*server).filesChanged,
	"workspace/didChangeWorkspaceFolders": (*server).foldersChanged,
}

// initialized asks to be told when files change: manifests, settings, snapshots.
func (s *server) initialized(json.RawMessage) {
	if !s.watches {
		return
	}
	type object = map[string]any
	watch := object{"registrations": []object{{"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": object{
		"watchers": []object{{"globPattern": "**/*.{yaml,yml,json}"}},
	}}}}
	go func() { _ = s.conn.Call(context.Background(), "client/registerCapability", watch, nil) }() // without it, checks follow edits
}

func (s *server) didOpen(raw json.RawMessage) {
	var params didOpenParams
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	d := params.TextDocument
	path := pathOf(d.URI)
	if path == "" {
		return
	}
	s.documents[d.URI] = &document{uri: d.URI, path: path, project: s.projectOf(path), version: d.Version, text: d.Text}
	s.check(s.documents[d.URI])
}

func (s *server) didChange(raw json.RawMessage) {
	var params didChangeParams
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	d := s.documents[params.TextDocument.URI]
	if d == nil {
		return
	}
	next := *d // a check may be reading the other
	for _, c := range params.ContentChanges {
		next.apply(c)
	}
	next.version = params.TextDocument.Version
	s.documents[d.uri] = &next
	s.check(d)
}

func (s *server) didClose(raw json.RawMessage) {
	var params atPosition
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	if d := s.documents[params.TextDocument.URI]; d != nil {
		delete(s.documents, d.uri)
		s.check(d)
	}
}

// filesChanged checks everything again. A document may have got settings of its own.
func (s *server) filesChanged(json.RawMessage) {
	for uri, d := range s.documents {
		if name := s.projectOf(d.path); name != d.project {
			s.check(d)
			next := *d
			next.project = name
			s.documents[uri] = &next
			s.check(&next)
		}
	}
	for _, p := range s.projects {
		s.due(p)
	}
}

func (s *server) foldersChanged(raw json.RawMessage) {
	var params struct {
		Event struct {
			Added   []textDocument `json:"added"`
			Removed []textDocument `json:"removed"`
		} `json:"event"`
	}
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	for _, folder := range params.Event.Added {
		s.addFolder(folder.URI)
	}
	for _, folder := range params.Event.Removed {
		if name, ok := s.engine.Project(pathOf(folder.URI), true); ok && s.projects[name] != nil {
			s.projects[name].kept = false
			s.due(s.projects[name])
		}
	}
}
