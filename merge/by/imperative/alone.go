package imperative

import (
	"strings"

	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// On is what the command leaves of one live object, nil if it deletes it. The rejection is
// kubectl's or the server's; the error says what is not understood.
func (c *Command) On(r *rehearsal.Run, live *manifest.Object) (tree.Object, *fault.Rejection, error) {
	if c.Verb == "delete" {
		return nil, nil, nil
	}
	edit, err := c.Edit()
	if err != nil {
		return nil, nil, err
	}
	after := tree.CopyObject(live.Tree)
	if no := edit(live.Kind, after); no != nil {
		return nil, no, nil
	}
	res := r.Server.Update(live.Kind, live.Tree, after)
	if res.Rejection != nil {
		return nil, res.Rejection, nil
	}
	first, _, _ := strings.Cut(c.Verb, " ")
	return res.Owned("kubectl-"+first, r.Live.NewestWrite), nil, nil
}
