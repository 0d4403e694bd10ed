package system

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"sync"
	"sync/atomic"

	"golang.org/x/term"

	"threeway/merge/text/columns"
)

// Page lets what is longer than the terminal go through the program in PAGER, else less,
// as git does. less begins at the end if the most important is there. The program ends
// before anything is said on the terminal.
func Page(std Streams, fromEnd bool) {
	out, _ := std.Out.(*Stdout)
	if out == nil {
		return
	}
	screen, is := out.Writer.(*Screen)
	if !is || !isTerminal(screen.to) || os.Getenv("TERM") == "dumb" {
		return
	}
	p := &pager{file: FileOf(screen), program: pagerWords()}
	if p.program == nil {
		return
	}
	if os.Getenv("LESS") == "" {
		if p.env = []string{"LESS=FRX"}; fromEnd {
			p.env[0] += "+G$"
		}
	}
	width, rows, err := term.GetSize(int(p.file.Fd()))
	if err != nil {
		return
	}
	p.width, p.rows, screen.to = width, rows, p
	if f := FileOf(std.Err); f != nil && isTerminal(f) {
		before(std.Err, p.end)
	}
}

// pagerWords are the words of the program to page with; nil if there is none.
func pagerWords() []string {
	words, err := []string{"less"}, error(nil)
	if named, set := os.LookupEnv("PAGER"); set {
		words, err = ShellWords(named)
	}
	if err != nil || len(words) == 0 || words[0] == "cat" {
		return nil
	}
	if words[0], err = Which(words[0]); err != nil {
		return nil
	}
	return words
}

// pager writes to a terminal, or to a program once there is more than fits on it.
type pager struct {
	file        *os.File
	program     []string
	env         []string
	width, rows int
	// kept is what was written while it fits, of lines on the screen.
	kept  []byte
	lines int
	in    *os.File // of the program, while it runs
	done  chan struct{}
	ended bool
}

// paging is how many programs page: an interrupt is theirs.
var paging atomic.Int32

var sequences = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*m") })

// Write keeps what fits on the terminal, and hands what is more to the program.
func (p *pager) Write(data []byte) (int, error) {
	switch {
	case p.ended:
		return p.file.Write(data)
	case p.in == nil:
		p.kept = append(p.kept, data...)
		for line := range bytes.Lines(data) {
			p.lines += 1 + max(columns.Width(string(sequences().ReplaceAll(bytes.TrimSuffix(line, []byte("\n")), nil)))-1, 0)/max(p.width, 1)
		}
		if p.lines < p.rows {
			return len(data), nil
		}
		if !p.start() {
			p.end()
			return len(data), nil
		}
		data, p.kept = p.kept, nil
	}
	_, _ = p.in.Write(data) // of one that was left, the rest is not wanted
	return len(data), nil
}

func (p *pager) start() bool {
	out, in, err := os.Pipe()
	if err != nil {
		return false
	}
	p.in, p.done = in, make(chan struct{})
	paging.Add(1)
	go func() {
		defer close(p.done)
		defer paging.Add(-1)
		defer out.Close()
		_ = Program{Path: p.program[0], Args: p.program[1:], Env: p.env, Stdin: out, Stdout: p.file, Stderr: os.Stderr}.Run(context.Background())
	}()
	return true
}

// end writes what fits, or waits until the reader leaves the program.
func (p *pager) end() {
	if p.ended {
		return
	}
	p.ended = true
	if p.in == nil {
		_, _ = p.file.Write(p.kept)
		return
	}
	_ = p.in.Close()
	<-p.done
}

// EndPage ends what Page began.
func EndPage(w *Screen) {
	if p, is := w.to.(*pager); is {
		p.end()
	}
}
