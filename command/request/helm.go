package request

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/merge/applier"
	"threeway/merge/applier/flux"
	"threeway/merge/rehearsal"
)

const categoryApplier, categoryHelm = "WHO APPLIES", "FLAGS OF HELM"

// Helm says as which release Helm applies.
type Helm struct {
	// Namespace and Name are those of the release.
	Namespace, Name string
	// Major is Helm's version: 3 or 4.
	Major int
	// ServerSide is Helm 4's --server-side: true, false or auto.
	ServerSide string
	// Force is --force-conflicts.
	Force         bool
	TakeOwnership bool
	// Rollback is the revision to go back to, 0 the one before; nil for an install or
	// upgrade.
	Rollback *int
	// Storage is the namespace of its revisions, if it is another one.
	Storage string
	// For is the HelmRelease by which Flux runs Helm; nil if a user does.
	For *flux.HelmRelease
	// Chart is a chart that the helm of this machine renders, with Values and Set; ""
	// if the manifests are rendered already.
	Chart       string
	Values, Set []string
}

// HelmFlags are those of --applier helm.
func HelmFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "release", Category: categoryHelm, Usage: "with --applier helm: the release `[NAMESPACE/]NAME`, whose last revision is read from the snapshot; without a namespace that of -n"},
		&cli.BoolFlag{Name: "take-ownership", Category: categoryHelm, Usage: "adopt live objects that are not of the release"},
		&cli.IntFlag{Name: "helm-version", Category: categoryHelm, Usage: "Helm's `MAJOR` version, 3 or 4; 4 installs server-side, and upgrades as the release was applied last, unless --server-side says otherwise", Value: 4},
	}
}

// ChartFlags say where the manifests of a release come from.
func ChartFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "chart", Category: categoryHelm, Usage: "manifests rendered by 'helm template' from the chart at `PATH`, with the values of the last revision, or of --helmrelease, if --values and --set are not given"},
		&cli.StringSliceFlag{Name: "values", Category: categoryHelm, Usage: "with --chart: values `FILE`; repeatable"},
		&cli.StringSliceFlag{Name: "set", Category: categoryHelm, Usage: "with --chart: set a value, `KEY=VALUE`; repeatable"},
		&cli.IntFlag{Name: "rollback", Category: categoryHelm, Usage: "rehearse helm rollback to `REVISION`, 0 for the one before the last; needs no manifests"},
	}
}

// helm reads what the flags and the settings say of Helm.
func (v *Resolver) helm(m *Manifests, k *Cluster) (*Helm, error) {
	h := &Helm{
		Namespace: m.Namespace, Major: v.Int("helm-version"), ServerSide: "auto", Force: v.Bool("force-conflicts"),
		TakeOwnership: v.Bool("take-ownership"),
	}
	if v.open("helm-version") && v.file.Helm.Version != 0 {
		h.Major = v.file.Helm.Version
		v.goBy("apply.helm.version", fmt.Sprint(h.Major))
	}
	h.Name = v.text("release", "apply.helm.release", v.file.Helm.Release)
	if namespace, name, given := strings.Cut(h.Name, "/"); given {
		if h.Name = name; v.IsSet("namespace") && m.Namespace != namespace {
			return nil, fmt.Errorf("--release is in namespace %s, and -n says %s; remove one of them", namespace, m.Namespace)
		}
		h.Namespace = namespace
	}
	h.Namespace = cmp.Or(h.Namespace, "default")
	if v.IsSet("server-side") {
		h.ServerSide = fmt.Sprint(v.Bool("server-side"))
	} else if v.open("server-side") && v.file.ServerSide {
		h.ServerSide = "true"
		v.goBy("apply.mode", "server-side")
	}
	if err := v.kubectlsOwn(ApplierHelm, "prune"); err != nil {
		return nil, err
	}
	switch {
	case h.Name == "":
		return nil, errors.New("--applier helm needs the release: pass --release NAMESPACE/NAME")
	case h.Major != 3 && h.Major != 4:
		return nil, fmt.Errorf("unknown --helm-version %d: use 3 or 4", h.Major)
	case h.Major == 3 && (h.ServerSide == "true" || h.Force):
		return nil, fmt.Errorf("Helm 3 applies client-side only; remove --server-side and --force-conflicts, or pass --helm-version 4")
	}
	return h, v.chart(h, m, k)
}

func (h *Helm) brings() bool { return h.Chart != "" || h.Rollback != nil }

// chart reads where the manifests of a release come from.
func (v *Resolver) chart(h *Helm, m *Manifests, k *Cluster) error {
	h.Chart, h.Values, h.Set = v.String("chart"), v.StringSlice("values"), v.StringSlice("set")
	if v.IsSet("rollback") {
		to := v.Int("rollback")
		h.Rollback = &to
	}
	if h.brings() {
		if err := v.bring(m, "a run with --chart or --rollback"); err != nil {
			return err
		}
	}
	switch {
	case h.Rollback != nil && *h.Rollback < 0:
		return fmt.Errorf("--rollback %d is not a revision; 0 is the one before the last", *h.Rollback)
	case h.Rollback != nil && h.Chart != "":
		return fmt.Errorf("--rollback takes the manifests from the release, and --chart renders others; remove one of them")
	case h.Rollback != nil && len(k.Live) == 0:
		return fmt.Errorf("--rollback needs a snapshot with the release: pass --live")
	case h.Chart == "" && len(h.Values)+len(h.Set) > 0:
		return fmt.Errorf("--values and --set only work with --chart")
	case slices.Contains(h.Values, "-"):
		return fmt.Errorf("--values - is not supported; pass a file")
	}
	return nil
}

// bring leaves out the manifests of the settings, and refuses those of the flags, because
// the program brings its own.
func (v *Resolver) bring(m *Manifests, with string) error {
	if v.IsSet("filename") || v.IsSet("kustomize") {
		return fmt.Errorf("-f and -k name manifests, which %s does without; remove one of them", with)
	}
	m.Files, m.Chosen, m.PathsAreSet = nil, nil, false
	delete(v.used, "manifests")
	return nil
}

// Method decides how Helm applies: server-side or not, as the flags say or as the
// revision was applied that Helm goes by (helm.sh/helm/v4/pkg/action/upgrade.go
// getUpgradeServerSideValue).
func (h *Helm) Method(installs bool, last string) *rehearsal.ServerSide {
	serverSide := h.ServerSide == "true" || h.ServerSide == "auto" && (installs || last == "ssa")
	if h.Major == 3 || !serverSide {
		return nil
	}
	manager := applier.HelmManager
	if h.For != nil {
		manager = flux.HelmManager
	}
	return &rehearsal.ServerSide{Force: h.Force, Manager: manager}
}
