package source

// Failure is why a text cannot be read further, in the words of kubectl's
// parser, and where.
type Failure struct {
	Line, Column int // from 1
	Text         string
	// Template is that of the document's Origin.
	Template string
}
