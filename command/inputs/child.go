package inputs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"threeway/command/system"
	"threeway/merge/text/visible"
)

// printedBy runs a program and returns what it prints, also if it fails. What it says on stderr
// is passed on, or is in ended if it fails. more is set if it prints more than most bytes. err is about
// the stderr that it was passed on to.
func printedBy(ctx context.Context, stdin io.Reader, stderr io.Writer, most int64, program system.Program) (printed []byte, more bool, ended, err error) {
	var out, said bytes.Buffer
	stdout := &bounded{to: &out, left: int(most)}
	program.Stdin, program.Stdout, program.Stderr = stdin, stdout, &bounded{to: &said, left: 1 << 20}
	ended = program.Run(ctx)
	if text := complaint(said.String()); ended != nil && text != "" {
		return out.Bytes(), stdout.full, errors.New(text), nil
	}
	_, err = said.WriteTo(stderr)
	return out.Bytes(), stdout.full, ended, err
}

var (
	// logged is how kubectl writes an error (k8s.io/klog/v2), and complains begins the line of one.
	logged    = regexp.MustCompile(`(?m)^[EF]\d{4} \S+ +\d+ \S+\] "command failed" err=(".*")$`)
	complains = regexp.MustCompile(`(?mi)^(fatal )?error: `)
)

// complaint is the error in what a program says, in one line; all that it says if none is marked.
func complaint(said string) string {
	if found := logged.FindStringSubmatch(said); found != nil {
		if text, err := strconv.Unquote(found[1]); err == nil {
			said = text
		}
	}
	if at := complains.FindStringIndex(said); at != nil {
		said = said[at[1]:]
	}
	said = strings.Join(strings.Fields(said), " ")
	return visible.Line(said[:min(len(said), 2000)])
}

// mostTime is how long a program may take to render.
var mostTime = 5 * time.Minute

// renderedBy returns what a program renders; by is how the errors call it, which name
// other means.
func renderedBy(ctx context.Context, stdin io.Reader, stderr io.Writer, most int64, by string, program system.Program) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	program.Patience = time.Second
	rendered, more, ended, err := printedBy(ctx, stdin, stderr, most, program)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() == context.DeadlineExceeded:
		return nil, fmt.Errorf("'%s' has not ended after %v; run it by itself to see why, or render by other means and pass the result with -f", visible.Line(by), mostTime)
	case more:
		return nil, fmt.Errorf("'%s' printed more than the %d MiB that THREEWAY_MAX_INPUT allows", by, most>>20)
	case ended != nil:
		return nil, fmt.Errorf("'%s' failed: %v; correct that, or render by other means and pass the result with -f", visible.Line(by), ended)
	}
	return rendered, nil
}

// bounded passes on what it is given, up to a number of bytes, and then fails,
// which ends the program that writes.
type bounded struct {
	to   io.Writer
	left int
	full bool
}

// Write passes p on if it fits; otherwise it fails, and full is set.
func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.full = true
		return 0, errors.New("too much output")
	}
	b.left -= len(p)
	return b.to.Write(p)
}
