package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"threeway/merge/fault"
	"threeway/merge/format"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// zeroTime is how the zero time.Time begins, which prints as null.
const zeroTime = "0001-01-01T00:00:00"

// scalar decodes a value that is neither struct, list nor map in Go.
func (d *decoding) scalar(v any, t *schema.Type) (any, bool) {
	switch t.Form {
	case schema.String:
		if _, ok := v.(string); ok {
			return v, true
		}
		if n, ok := v.(int64); ok && !d.create {
			return nil, d.fail(fault.Errorf("cannot convert %T to %s", n, t.Go))
		}
	case schema.Bool:
		if _, ok := v.(bool); ok {
			return v, true
		}
	case schema.Int:
		return d.integer(v, t)
	case schema.Float:
		switch v := v.(type) {
		case int64:
			return tree.Float(float64(v)), true
		case float64:
			return tree.Float(v), true
		}
	case schema.Bytes:
		return d.bytes(v, t)
	case schema.IntOrString:
		return d.intOrString(v)
	default:
		if _, ok := v.(string); !ok && t.Form != schema.Quantity {
			return nil, d.failFinally(d.cannotRead(tree.JSONType(v), "string"))
		}
		text, err := canonical(v, t.Form)
		if err != nil {
			return nil, d.failFinally(err)
		}
		if strings.HasPrefix(text, zeroTime) {
			return nil, true
		}
		return text, true
	}
	return nil, d.wrong(v, t)
}

func (d *decoding) integer(v any, t *schema.Type) (any, bool) {
	kind := reflectKind(t)
	switch n := v.(type) {
	case int64:
		if kind == "int32" && n != int64(int32(n)) || kind == "uint8" && n != int64(uint8(n)) {
			if d.create {
				return nil, d.fail(d.cannotUnmarshal("number "+strconv.FormatInt(n, 10), t))
			}
			return int64(int32(n)), true // the converter cuts off
		}
		return n, true
	case float64:
		if d.create {
			return nil, d.fail(d.cannotUnmarshal("number "+jsonText(n), t))
		}
		if n == math.Trunc(n) {
			return d.integer(int64(n), t)
		}
		return nil, d.fail(fault.Errorf("cannot convert float64 to %s", t.Go))
	}
	return nil, d.wrong(v, t)
}

// bytes re-encodes base64, so that line breaks and the like are gone.
func (d *decoding) bytes(v any, t *schema.Type) (any, bool) {
	if l, ok := v.([]any); ok {
		return d.byteList(l), true
	}
	s, ok := v.(string)
	if !ok {
		return nil, d.wrong(v, t)
	}
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		words := ""
		if !d.create {
			words = "error decoding from json: "
		}
		return nil, d.fail(fault.Errorf("%s%v", words, err))
	}
	return base64.StdEncoding.EncodeToString(raw), true
}

// byteList encodes bytes that are given as a list of numbers.
func (d *decoding) byteList(l []any) string {
	var raw []byte
	for _, n := range d.list(l, &schema.Type{Form: schema.List, Elem: &schema.Type{Form: schema.Int, Go: "uint8"}}).([]any) {
		n, _ := n.(int64)
		raw = append(raw, byte(n))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func (d *decoding) intOrString(v any) (any, bool) {
	switch n := v.(type) {
	case string:
		return v, true
	case int64:
		if n == int64(int32(n)) {
			return v, true
		}
		return nil, d.failFinally(d.cannotRead("number "+jsonText(n), "int32"))
	case float64:
		return nil, d.failFinally(d.cannotRead("number "+jsonText(n), "int32"))
	}
	return nil, d.failFinally(d.cannotRead(tree.JSONType(v), "int32"))
}

// quantityText is what a value of JSON has to parse as.
func quantityText(v any) string {
	text, ok := v.(string)
	if !ok {
		text = jsonText(v)
	}
	return strings.TrimSpace(text)
}

// canonical is the text of a value whose Go type reads and writes JSON itself.
func canonical(v any, form schema.Form) (string, error) {
	if form == schema.Quantity {
		q, err := format.Quantity(quantityText(v))
		if err != nil {
			return "", fault.Errorf("%v", err)
		}
		return q.String(), nil
	}
	s, _ := v.(string)
	switch form {
	case schema.Duration:
		pd, err := time.ParseDuration(s)
		return pd.String(), unreadableTime(err)
	case schema.MicroTime:
		const micro = "2006-01-02T15:04:05.000000Z07:00"
		at, err := time.Parse(micro, s)
		return at.UTC().Format(micro), unreadableTime(err)
	default:
		at, err := time.Parse(time.RFC3339, s)
		return at.UTC().Format(time.RFC3339), unreadableTime(err)
	}
}

// timeError is the error of a time or duration, which quotes it.
type timeError struct{ error }

func unreadableTime(err error) error {
	if err == nil {
		return nil
	}
	return timeError{err}
}

// FaultText is the error's text; masked it only says what it is about.
func (e timeError) FaultText() fault.Text {
	return fault.Quote(e.Error, "no valid time: "+fault.Masked)
}

func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// goKind names the reflect.Kind of a tree's value.
func goKind(v any) string {
	switch v.(type) {
	case map[string]any:
		return "map"
	case []any:
		return "slice"
	}
	return fmt.Sprintf("%T", v)
}

// reflectKind names the reflect.Kind of a scalar type.
func reflectKind(t *schema.Type) string {
	switch t.Form {
	case schema.String:
		return "string"
	case schema.Bool:
		return "bool"
	case schema.Float:
		return "float64"
	case schema.Int:
		if strings.HasSuffix(t.Go, "64") {
			return "int64"
		}
		if t.Go == "uint8" {
			return t.Go
		}
		return "int32"
	}
	return "struct"
}
