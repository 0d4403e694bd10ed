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

	originOnce sync.Once
	origin     Origin
	lineOnce   sync.Once
	lines      []int // offsets at which lines begin
	markOnce   sync.Once
	marks      []mark
	searches   atomic.Int32 // for positions
	wideJSON   wides[jsonSource]
	wideYAML   wides[yamlSource]
	nodeOnce   sync.Once
	node       *yamlv3.Node // the root of a YAML document
	breaks     []int        // offsets at which lines begin for the node parser
	itemOnce   sync.Once
	items      []int // offsets of the items of a JSON List
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
	column = d.characters(lines[n-1], offset) + 1
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

// markEvery is how far apart the offsets are of which a document knows how many
// characters are before them: so a column in a line of megabytes is found as fast
// as one in a short line.
const markEvery = 4 << 10

// characters counts those between two offsets.
func (d *document) characters(from, to int) int {
	if to-from < 2*markEvery {
		return utf8.RuneCountInString(d.text[from:to])
	}
	return d.charactersBefore(to) - d.charactersBefore(from)
}

func (d *document) charactersBefore(offset int) int {
	marks := d.characterMarks()
	n := min(offset/markEvery, len(marks)-1)
	if marks[n].offset > offset {
		n--
	}
	return marks[n].characters + utf8.RuneCountInString(d.text[marks[n].offset:offset])
}

// after is the offset that so many characters after another one are at.
func (d *document) after(offset, characters int) int {
	if characters >= markEvery {
		marks := d.characterMarks()
		sum := d.charactersBefore(offset) + characters
		n := sort.Search(len(marks), func(i int) bool { return marks[i].characters > sum }) - 1
		offset, characters = marks[n].offset, sum-marks[n].characters
	}
	for ; characters > 0 && offset < len(d.text); characters-- {
		_, size := utf8.DecodeRuneInString(d.text[offset:])
		offset += size
	}
	return offset
}

type mark struct{ offset, characters int }

// characterMarks are at the first character from each multiple of markEvery on.
func (d *document) characterMarks() []mark {
	d.markOnce.Do(func() {
		d.marks = []mark{{}}
		for next := markEvery; next < len(d.text); next += markEvery {
			at := next
			for at < len(d.text) && !utf8.RuneStart(d.text[at]) {
				at++
			}
			last := d.marks[len(d.marks)-1]
			d.marks = append(d.marks, mark{at, last.characters + utf8.RuneCountInString(d.text[last.offset:at])})
		}
	})
	return d.marks
}

// comesFrom is the origin of every object in the document: the line is that of its
// first content. It is found once for all of them, since a List may be in one line.
func (d *document) comesFrom() Origin {
	d.originOnce.Do(func() {
		before := d.text[:d.start()]
		d.origin = Origin{File: d.file, Document: d.number, Line: d.line + strings.Count(before, "\n"), Template: templateIn(before)}
	})
	return d.origin
}

// sourceLine is the text of a line of the file, if it is in the document.
func (d *document) sourceLine(line int) string {
	lines := d.lineStarts()
	if line -= d.line; line < 0 || line >= len(lines) {
		return ""
	}
	end := len(d.text)
	if line+1 < len(lines) {
		end = lines[line+1] - len("\n")
	}
	return strings.TrimSuffix(d.text[lines[line]:end], "\r")
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
