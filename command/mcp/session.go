//go:build !js

package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// versions are the revisions of the protocol that are spoken, the newest first. A client
// of a newer one falls back to the handshake of these.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

const instructions = "Ask guard before you apply a change of Kubernetes manifests, or propose one. allow: everything was looked at and nothing dangerous was found. ask: show the reasons to a person and wait. deny: the API server would reject it, or the policy forbids it; the edits may mend it. unknown: a fact is missing; get what missing names, and do not go on without it."

// mostMessage is the size of the largest message that is read, in bytes.
const mostMessage = 1 << 20

// lines reads and writes messages, each on a line of its own. A line that is too long or
// no JSON-RPC is answered with an error, and the next one is read.
type lines struct {
	out   io.Writer
	mutex *sync.Mutex
	// ends is called before the connection does.
	ends func()
}

// WriteObject writes a message.
func (l lines) WriteObject(_ io.Writer, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_, err = l.out.Write(append(data, '\n'))
	return err
}

// ReadObject reads the next message. An error ends the connection.
func (l lines) ReadObject(r *bufio.Reader, message any) error {
	for {
		line, tooLong, err := readLine(r)
		line = bytes.TrimSpace(line)
		why := jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: "the message is not JSON-RPC"}
		switch {
		case err != nil && len(line) == 0:
			l.ends()
			return err
		case tooLong:
			why.Message = fmt.Sprintf("the message is longer than %d bytes", mostMessage)
		case len(line) == 0:
			continue
		case json.Unmarshal(line, message) == nil:
			return nil
		}
		if err := l.WriteObject(nil, map[string]any{"jsonrpc": "2.0", "id": nil, "error": &why}); err != nil {
			return err
		}
	}
}

// readLine reads a line; of one that is too long, nothing is kept.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > mostMessage {
			line, tooLong = line[:1], true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// session is one conversation.
type session struct {
	tools   *toolbox
	ready   sync.WaitGroup // until conn is set
	conn    *jsonrpc2.Conn
	mutex   sync.Mutex
	pending map[string]context.CancelFunc // by the ID of the request
	running sync.WaitGroup
}

// stdio is the connection, which leaves the streams to the program when it is closed.
type stdio struct {
	io.ReadCloser
	io.Writer
}

// serve answers until the client goes away; what it has asked before is answered.
func serve(ctx context.Context, in io.Reader, out io.Writer, tools *toolbox) {
	s := &session{tools: tools, pending: map[string]context.CancelFunc{}}
	s.ready.Add(1)
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stdio{io.NopCloser(in), out}, lines{out, &sync.Mutex{}, s.running.Wait}), s, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	s.ready.Done()
	<-s.conn.DisconnectNotify()
}

// Handle takes one message.
func (s *session) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	s.ready.Wait()
	if r.Notif {
		s.notified(r)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	id := r.ID.String()
	s.mutex.Lock()
	s.pending[id] = cancel
	s.mutex.Unlock()
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		defer func() {
			cancel()
			s.mutex.Lock()
			delete(s.pending, id)
			s.mutex.Unlock()
		}()
		result, err := s.answer(ctx, r)
		if ctx.Err() != nil {
			return // a cancelled request has no answer
		}
		if err != nil {
			_ = s.conn.ReplyWithError(context.Background(), r.ID, err) // a client that is gone needs none
			return
		}
		_ = s.conn.Reply(context.Background(), r.ID, result)
	}()
}

// notified takes a notification.
func (s *session) notified(r *jsonrpc2.Request) {
	if r.Method != "notifications/cancelled" {
		return
	}
	var params struct {
		RequestID jsonrpc2.ID `json:"requestId"`
	}
	if r.Params != nil && json.Unmarshal(*r.Params, &params) == nil {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if cancel := s.pending[params.RequestID.String()]; cancel != nil {
			cancel()
		}
	}
}

// answer answers a request.
func (s *session) answer(ctx context.Context, r *jsonrpc2.Request) (result any, failure *jsonrpc2.Error) {
	defer func() {
		if p := recover(); p != nil {
			failure = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("internal error: %v; please report it", p)}
		}
	}()
	var params struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Name            string          `json:"name"`
		Arguments       json.RawMessage `json:"arguments"`
		URI             string          `json:"uri"`
	}
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &params); err != nil {
			return nil, invalid(err.Error())
		}
	}
	switch r.Method {
	case "initialize":
		version := versions[0]
		if slices.Contains(versions, params.ProtocolVersion) {
			version = params.ProtocolVersion
		}
		return map[string]any{
			"protocolVersion": version, "instructions": instructions,
			"capabilities": map[string]any{"tools": map[string]any{}, "resources": map[string]any{}},
			"serverInfo":   map[string]any{"name": "threeway", "version": cmp.Or(s.tools.version, "devel")},
		}, nil
	case "ping":
		return map[string]any{}, nil
	case "tools/list":
		return map[string]any{"tools": listed()}, nil
	case "tools/call":
		return s.tools.call(ctx, params.Name, params.Arguments)
	case "resources/list":
		return map[string]any{"resources": s.tools.pages(ctx)}, nil
	case "resources/templates/list":
		return map[string]any{"resourceTemplates": []any{}}, nil
	case "resources/read":
		return s.tools.page(ctx, params.URI)
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "unknown method " + r.Method}
}

func invalid(text string) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: text}
}
