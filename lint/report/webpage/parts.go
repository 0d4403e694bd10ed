package webpage

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const (
	// plain is how many bytes the parts of a page have at most that holds them as
	// they are, so that it can be searched without a browser. The parts of a larger
	// one are compressed, which makes a tenth of them.
	plain = 1 << 20
	// block is how many bytes are compressed at once: what the browser unpacks
	// before it shows the first object.
	block = 1 << 19
)

// Parts are what a page needs when it is shown: part 0 and so on, each JSON in one
// line. The zero value has none.
type Parts struct {
	// Strike takes out what must not be printed, which is not seen once it is
	// compressed; nil if there is nothing.
	Strike func([]byte) []byte

	kept   []json.RawMessage // while they are few
	size   int
	filled bytes.Buffer // parts of the block that is being filled, each with a line break
	blocks [][]byte     // compressed
	err    error
}

// Add adds the next part.
func (p *Parts) Add(part json.RawMessage) {
	p.size += len(part)
	p.kept = append(p.kept, part)
	if p.size <= plain {
		return
	}
	for _, part := range p.kept {
		p.filled.Write(part)
		p.filled.WriteByte('\n')
		if p.filled.Len() >= block {
			p.pack()
		}
	}
	p.kept = p.kept[:0]
}

func (p *Parts) pack() {
	packed, err := p.compress(p.filled.Bytes())
	p.blocks = append(p.blocks, packed)
	p.err = errors.Join(p.err, err)
	p.filled.Reset()
}

// compress makes base64 of gzip of a text. Equal texts give equal bytes.
func (p *Parts) compress(text []byte) ([]byte, error) {
	if p.Strike != nil {
		text = p.Strike(text)
	}
	var b bytes.Buffer
	encoder := base64.NewEncoder(base64.StdEncoding, &b)
	z := gzip.NewWriter(encoder)
	_, err := z.Write(text)
	err = errors.Join(err, z.Close(), encoder.Close())
	return b.Bytes(), err
}

// write writes the parts as elements: one for each, or for each block of them.
func (p *Parts) write(out io.Writer) error {
	if p.filled.Len() > 0 {
		p.pack()
	}
	for i, part := range p.kept {
		if err := data(out, fmt.Sprintf("part-%d", i), part); err != nil {
			return err
		}
	}
	for _, b := range p.blocks {
		fmt.Fprintf(out, "<script type=\"application/gzip\">%s</script>\n", b)
	}
	return p.err
}
