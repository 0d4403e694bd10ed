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

func TestImplies(t *testing.T) {
	for _, c := range []struct {
		narrow, wide string
		implies      bool
	}{
		{"a=b", "a in (b)", true}, {"a in (b,c)", "a in (c,b,d)", true}, {"a in (b,c)", "a=b", false},
		{"a=b,c=d", "a=b", true}, {"a=b", "a=b,c=d", false}, {"a=b", "a", true}, {"a", "a=b", false},
		{"a=b", "a!=c", true}, {"a=b", "a!=b", false}, {"!a", "a!=b", true}, {"a notin (b,c)", "a!=b", true}, {"a!=b", "a notin (b,c)", false},
		{"!a", "!a", true}, {"a!=b", "!a", false}, {"a=b", "c=b", false}, {"a>3", "a>3", true}, {"a>3", "a>4", false},
	} {
		narrow, err := Parse(c.narrow)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := Parse(c.wide)
		if err != nil {
			t.Fatal(err)
		}
		if got := narrow.Implies(wide); got != c.implies {
			t.Errorf("%s implies %s: %t", c.narrow, c.wide, got)
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
