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

// scene is the command that the picture of the README runs, and widest its terminal.
const scene, widest = "threeway review -f fixtures/example/config --live fixtures/example/live.yaml -U 1", 84

// TestTerminalPicture: the terminal in the README shows what the command prints. The other
// pictures are made by docs/pictures/make.
func TestTerminalPicture(t *testing.T) {
	t.Chdir("..")
	var out, messages bytes.Buffer
	args := append(strings.Fields(scene), "--color", "always", "-q")
	if code := Run(context.Background(), args, strings.NewReader(""), &out, &messages); code > system.ExitDifferences {
		t.Fatalf("exit code %d: %s", code, messages.String())
	}
	want := terminalSVG(scene, out.String())
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

// terminalSVG draws a terminal that has run a command, light or dark as the reader's system.
func terminalSVG(command, output string) string {
	var body strings.Builder
	lines := strings.Split(wrapped("\x1b[1m$ "+command+"\x1b[0m\n"+strings.TrimRight(output, "\n"), widest), "\n")
	draw(&body, lines)
	w, h := 2*margin+widest*cellWidth, bar+margin+len(lines)*rowHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0[1]f" height="%[2]d" viewBox="0 0 %.0[1]f %[2]d" role="img"><title>%[3]s</title>
<style>rect.page{fill:#f5f7f9;stroke:#dce1e6}text{font:12px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#1c2127;white-space:pre}.bold{font-weight:bold}.dim{fill:#566069}.red{fill:#a3162b}.green{fill:#116329}.yellow{fill:#7a4a00}.cyan{fill:#0b57a4}.behind{fill:#000000;opacity:.08}
@media(prefers-color-scheme:dark){rect.page{fill:#101418;stroke:#2b333d}text{fill:#dfe5ec}.dim{fill:#9aa6b2}.red{fill:#ff9a94}.green{fill:#74d391}.yellow{fill:#edbb5e}.cyan{fill:#78b6ff}.behind{fill:#ffffff;opacity:.16}}</style>
<rect class="page" x=".5" y=".5" width="%.0[5]f" height="%[6]d" rx="8"/><circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/><circle cx="54" cy="15" r="5" fill="#28c840"/>
%[4]s</svg>
`, w, h, html.EscapeString(command), body.String(), w-1, h-1)
}

// draw writes colored lines. Each piece says how wide it is, so that columns stay aligned
// in any font.
func draw(body *strings.Builder, lines []string) {
	on := map[string]bool{}
	for i, line := range lines {
		column := 0
		for len(line) > 0 {
			at := escape.FindStringSubmatchIndex(line)
			piece, rest := line, ""
			if at != nil {
				piece, rest = line[:at[0]], line[at[1]:]
			}
			if n := utf8.RuneCountInString(piece); strings.TrimSpace(piece) != "" {
				x, y := margin+float64(column)*cellWidth, bar+margin+i*rowHeight
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
	}
}

// wrapped breaks lines that are longer than a terminal at blanks.
func wrapped(text string, columns int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for {
			column, blank, escaped := 0, 0, false
			for i, r := range line {
				switch {
				case r == '\x1b' || escaped:
					escaped = r != 'm'
					continue
				case r == ' ' && column > 4:
					blank = i
				}
				if column++; column > columns && blank > 0 {
					break
				}
			}
			if column <= columns || blank == 0 {
				break
			}
			lines, line = append(lines, line[:blank]), "    "+line[blank+1:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
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
