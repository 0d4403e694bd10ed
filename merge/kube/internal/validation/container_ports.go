package validation

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// containerPorts checks the ports of one container. Two ports of the same
// number are fine.
//
// Source: validateContainerPorts of pkg/apis/core/validation.
func containerPorts(ports []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var names []string
	for i, port := range ports {
		at := p.Index(i)
		if name := tree.String(port, "name"); name != "" {
			if msgs := isPortName(name); len(msgs) > 0 {
				errs = append(errs, invalidEach(at.Child("name"), name, msgs)...)
			} else if slices.Contains(names, name) {
				errs = append(errs, field.Duplicate(at.Child("name"), name))
			} else {
				names = append(names, name)
			}
		}
		if n, _ := tree.Int(port, "containerPort"); n == 0 {
			errs = append(errs, field.Required(at.Child("containerPort"), ""))
		} else {
			errs = append(errs, invalidEach(at.Child("containerPort"), n, isPortNumber(n))...)
		}
		if n, _ := tree.Int(port, "hostPort"); n != 0 {
			errs = append(errs, invalidEach(at.Child("hostPort"), n, isPortNumber(n))...)
		}
		errs = append(errs, requiredOneOf(tree.String(port, "protocol"), at.Child("protocol"), "SCTP", "TCP", "UDP")...)
	}
	return errs
}

// hostPortConflicts finds host ports that are taken twice.
//
// Source: AccumulateUniqueHostPorts of pkg/apis/core/validation.
func hostPortConflicts(containers []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	taken := map[string]bool{}
	for i, c := range containers {
		for j, port := range tree.List(c, "ports") {
			n, _ := tree.Int(port, "hostPort")
			if n == 0 {
				continue
			}
			key := fmt.Sprintf("%s/%s/%d", tree.String(port, "protocol"), tree.String(port, "hostIP"), n)
			if taken[key] {
				errs = append(errs, field.Duplicate(p.Index(i).Child("ports").Index(j).Child("hostPort"), key))
			}
			taken[key] = true
		}
	}
	return errs
}

// hostNetworkPorts checks that ports on the host's network are the same on
// both sides. Templates may leave the host port out: the pod gets it.
//
// Source: validatePodHostNetworkDeps of pkg/apis/core/validation.
func hostNetworkPorts(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	if !tree.Bool(spec, "hostNetwork") {
		return nil
	}
	var errs field.ErrorList
	for i, c := range tree.List(spec, "containers") {
		for j, port := range tree.List(c, "ports") {
			host, _ := tree.Int(port, "hostPort")
			inside, _ := tree.Int(port, "containerPort")
			if (opts.isPod || host != 0) && host != inside {
				errs = append(errs, field.Invalid(p.Child("containers").Index(i).Child("ports").Index(j).Child("hostPort"), host,
					"must match `containerPort` when `hostNetwork` is true"))
			}
		}
	}
	return errs
}
