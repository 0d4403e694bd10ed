package rules

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var applyRejected = &lint.Rule{
	ID:    "apply-rejected",
	Title: "the object would be rejected",
	Text: "kubectl or the API server would reject the object, for a reason that no other rule explains; the message is the original one. " +
		"All objects of a kind that the cluster does not have are one finding.",
	Why:      "Nothing of the object is applied, kubectl exits with an error, and --prune is skipped.",
	Fix:      "Correct the field that the message names, or the object in the cluster.",
	Links:    []string{"https://kubernetes.io/docs/reference/kubernetes-api/"},
	Severity: lint.Error,
	Fallback: true,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		path := f.Path
		if o.Is("Kustomization.kustomize.config.k8s.io") {
			return &lint.Report{
				Path:    fieldpath.New("kind"),
				Message: "a kustomization is not a manifest: apply -f rejects it",
				Fix:     "pass its directory with -k, here and to kubectl apply",
			}
		}
		if f.Code == fault.UnknownKind {
			fix := "install the CustomResourceDefinition first; if the cluster has it and the snapshot does not, pass it with --crd"
			if schema.BuiltinGroup(o.Kind.Group) || !strings.Contains(o.Kind.Group, ".") {
				fix = cmp.Or(kindMeant(o), "correct kind or apiVersion; no CustomResourceDefinition adds kinds to this group")
			}
			return &lint.Report{
				Path:    fieldpath.New("kind"),
				Message: fmt.Sprintf("the cluster has no kind %q in version %q; apply is rejected", o.Kind.Kind, o.Kind.APIVersion()),
				Fix:     fix,
				Group:   fmt.Sprintf("%q in version %q", o.Kind.Kind, o.Kind.APIVersion()),
			}
		}
		if f.Wants != "" {
			r := &lint.Report{Path: path, Message: path.String() + " must be " + f.Wants + "; apply is rejected: " + firstLine(f.Text)}
			if r.Fix, r.Edits = retyped(o); r.Edits == nil {
				r.Suggested, r.Likely = asLive(o), true
			}
			return r
		}
		fix, edits := correction(o, f)
		if f.Path.String() == "kind" || o.Kind.Kind != "" && !tree.Has(o.Manifest.Tree, "apiVersion") {
			fix = cmp.Or(kindMeant(o), fix)
		}
		what := "apply is rejected: "
		if f.Type == "Required value" && o.Unseen() {
			what = "rejected when it is created: " // a live object may have the field
		}
		if o.MergedWrong() {
			return &lint.Report{Path: path, Message: "apply is rejected because of how a client-side apply merges this manifest, which is valid alone: " + firstLine(f.Text),
				Ways: []lint.Way{{Words: "apply once with --server-side --force-conflicts", First: lint.ServerFirst, Instead: fix}}}
		}
		if o.Emptied(path) {
			return &lint.Report{Path: path, Message: "apply is rejected, although the manifest is valid alone: server-side apply stores null for " + path.String() + ", all of whose fields it removes: " + firstLine(f.Text),
				Ways: []lint.Way{{Words: "remove " + path.String() + " from the manifest", Edits: []edit.Edit{edit.Remove(path)}, Instead: fix}}}
		}
		r := &lint.Report{Path: path, Message: what + firstLine(f.Text), Fix: fix, Suggested: edits}
		if live := asLive(o); live != nil {
			r.Suggested, r.Likely = live, true
		}
		return r
	},
}

// kindMeant says how to write the built-in kind that an unknown one may be; "" if none is like
// it.
func kindMeant(o *lint.Object) string {
	var kinds, versions []string
	for _, r := range schema.Resources() {
		switch {
		case !r.OnByDefault() || !r.In(o.Run.Minor):
		case r.APIVersion() == o.Kind.Kind && r.Kind.Kind == o.Kind.APIVersion():
			return "swap apiVersion and kind"
		case r.Kind.Kind == o.Kind.Kind:
			versions = append(versions, r.APIVersion())
		default:
			kinds = append(kinds, r.Kind.Kind)
		}
	}
	if versions != nil {
		return "write apiVersion: " + strings.Join(versions, " or ")
	}
	if near := phrase.Nearest(o.Kind.Kind, kinds); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// correction tells what to do about a fault, as far as its type does, and the
// edits that do it.
func correction(o *lint.Object, f lint.Fault) (fix string, edits []edit.Edit) {
	path := f.Path.String()
	config, set := o.Find(f.Path, o.Manifest.Tree)
	live, stored := o.Find(f.Path, o.Before)
	switch {
	case f.Code == fault.Policy:
		return "change the object so that the policy allows it, or have the policy changed", nil
	case f.Code == fault.NoRight:
		return "give User " + o.Run.User.Name + " the right by a binding to " + roleText(f.Lacks), nil
	case f.Code == fault.NotAs:
		return "give User " + o.Run.Impersonator.Name + " the right by a binding to " + roleText(f.Lacks), nil
	case f.Code == fault.Escalates:
		return "apply it as a user who has these rights, or the right to escalate or bind; or remove the rights that User " + o.Run.User.Name + " does not have", nil
	case f.Code == fault.NoExpansion:
		fix, edits = keeping(o, []fieldpath.Path{f.Path})
		if class := tree.String(o.Before, "spec", "storageClassName"); class != "" {
			fix += "; or first set allowVolumeExpansion: true in StorageClass " + class + ", if its driver can grow volumes"
		}
		return fix, edits
	case f.Code == fault.OneOf || f.Code == fault.ValueAndSource:
		return "set only one of the two fields", nil
	case f.Code == fault.Absent:
		return "add the missing object that the message names", nil
	case f.Code == fault.NotOwned && o.By.Claim().Kind == applier.HelmRelease:
		return "have the HelmRelease adopt it, without disableTakeOwnership; or give it the label and annotations that the message names", nil
	case f.Code == fault.NotOwned && o.By.Run() == "install" && applier.Released(o.Before) != "":
		return "it is of release " + applier.Released(o.Before) + ": give that as --release if these are its manifests, or leave the object to it", nil
	case f.Code == fault.NotOwned:
		return "adopt it with --take-ownership, or give it the label and annotations that the message names; or rename the object in the chart", nil
	case path == "":
		return aside(o.Rejection), nil
	case f.Type == "Required value" && set && !tree.Empty(config): // which lacks something, such as a probe its handler
		return "complete " + path, nil
	case f.Type == "Required value":
		return "set " + path, nil
	case f.Type == "Forbidden" && f.Code != fault.NotAllowed && set && stored && !tree.Equal(config, live):
		return keeping(o, []fieldpath.Path{f.Path})
	case f.Code == fault.NotAllowed && set || f.Code == fault.OtherType && set && !stored:
		at := f.Path
		if n := len(at) - 2; n > 0 && at[n].Keys != nil && at[n].Keys[0].Name == at[n+1].Field {
			at = at[:n+1] // an item is not without its key
		}
		if ip := fieldpath.New("spec", "clusterIP"); o.Is("Service") && path == "spec.clusterIPs" && has(o.Manifest.Tree, ip) {
			return "remove spec.clusterIP and " + path, []edit.Edit{edit.Remove(ip), edit.Remove(at)}
		}
		if _, applied := o.Find(at, o.LastApplied()); stored && !applied && o.PatchType != rehearsal.Apply {
			return "set " + at.String() + " to null, which removes the live value too", []edit.Edit{edit.Set(at, nil)}
		}
		return "remove " + at.String(), []edit.Edit{edit.Remove(at)}
	case f.Type == "Unsupported value":
		if text, is := config.(string); is {
			if near := phrase.Nearest(text, f.Supported); near != "" {
				return "did you mean " + near + "?", []edit.Edit{edit.Set(f.Path, near)}
			}
		}
		return "set " + path + " to one of the supported values", nil
	case len(f.Path) > 1 && f.Path[len(f.Path)-1].Field == "requests" && f.Path[len(f.Path)-2].Field == "resources":
		return overLimit(o, f.Path[:len(f.Path)-1]), nil
	case f.Type == "Not found":
		return "correct " + path + ", or add the missing object", nil
	}
	return "", nil // the message says all
}

// overLimit tells what to do about requests of resources that are over their limits; "" if none
// is.
func overLimit(o *lint.Object, resources fieldpath.Path) string {
	v, _ := o.Find(resources, o.Manifest.Tree)
	var ways []string
	for _, name := range tree.Keys(tree.Map(v, "requests")) {
		request, limit := tree.Map(v, "requests")[name], tree.Map(v, "limits")[name]
		if order, ok := setting.Compare(request, limit); ok && order > 0 {
			ways = append(ways, fmt.Sprintf("lower requests.%s to %v, or raise limits.%s to %v", name, limit, name, request))
		}
	}
	return strings.Join(ways, "; ")
}

// aside tells what to do about a rejection that is about no field; "" if its message does.
func aside(no *fault.Rejection) string {
	switch {
	case no == nil:
	case no.By.Name != "":
		kind, _, _ := strings.Cut(no.By.GroupKind, ".")
		return "change the object so that " + kind + " " + no.By.Name + " allows it, or have that changed"
	case no.Reason == "AlreadyExists":
		return "apply the manifest, which changes the object that exists"
	}
	return ""
}

// roleText is a role that is to be made, as YAML on one line.
func roleText(role tree.Object) string {
	text, err := tree.AppendJSON(nil, role["rules"])
	if err != nil {
		return ""
	}
	what := "a ClusterRole"
	if namespace := tree.String(role, "metadata", "namespace"); namespace != "" {
		what = "a Role in " + namespace
	}
	return what + " with the rules " + string(text)
}
