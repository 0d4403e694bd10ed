package tree

import (
	"encoding/json"
	"math"
	"reflect"
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
		var again any
		if err := json.Unmarshal(want, &again); err != nil || Decoded(v) && !reflect.DeepEqual(whole(again), v) {
			t.Errorf("%s is decoded as %v, %v", want, again, err)
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

func TestDecoded(t *testing.T) {
	for _, v := range []any{1.5, float64(1), "\xff", Object{"\xff": nil}, Object(nil), []any(nil), 1, Object{"a": []any{Object{"b": 1e300}}}} {
		if Decoded(v) {
			t.Errorf("%#v counts as decoded", v)
		}
	}
	if v := (Object{"a": []any{nil, true, int64(1), "é"}, "b": Object{}}); !Decoded(v) {
		t.Errorf("%#v does not count as decoded", v)
	}
}

func TestJSONRefuses(t *testing.T) {
	if text, err := AppendJSON(nil, Object{"a": []any{math.NaN()}}); err == nil {
		t.Errorf("NaN is %s", text)
	}
	if text, err := AppendJSON(nil, Object{"map": Object(nil), "list": []any(nil)}); err != nil || string(text) != `{"list":null,"map":null}` {
		t.Errorf("got %s, %v", text, err)
	}
}
