package selector

import "testing"

func TestMatches(t *testing.T) {
	labels := map[string]any{"app": "shop", "tier": "web", "n": "5"}
	for text, want := range map[string]bool{
		"":                           true,
		"app=shop":                   true,
		"app==shop,tier=web":         true,
		"app=shop,tier=db":           false,
		"app!=shop":                  false,
		"missing!=x":                 true,
		"app in (shop, market)":      true,
		"app notin (shop,market)":    false,
		"missing notin (a)":          true,
		"app":                        true,
		"!app":                       false,
		"!missing":                   true,
		"n>4":                        true,
		"n<4":                        false,
		"n>5":                        false,
		"n<5":                        false,
		"n<6":                        true,
		"app>1":                      false,
		"missing<1":                  false,
		" app = shop , tier in(web)": true,
		"app=":                       false,
	} {
		s, err := Parse(text)
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
			continue
		}
		if got := s.Matches(labels); got != want {
			t.Errorf("%q matches: %v, want %v", text, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"app=shop,", "=x", "app in shop", "app in (a", "app ~ b", "a b", "n>x", "-bad=1", "a=b c"} {
		if s, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, s)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a=b", "a in (b,c),!d", "a>1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err == nil {
			s.Matches(map[string]any{"a": "b"})
		}
	})
}
