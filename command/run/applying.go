package run

import (
	"threeway/command/request"
	"threeway/merge/by/argocd"
	"threeway/merge/by/flux"
	"threeway/merge/by/helm"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
)

// ApplyCommand is what makes the applier apply the manifests, as people type it; "" for a
// HelmRelease, which Flux applies when its source changes.
func ApplyCommand(r *request.Request, by rehearsal.Applier) string {
	switch by := by.(type) {
	case *helm.Release:
		if h, typed := r.By.(*request.Helm); typed {
			return helmUpgrade(h)
		}
		return ""
	case *argocd.Application:
		return shell.Line("argocd app sync", shell.Operand(by.String()))
	case *flux.Kustomization:
		return shell.Line("flux reconcile kustomization", shell.Operand(by.Name).In(by.Namespace))
	}
	var args []shell.Arg
	if r.ServerSide != nil {
		args = append(args, shell.Option("--server-side"))
		if r.ServerSide.Manager != rehearsal.DefaultManager {
			args = append(args, shell.Flag("--field-manager=", r.ServerSide.Manager))
		}
		if r.ServerSide.Force {
			args = append(args, shell.Option("--force-conflicts"))
		}
	}
	if r.Recursive && len(r.Files) > 0 {
		args = append(args, shell.Option("-R"))
	}
	for _, file := range r.Files {
		if file == "-" {
			args = append(args, shell.Option("-f -"))
			continue
		}
		args = append(args, shell.File("-f", file))
	}
	for _, dir := range r.Kustomize {
		args = append(args, shell.File("-k", dir))
	}
	if r.Selector != "" {
		args = append(args, shell.Flag("-l", r.Selector))
	}
	if r.Prune.Prune {
		args = append(args, shell.Option("--prune"))
		if r.PruneAll {
			args = append(args, shell.Option("--all"))
		}
		for _, kind := range r.Allowlist {
			args = append(args, shell.Flag("--prune-allowlist=", kind))
		}
	}
	args = append(args, shell.Arg{}.In(r.Namespace))
	if r.Prune.Prune && r.ApplySet != "" {
		return shell.Line("KUBECTL_APPLYSET=true kubectl apply", append(args, shell.Flag("--applyset=", r.ApplySet))...)
	}
	return shell.Line("kubectl apply", args...)
}

// helmUpgrade is the command of Helm, with CHART for the chart.
func helmUpgrade(h *request.Helm) string {
	args := []shell.Arg{shell.Operand(h.Name), shell.Operand("CHART").In(h.Namespace)}
	if h.TakeOwnership {
		args = append(args, shell.Option("--take-ownership"))
	}
	if h.ServerSide != "auto" {
		args = append(args, shell.Flag("--server-side=", h.ServerSide))
	}
	if h.Force {
		args = append(args, shell.Option("--force-conflicts"))
	}
	return shell.Line("helm upgrade --install", args...)
}
