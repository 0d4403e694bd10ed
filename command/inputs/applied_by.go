package inputs

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// appliers are the flags that rehearse a program that applies objects.
var appliers = map[applier.Kind]string{
	applier.Release:       request.ApplierHelm + " --release ",
	applier.Application:   request.ApplierArgoCD + " --app ",
	applier.Kustomization: request.ApplierFlux + " --kustomization ",
	applier.HelmRelease:   request.ApplierFlux + " --helmrelease ",
}

// applied says of the manifests of a run which program applies them, as their live
// objects tell: of one that threeway rehearses, and of no other.
type applied struct {
	live *manifest.Snapshot
	// by has the programs, and claims which of them applies a manifest.
	by     []applier.Claim
	claims map[*manifest.Object]int
	// plain are the manifests of live objects that no program applies, or several.
	plain map[*manifest.Object]bool
}

func readApplied(live *manifest.Snapshot, manifests []*manifest.Object, namespace string) *applied {
	a := &applied{live: live, claims: map[*manifest.Object]int{}, plain: map[*manifest.Object]bool{}}
	lists := applier.ReadLists(live)
	for _, o := range manifests {
		var found []applier.Claim
		for _, e := range a.entries(o, namespace) {
			claims := lists.Claims(e.Object())
			if len(claims) != 1 || appliers[claims[0].Kind] == "" {
				// Argo CD never marks definitions, nor does Helm those of a chart's crds/.
				a.plain[o] = len(claims) > 0 || o.Kind.GroupKind() != "CustomResourceDefinition.apiextensions.k8s.io"
				continue
			}
			found = append(found, claims[0])
		}
		if len(found) != 1 {
			continue
		}
		i := slices.IndexFunc(a.by, found[0].Same)
		if i < 0 {
			i, a.by = len(a.by), append(a.by, found[0])
		}
		a.claims[o], a.plain[o] = i, false
	}
	return a
}

// entries are the live objects that a manifest may be of: one without a namespace gets
// that of its program, which may be any.
func (a *applied) entries(o *manifest.Object, namespace string) []*manifest.Entry {
	id := o.ID()
	if e := a.live.FindEntry(id); e != nil {
		return []*manifest.Entry{e}
	}
	if id.Namespace != "" {
		return nil
	}
	if id.Namespace = cmp.Or(namespace, "default"); a.live.FindEntry(id) != nil {
		return []*manifest.Entry{a.live.FindEntry(id)}
	}
	var list []*manifest.Entry
	for _, e := range a.live.EntriesOfKind(o.Kind.GroupKind()) {
		if e.Name == o.Name {
			list = append(list, e)
		}
	}
	return list
}

// inherit gives manifests that no live object tells of the program of those beside them:
// of the same chart in the file, else in the file, else in the directory, if that is one.
func (a *applied) inherit(manifests []*manifest.Object) {
	const none = -1
	programs := map[string][]int{}
	for _, o := range manifests {
		i, claimed := a.claims[o]
		if !claimed && !a.plain[o] {
			continue
		}
		if !claimed {
			i = none
		}
		for _, place := range around(o) {
			if !slices.Contains(programs[place], i) {
				programs[place] = append(programs[place], i)
			}
		}
	}
	for _, o := range manifests {
		if _, claimed := a.claims[o]; claimed || a.plain[o] {
			continue
		}
		for _, place := range around(o) {
			if by := programs[place]; len(by) > 0 {
				if len(by) == 1 && by[0] != none {
					a.claims[o] = by[0]
				}
				break
			}
		}
	}
}

// around are the places where a manifest is, the narrowest first.
func around(o *manifest.Object) []string {
	file := filepath.ToSlash(o.Origin.File)
	chart, _, _ := strings.Cut(o.Origin.Template, "/")
	list := []string{file + "#" + chart, file}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		list = append(list, dir+"/")
		if dir == path.Dir(dir) {
			return list
		}
	}
}

// divideByApplier rehearses each manifest as the program applies it that applies its live object, if
// several programs do, or one with several releases, Applications and so on. The rest is
// kubectl's. A flag that says who applies, or that only kubectl has, is for all manifests.
func divideByApplier(ctx context.Context, r *request.Inputs, std system.Streams, opts *merge.Options) {
	if r.ByGiven || r.Kubectls || len(r.Base)+len(r.Then)+len(r.LastApplied) > 0 {
		return
	}
	opts.Cores.Do(len(opts.Manifests.Objects), func(i int) {
		if e := opts.Live.FindEntry(opts.Manifests.Objects[i].ID()); e != nil {
			e.Object() // side by side
		}
	})
	a := readApplied(opts.Live, opts.Manifests.Objects, r.Namespace)
	if len(a.by) < 2 {
		return
	}
	a.inherit(opts.Manifests.Objects)
	sets := make([]*manifest.Set, len(a.by)+1) // the last is kubectl's
	for i := range sets {
		sets[i] = &manifest.Set{}
	}
	for _, o := range opts.Manifests.Objects {
		i, claimed := a.claims[o]
		if !claimed {
			i = len(a.by)
		}
		sets[i].Objects = append(sets[i].Objects, o)
	}
	if rest := sets[len(a.by)]; len(rest.Objects) > 0 {
		opts.Parts = append(opts.Parts, merge.Part{ServerSide: opts.ServerSide, Manifests: rest, Namespace: opts.Namespace})
	}
	known := false
	for i, c := range a.by {
		own := *opts
		own.Manifests, own.Parts = &manifest.Set{Objects: slices.Clone(sets[i].Objects)}, nil
		if err := rehearseClaim(ctx, r, std, c, &own); err != nil {
			unknown := gap.Gap{Code: gap.OtherApplier, Needs: untold(c),
				Note: fmt.Sprintf("%s applies %d of these manifests (%s), and how is unknown: %v; they are shown as kubectl applies them", c.Program, len(sets[i].Objects), c.By(), err)}
			for _, o := range sets[i].Objects {
				unknown.Objects = append(unknown.Objects, o.ID())
			}
			opts.Gaps.Add(unknown)
			own.By, own.Manifests = nil, sets[i]
			if own.Namespace = opts.Namespace; c.Kind == applier.Release {
				own.Namespace = cmp.Or(c.Namespace, opts.Namespace)
			}
		}
		known = known || own.By != nil
		opts.Parts = append(opts.Parts, merge.Part{By: own.By, ServerSide: own.ServerSide, Manifests: own.Manifests, Namespace: own.Namespace})
	}
	if known {
		opts.Notes = append(opts.Notes, fmt.Sprintf("several programs apply these manifests; each object is rehearsed as its own program applies it; --applier %s rehearses kubectl for all", request.ApplierKubectl))
	}
}

// rehearseAs completes options as those of another applier.
func rehearseAs(ctx context.Context, by request.OtherApplier, r *request.Inputs, std system.Streams, opts *merge.Options) error {
	switch by := by.(type) {
	case *request.Helm:
		return release{by}.rehearse(ctx, r, std, opts)
	case *request.HelmRelease:
		return rehearseHelmRelease(ctx, by, r, std, opts)
	case *request.ArgoCD:
		return rehearseApplication(by, r, opts)
	case *request.Flux:
		return rehearseKustomization(by, r, opts)
	case *request.Command:
		return rehearseCommand(by, r, opts)
	}
	return nil
}

// rehearseClaim completes options as those of the program of a claim.
func rehearseClaim(ctx context.Context, r *request.Inputs, std system.Streams, c applier.Claim, opts *merge.Options) error {
	alone := *r
	alone.AsApplied = false
	major := cmp.Or(r.Settings.Helm.Version, 4)
	switch found := c.In(opts.Live); {
	case c.Kind == applier.Release:
		return release{&request.Helm{Namespace: c.Namespace, Name: c.Name, Major: major, ServerSide: "auto"}}.rehearse(ctx, &alone, std, opts)
	case found == nil:
		return fmt.Errorf("the snapshot has no %s %s", c.Kind, c.FullName())
	case c.Kind == applier.Application:
		return rehearseApplication(&request.ArgoCD{App: c.FullName()}, &alone, opts)
	case c.Kind == applier.HelmRelease:
		return rehearseHelmRelease(ctx, &request.HelmRelease{Helm: request.Helm{Major: 4, Force: true}, Given: c.FullName()}, &alone, std, opts)
	}
	return rehearseKustomization(&request.Flux{Kustomization: c.FullName()}, &alone, opts)
}

// OtherAppliers are the live objects of a set that another program applies, of those
// that threeway rehearses: what that would do is unknown.
func OtherAppliers(r *request.Inputs, p *merge.Plan, snapshot *manifest.Snapshot) (list []gap.Gap) {
	if r.ByGiven || p.Base != nil || p.Parts != nil { // divideByApplier has added those of parts
		return nil
	}
	var manifests []*manifest.Object
	for _, o := range p.Outcomes {
		if o.Live != nil && o.By.Claim().IsKubectl() {
			manifests = append(manifests, o.Manifest)
		}
	}
	a := readApplied(snapshot, manifests, "")
	for _, o := range manifests {
		i, claimed := a.claims[o]
		if !claimed {
			continue
		}
		needs := untold(a.by[i])
		if len(a.by) == 1 {
			needs = "--applier " + appliers[a.by[i].Kind] + a.by[i].FullName() + orKubectl
		}
		list = append(list, gap.Gap{Code: gap.OtherApplier, Objects: []manifest.Identity{o.ID()}, Needs: needs})
	}
	return list
}

const orKubectl = " (or --applier " + request.ApplierKubectl + " if kubectl is to apply them)"

// untold returns what settles how the program of a claim applies its objects.
func untold(c applier.Claim) string {
	return "a snapshot that tells how " + string(c.Program) + " applies " + c.By() + orKubectl
}

// appliedBy is the note that one other program applies all live objects of a set, with the
// flags that rehearse it; there is none if an object has no applier, or one that threeway
// does not rehearse.
func appliedBy(outcomes []*rehearsal.Outcome, snapshot *manifest.Snapshot) []string {
	var manifests []*manifest.Object
	for _, o := range outcomes {
		if o.Live != nil {
			manifests = append(manifests, o.Manifest)
		}
	}
	a := readApplied(snapshot, manifests, "")
	if len(a.by) != 1 || slices.ContainsFunc(manifests, func(o *manifest.Object) bool { return a.plain[o] }) {
		return nil
	}
	c := a.by[0]
	return []string{fmt.Sprintf("%s applies %s (%s), and patches differently from kubectl, given the same manifests; to rehearse those, pass --applier %s; --applier %s drops this note",
		c.Program, phrase.Count(len(a.claims), "live object"), c.By(), appliers[c.Kind]+c.FullName(), request.ApplierKubectl)}
}
