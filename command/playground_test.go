package command_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"threeway/site/playground"
)

const settingsMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n"

// TestArguments: empty panes are not passed, and without live objects the last
// manifest is the base.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		q    playground.Question
		want string
	}{
		{playground.Question{View: "diff"}, "diff -f manifest.yaml"},
		{playground.Question{View: "diff", Live: " \n", LastApplied: settingsMap}, "diff -f manifest.yaml --base last-applied.yaml"},
		{playground.Question{View: "patch", Live: settingsMap}, "merge -o patch -f manifest.yaml --live live.yaml"},
		{playground.Question{View: "result", Live: settingsMap, LastApplied: settingsMap, Flags: " --prune  --all "}, "merge -o yaml -f manifest.yaml --live live.yaml --last-applied last-applied.yaml --prune --all"},
	} {
		if got := strings.Join(c.q.Arguments(), " "); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestMistakes: what cannot be read has its place, in whichever pane it is.
func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := settingsMap + "   data: x\n"
	for name, q := range map[string]playground.Question{
		playground.Manifest:    {Manifest: broken},
		playground.Live:        {Manifest: settingsMap, Live: broken},
		playground.LastApplied: {Manifest: settingsMap, Live: settingsMap, LastApplied: broken},
	} {
		q.View = "review"
		a := playground.Ask(context.Background(), q)
		if a.Code != 2 || len(a.Mistakes) != 1 {
			t.Fatalf("%s: code %d, %v: %s", name, a.Code, a.Mistakes, a.Err)
		}
		if m := a.Mistakes[0]; m.File != name || m.Line != 5 || m.Column != 4 || !strings.Contains(m.Text, "mapping values are not allowed") {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestAskAgain: nothing of one question is left for the next.
func TestAskAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	changed := strings.Replace(settingsMap, "settings", "settings\n  namespace: default\n  labels: {a: b}", 1)
	plain := playground.Question{Manifest: settingsMap, View: "diff"}
	first := playground.Ask(context.Background(), plain)
	playground.Ask(context.Background(), playground.Question{Manifest: changed, Live: changed, LastApplied: changed, View: "diff"})
	if again := playground.Ask(context.Background(), plain); again.Out != first.Out || again.Err != first.Err || !slices.Equal(again.Mistakes, first.Mistakes) {
		t.Errorf("first:\n%s%s\nagain:\n%s%s", first.Out, first.Err, again.Out, again.Err)
	}
	if forged := playground.Ask(context.Background(), playground.Question{Manifest: settingsMap, View: "diff", Flags: ";x|sh $(x)"}); forged.Command != "threeway diff -f manifest.yaml ';x|sh' '$(x)'" {
		t.Errorf("the flags of a link make the command %s", forged.Command)
	}
	if wrong := playground.Ask(context.Background(), playground.Question{Manifest: settingsMap, View: "diff", Flags: "--nonsense"}); wrong.Code != 2 || !strings.Contains(wrong.Err, "unknown flag: --nonsense") {
		t.Errorf("code %d: %s", wrong.Code, wrong.Err)
	}
}
