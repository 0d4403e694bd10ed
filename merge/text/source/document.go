package source

import (
	"encoding/json"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/memo"
)

// Document is one document of a file. It keeps the text to find positions.
// Everything derived from the text is computed once, when it is first needed.
type Document struct {
	File   string
	Number int // among the non-empty documents of the file, from 1
	Text   string
	Whole  string // of the file; "" if it is not in memory
	// Line and Column are where the text begins in the file, from 1.
	Line, Column int
	IsJSON       bool
	// Limit is the maximum size for parsing with positions.
	Limit Limit
	// isBlock is set for block YAML that blockParser accepts and that has no
	// duplicate keys.
	isBlock bool

	// Duplicates are the duplicate keys in its mappings.
	Duplicates []Duplicate
	// NumberErr is set if a number of a JSON document is out of range.
	NumberErr error

	found
}

// found is what is derived from the text of a document, each when it is first needed.
type found struct {
	originOnce sync.Once
	origin     Origin
	lineOnce   sync.Once
	lines      []int // offsets at which lines begin
	markOnce   sync.Once
	marks      []mark
	searches   atomic.Int32 // for positions
	lookups    memo.Types   // of the kind of source that the document is
	nodeOnce   sync.Once
	node       *yamlv3.Node // the root of a YAML document
	breaks     []int        // offsets of lines as the node parser counts them
	itemOnce   sync.Once
	items      []int // offsets of the items of a JSON List
}

// Duplicate is a key that occurs twice in a mapping; the last one counts. The
// offsets are into the document's text.
type Duplicate struct {
	Key           string
	First, Second int
}

// Position converts an offset in the document to a line and column of the file.
func (d *Document) Position(offset int) (line, column int) {
	lines := d.lineStarts()
	n := sort.SearchInts(lines, offset+1)
	column = d.characters(lines[n-1], offset) + 1
	if n == 1 {
		column += d.Column - 1
	}
	return n + d.Line - 1, column
}

func (d *Document) lineStarts() []int {
	d.lineOnce.Do(func() {
		d.lines = make([]int, 1, strings.Count(d.Text, "\n")+1)
		for i := 0; ; {
			next := strings.IndexByte(d.Text[i:], '\n') + 1
			if next == 0 {
				return
			}
			i += next
			d.lines = append(d.lines, i)
		}
	})
	return d.lines
}

// markEvery is the distance between offsets for which a document stores the
// number of characters before them. So a column in a line of megabytes is found
// as fast as one in a short line.
const markEvery = 512

// characters counts the characters between two offsets.
func (d *Document) characters(from, to int) int {
	if to-from < 2*markEvery {
		return utf8.RuneCountInString(d.Text[from:to])
	}
	return d.charactersBefore(to) - d.charactersBefore(from)
}

func (d *Document) charactersBefore(offset int) int {
	marks := d.characterMarks()
	n := min(offset/markEvery, len(marks)-1)
	if marks[n].offset > offset {
		n--
	}
	return marks[n].characters + utf8.RuneCountInString(d.Text[marks[n].offset:offset])
}

// after returns the offset that is a number of characters after another offset.
func (d *Document) after(offset, characters int) int {
	if characters >= markEvery {
		marks := d.characterMarks()
		sum := d.charactersBefore(offset) + characters
		n := sort.Search(len(marks), func(i int) bool { return marks[i].characters > sum }) - 1
		offset, characters = marks[n].offset, sum-marks[n].characters
	}
	for ; characters > 0 && offset < len(d.Text); characters-- {
		_, size := utf8.DecodeRuneInString(d.Text[offset:])
		offset += size
	}
	return offset
}

type mark struct{ offset, characters int }

// characterMarks are at the first character from each multiple of markEvery on.
func (d *Document) characterMarks() []mark {
	d.markOnce.Do(func() {
		d.marks = []mark{{}}
		for next := markEvery; next < len(d.Text); next += markEvery {
			at := next
			for at < len(d.Text) && !utf8.RuneStart(d.Text[at]) {
				at++
			}
			last := d.marks[len(d.marks)-1]
			d.marks = append(d.marks, mark{at, last.characters + utf8.RuneCountInString(d.Text[last.offset:at])})
		}
	})
	return d.marks
}

// Origin returns the origin of every object in the document; the line is that
// of the first content. It is computed once, because a List may be one long
// line.
func (d *Document) Origin() Origin {
	d.originOnce.Do(func() {
		before := d.Text[:d.start()]
		d.origin = Origin{File: d.File, Document: d.Number, Line: d.Line + strings.Count(before, "\n"), Template: templateIn(before)}
	})
	return d.origin
}

// longestBefore is how far from the left a document may begin that is shown.
const longestBefore = 4 << 10

// SourceLine returns a line of the file, if it is in the document; what stands before the
// document in its first line is blank.
func (d *Document) SourceLine(line int) string {
	lines := d.lineStarts()
	if line -= d.Line; line < 0 || line >= len(lines) {
		return ""
	}
	end, before := len(d.Text), 0
	if line+1 < len(lines) {
		end = lines[line+1] - len("\n")
	}
	if line == 0 {
		before = d.Column - 1
	}
	if before > longestBefore {
		return ""
	}
	return strings.Repeat(" ", max(before, 0)) + strings.TrimSuffix(d.Text[lines[line]:end], "\r")
}

// start returns the offset of the first content: anything but a blank line, a
// comment, a directive or a separator.
func (d *Document) start() int {
	if d.IsJSON {
		return 0
	}
	for offset := 0; offset < len(d.Text); {
		line, _, _ := strings.Cut(d.Text[offset:], "\n")
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

// JSON returns the document as the JSON that kubectl converts it to.
func (d *Document) JSON(value any) string {
	if d.IsJSON {
		return strings.TrimSpace(d.Text)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return d.Text
	}
	return string(b)
}

// Origin says where an object was read from.
type Origin struct {
	// File is the path as the user gave it or as the walk found it, and
	// "STDIN", kubectl's name for it, or the name that stdin was given.
	File string
	// Template is the source that the document was rendered from: the Helm
	// template that "helm template" names in a comment above it, or the file
	// that kustomize names in its annotation; "" if unknown.
	Template string
	// Document counts the documents of the file that are not empty, from 1.
	Document int
	// Line is the first line of the document with content, from 1. For an
	// object inside a List it is the line of the object.
	Line int
}

// MaxDuplicates is the maximum number of Duplicates of a document, because
// searching the first occurrence of each takes time.
const MaxDuplicates = 100
