package placeholder

import (
	"reflect"
	"strings"
	"testing"
)

func TestSubstitute(t *testing.T) {
	values := map[string]string{"APP": "web", "EMPTY": "", "N": "3"}
	tests := []struct {
		text  string
		whole bool
		out   string
		open  []string
	}{
		{"name: ${APP}", true, "name: web", nil},
		{"replicas: ${N}", true, "replicas: 3", nil},
		{"${SIZE:-2Gi} ${SIZE:=2Gi} ${EMPTY:-x} ${EMPTY-x}", true, "2Gi 2Gi x ", nil},
		{"${SIZE:-2Gi} ${EMPTY:=x}", false, "${SIZE:-2Gi} x", []string{"${SIZE}"}},
		{"${NAME:-${APP}-db}", true, "web-db", nil},
		{"${OTHER} $${APP}", true, "${OTHER} ${APP}", []string{"${OTHER}"}},
		{"${SIZE:-{a}} ${OTHER:-${SIZE}}", false, "${SIZE:-{a}} ${OTHER:-${SIZE}}", []string{"${OTHER}", "${SIZE}"}},
		{"${X:-$${Y}} ${APP:-${Z}} ${Z:-a", true, "${Y} web ${Z:-a", nil},
		{"$APP $(APP) ${APP/a/b}", true, "$APP $(APP) ${APP/a/b}", nil},
	}
	for _, test := range tests {
		out, open := Substitute(test.text, values, test.whole)
		if out != test.out || !reflect.DeepEqual(open, test.open) {
			t.Errorf("Substitute(%q, %v) = %q, %q", test.text, test.whole, out, open)
		}
	}
}

// TestSubstituteIsBounded: a text of a stranger costs no more than its length, and values that
// would add too much stay out.
func TestSubstituteIsBounded(t *testing.T) {
	for _, text := range []string{strings.Repeat("${A:=", 200_000), strings.Repeat("${", 500_000), strings.Repeat("${A:={", 100_000) + strings.Repeat("}", 100_000)} {
		if out, _ := Substitute(text, nil, true); len(out) > len(text) {
			t.Errorf("%d bytes became %d", len(text), len(out))
		}
	}
	out, open := Substitute(strings.Repeat("${A}", 3000), map[string]string{"A": strings.Repeat("a", 900_000)}, true)
	if len(out) > largest+4*3000 || len(open) != 1 {
		t.Errorf("%d bytes, open %v", len(out), open)
	}
}

func TestNames(t *testing.T) {
	got := Names(map[string]any{"a": []any{"${APP}-${SIZE:-2Gi}", "{{ .Values.tag | quote }}"}, "$(NS)": "$HOST and $5, $host, ${1}"})
	want := []string{"${APP}", "${HOST}", "${NS}", "${SIZE}", "{{Values.tag}}"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
}
