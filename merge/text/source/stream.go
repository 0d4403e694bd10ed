package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"threeway/merge/mask"
)

// guessSize is how far kubectl looks for the "{" that means JSON.
const guessSize = 4096

// Stream yields the documents of one file, split and decoded as apimachinery's
// YAMLOrJSONDecoder does: concatenated JSON if the text begins with "{", and if
// the JSON fails at the first or second document, YAML from there; otherwise
// YAML documents between lines that begin with "---".
type Stream struct {
	file   string
	whole  string
	text   string
	pos    int // where the next document begins in text
	line   int // the line of pos in the file
	before int // columns before text in its first line
	IsJSON bool
	// Limit is the maximum size of a document that only a general parser can
	// read.
	Limit  Limit
	seen   int // documents decoded
	filled int // non-empty documents

	// Doc and Value are the current document, Text[Begin:End]; the value of an
	// empty document is nil.
	Doc        *Document
	Value      any
	Begin, End int
	// Failure says why the stream ended, or is nil at the end of the text.
	Failure *Failure
	// jsonFailure is the JSON error after which YAML took over, until YAML
	// decodes a document.
	jsonFailure *Failure
}

// NewStream returns a Stream at the beginning of a text; file is the name in
// Origins and Failures.
func NewStream(file, text string) *Stream {
	s := &Stream{file: file, whole: text, text: text, line: 1}
	start := strings.TrimLeftFunc(text[:min(len(text), guessSize)], unicode.IsSpace)
	if s.IsJSON = strings.HasPrefix(start, "{"); !s.IsJSON {
		s.text = yamlLines(text)
	}
	return s
}

// Next decodes the next document. It returns false at the end or after a
// failure.
func (s *Stream) Next() bool {
	if s.IsJSON {
		if ok, done := s.nextJSON(); done {
			return ok
		}
	}
	return s.nextYAML()
}

// nextJSON decodes one value. done is false if YAML must take over.
func (s *Stream) nextJSON() (ok, done bool) {
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	if rest == "" {
		return false, true
	}
	start := len(s.text) - len(rest)
	p := jsonParser{text: s.text, pos: start}
	if value, ok := p.document(); ok {
		s.found(start, p.pos, value)
		s.Doc.Duplicates, s.Doc.NumberErr = p.duplicates, p.numberErr
		return true, true
	}
	offset, err := jsonError(s.text, s.pos)
	if ambiguous := s.seen <= 1; !ambiguous {
		s.Failure = s.failure(err, max(offset-1, start))
		return false, true
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		err = fmt.Errorf("json: offset %d: %w", offset, err)
	}
	s.Failure = s.failure(err, max(offset-1, start))
	if s.skipToYAML() {
		s.jsonFailure, s.Failure = s.Failure, nil
		return false, false
	}
	return false, true
}

// jsonError returns encoding/json's error for the value at pos, and its offset.
func jsonError(text string, pos int) (offset int, err error) {
	var raw json.RawMessage
	if err = json.NewDecoder(strings.NewReader(text[pos:])).Decode(&raw); err == nil {
		err = io.ErrUnexpectedEOF
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return pos + int(syntax.Offset), err
	}
	return len(text), err
}

// skipToYAML drops the white space before a YAML document, up to the end of the
// line (YAMLOrJSONDecoder.consumeWhitespace). Like kubectl it gives up if fewer
// than four bytes are left.
func (s *Stream) skipToYAML() bool {
	for pos := s.pos; len(s.text)-pos >= 4; {
		r, size := utf8.DecodeRuneInString(s.text[pos:])
		if r == utf8.RuneError {
			return false
		}
		if unicode.IsSpace(r) {
			pos += size
		}
		if r == '\n' || !unicode.IsSpace(r) {
			s.advance(pos)
			s.before = s.column(pos) - 1
			s.IsJSON, s.text, s.pos = false, yamlLines(s.text[pos:]), 0
			return true
		}
	}
	return false
}

// nextYAML decodes the lines up to the next separator. A separator belongs to
// the document only if there is nothing before it.
func (s *Stream) nextYAML() bool {
	end, separator := s.pos, 0
	for end < len(s.text) {
		size := strings.IndexByte(s.text[end:], '\n') + 1
		if after, ok := strings.CutPrefix(s.text[end:end+size], "---"); ok {
			if junk := strings.TrimSpace(after); junk != "" && junk[0] != '#' {
				s.failYAML(fmt.Errorf("invalid Yaml document separator: %s", junk), end)
				return false
			}
			if end > s.pos {
				separator = size
				break
			}
		}
		end += size
	}
	if end == s.pos {
		return false
	}
	if blank(s.text[s.pos:end]) { // a million of them take no time
		s.jsonFailure = nil
		s.found(s.pos, end, nil)
		s.advance(end + separator)
		return true
	}
	var value any
	var err error
	object, twice, isBlock := decodeBlock(s.text[s.pos:end], Everything, s.Limit, nil)
	isFlow := false
	if !isBlock {
		object, twice, isFlow = decodeFlow(s.text[s.pos:end], Everything, nil)
	}
	if value = object; !isBlock && !isFlow || twice {
		err = s.Limit.tooGeneral(end - s.pos)
	}
	if err != nil {
		s.jsonFailure = nil
		s.failYAML(err, s.pos)
		return false
	}
	if !isBlock && !isFlow {
		value, twice, err = decodeGeneral(s.text[s.pos:end])
	}
	if err != nil {
		s.failYAML(err, s.pos+yamlErrorOffset(s.text[s.pos:end], err))
		return false
	}
	s.jsonFailure = nil
	s.found(s.pos, end, value)
	s.Doc.isBlock = isBlock && !twice
	if twice {
		s.Doc.Duplicates = s.Doc.yamlDuplicates()
	}
	s.advance(end + separator)
	return true
}

// yamlLines ends each line, the last one too, with a single \n, as
// apimachinery's LineReader does.
func yamlLines(text string) string {
	text = text[:len(text)-len(LostLine(text))]
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// LostLine returns the last line of a text if apimachinery's LineReader loses
// it: the line has no \n at its end, and its length is a multiple of the
// reader's buffer.
func LostLine(text string) string {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	for rest := last; rest != ""; {
		if len(rest) < guessSize {
			return ""
		}
		n := guessSize
		if rest[n-1] == '\r' { // which may belong to a \n
			n--
		}
		rest = rest[n:]
	}
	return last
}

// Whole returns a text whose last line is not lost.
func Whole(text string) string {
	if LostLine(text) != "" {
		text += "\n"
	}
	return text
}

// found makes the document text[start:end] the current one and moves past it.
func (s *Stream) found(start, end int, value any) {
	s.seen++
	if value != nil {
		s.filled++
	}
	s.advance(start)
	s.Doc = &Document{
		File: s.file, Number: s.filled, Text: s.text[start:end], Whole: s.whole,
		Line: s.line, Column: s.column(start), IsJSON: s.IsJSON, Limit: s.Limit,
	}
	s.Value, s.Begin, s.End = value, start, end
	s.advance(end)
}

// advance moves pos forward, counting lines.
func (s *Stream) advance(pos int) {
	s.line += strings.Count(s.text[s.pos:pos], "\n")
	s.pos = pos
}

// failYAML ends the stream. If the text was first read as JSON, kubectl reports
// the JSON error, which is misleading after a first JSON document.
func (s *Stream) failYAML(err error, at int) {
	s.Failure = s.failure(err, at)
	if s.jsonFailure == nil {
		return
	}
	if s.seen > 0 {
		s.jsonFailure.Line, s.jsonFailure.Column = s.Failure.Line, s.Failure.Column
		s.jsonFailure.Text += "; read as YAML: " + s.words(err)
	}
	s.Failure = s.jsonFailure
}

// failure returns the failure that ends a stream at an offset after pos.
func (s *Stream) failure(err error, at int) *Failure {
	at = min(at, len(s.text))
	// With a byte order mark, invalid UTF-8 is accepted.
	for at > s.pos && at < len(s.text) && !utf8.RuneStart(s.text[at]) {
		at--
	}
	return &Failure{
		Line: s.line + strings.Count(s.text[s.pos:at], "\n"), Column: s.column(at),
		Text: fmt.Sprintf("error parsing %s: %s%s", oneLine.Replace(s.file), s.words(err), parseAdvice(s.text[s.pos:], at-s.pos, err.Error())), Template: templateIn(s.text[s.pos:at]),
	}
}

// oneLine keeps the name of a file from beginning a line of its own.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// words returns a parser's error, without a quoted value if the file has a
// Secret.
func (s *Stream) words(err error) string {
	if strings.Contains(s.text, "Secret") || mask.MentionsSecret(s.text) {
		return withoutQuotes(err.Error())
	}
	return err.Error()
}

// column returns the column of an offset in the text, from 1, in characters.
func (s *Stream) column(offset int) int {
	start := strings.LastIndexByte(s.text[:offset], '\n') + 1
	column := utf8.RuneCountInString(s.text[start:offset]) + 1
	if start == 0 {
		column += s.before
	}
	return column
}
