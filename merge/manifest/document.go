package manifest

import (
	"encoding/json"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
)

// document is one document of a file. The text is kept to find positions; what
// is worked out from it is worked out when first asked for, and once.
type document struct {
	file   string
	number int
	text   string
	// line and column are where the text begins in the file, from 1.
	line, column int
	isJSON       bool
	// isBlock is set of block YAML that blockParser takes and that holds no key
	// twice.
	isBlock bool

	duplicates []duplicate
	// numberErr is set if a number of a JSON document is out of range.
	numberErr error

	lineOnce sync.Once
	lines    []int        // offsets at which lines begin
	searches atomic.Int32 // for positions
	nodeOnce sync.Once
	node     *yamlv3.Node // the root of a YAML document
	breaks   []int        // offsets at which lines begin for the node parser
	itemOnce sync.Once
	items    []int // offsets of the items of a JSON List
}

// duplicate is a key that a mapping holds twice; the last one counts. The
// offsets are into the document's text.
type duplicate struct {
	key           string
	first, second int
}

// position turns an offset in the document into a line and column of the file.
func (d *document) position(offset int) (line, column int) {
	lines := d.lineStarts()
	n := sort.SearchInts(lines, offset+1)
	column = utf8.RuneCountInString(d.text[lines[n-1]:offset]) + 1
	if n == 1 {
		column += d.column - 1
	}
	return n + d.line - 1, column
}

func (d *document) lineStarts() []int {
	d.lineOnce.Do(func() {
		d.lines = make([]int, 1, strings.Count(d.text, "\n")+1)
		for i := 0; ; {
			next := strings.IndexByte(d.text[i:], '\n') + 1
			if next == 0 {
				return
			}
			i += next
			d.lines = append(d.lines, i)
		}
	})
	return d.lines
}

// firstLine is the line of the first content in the file.
func (d *document) firstLine() int { return d.line + strings.Count(d.text[:d.start()], "\n") }

// sourceLine is the text of a line of the file, if it is in the document.
func (d *document) sourceLine(line int) string {
	lines := d.lineStarts()
	if line -= d.line; line < 0 || line >= len(lines) {
		return ""
	}
	text, _, _ := strings.Cut(d.text[lines[line]:], "\n")
	return strings.TrimSuffix(text, "\r")
}

// start is the offset of the first character of content: what is not a blank
// line, a comment, a directive or a separator.
func (d *document) start() int {
	if d.isJSON {
		return 0
	}
	for offset := 0; offset < len(d.text); {
		line, _, _ := strings.Cut(d.text[offset:], "\n")
		content := strings.TrimLeft(line, " \t\r")
		switch {
		case content == "", content[0] == '#', line[0] == '%', strings.HasPrefix(line, "---"):
			offset += len(line) + 1
		default:
			return offset + len(line) - len(content)
		}
	}
	return 0
}

// json is the document as JSON, as kubectl has it once converted.
func (d *document) json(value any) string {
	if d.isJSON {
		return strings.TrimSpace(d.text)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return d.text
	}
	return string(b)
}
