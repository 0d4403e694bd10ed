package system

import (
	"io"
	"os"
	"sync"
	"time"
)

// progressAfter is how long a run takes at least for which a terminal shows how far it is,
// and progressEvery how often that changes.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// erased goes to the beginning of the line and erases it.
const erased = "\r\x1b[K"

// progress is a line at the end of a terminal that says how far a run is, and goes before
// anything else is written there.
type progress struct {
	mu    sync.Mutex
	to    io.Writer
	drawn string
	ended bool
}

// WatchProgress shows, on the terminal that a writer of messages leads to, how far a run
// is: line is that, "" if there is nothing to say. It does so until stop is called, or
// until something is written to the result on a terminal.
func WatchProgress(std Streams, line func() string) (stop func()) {
	f := FileOf(std.Err)
	if f == nil || !isTerminal(f) || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	p := &progress{to: f}
	before(std.Err, p.erase)
	if out := FileOf(std.Out); out != nil && isTerminal(out) {
		before(std.Out, p.end)
	}
	done := make(chan struct{})
	go func() {
		timer := time.NewTimer(progressAfter)
		defer timer.Stop()
		for {
			select {
			case <-done:
				return
			case <-timer.C:
				p.draw(line(), Width(f))
				timer.Reset(progressEvery)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(done)
		p.end()
	})
}

func (p *progress) draw(line string, width int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if runes := []rune(line); width > 1 && len(runes) >= width {
		line = string(runes[:width-1])
	}
	if !p.ended && line != p.drawn {
		_, _ = io.WriteString(p.to, erased+line)
		p.drawn = line
	}
}

func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn != "" {
		_, _ = io.WriteString(p.to, erased)
		p.drawn = ""
	}
}

func (p *progress) end() {
	p.erase()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

// before has a function called before anything is written to the screen of a writer.
func before(w io.Writer, do func()) {
	switch w := w.(type) {
	case *Screen:
		if first := w.before; first != nil {
			w.before = func() { first(); do() }
			return
		}
		w.before = do
	case *Stdout:
		before(w.Writer, do)
	}
}
