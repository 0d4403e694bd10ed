package inputs

import (
	"fmt"

	"threeway/command/request"
	"threeway/merge"
	"threeway/merge/rehearsal"
	"threeway/merge/snapshot"
)

// OnServer sets the minor that is simulated and that of the snapshot.
func OnServer(opts *merge.Options, r *request.Inputs) (notes []string, err error) {
	opts.Minor, notes, err = Simulated(r, snapshot.VersionOf(opts.Live))
	return notes, err
}

// Simulated is the minor that a run simulates: the one that is asked for, else
// that of the snapshot, else the default, or for upgrade the one before --to. The
// note says what is worth knowing.
func Simulated(r *request.Inputs, told snapshot.Version) (minor int, notes []string, err error) {
	minor, notes, err = simulated(r, told)
	if newest := max(minor, r.To); err == nil && newest > rehearsal.RecordedMinor {
		notes = append(notes, fmt.Sprintf("Kubernetes 1.%d: %s", newest, request.Beta))
	}
	return minor, notes, err
}

func simulated(r *request.Inputs, told snapshot.Version) (minor int, notes []string, err error) {
	if r.MinorFrom != "" {
		if why := told.Clash(r.Minor); why != "" {
			notes = []string{fmt.Sprintf("simulating Kubernetes 1.%d as %s says, although %s", r.Minor, r.MinorFrom, why)}
		}
		return r.Minor, notes, nil
	}
	usual := r.Minor
	if r.To != 0 {
		usual = max(r.To-1, rehearsal.OldestMinor)
	}
	minor = told.Likely(usual)
	switch {
	case minor < rehearsal.OldestMinor:
		notes = []string{fmt.Sprintf("the snapshot comes from Kubernetes 1.%d (%s), which is not simulated: answering as 1.%d", minor, told.By(minor), rehearsal.OldestMinor)}
		minor = rehearsal.OldestMinor
	case minor > rehearsal.NewestMinor:
		return 0, nil, fmt.Errorf("the snapshot comes from Kubernetes 1.%d (%s), and 1.%d to 1.%d can be simulated; pass --kubernetes-version with the nearest one",
			minor, told.By(minor), rehearsal.OldestMinor, rehearsal.NewestMinor)
	case r.To != 0 && minor != told.Least && minor != told.Most:
		notes = []string{fmt.Sprintf("comparing with Kubernetes 1.%d, the minor before --to; --kubernetes-version chooses another", minor)}
	case minor != r.Minor:
		notes = []string{fmt.Sprintf("simulating Kubernetes 1.%d, that of the snapshot: %s; --kubernetes-version chooses another", minor, told.By(minor))}
	}
	return minor, notes, nil
}
