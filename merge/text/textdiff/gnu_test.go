package textdiff

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

var rounds = flag.Int("rounds", 150, "random texts to compare with diff, per test")

// gnu runs diff, which the test machine may lack.
type gnu struct {
	t        *testing.T
	old, new string
}

func newGNU(t *testing.T) *gnu {
	out, err := exec.Command("diff", "--version").Output()
	if err != nil || !bytes.Contains(out, []byte("GNU diffutils")) {
		t.Skip("no GNU diff here")
	}
	dir := t.TempDir()
	return &gnu{t, filepath.Join(dir, "old"), filepath.Join(dir, "new")}
}

func (g *gnu) diff(a, b string, context int) string {
	g.t.Helper()
	for name, text := range map[string]string{g.old: a, g.new: b} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			g.t.Fatal(err)
		}
	}
	out, err := exec.Command("diff", "-a", "-N", fmt.Sprintf("-U%d", context), "--label=o", "--label=n", g.old, g.new).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		g.t.Fatal(err)
	}
	return string(out)
}

func (g *gnu) same(a, b string, context int) {
	g.t.Helper()
	want, got := g.diff(a, b, context), Format("o", "n", Unified(a, b, context))
	if got != want {
		g.t.Fatalf("-U%d differs for\n%.2000q\n%.2000q\ngot\n%.2000s\nwant\n%.2000s", context, a, b, got, want)
	}
}

var contexts = []int{3, 3, 3, 0, 1, 2, 5, 10, 1000}

func randomContext(r *rand.Rand) int { return contexts[r.IntN(len(contexts))] }

func randomLines(r *rand.Rand, n, alphabet int) []string {
	lines := make([]string, n)
	for i := range lines {
		if lines[i] = fmt.Sprintf("line %d", r.IntN(alphabet)); r.IntN(12) == 0 {
			lines[i] = ""
		}
	}
	return lines
}

func join(r *rand.Rand, lines []string) string {
	s := strings.Join(lines, "\n")
	if len(lines) > 0 && r.IntN(6) > 0 {
		s += "\n"
	}
	return s
}

// edit changes about n places: lines go, come, come twice, or move.
func edit(r *rand.Rand, lines []string, n, alphabet int) []string {
	lines = append([]string{}, lines...)
	for range n {
		at := r.IntN(len(lines) + 1)
		end := min(len(lines), at+1+r.IntN(4))
		block := append([]string{}, lines[at:end]...)
		tail := append([]string{}, lines[end:]...)
		switch r.IntN(5) {
		case 0:
			block = nil
		case 1:
			block = append(block, block...)
		case 2:
			block = randomLines(r, len(block), alphabet)
		case 3:
			block = append(randomLines(r, 1+r.IntN(5), alphabet), block...)
		case 4:
			to := r.IntN(len(tail) + 1)
			tail = append(tail[:to:to], append(block, tail[to:]...)...)
			block = nil
		}
		lines = append(lines[:at:at], append(block, tail...)...)
	}
	return lines
}

func TestSameAsGNUOnRandomLines(t *testing.T) {
	g := newGNU(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range breadth.Of(*rounds, 10) {
		alphabet := 1 + r.IntN(40)
		a := randomLines(r, r.IntN(60), alphabet)
		b := randomLines(r, r.IntN(60), 1+r.IntN(40))
		if r.IntN(4) > 0 {
			b = edit(r, a, 1+r.IntN(12), alphabet)
		}
		g.same(join(r, a), join(r, b), randomContext(r))
	}
}

func TestSameAsGNUOnLongTexts(t *testing.T) {
	g := newGNU(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range breadth.Of(*rounds, 10) / 3 {
		alphabet := 1 + r.IntN(900)
		a := randomLines(r, r.IntN(3000), alphabet)
		b := edit(r, a, r.IntN(300), alphabet+r.IntN(2000))
		g.same(join(r, a), join(r, b), randomContext(r))
	}
}

// Long runs of lines without a match, with often-matching ones between, are
// what decides which lines take part in the search at all.
func TestSameAsGNUOnConfusingLines(t *testing.T) {
	g := newGNU(t)
	r := rand.New(rand.NewPCG(5, 6))
	texts := func(mark string, share, n int) []string {
		lines := make([]string, n)
		for i := range lines {
			if lines[i] = fmt.Sprintf("%s %d", mark, r.IntN(1+n)); r.IntN(100) < share {
				lines[i] = []string{"}", "{", "", "- name"}[r.IntN(1+r.IntN(4))]
			}
		}
		return lines
	}
	for range breadth.Of(*rounds, 10) {
		share := r.IntN(60)
		a, b := texts("a", share, r.IntN(800)), texts("b", share, r.IntN(800))
		if r.IntN(2) == 0 {
			common := texts("c", share, r.IntN(300))
			a, b = append(a, common...), append(b, common...)
		}
		g.same(join(r, a), join(r, b), randomContext(r))
	}
}

// Beyond 4096 steps diff gives up on a shortest script.
func TestSameAsGNUWhereItGivesUp(t *testing.T) {
	g := newGNU(t)
	r := rand.New(rand.NewPCG(7, 8))
	for range max(1, breadth.Of(*rounds, 10)/50) {
		alphabet := 1000 + r.IntN(9000)
		a, b := randomLines(r, 9000+r.IntN(9000), alphabet), randomLines(r, 9000+r.IntN(9000), alphabet)
		g.same(join(r, a), join(r, b), 3)
	}
}

func TestSameAsGNUOnYAML(t *testing.T) {
	g := newGNU(t)
	r := rand.New(rand.NewPCG(9, 10))
	for range breadth.Of(*rounds, 10) {
		a := manifest(r, 1+r.IntN(6))
		g.same(a, mutate(r, a, 1+r.IntN(8)), randomContext(r))
	}
}

func TestSameAsGNUAtTheEdges(t *testing.T) {
	g := newGNU(t)
	texts := []string{"", "\n", "\n\n", "a", "a\n", "b", "b\n", "a\nb", "a\nb\n", "\na", "a\na\na\n", "a\na\na", "a\nb\na\nb\n", "c\na\nb", "xa\n", "a\r\n"}
	for n, a := range texts {
		for m, b := range texts {
			for i, context := range []int{0, 1, 3} {
				if !breadth.Has(n+m+i, 9) {
					continue
				}
				g.same(a, b, context)
			}
		}
	}
}

// manifest writes a Deployment's YAML, with the repetition that such texts have.
func manifest(r *rand.Rand, containers int) string {
	var b strings.Builder
	b.WriteString("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels:\n    app: shop\n  name: api\n  namespace: shop\nspec:\n  replicas: 2\n  template:\n    spec:\n      containers:\n")
	for i := range containers {
		fmt.Fprintf(&b, "      - env:\n")
		for j := range r.IntN(8) {
			fmt.Fprintf(&b, "        - name: VAR_%d\n          value: \"%d\"\n", j, r.IntN(3))
		}
		fmt.Fprintf(&b, "        image: example.org/app-%d:v1.%d\n        imagePullPolicy: IfNotPresent\n        name: c%d\n", i, r.IntN(9), i)
		b.WriteString("        resources:\n          limits:\n            cpu: 100m\n            memory: 64Mi\n          requests:\n            cpu: 100m\n            memory: 64Mi\n        terminationMessagePath: /dev/termination-log\n        terminationMessagePolicy: File\n")
	}
	b.WriteString("status: {}\n")
	return b.String()
}

func mutate(r *rand.Rand, text string, n int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for range n {
		if at := r.IntN(len(lines)); r.IntN(2) == 0 {
			lines[at] += "-2"
		} else {
			lines = edit(r, lines, 1, 5)
		}
		if len(lines) == 0 {
			break
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
