package docs_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// input is one of a component.
type input struct {
	Default     *string
	Description string
	Options     []string
}

// component is the script of templates/review.yml with some inputs. Its variables
// are set in the environment of the job, as GitLab does.
func component(t *testing.T, j *job, inputs map[string]string) string {
	t.Helper()
	data, err := os.ReadFile("templates/review.yml")
	if err != nil {
		t.Fatal(err)
	}
	var head struct {
		Spec struct{ Inputs map[string]input }
	}
	specification, jobs, ok := bytes.Cut(data, []byte("\n---\n"))
	if err := yaml.Unmarshal(specification, &head); err != nil || !ok {
		t.Fatalf("the component has no inputs: %v", err)
	}
	used := map[string]bool{}
	jobs = regexp.MustCompile(`\$\[\[ inputs\.([a-z-]+) \]\]`).ReplaceAllFunc(jobs, func(m []byte) []byte {
		name := strings.Fields(strings.ReplaceAll(string(m), "inputs.", ""))[1]
		in, known := head.Spec.Inputs[name]
		used[name] = true
		switch value, given := inputs[name]; {
		case !known:
			t.Errorf("the component has no input %s", name)
		case given:
			return fmt.Appendf(nil, "%q", value)
		case in.Default == nil:
			t.Errorf("the input %s has no default", name)
		case name == "name":
			return []byte(*in.Default) // it is in quotes
		default:
			return fmt.Appendf(nil, "%q", *in.Default)
		}
		return nil
	})
	for name, in := range head.Spec.Inputs {
		if !used[name] || in.Description == "" {
			t.Errorf("the input %s is not used, or not described", name)
		}
	}
	var described map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct{ Reports map[string]string }
	}
	if err := yaml.Unmarshal(jobs, &described); err != nil {
		t.Fatal(err)
	}
	reviews, ok := described["threeway"]
	if !ok || len(reviews.Script) == 0 || len(reviews.Artifacts.Reports) != 2 {
		t.Fatalf("the job of the component: %+v", described)
	}
	for name, value := range reviews.Variables {
		j.env[name] = value
	}
	return strings.Join(reviews.Script, "\n")
}
