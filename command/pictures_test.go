package command

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const terminalPicture = "docs/pictures/terminal.svg"

// TestTerminalPicture: the picture of a terminal in the README shows what the
// command prints. The one of a report is made by docs/pictures/make.
func TestTerminalPicture(t *testing.T) {
	t.Chdir("..")
	const command = "threeway review -f fixtures/example/config --live fixtures/example/live.yaml -U 1"
	var out, messages bytes.Buffer
	args := append(strings.Fields(command), "--color", "always", "-q")
	if code := run(context.Background(), args, streams{strings.NewReader(""), &out, &messages}); code != exitOK {
		t.Fatalf("exit code %d: %s", code, messages.String())
	}
	want := terminalSVG("\x1b[1m$ "+command+"\x1b[0m\n"+out.String(), command)
	if *update {
		if err := os.WriteFile(terminalPicture, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(terminalPicture)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale; run: docs/pictures/make", terminalPicture)
	}
	if !strings.Contains(want, `class="green"`) || !strings.Contains(want, `class="red"`) {
		t.Error("the picture has no colours")
	}
}

// sgr are the codes of fatih/color that the output has, as classes; "" resets.
var sgr = map[string]string{"0": "", "1": "bold", "2": "dim", "7": "reverse", "22": "-bold -dim", "27": "-reverse", "31": "red", "32": "green", "33": "yellow", "36": "cyan"}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// terminalSVG draws coloured output. Each piece says how wide it is, so that
// columns stay aligned in any font.
func terminalSVG(text, title string) string {
	const width, height, margin, bar = 7.2, 17, 16, 30
	lines := strings.Split(wrapped(strings.TrimRight(text, "\n"), 142), "\n")
	columns, on := 0, map[string]bool{}
	var body strings.Builder
	for row, line := range lines {
		column := 0
		for len(line) > 0 {
			at := escape.FindStringSubmatchIndex(line)
			piece, rest := line, ""
			if at != nil {
				piece, rest = line[:at[0]], line[at[1]:]
			}
			if n := utf8.RuneCountInString(piece); strings.TrimSpace(piece) != "" {
				x, y := margin+float64(column)*width, bar+margin+row*height
				if on["reverse"] {
					fmt.Fprintf(&body, "<rect class=\"behind\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", x, y-12, float64(n)*width, height-1)
				}
				fmt.Fprintf(&body, "<text class=\"%s\" x=\"%.1f\" y=\"%d\" textLength=\"%.1f\">%s</text>\n", classes(on), x, y, float64(n)*width, html.EscapeString(piece))
			}
			column += utf8.RuneCountInString(piece)
			if at != nil {
				change(on, line[at[2]:at[3]])
			}
			line = rest
		}
		columns = max(columns, column)
	}
	w, h := 2*margin+float64(columns)*width, bar+margin+len(lines)*height
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0[1]f" height="%[2]d" viewBox="0 0 %.0[1]f %[2]d" role="img"><title>%[3]s</title>
<style>text{font:12px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#d4d9e0;white-space:pre}.bold{font-weight:bold}.dim{fill:#8b949e}.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.cyan{fill:#76c7e8}.behind{fill:#ffffff;opacity:.16}</style>
<rect width="100%%" height="100%%" rx="8" fill="#10141a"/><circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/><circle cx="54" cy="15" r="5" fill="#28c840"/>
%[4]s</svg>
`, w, h, html.EscapeString(title), body.String())
}

// wrapped breaks lines where a terminal would.
func wrapped(text string, columns int) string {
	var b strings.Builder
	column, escaped := 0, false
	for _, r := range text {
		switch {
		case r == '\x1b' || escaped:
			escaped = r != 'm'
		case r == '\n':
			column = 0
		case column == columns:
			b.WriteByte('\n')
			column = 1
		default:
			column++
		}
		b.WriteRune(r)
	}
	return b.String()
}

// change turns classes on and off.
func change(on map[string]bool, codes string) {
	for code := range strings.SplitSeq(codes, ";") {
		names, known := sgr[code]
		if !known {
			panic("no class for the terminal's code " + code)
		}
		if names == "" {
			clear(on)
		}
		for name := range strings.FieldsSeq(names) {
			if off, isOff := strings.CutPrefix(name, "-"); isOff {
				delete(on, off)
			} else {
				on[name] = true
			}
		}
	}
}

func classes(on map[string]bool) string {
	var list []string
	for _, name := range []string{"bold", "dim", "red", "green", "yellow", "cyan"} {
		if on[name] {
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}
