package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/merge/text/visible"
)

// hostile are values that a manifest, a file name or a setting may have.
var hostile = []string{
	"", "web", "$(touch PWNED)", "`touch PWNED`", "'; touch PWNED; '", `"; touch PWNED; "`, "a b", "a;touch PWNED", "a&touch PWNED", "a|touch PWNED",
	">PWNED", "a\ntouch PWNED", "a\rtouch PWNED", "\x1b[31mred", "\u202eevil", "a\u2028b", "\xff", "-x", "--all", "--flag=$(touch PWNED)", "--", "*", "?", "[a]", "{a,b}",
	"~", "=ls", "!x", "#x", "EOF", "END", "\\", "a\\'b", "$HOME", "${IFS}", "%", "a=b", "'", `"`, "ünï", "日本", "../../x", "a/b", strings.Repeat("x", 5000),
}

// TestLine runs printed lines by sh, in a folder that must stay empty, with a
// stand-in that writes down its arguments: they are the values.
func TestLine(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	program := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\0' \"$a\"; done\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, v := range hostile {
		for _, c := range []struct {
			line string
			want []string
		}{
			{Line("kubectl edit", Object("Deployment", "shop", v)), []string{"edit", "deployment/" + v, "-n", "shop"}},
			{Line("kubectl edit", Object(v, "shop", "a"), Option("-o yaml")), []string{"edit", strings.ToLower(v) + "/a", "-n", "shop", "-o", "yaml"}},
			{Line("kubectl get x", Operand("a").In("n"+v)), []string{"get", "x", "a", "-n", "n" + v}},
			{Line("kubectl label", Operand(v), Operand("a-"), Option("-n x")), []string{"label", v, "a-", "-n", "x"}},
			{Line("kubectl apply", Flag("--field-manager=", v), File("-f", v)), []string{"apply", "--field-manager=" + v, "-f", local(v)}},
			{Line("kubectl patch", JSON("-p", map[string]string{"a": v})), []string{"patch", "-p", ""}},
		} {
			if strings.ContainsFunc(c.line, func(r rune) bool { return hidden(string(r)) != "" }) {
				t.Errorf("%q has characters that act", c.line)
			}
			cmd := exec.Command("sh", "-c", c.line)
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=/nowhere"}
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s: %v", c.line, err)
			}
			got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
			want := slices.Clone(c.want)
			switch {
			case strings.HasPrefix(c.line, "# no command: "):
				want = []string{""}
			case want[0] == "patch":
				got = got[:2]
				want = want[:2]
			case slices.Contains(got, "--"):
				slices.Sort(got)
				want = append(want, "--")
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s\nruns with %q, want %q", c.line, got, want)
			}
		}
		if made, _ := os.ReadDir(dir); len(made) > 0 {
			t.Fatalf("%q has made %s", v, made[0].Name())
		}
	}
	if got, want := Line("kubectl label", Operand("-x"), Option("-n a")), "kubectl label -n a -- -x"; got != want {
		t.Errorf("an operand like an option: %s, want %s", got, want)
	}
	for value, want := range map[string]string{"=ls": "kubectl get '=ls'", "a\rb": `# no command: "a\rb" is no name`} { // zsh and terminals act on them, sh does not
		if got := Line("kubectl get", Operand(value)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestLines assigns printed lines by sh: the variable has them, and nothing runs.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	for _, v := range hostile {
		cmd := exec.Command("sh", "-c", Lines("kinds", []string{v, "b"})+"\nprintf %s \"$kinds\"")
		cmd.Dir = dir
		if out, err := cmd.Output(); err != nil || string(out) != visible.Line(v)+"\nb" {
			t.Errorf("%q: %q, %v", v, out, err)
		}
		if made, _ := os.ReadDir(dir); len(made) > 0 {
			t.Fatalf("%q has made %s", v, made[0].Name())
		}
	}
}

// TestWord: what sh leaves as it is stands without quotes.
func TestWord(t *testing.T) {
	for value, want := range map[string]string{
		"azAZ09-_./@%+:,=": "azAZ09-_./@%+:,=", "a~": "'a~'", "": "''", "=a": "'=a'",
	} {
		if got := Word(value); got != want {
			t.Errorf("%q is written as %s, want %s", value, got, want)
		}
	}
}
