package lint

import (
	"strings"
	"testing"
)

// FuzzSuppressions: comments anywhere in a file silence findings or not, but none
// gets lost, each silent one has a reason, all have their place in the file, and
// a baseline of what is left leaves nothing.
func FuzzSuppressions(f *testing.F) {
	for _, text := range []string{
		pod, strings.ReplaceAll(pod, "a:1", "a:1 # threeway:ignore noisy -- why"), "# threeway:ignore-file noisy,nope -- because\n" + pod,
		strings.ReplaceAll(pod, "  - name: two", "  # threeway:ignore noisy\n  # another\n  - name: two"),
		strings.Replace(pod, "namespace: x", "namespace: x, annotations: {threeway.dev/ignore.noisy: why, threeway.dev/ignore.x: ''}", 1),
		strings.ReplaceAll(pod, "\n", "\r\n") + "---\n" + pod, "#threeway:ignore\n# threeway:ignore noisy, -- \n" + pod,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, all := run(t, text, "", Options{}), run(t, text, "", Options{NoSuppressions: true})
		count := func(lists ...[]*Finding) (n int) {
			for _, list := range lists {
				for _, finding := range list {
					if finding.Rule == noisy {
						n++
					}
				}
			}
			return n
		}
		if count(got.Findings, got.Suppressed) != count(all.Findings) {
			t.Errorf("%d findings and %d silent ones, of %d", count(got.Findings), count(got.Suppressed), count(all.Findings))
		}
		for _, finding := range got.Suppressed {
			if strings.TrimSpace(finding.Suppressed) == "" {
				t.Errorf("line %d is silent without a reason", finding.At().Line)
			}
		}
		lines := strings.Split(text, "\n")
		for _, finding := range got.Findings {
			if at := finding.At(); at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > len([]rune(lines[at.Line-1]))+1 {
				t.Errorf("%s: %d:%d is not in the text", finding.Message, at.Line, at.Column)
			}
		}
		data, err := WriteBaseline(got.Findings)
		if err != nil {
			t.Fatal(err)
		}
		known, err := ReadBaseline(data)
		if err != nil {
			t.Fatal(err)
		}
		if left := run(t, text, "", Options{Baseline: known}); len(left.Findings) > 0 {
			t.Errorf("the baseline leaves %d findings: %s", len(left.Findings), left.Findings[0].Message)
		}
	})
}

// FuzzBaseline: whatever is read as a baseline is written as one that is the same.
func FuzzBaseline(f *testing.F) {
	for _, text := range []string{`{"version":1,"findings":[{"fingerprint":"a","rule":"b","object":"c","path":"d"}]}`, `{"version":1}`, `{"version":2}`, "[]", "null", ""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		known, err := ReadBaseline(data)
		if err != nil {
			if known != nil {
				t.Errorf("%q: %v, and %v", data, known, err)
			}
			return
		}
		for fingerprint := range known {
			if !strings.Contains(string(data), "fingerprint") && !strings.Contains(strings.ToLower(string(data)), "fingerprint") && fingerprint != "" {
				t.Errorf("%q is not in %q", fingerprint, data)
			}
		}
	})
}
