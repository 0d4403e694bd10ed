package report

import (
	"bufio"
	"strings"
	"testing"
)

// A table that is wider than the terminal is a list of who has what.
func TestClustersList(t *testing.T) {
	c := &Clusters{command: "diff", format: "text", names: []string{"eu-1", "eu-2", "eu-3", "us-1"}}
	web := &clustered{name: "shop/Service/web", on: map[string]cell{}}
	for _, name := range c.names {
		web.on[name] = cell{action: "changed"}
	}
	web.on["us-1"] = cell{action: "rejected"}
	db := &clustered{name: "shop/Secret/db", on: map[string]cell{"eu-1": {action: "created"}, "eu-2": {action: "created"}}}
	write := func(width int) string {
		var b strings.Builder
		out := bufio.NewWriter(&b)
		c.writeTable(out, []*clustered{web, db}, Options{Width: width})
		out.Flush()
		return b.String()
	}
	table := "OBJECT            eu-1     eu-2     eu-3     us-1\n" +
		"Service shop/web  changed  changed  changed  rejected\n" +
		"Secret shop/db    created  created  -        -\n"
	list := "Service shop/web\n  changed   all clusters but us-1\n  rejected  us-1\n" +
		"Secret shop/db\n  created  eu-1, eu-2\n  -        eu-3, us-1\n"
	folded := strings.Replace(list, "clusters but us-1", "clusters\n            but us-1", 1)
	for width, want := range map[int]string{0: table, 53: table, 52: list, 24: folded} {
		if got := write(width); got != want {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}
