package editor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// framing reads and writes messages with the headers of the protocol. A message that
// is too large, or is no JSON-RPC, is skipped as a whole, so that the next one can be
// read.
type framing struct {
	most    int64
	skipped func(why error)
	// broken gets the error after which nothing can be read any more.
	broken func(why error)
}

// maxHeader limits the headers of a message.
const maxHeader = 4 << 10

// WriteObject writes a message.
func (framing) WriteObject(w io.Writer, message any) error {
	return jsonrpc2.VSCodeObjectCodec{}.WriteObject(w, message)
}

// ReadObject reads the next message. An error ends the connection.
func (f framing) ReadObject(r *bufio.Reader, message any) error {
	for {
		length, err := contentLength(r)
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
				f.broken(err)
			}
			return err
		}
		if length > f.most {
			if _, err := io.CopyN(io.Discard, r, length); err != nil {
				return err
			}
			f.skipped(fmt.Errorf("a message of %d bytes is skipped, the limit is %d MiB: close the document that is as large, or raise THREEWAY_MAX_INPUT", length, f.most>>20))
			continue
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		if err := json.Unmarshal(body, message); err != nil {
			f.skipped(fmt.Errorf("a message that is not JSON-RPC is skipped: %v", err))
			continue
		}
		return nil
	}
}

var errNoMessage = errors.New("stdin does not speak the Language Server Protocol: a message has no Content-Length; lsp is started by an editor, see docs/editor.md")

// contentLength reads the headers of a message.
func contentLength(r *bufio.Reader) (length int64, err error) {
	length = -1
	for read := 0; ; {
		line, err := headerLine(r)
		switch {
		case err != nil && read == 0 && line == "":
			return 0, err
		case err != nil:
			return 0, errNoMessage
		}
		if read += len(line); read > maxHeader {
			return 0, errors.New("the headers of a message are too long")
		}
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
			return 0, fmt.Errorf("invalid header %q", line)
		}
	}
	if length < 0 {
		return 0, errNoMessage
	}
	return length, nil
}

// headerLine reads a line without its line break.
func headerLine(r *bufio.Reader) (string, error) {
	var line []byte
	for len(line) <= maxHeader {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return string(line), err
		case c == '\n':
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, c)
	}
	return "", errors.New("a header of a message is too long")
}
