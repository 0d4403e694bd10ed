package show

import (
	"bufio"
	"io"
	"strings"

	"threeway/merge/parallel"
)

// inParts writes n parts, which are rendered side by side, in their order, with
// separator between those that are not empty. It reports whether there is any.
func inParts(w io.Writer, cores parallel.Cores, n int, separator string, render func(out *bufio.Writer, i int)) (some bool, err error) {
	buffered := bufio.NewWriterSize(w, 1<<16)
	err = parallel.InOrder(cores, n, func(i int) string {
		var b strings.Builder
		out := bufio.NewWriter(&b)
		render(out, i)
		out.Flush()
		return b.String()
	}, func(part string) error {
		if part == "" {
			return nil
		}
		if some {
			buffered.WriteString(separator)
		}
		some = true
		_, err := buffered.WriteString(part)
		return err
	})
	if err == nil {
		err = buffered.Flush()
	}
	return some, err
}
