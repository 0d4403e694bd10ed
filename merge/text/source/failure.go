package source

// Failure says why a text cannot be read any further, in the words of kubectl's
// parser, and where.
type Failure struct {
	Line, Column int // from 1
	Text         string
	// Template is Origin.Template of the document.
	Template string
}
