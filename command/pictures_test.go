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

	"threeway/command/system"
)

const terminalPicture = "docs/pictures/terminal.svg"

// scenes are the commands that the picture of the README runs, in turn.
var scenes = []string{
	"threeway diff -f fixtures/example/config --live fixtures/example/live.yaml -o fields",
	"threeway review -f fixtures/example/config --live fixtures/example/live.yaml -U 1",
}

// TestTerminalPicture: the animated terminal in the README shows what the
// commands print. The picture of a report is made by docs/pictures/make.
func TestTerminalPicture(t *testing.T) {
	t.Chdir("..")
	var screens []string
	for _, command := range scenes {
		var out, messages bytes.Buffer
		args := append(strings.Fields(command), "--color", "always", "-q")
		if code := Run(context.Background(), args, strings.NewReader(""), &out, &messages); code > system.ExitDifferences {
			t.Fatalf("exit code %d: %s", code, messages.String())
		}
		screens = append(screens, out.String())
	}
	want := terminalSVG(scenes, screens)
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
		t.Error("the picture has no colors")
	}
}

// sgr are the codes of fatih/color that the output has, as classes; "" resets.
var sgr = map[string]string{"0": "", "1": "bold", "2": "dim", "7": "reverse", "22": "-bold -dim", "27": "-reverse", "31": "red", "32": "green", "33": "yellow", "36": "cyan"}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

const cellWidth, rowHeight, margin, bar = 7.2, 17, 16, 30

// terminalSVG draws a terminal that runs commands one after the other, for ever:
// each is typed, and a second later its output appears. With reduced motion it
// shows the first one.
func terminalSVG(commands, outputs []string) string {
	const seconds = 8
	share := 100 / float64(len(commands))
	var body, style strings.Builder
	columns, rows := 0, 0
	for i, command := range commands {
		text := "\x1b[1m$ " + command + "\x1b[0m\n" + outputs[i]
		lines := strings.Split(wrapped(strings.TrimRight(text, "\n"), 142), "\n")
		columns, rows = max(columns, draw(&body, fmt.Sprintf("c%d", i), lines[:1], 0)), max(rows, len(lines))
		columns = max(columns, draw(&body, fmt.Sprintf("o%d", i), lines[1:], 1))
		from, to := float64(i)*share, float64(i+1)*share
		keyframes(&style, fmt.Sprintf("c%d", i), from, to)
		keyframes(&style, fmt.Sprintf("o%d", i), from+share/seconds, to)
		fmt.Fprintf(&style, ".c%[1]d{animation:c%[1]d %[2]ds steps(1) infinite}.o%[1]d{animation:o%[1]d %[2]ds steps(1) infinite}", i, seconds*len(commands))
		if i > 0 {
			fmt.Fprintf(&style, ".c%[1]d,.o%[1]d{opacity:0}", i)
		}
	}
	w, h := 2*margin+float64(columns)*cellWidth, bar+margin+rows*rowHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0[1]f" height="%[2]d" viewBox="0 0 %.0[1]f %[2]d" role="img"><title>%[3]s</title>
<style>text{font:12px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#d4d9e0;white-space:pre}.bold{font-weight:bold}.dim{fill:#8b949e}.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.cyan{fill:#76c7e8}.behind{fill:#ffffff;opacity:.16}
%[4]s@media(prefers-reduced-motion:reduce){g{animation:none !important}}</style>
<rect width="100%%" height="100%%" rx="8" fill="#10141a"/><circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/><circle cx="54" cy="15" r="5" fill="#28c840"/>
%[5]s</svg>
`, w, h, html.EscapeString(strings.Join(commands, "; ")), style.String(), body.String())
}

// keyframes shows a group from one percentage of the animation to another.
func keyframes(style *strings.Builder, name string, from, to float64) {
	fmt.Fprintf(style, "@keyframes %s{0%%{opacity:%d}", name, map[bool]int{true: 1}[from == 0])
	if from > 0 {
		fmt.Fprintf(style, "%.2f%%{opacity:1}", from)
	}
	if to < 100 {
		fmt.Fprintf(style, "%.2f%%,100%%{opacity:0}", to)
	} else {
		style.WriteString("100%{opacity:1}")
	}
	style.WriteString("}\n")
}

// draw writes colored lines as a group, from a row on, and returns how many
// columns they have. Each piece says how wide it is, so that columns stay
// aligned in any font.
func draw(body *strings.Builder, class string, lines []string, first int) int {
	columns, on := 0, map[string]bool{}
	fmt.Fprintf(body, "<g class=\"%s\">\n", class)
	for i, line := range lines {
		column := 0
		for len(line) > 0 {
			at := escape.FindStringSubmatchIndex(line)
			piece, rest := line, ""
			if at != nil {
				piece, rest = line[:at[0]], line[at[1]:]
			}
			if n := utf8.RuneCountInString(piece); strings.TrimSpace(piece) != "" {
				x, y := margin+float64(column)*cellWidth, bar+margin+(first+i)*rowHeight
				if on["reverse"] {
					fmt.Fprintf(body, "<rect class=\"behind\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", x, y-12, float64(n)*cellWidth, rowHeight-1)
				}
				fmt.Fprintf(body, "<text class=\"%s\" x=\"%.1f\" y=\"%d\" textLength=\"%.1f\">%s</text>\n", classes(on), x, y, float64(n)*cellWidth, html.EscapeString(piece))
			}
			column += utf8.RuneCountInString(piece)
			if at != nil {
				change(on, line[at[2]:at[3]])
			}
			line = rest
		}
		columns = max(columns, column)
	}
	body.WriteString("</g>\n")
	return columns
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
