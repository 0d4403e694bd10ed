package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// probes checks the three probes of a container.
//
// Source: validateLivenessProbe, validateReadinessProbe and
// validateStartupProbe of pkg/apis/core/validation.
func probes(c any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		if !tree.Has(c, key) {
			continue
		}
		probe, at := tree.Map(c, key), p.Child(key)
		errs = append(errs, probeOf(probe, pod, at)...)
		if key == "readinessProbe" {
			if grace, ok := tree.Int(probe, "terminationGracePeriodSeconds"); ok {
				errs = append(errs, field.Invalid(at.Child("terminationGracePeriodSeconds"), grace, "must not be set for readinessProbes"))
			}
		} else if n, _ := tree.Int(probe, "successThreshold"); n != 1 {
			errs = append(errs, field.Invalid(at.Child("successThreshold"), n, "must be 1"))
		}
	}
	return errs
}

func probeOf(probe tree.Object, pod *podContext, p *field.Path) field.ErrorList {
	errs := handler(probe, pod, p, "exec", "httpGet", "tcpSocket", "grpc")
	for _, key := range []string{"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"} {
		errs = append(errs, nonNegativeAt(probe, key, p)...)
	}
	if grace, ok := tree.Int(probe, "terminationGracePeriodSeconds"); ok && grace <= 0 {
		errs = append(errs, field.Invalid(p.Child("terminationGracePeriodSeconds"), grace, "must be greater than 0"))
	}
	return errs
}

// lifecycle checks the hooks of a container, if it has any.
//
// Source: validateLifecycle of pkg/apis/core/validation.
func lifecycle(c any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, hook := range []string{"postStart", "preStop"} {
		if tree.Has(c, "lifecycle", hook) {
			errs = append(errs, handler(tree.Map(c, "lifecycle", hook), pod, p.Child(hook), "exec", "httpGet", "tcpSocket", "sleep")...)
		}
	}
	if tree.Has(c, "lifecycle", "stopSignal") {
		errs = append(errs, stopSignal(tree.String(c, "lifecycle", "stopSignal"), pod, p.Child("stopSignal"))...)
	}
	return errs
}

// handler checks that h has exactly one of the handlers of the given types.
//
// Source: validateHandler of pkg/apis/core/validation.
func handler(h tree.Object, pod *podContext, p *field.Path, types ...string) field.ErrorList {
	var errs field.ErrorList
	found := false
	for _, key := range types {
		if !tree.Has(h, key) {
			continue
		}
		at := p.Child(key)
		if found {
			errs = append(errs, coded(fault.OneOf, field.Forbidden(at, "may not specify more than 1 handler type")))
			continue
		}
		found = true
		switch action := tree.Map(h, key); key {
		case "exec":
			if len(tree.List(action, "command")) == 0 {
				errs = append(errs, field.Required(at.Child("command"), ""))
			}
		case "httpGet":
			errs = append(errs, httpGet(action, at)...)
		case "tcpSocket", "grpc":
			errs = append(errs, portNumOrName(action["port"], at.Child("port"))...)
		case "sleep":
			errs = append(errs, sleep(action, pod, at)...)
		}
	}
	if !found {
		errs = append(errs, field.Required(p, "must specify a handler type"))
	}
	return errs
}

func httpGet(action tree.Object, p *field.Path) field.ErrorList {
	errs := required(action, p, "path")
	errs = append(errs, portNumOrName(action["port"], p.Child("port"))...)
	errs = append(errs, oneOf(tree.String(action, "scheme"), p.Child("scheme"), "HTTP", "HTTPS")...)
	for _, header := range tree.List(action, "httpHeaders") {
		if name := tree.String(header, "name"); !consistsOf(name, lower+upper+digits+"-") {
			errs = append(errs, field.Invalid(p.Child("httpHeaders"), name,
				content.RegexError("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", "X-Header-Name")))
		}
	}
	return errs
}

func sleep(action tree.Object, pod *podContext, p *field.Path) field.ErrorList {
	seconds, _ := tree.Int(action, "seconds")
	grace, ok := tree.Int(pod.spec, "terminationGracePeriodSeconds")
	zero := minors.SleepZero.In(pod.opts.minor)
	switch {
	case !ok || 0 < seconds && seconds <= grace || zero && seconds == 0:
		return nil
	case !zero:
		return field.ErrorList{field.Invalid(p, seconds, fmt.Sprintf(
			"must be greater than 0 and less than terminationGracePeriodSeconds (%d). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.", grace))}
	}
	return field.ErrorList{field.Invalid(p, seconds,
		fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", grace))}
}

// stopSignal checks the signal that ends a container; the server takes it
// only where the old object already has one (gate ContainerStopSignals).
//
// Source: validateStopSignal of pkg/apis/core/validation.
func stopSignal(signal string, pod *podContext, p *field.Path) field.ErrorList {
	switch tree.String(pod.spec, "os", "name") {
	case "linux":
		return oneOf(signal, p, linuxSignals()...)
	case "windows":
		return oneOf(signal, p, "SIGKILL", "SIGTERM")
	case "":
		if !tree.Has(pod.spec, "os") {
			return field.ErrorList{notAllowed(p, "may not be set for containers with empty `spec.os.name`")}
		}
	}
	return nil
}

func linuxSignals() []string {
	return []string{
		"SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO",
		"SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX", "SIGRTMAX-1", "SIGRTMAX-10",
		"SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13", "SIGRTMAX-14", "SIGRTMAX-2", "SIGRTMAX-3", "SIGRTMAX-4", "SIGRTMAX-5",
		"SIGRTMAX-6", "SIGRTMAX-7", "SIGRTMAX-8", "SIGRTMAX-9", "SIGRTMIN", "SIGRTMIN+1", "SIGRTMIN+10", "SIGRTMIN+11",
		"SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMIN+2", "SIGRTMIN+3", "SIGRTMIN+4", "SIGRTMIN+5",
		"SIGRTMIN+6", "SIGRTMIN+7", "SIGRTMIN+8", "SIGRTMIN+9", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM",
		"SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ",
	}
}
