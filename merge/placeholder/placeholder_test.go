package placeholder

import (
	"reflect"
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
		{"$APP $(APP) ${APP/a/b}", true, "$APP $(APP) ${APP/a/b}", nil},
	}
	for _, test := range tests {
		out, open := Substitute(test.text, values, test.whole)
		if out != test.out || !reflect.DeepEqual(open, test.open) {
			t.Errorf("Substitute(%q, %v) = %q, %q", test.text, test.whole, out, open)
		}
	}
}

func TestNames(t *testing.T) {
	got := Names(map[string]any{"a": []any{"${APP}-${SIZE:-2Gi}", "{{ .Values.tag | quote }}"}, "$(NS)": "$HOST and $5, $host, ${1}"})
	want := []string{"${APP}", "${HOST}", "${NS}", "${SIZE}", "{{Values.tag}}"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
}
