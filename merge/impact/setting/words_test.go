package setting

import (
	"reflect"
	"strings"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// TestSentencesEnd: the last alternative of a sentence needs no value, so that there always is one.
func TestSentencesEnd(t *testing.T) {
	sentences := 0
	check := func(row any) {
		v := reflect.Indirect(reflect.ValueOf(row))
		var texts []string
		for i := range v.NumField() {
			switch f := v.Field(i); f.Kind() {
			case reflect.String:
				texts = append(texts, f.String())
			case reflect.Map:
				for _, key := range f.MapKeys() {
					texts = append(texts, f.MapIndex(key).String())
				}
			}
		}
		for _, text := range texts {
			if !strings.Contains(text, "{") {
				continue
			}
			sentences++
			last := text[strings.LastIndex(text, "|")+1:]
			if strings.Contains(last, "{new") || strings.Contains(last, "{old") {
				t.Errorf("%s %s: no sentence without values: %s", v.FieldByName("Kinds"), v.FieldByName("Field"), text)
			}
		}
	}
	for _, area := range Areas {
		check(area)
	}
	for _, m := range Meanings {
		check(m)
	}
	if sentences < 40 {
		t.Errorf("only %d sentences have values", sentences)
	}
}

func TestFill(t *testing.T) {
	pod := func(containers ...any) tree.Object { return tree.Object{"spec": tree.Object{"containers": containers}} }
	web := tree.Object{"name": "web", "readinessProbe": tree.Object{"periodSeconds": int64(10), "failureThreshold": int64(3)}}
	at := fieldpath.New("spec", "containers").Select(fieldpath.Key{Name: "name", Value: "web"})
	for _, c := range []struct {
		words  string
		change Change
		want   string
	}{
		{"runs as {new} instead of {old}|runs as another", Change{Path: fieldpath.New("spec", "a"), Old: "x", New: "y"}, "runs as y instead of x"},
		{"runs as {new} instead of {old}|runs as another", Change{Path: fieldpath.New("spec", "a"), New: "y"}, "runs as another"},
		{"keeps {new:pod}|keeps others", Change{Path: fieldpath.New("spec", "a"), New: int64(1)}, "keeps 1 pod"},
		{"keeps {new:pod}|keeps others", Change{Path: fieldpath.New("spec", "a"), New: "50%"}, "keeps 50% of the pods"},
		{"after {new.periodSeconds*failureThreshold}s|later", Change{Path: at.Child("readinessProbe", "periodSeconds"), Old: int64(5), New: int64(10), After: pod(web)}, "after 30s"},
		{"{container} is {exceeds} at {new}|less", Change{Path: at.Child("resources", "limits", "memory"), New: "1Gi", After: pod(web)}, "the container is OOM-killed at 1Gi"},
		{"{container} is {exceeds} at {new}|less", Change{Path: at.Child("resources", "limits", "cpu"), New: "1", After: pod(web, tree.Object{"name": "log"})}, "container web is throttled at 1"},
		{"needs {new}|more", Change{Path: at.Child("resources", "requests", "cpu"), New: "100M"}, "needs 100M; did you mean 100m?"},
		{"needs {new}|more", Change{Path: at.Child("resources", "requests", "memory"), New: "128"}, "needs 128; the unit is bytes: is Mi or Gi missing?"},
		{"needs {new}|more", Change{Path: at.Child("resources", "requests", "memory"), New: "128Mi"}, "needs 128Mi"},
	} {
		if got := c.change.Fill(c.words); got != c.want {
			t.Errorf("%s: %q, want %q", c.words, got, c.want)
		}
	}
}
