package rules

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"threeway/lint/report"
)

// TestReportsOfExamples holds what the reports say of every rule's bad example,
// silenced and not, against their schemas.
func TestReportsOfExamples(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	for format, schema := range map[string]*jsonschema.Schema{
		"sarif": compiler.MustCompile("../lint/report/testdata/sarif-schema-2.1.0.json"),
		"json":  compiler.MustCompile("../docs/lint.schema.json"),
	} {
		for _, r := range All() {
			for _, comment := range []string{"", "# threeway:ignore-file " + r.ID + " -- a test\n"} {
				var b bytes.Buffer
				if err := report.Findings[format](&b, lintExample(t, Examples(r).Bad, comment), report.Options{Examples: Examples, ShowSuppressed: true}); err != nil {
					t.Fatal(err)
				}
				v, err := jsonschema.UnmarshalJSON(&b)
				if err == nil {
					err = schema.Validate(v)
				}
				if err != nil {
					t.Errorf("%s of %s: %v", format, r.ID, err)
				}
			}
		}
	}
}
