package tree

import (
	"encoding/json"
	"math"
	"testing"
)

func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"b": 1, "a": [true, false, null, {}, []], "": "x"}`,
		`{"<&>": "\u2028 \u0000 \"\\ é \u007f", "n": [0, -1, 1.5, 1e300, 9223372036854775807]}`,
		`"text"`, `null`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			t.Skip()
		}
		v = whole(v)
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := AppendJSON(nil, v); err != nil || string(got) != string(want) {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	})
}

// whole turns numbers without a fraction into integers, as our decoders do.
func whole(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = whole(x)
		}
	case []any:
		for i, x := range v {
			v[i] = whole(x)
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return v
}

func TestJSONRefuses(t *testing.T) {
	if text, err := AppendJSON(nil, Object{"a": []any{math.NaN()}}); err == nil {
		t.Errorf("NaN is %s", text)
	}
	if text, err := AppendJSON(nil, Object{"map": Object(nil), "list": []any(nil)}); err != nil || string(text) != `{"list":null,"map":null}` {
		t.Errorf("got %s, %v", text, err)
	}
}
