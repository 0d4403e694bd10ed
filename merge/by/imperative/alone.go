package imperative

import (
	"fmt"
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
	if c.Has("subresource") {
		return c.status(live.Tree, after)
	}
	res := r.Server.Update(live.Kind, live.Tree, after)
	if res.Rejection != nil {
		return nil, res.Rejection, nil
	}
	first, _, _ := strings.Cut(c.Verb, " ")
	return res.Owned("kubectl-"+first, r.Live.NewestWrite), nil, nil
}

// status is an object with the status that a command gives it, which only a definition is known
// to accept as it is.
func (c *Command) status(live, after tree.Object) (tree.Object, *fault.Rejection, error) {
	if c.Text("subresource") != "status" || tree.String(live, "kind") != "CustomResourceDefinition" {
		return nil, nil, fmt.Errorf("--subresource=%s is not understood", c.Text("subresource"))
	}
	result := tree.CopyObject(live)
	result["status"] = after["status"]
	return result, nil, nil
}
