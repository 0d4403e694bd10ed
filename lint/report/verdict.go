package report

import (
	"bufio"
	"fmt"
	"strings"

	"threeway/merge/show"
	"threeway/merge/text/columns"
	"threeway/merge/text/markdown"
	"threeway/merge/text/visible"
)

// mostShared is how much is said of one danger, and mostNamed how many objects are named
// for it, where all of it would hide the next danger.
const mostShared, mostNamed = 3, 5

// levels are those of a verdict, the worst first.
var levels = []show.Level{show.Stop, show.Unknown, show.Look, show.Fine, show.None}

// signs of the levels: at a danger, and as the alert of a comment.
var signs = map[show.Level]struct {
	sign, alert markdown.Text
	style       Style
}{
	show.Stop:    {"✗", "CAUTION", ErrorWord},
	show.Unknown: {"?", "WARNING", WarningWord},
	show.Look:    {"!", "WARNING", WarningWord},
	show.Fine:    {"✓", "NOTE", Place},
	show.None:    {"✓", "NOTE", Place},
}

// folded is a text in lines that fit, those after the first further in.
func (o Options) folded(indent, text string) string {
	return strings.Join(columns.Fold(indent+visible.Joined(text), o.Width, len(indent)+2), "\n"+indent+"  ")
}

// writeDangers writes what can hurt, the worst first.
func writeDangers(out *bufio.Writer, dangers []show.Danger, opts Options) {
	for _, d := range dangers {
		if d.Level == show.Fine {
			continue
		}
		out.WriteString(opts.paint(signs[d.Level].style, opts.folded("", string(signs[d.Level].sign)+" "+d.Text)) + "\n")
		shared, more := some(d.Shared)
		for _, s := range shared {
			out.WriteString(opts.folded("    ", s.Line(mostNamed)) + "\n")
		}
		if more > 0 {
			fmt.Fprintf(out, "    … and %d more\n", more)
		}
	}
}

// writeVerdict ends a text with the dangers, the verdict and the plan line.
func writeVerdict(out *bufio.Writer, digest *show.Digest, opts Options) {
	writeDangers(out, digest.Dangers(), opts)
	if v := digest.Verdict(); v.Text != digest.Unknown() { // which is said above
		out.WriteString(opts.paint(signs[v.Level].style, opts.folded("", v.Text)) + "\n")
	}
	out.WriteString(opts.paint(Place, opts.folded("", digest.PlanLine())) + "\n")
}

// some are the first of what is shared, and how many more there are.
func some(list []show.Shared) ([]show.Shared, int) {
	if len(list) <= mostShared+1 {
		return list, 0
	}
	return list[:mostShared], len(list) - mostShared
}

// dangers adds what can hurt, the worst first, with the places of objects.
func (d *document) dangers(dangers []show.Danger, place func(object string) (string, int)) {
	var rows, fine []markdown.Text
	for _, danger := range dangers {
		var where []markdown.Text
		shared, more := some(danger.Shared)
		for _, s := range shared {
			where = append(where, d.named(s, place))
		}
		if more > 0 {
			where = append(where, markdown.Escape(fmt.Sprintf("… and %d more", more)))
		}
		row := item(signs[danger.Level].sign+" **"+markdown.Escape(danger.Text)+"**", where)
		if danger.Level == show.Fine {
			fine = append(fine, row)
			continue
		}
		rows = append(rows, row)
	}
	if rows != nil {
		d.add("danger", markdown.Join(rows, "")+"\n")
	}
	if fine != nil {
		d.add("danger", markdown.Folded("What else the apply does", markdown.Join(fine, "")))
	}
}

// item is the item of a list with a list of its own. It fits a screen of any width, which
// the columns of a table do not.
func item(text markdown.Text, below []markdown.Text) markdown.Text {
	text = "- " + text + "\n"
	for _, b := range below {
		text += "  - " + b + "\n"
	}
	return text
}

// named are objects as code, and what is to be said of them.
func (d *document) named(s show.Shared, place func(object string) (string, int)) markdown.Text {
	var names []markdown.Text
	for i, object := range s.Objects {
		if i == mostNamed {
			names = append(names, markdown.Escape(fmt.Sprintf("and %d more", len(s.Objects)-i)))
			break
		}
		if object != "" {
			file, line := place(object)
			names = append(names, d.link(markdown.Code(object), file, line))
		}
	}
	if said := s.Said(); said != "" {
		names = append(names, markdown.Escape(said))
	}
	return markdown.Join(names, " ")
}
