package conformance

import (
	"fmt"

	"threeway/merge/kube/internal/strategic"
	"threeway/merge/tree"
)

// triple is the input of a three-way merge.
type triple struct {
	last, config, live tree.Object

	guarded bool // also merge without overwrite, which costs as much as all else
}

func (t triple) String() string {
	return fmt.Sprintf("last-applied %s\nconfig       %s\nlive         %s", encode(t.last), encode(t.config), encode(t.live))
}

// check is one merge that both sides do.
type check struct {
	name     string
	ours     func() outcome
	upstream func() outcome
}

// difference says where we and upstream differ on a triple, "" if nowhere. It
// counts upstream's outcomes in counts.
func difference(k *kind, t triple, counts *tally) string {
	last, config, live := []byte(encode(t.last)), []byte(encode(t.config)), []byte(encode(t.live))
	var found string
	compare := func(c check) outcome {
		got, want := c.ours(), c.upstream()
		counts.add(c.name, want)
		if found == "" && !agree(got, want) && !amongOthers(c, got) {
			found = fmt.Sprintf("%s\nours     %s\nupstream %s", c.name, got, want)
		}
		return want
	}
	if k != custom {
		patch := compare(check{"patch", ourPatch(k, t, true), func() outcome { return kubectlPatch(k, last, config, live, true) }})
		if patch.err == "" {
			compare(check{"result", ourApply(k, t.live, decode(patch.json)), func() outcome { return serverApply(k, live, []byte(patch.json)) }})
		}
		compare(check{"config applied as a patch", ourApply(k, t.live, t.config), func() outcome { return serverApply(k, live, config) }})
		if t.guarded {
			compare(check{"patch without overwrite", ourPatch(k, t, false), func() outcome { return kubectlPatch(k, last, config, live, false) }})
		}
	}
	patch := compare(check{"JSON patch", ourJSONPatch(t), func() outcome { return kubectlJSONPatch(last, config, live) }})
	if patch.err == "" {
		compare(check{"JSON result", ourJSONApply(t.live, decode(patch.json)), func() outcome { return serverJSONApply(live, []byte(patch.json)) }})
	}
	compare(check{"config applied as a JSON patch", ourJSONApply(t.live, t.config), func() outcome { return serverJSONApply(live, config) }})
	if found == "" && (encode(t.last) != string(last) || encode(t.config) != string(config) || encode(t.live) != string(live)) {
		return "an argument was changed"
	}
	return found
}

// agree holds an outcome of ours against one of upstream's. Where upstream
// panics, we return an error.
func agree(ours, upstream outcome) bool {
	if upstream.panicked {
		return !ours.panicked && ours.err != ""
	}
	return ours == upstream
}

// amongOthers reports whether upstream, which walks maps in random order, also
// gives our outcome; ours must then be the same each time.
func amongOthers(c check, got outcome) bool {
	found := false
	for i := 0; i < 200 && !found; i++ {
		found = agree(got, c.upstream())
	}
	for i := 0; i < 20 && found; i++ {
		found = c.ours() == got
	}
	return found
}

func ourPatch(k *kind, t triple, overwrite bool) func() outcome {
	return func() outcome {
		return attempt(func() (string, error) {
			patch, err := strategic.Patch(t.last, t.config, t.live, k.ours, overwrite)
			return encode(patch), err
		})
	}
}

func ourApply(k *kind, live, patch tree.Object) func() outcome {
	return func() outcome {
		return attempt(func() (string, error) {
			result, err := strategic.Apply(live, patch, k.ours)
			if err != nil {
				return "", err
			}
			return encode(result) + fmt.Sprintf("\nleft %+v", strategic.Left(live, patch, k.ours)), nil
		})
	}
}

func ourJSONPatch(t triple) func() outcome {
	return func() outcome {
		return attempt(func() (string, error) {
			patch, err := strategic.JSONPatch(t.last, t.config, t.live)
			return encode(patch), err
		})
	}
}

func ourJSONApply(live, patch tree.Object) func() outcome {
	return func() outcome {
		return attempt(func() (string, error) { return encode(strategic.JSONApply(live, patch)), nil })
	}
}
