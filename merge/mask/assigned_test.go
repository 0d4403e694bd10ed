package mask

import (
	"slices"
	"testing"
)

func TestAssigned(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"postgres://u:p%40ss@db/shop", []string{"p%40ss", "p@ss"}},
		{"a http://x/y@z b https://u@h", nil},
		{"amqp://u:one@a,amqp://v:two@b", []string{"one", "one", "two", "two"}},
		{"Server=db;Password=one two;User=x", []string{"one two"}},
		{"export A_TOKEN='one'\nLEVEL=info\n  \"password\": \"two\",\r\n", []string{"one", "two"}},
		{"://:@", []string{"", ""}},
		{"password", nil},
	} {
		var found []string
		assigned(c.text, func(text string) { found = append(found, text) })
		if !slices.Equal(found, c.want) {
			t.Errorf("%q gives %q, want %q", c.text, found, c.want)
		}
	}
}
