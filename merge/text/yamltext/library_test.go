package yamltext

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"threeway/merge/tree"
)

var rounds = flag.Int("rounds", 800, "random objects to print with the library too, per test")

func same(t *testing.T, o tree.Object) {
	t.Helper()
	want, err := yaml.Marshal(o)
	if err != nil {
		if strings.Contains(fmt.Sprint(o), "\u0085") {
			return // --- after this break, or a key with it
		}
		if strings.Contains(err.Error(), "did not find expected ',' or '}'") && longKey(o) {
			return // of a key longer than 1024 characters
		}
		t.Fatalf("%q: the library says %v", o, err)
	}
	if got := YAML(o); got != string(want) && !circular(o) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Fatalf("%q\nprints as\n%q\nthe library says\n%q\nthey part at %.200q", o, got, want, want[max(0, at-100):])
	}
}

// longKey reports whether there is a key somewhere in v that is too long for a
// mapping in one line, as JSON, from which the library makes YAML.
func longKey(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, longKey)
	case tree.Object:
		for key, x := range v {
			if quoted, err := json.Marshal(key); err != nil || len(quoted) > 1000 || longKey(x) {
				return true
			}
		}
	}
	return false
}

// circular reports whether the order of keys runs in circles somewhere in v,
// where the library's own text varies from run to run.
func circular(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, circular)
	case tree.Object:
		for a, x := range v {
			if circular(x) {
				return true
			}
			for b := range v {
				for c := range v {
					if less(a, b) && less(b, c) && less(c, a) {
						return true
					}
				}
			}
		}
	}
	return false
}

var words = []string{
	"a", "b", "word", "Another", "x1", "10", "2", "0", "007", "1.5", ".5", "-1", "+1", "1e3", "1_000", "0x1F", "0b101", "0b-1", "0o17", "017", "08",
	"190:20:30", "1:2", "12:30:45.6", "2001-12-14", "2001-12-14T21:59:43.10Z", "2001-12-14t21:59:43.10-05:00", "2001-1-2 3:4:5", "2001-12-14 21:59:43,10",
	"y", "Yes", "no", "on", "Off", "TRUE", "false", "null", "Null", "~", "<<", ".nan", ".inf", "-.Inf", "+.inf", "=", "1e", "1.", "-", "--", "---", "...", ".",
	"100m", "500Mi", "10.0.0.1", "1.2.3", "::1", "fe80::1", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "1e400",
	"http://example.org:80/a?b=c#d", "key: value", "a #b", "a# b", "{}", "[]", "{{ .Values.x }}", "%d", "@x", "`x`", "*x", "&x", "!x", "|", ">", "'", "\"", "\\", "''", "it's", ",", "?", "? x", ":", ": x", "- x", "x:", "#", "# x",
	"é", "日本語", "🚀", "\u00a0", "\u2028", "\u2029", "\u0085", "\ufeff", "\ufffd", "\ue000", "\u0101", "\u200b", "\xff", "\xe2\x80", "\xc3(",
	"\t", "\n", "\r", "\r\n", "\x00", "\x07", "\x1b", " ", "  ", "\n\n", " \n", "\n ",
	"a rather long sentence that goes on beyond the width of a line, as descriptions of fields tend to do",
	"MIIDXTCCAkWgAwIBAgIJAJC1HiIAZAiIMA0GCSqGSIb3DQEBCwUAMEUxCzAJBgNVBAYTAkFVMRMwEQYDVQQIDApTb21lLVN0YXRlMSEwHwYDVQQKDBh",
}

var letters = []rune("aZ09 .:-_+#,'\"\\/?!*&%@|>~yneEtTx{}[]\n\té🚀\u2028")

func randomString(r *rand.Rand) string {
	var b strings.Builder
	switch r.IntN(6) {
	case 0:
		return words[r.IntN(len(words))]
	case 1:
		for range r.IntN(8) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
	case 2:
		for range r.IntN(200) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
	case 3:
		for range r.IntN(40) {
			b.WriteString(words[r.IntN(len(words))])
			if r.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
	case 4:
		for range r.IntN(12) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteByte("\n\n\n \t"[r.IntN(5)])
		}
	default: // numbers and times, nearly
		for range 1 + r.IntN(12) {
			b.WriteByte("0123456789012345+-._:eExXbBoOtTzZ ,aF"[r.IntN(37)])
		}
	}
	return b.String()
}

func randomKey(r *rand.Rand) string {
	for {
		s := randomString(r)
		if r.IntN(2) == 0 {
			s = fmt.Sprintf("%s%d", words[r.IntN(4)], r.IntN(30))
		}
		if len(s) < 300 && !strings.Contains(s, "\u0085") { // the reader refuses other keys
			return s
		}
	}
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(14); {
	case n < 3 && depth > 0:
		o := tree.Object{}
		for range r.IntN(5) {
			o[randomKey(r)] = randomValue(r, depth-1)
		}
		return o
	case n < 6 && depth > 0:
		l := []any{}
		for range r.IntN(4) {
			l = append(l, randomValue(r, depth-1))
		}
		return l
	case n == 6:
		return nil
	case n == 7:
		return r.IntN(2) == 0
	case n == 8:
		return int64(r.Uint64() >> r.IntN(64))
	case n == 9:
		return randomFloat(r)
	}
	return randomString(r)
}

func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(4) {
	case 0:
		return float64(r.IntN(100)) / 4
	case 1:
		return math.Copysign(math.Pow(10, float64(r.IntN(60)-20)), r.Float64()-0.5)
	case 2:
		return float64(r.Uint64())
	}
	for {
		if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	}
}

func TestSameAsLibraryOnTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range *rounds {
		o := tree.Object{}
		for range r.IntN(6) {
			o[randomKey(r)] = randomValue(r, 4)
		}
		same(t, o)
	}
}

func TestSameAsLibraryOnStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range *rounds {
		var l []any
		for range 20 {
			l = append(l, randomString(r))
		}
		same(t, tree.Object{"k": l, "deep": tree.Object{"er": []any{tree.Object{"s": l[0], "t": l[1:]}}}})
	}
}

func TestSameAsLibraryOnWords(t *testing.T) {
	for _, w := range words {
		for _, v := range words {
			same(t, tree.Object{"a": w + v, "b": w + " " + v, "c": w + "\n" + v, "d": w + ": " + v})
		}
	}
}

// Every character there is, on its own and in company, unless the library
// refuses it.
func TestSameAsLibraryOnEveryCharacter(t *testing.T) {
	var l []any
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if c > 0x3100 && c < 0xD000 && c%64 > 0 || c > 0x10400 && c%251 > 0 || refused(c) {
			continue
		}
		s := string(c)
		l = append(l, s, "a"+s+"b", s+" ", "x "+s, "x\n"+s, s+"\ny")
		if len(l) > 3000 || c == utf8.MaxRune {
			same(t, tree.Object{"k": l})
			l = nil
		}
	}
}

func refused(c rune) bool {
	return c >= 0x7F && c < 0xA0 && c != 0x85 || c >= 0xFFFE && c <= 0xFFFF || c >= 0xD800 && c < 0xE000
}

func TestSameAsLibraryOnNumbers(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1.5, 100, 1e6, 123456789.5, 1e-7, 1e20, 1e21, 1e22, 1 << 53, 1 << 62, 1 << 63, 1 << 64, -(1 << 63), -(1<<63 + 4096), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		for _, near := range []float64{f, math.Nextafter(f, math.Inf(-1)), math.Nextafter(f, math.MaxFloat64), -f} {
			if !math.IsInf(near, 0) {
				same(t, tree.Object{"f": near})
			}
		}
	}
	for _, i := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 53, -(1<<53 + 1)} {
		same(t, tree.Object{"i": i})
	}
}

func TestSameAsLibraryOnKeyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "b", "B", "1", "2", "10", "01", "0", "00", "-", ".", "/", "_", "é", "日", "٣", " "}
	for range *rounds {
		o := tree.Object{}
		for range 6 {
			var b strings.Builder
			for range 1 + r.IntN(4) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			o[b.String()] = int64(1)
		}
		same(t, o)
	}
}

func TestSameAsLibraryOnFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	bits := []string{"word", "é", "日本", " ", "  ", "   ", "'", "\"", "\u2028", ":", "🚀", "\t"}
	for range *rounds {
		var b strings.Builder
		kinds := 2 + r.IntN(len(bits)-1)
		for range 10 + r.IntN(60) {
			b.WriteString(bits[r.IntN(kinds)])
			if r.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		var v any = b.String()
		for range r.IntN(50) {
			v = tree.Object{"k": v}
		}
		same(t, tree.Object{"k": v, "- " + strings.ToValidUTF8(b.String()[:10], "x"): v})
	}
}
