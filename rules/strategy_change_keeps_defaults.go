package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var strategyChangeKeepsDefaults = &lint.Rule{
	ID:    "strategy-change-keeps-defaults",
	Title: "defaults of the old rollout strategy stay in the object",
	Text: "The manifest changes the type of strategy or updateStrategy and does not set rollingUpdate. The live object has a rollingUpdate " +
		"that the server defaulted, the merge keeps it, and the server rejects it together with the new type.",
	Why: "Defaults of the server are in the live object but in no manifest, so apply does not remove them. Whether they stay depends on the " +
		"field: a Deployment's strategy is merged with retainKeys, which drops the leftovers in a client-side apply, but not in a server-side " +
		"one; a StatefulSet's updateStrategy is merged without retainKeys; a DaemonSet's leftover is accepted. The rule checks the merged result, so " +
		"it reports nothing if the apply succeeds.",
	Fix: "Set rollingUpdate: null next to the new type, once: apply then clears the defaults. A server-side apply ignores the null; there, " +
		"change type and rollingUpdate together by hand once, with kubectl patch --type=merge.",
	Repair:   "Adds rollingUpdate: null, unless the apply is server-side.",
	Links:    []string{declarative + "#default-field-values", issue + "24198"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		leftover := strategyLeftover(o)
		if leftover == nil || !f.Path.HasPrefix(leftover) {
			return nil
		}
		strategy := leftover[:len(leftover)-1]
		r := &lint.Report{
			Path: strategy.Child("type"), LivePath: leftover,
			Message: strategy.String() + ".type changes, but the rollingUpdate that the server defaulted stays; apply is rejected: " + firstLine(f.Detail),
			Fix:     "add 'rollingUpdate: null' under " + strategy.String() + "; it clears the server's defaults",
		}
		switch o.PatchType {
		case rehearsal.Apply:
			r.Fix, r.Ways = "", []lint.Way{strategyByHand(o, strategy)}
		case rehearsal.StrategicMerge:
			r.Edits = []edit.Edit{edit.Set(leftover, nil)}
		}
		return r
	},
}

// strategyLeftover is the rollingUpdate of the live object that the config does
// not mention while it asks for another type, and that the server refuses
// beside that type; nil if there is none.
func strategyLeftover(o *lint.Object) fieldpath.Path {
	field := "updateStrategy"
	switch {
	case o.Is("Deployment.apps"):
		field = "strategy"
	case !o.Is("StatefulSet.apps"):
		return nil
	}
	leftover := fieldpath.New("spec", field, "rollingUpdate")
	_, mentioned := o.Find(leftover, o.Manifest.Tree)
	typ := tree.String(o.Manifest.Tree, "spec", field, "type")
	if mentioned && o.PatchType != rehearsal.Apply || has(o.Manifest.Tree, leftover) || !has(o.Before, leftover) || typ == "" || typ == "RollingUpdate" {
		return nil
	}
	return leftover
}

// strategyByHand is the way out of a server-side apply, which ignores nulls.
func strategyByHand(o *lint.Object, strategy fieldpath.Path) lint.Way {
	typ := tree.String(o.Manifest.Tree, "spec", strategy[1].Field, "type")
	return lint.Way{
		Words: "change both by hand once, then apply: ",
		Commands: []string{shell.Line("kubectl patch", o.Target(), shell.Option("--type=merge"),
			shell.JSON("-p", tree.Object{"spec": tree.Object{strategy[1].Field: strategyPatch{Type: typ}}}))},
		Paths: []fieldpath.Path{strategy}, Instead: "change both by hand once, then apply",
	}
}

// strategyPatch clears the leftover beside the new type.
type strategyPatch struct {
	Type          string `json:"type"`
	RollingUpdate any    `json:"rollingUpdate"`
}
