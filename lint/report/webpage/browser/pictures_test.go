package browser

import "testing"

// shop is a config with everything on it, and its snapshot. New rules shall not
// change what is found in it.
var shop = []string{
	"-f", "lint/report/webpage/browser/testdata/shop/config", "--live", "lint/report/webpage/browser/testdata/shop/live.json",
	"--rule", "selector-change", "--rule", "cleared-setting", "--rule", "survives-apply",
}

// pruning is a part of the shop that nothing in is rejected of, so that kubectl
// would go on to prune the rest.
var pruning = []string{
	"-f", "lint/report/webpage/browser/testdata/shop/config/web.yaml", "-f", "lint/report/webpage/browser/testdata/shop/config/settings.yaml",
	"--live", "lint/report/webpage/browser/testdata/shop/live.json", "--prune", "-l", "app=shop",
}

// TestPictures takes pictures of all views, to be looked at.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("only with -pictures FOLDER")
	}
	file, pruned := review(t, shop...), review(t, pruning...)
	for _, s := range []screen{
		{"desktop-light", 1440, 900, false}, {"desktop-dark", 1440, 900, true},
		{"phone-light", 390, 844, false}, {"phone-dark", 390, 844, true},
	} {
		p := open(t, file, s)
		p.picture(s.name + "-1-overview")
		p.keys("j")
		p.picture(s.name + "-2-rejected")
		p.keys("j")
		p.picture(s.name + "-3-fields")
		p.keys("e", "n", "n", "n")
		p.picture(s.name + "-4-why")
		p.keys("2")
		p.picture(s.name + "-5-diff")
		p.keys("u")
		p.picture(s.name + "-6-split")
		p.keys("3")
		p.picture(s.name + "-7-owners")
		p.keys("4")
		p.picture(s.name + "-8-patch")
		p.keys("?")
		p.picture(s.name + "-9-help")
		p = open(t, pruned, s)
		p.picture(s.name + "-10-prune")
	}
}
