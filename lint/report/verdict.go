package report

import (
	"bufio"
	"fmt"

	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// mostShared is how many causes of one danger are listed, and mostNamed how many objects of a
// cause, where all of them would hide the next danger.
const mostShared, mostNamed = 8, 5

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

// writeDangers writes what can hurt, a line for each cause.
func writeDangers(out *bufio.Writer, dangers []show.Danger, opts Options) {
	for _, d := range dangers {
		shared, more := some(d)
		if d.Shared == nil {
			shared = []show.Shared{{}}
		}
		for _, s := range shared {
			out.WriteString(opts.fit(opts.paint(signs[d.Level].style, string(signs[d.Level].sign)) + " " + causeLine(d, s) + "\n"))
		}
		if more > 0 {
			fmt.Fprintf(out, "  … and %d more: %s\n", more, d.Text)
		}
	}
}

// writeVerdict ends a text with the verdict and the plan line.
func writeVerdict(out *bufio.Writer, r *Review, opts Options) {
	digest := r.Diff.Digest
	v := digest.Verdict()
	text := v.Text
	if v.Level != show.Fine && v.Level != show.None {
		text = string(signs[v.Level].sign) + " " + text
	}
	out.WriteString(opts.painted(signs[v.Level].style, text))
	if v.Level != show.None {
		out.WriteString(opts.painted(Place, digest.PlanLine()))
	}
}

// some are the first causes of a danger, and how many more there are. Of what is to be fixed
// nothing is left out but what findings leave out, too.
func some(d show.Danger) ([]show.Shared, int) {
	most := mostShared
	if d.Level == show.Stop {
		most = mostFindings
	}
	if len(d.Shared) <= most+1 {
		return d.Shared, 0
	}
	return d.Shared[:most], len(d.Shared) - most
}

// danger is what a plan does as items of a list, one for each cause, with the places of objects.
func (d *document) danger(danger show.Danger, place func(object string) (string, int)) (rows []markdown.Text) {
	if danger.Shared == nil {
		return []markdown.Text{item(markdown.Escape(danger.Text), nil)}
	}
	shared, more := some(danger)
	for _, s := range shared {
		if s.Said() == "" {
			s.Text = danger.Text
		}
		rows = append(rows, item(d.named(s, place), nil))
	}
	if more > 0 {
		rows = append(rows, item(markdown.Escape(fmt.Sprintf("… and %d more: %s", more, danger.Text)), nil))
	}
	return rows
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

// named are objects, and what is to be said of them.
func (d *document) named(s show.Shared, place func(object string) (string, int)) markdown.Text {
	var names []markdown.Text
	for i, object := range s.Objects {
		if i == mostNamed {
			names = append(names, markdown.Escape(fmt.Sprintf("and %d more", len(s.Objects)-i)))
			break
		}
		if object != "" {
			file, line := place(object)
			names = append(names, d.link("**"+markdown.Escape(manifest.Title(object))+"**", file, line))
		}
	}
	if said := s.Said(); said != "" {
		names = append(names, markdown.Escape(said))
	}
	return markdown.Join(names, " ")
}
