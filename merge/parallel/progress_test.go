package parallel

import "testing"

func TestProgress(t *testing.T) {
	p := &Progress{}
	says := func(want string) {
		t.Helper()
		if at := p.String(); at != want {
			t.Errorf("%q, want %q", at, want)
		}
	}
	says("")
	p.Snapshot()
	p.Add(31200)
	says("reading the snapshot, 31,200 objects")
	p.Objects(1234567)
	p.Add(420)
	says("rehearsing 420 of 1,234,567 objects")
	p.Reports(1)
	says("writing 0 of 1 reports")
	p.End()
	says("")
	var none *Progress
	none.Rules(3)
	none.Add(1)
}
