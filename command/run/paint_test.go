package run

import (
	"math"
	"testing"
)

// TestContrast: each tone can be read on black and on white, by the measure of WCAG 2.2.
func TestContrast(t *testing.T) {
	linear := func(v int) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	for _, c := range []tone{red, green, yellow, cyan, faint} {
		light := 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
		if white, black := 1.05/(light+0.05), (light+0.05)/0.05; white < 4.5 || black < 4.5 {
			t.Errorf("%v has %.2f on white and %.2f on black", c, white, black)
		}
	}
}
