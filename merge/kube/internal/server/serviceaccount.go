package server

import (
	"slices"
	"strconv"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const (
	tokenVolume = "kube-api-access-" // and five random letters
	tokenMount  = "/var/run/secrets/kubernetes.io/serviceaccount"
)

// serviceAccount is the ServiceAccount plugin in a create
// (plugin/pkg/admission/serviceaccount): the account of a Pod must exist, its
// imagePullSecrets become the Pod's, and a volume has its token.
//
// The Pods with which a kubelet mirrors those of its own files are left alone.
//
// Some servers run without the plugin. It is asked if a Pod of the snapshot has the
// volume that it adds.
func (s *Server) serviceAccount(k schema.Kind, pod tree.Object) *fault.Rejection {
	if tree.Has(pod, "metadata", "annotations", "kubernetes.io/config.mirror") || !s.around().givesTokens() {
		return nil
	}
	spec, namespace := tree.Map(pod, "spec"), tree.String(pod, "metadata", "namespace")
	name := tree.String(spec, "serviceAccountName")
	if name == "" {
		name = "default"
		spec["serviceAccountName"], spec["serviceAccount"] = name, name
	}
	account := s.around().find("ServiceAccount", namespace, name)
	if account == nil {
		if !s.around().tellsAccounts(namespace) {
			return nil
		}
		return s.around().forbidden(k, pod, "error looking up service account "+namespace+"/"+name+": serviceaccount "+strconv.Quote(name)+" not found", fault.Fault{Code: fault.Absent}).DecidedBy("ServiceAccount", name)
	}
	if automounts(account, spec) {
		mountToken(spec)
	}
	if len(tree.List(spec, "imagePullSecrets")) == 0 {
		var secrets []any
		for _, secret := range tree.List(account, "imagePullSecrets") {
			secrets = append(secrets, tree.Object{"name": tree.String(secret, "name")})
		}
		if delete(spec, "imagePullSecrets"); secrets != nil {
			spec["imagePullSecrets"] = secrets
		}
	}
	if enforced, _ := strconv.ParseBool(tree.String(account, "metadata", "annotations", "kubernetes.io/enforce-mountable-secrets")); enforced {
		if why := unmountable(account, spec); why != "" {
			return s.around().forbidden(k, pod, why).DecidedBy("ServiceAccount", name)
		}
	}
	return nil
}

// tellsAccounts reports whether an account that the snapshot does not have does not
// exist: a controller makes the account default of every namespace.
func (c *cluster) tellsAccounts(namespace string) bool {
	return c.Complete() || c.find("ServiceAccount", namespace, "default") != nil
}

// givesTokens reports whether the plugin is on.
func (c *cluster) givesTokens() bool {
	c.tokens.Do(func() {
		c.giving = c.GivesTokens()
	})
	return c.giving
}

// MountsToken reports whether a Pod has the volume that the plugin adds.
func MountsToken(pod tree.Object) bool {
	return slices.ContainsFunc(tree.List(pod, "spec", "volumes"), func(v any) bool { return strings.HasPrefix(tree.String(v, "name"), tokenVolume) })
}

// automounts reports whether a Pod gets a token: it decides, then its account.
func automounts(account, spec tree.Object) bool {
	for _, obj := range []tree.Object{spec, account} {
		if mount, ok := obj["automountServiceAccountToken"].(bool); ok {
			return mount
		}
	}
	return true
}

// mountToken adds the volume of the token, and mounts it into each container that
// has nothing there.
func mountToken(spec tree.Object) {
	name, there := tokenVolume+"xxxxx", false
	for _, v := range tree.List(spec, "volumes") {
		if n := tree.String(v, "name"); !there && strings.HasPrefix(n, tokenVolume) {
			name, there = n, true
		}
	}
	needed := false
	for _, field := range []string{"initContainers", "containers"} {
		for _, c := range tree.List(spec, field) {
			container, _ := c.(tree.Object)
			mounts, mounted := tree.List(container, "volumeMounts"), false
			for _, m := range mounts {
				mounted = mounted || tree.String(m, "mountPath") == tokenMount
			}
			if mounted || container == nil {
				continue
			}
			needed = true
			container["volumeMounts"] = append(append([]any(nil), mounts...), tree.Object{"name": name, "readOnly": true, "mountPath": tokenMount})
		}
	}
	if needed && !there {
		spec["volumes"] = append(append([]any(nil), tree.List(spec, "volumes")...), tree.Object{"name": name, "projected": tokenSource()})
	}
}

// tokenSource is TokenVolumeSource of the plugin.
func tokenSource() tree.Object {
	return tree.Object{"defaultMode": int64(0o644), "sources": []any{
		tree.Object{"serviceAccountToken": tree.Object{"path": "token", "expirationSeconds": int64(3607)}},
		tree.Object{"configMap": tree.Object{"name": "kube-root-ca.crt", "items": []any{tree.Object{"key": "ca.crt", "path": "ca.crt"}}}},
		tree.Object{"downwardAPI": tree.Object{"items": []any{tree.Object{"path": "namespace", "fieldRef": tree.Object{"apiVersion": "v1", "fieldPath": "metadata.namespace"}}}}},
	}}
}

// unmountable is why a Pod may not use the Secrets that it names: its account, which
// asks for it, does not list one of them.
func unmountable(account, spec tree.Object) string {
	name := tree.String(account, "metadata", "name")
	const end = " is not allowed because service account "
	secrets, pull := names(account, "secrets"), names(account, "imagePullSecrets")
	for _, v := range tree.List(spec, "volumes") {
		if secret := tree.String(v, "secret", "secretName"); tree.Has(v, "secret") && !secrets[secret] {
			return `volume with secret.secretName="` + secret + `"` + end + name + " does not reference that secret"
		}
	}
	for _, sort := range [][2]string{{"initContainers", "init container "}, {"containers", "container "}} {
		for _, c := range tree.List(spec, sort[0]) {
			for _, env := range tree.List(c, "env") {
				if secret := tree.String(env, "valueFrom", "secretKeyRef", "name"); tree.Has(env, "valueFrom", "secretKeyRef") && !secrets[secret] {
					return sort[1] + tree.String(c, "name") + " with envVar " + tree.String(env, "name") + ` referencing secret.secretName="` + secret + `"` + end + name + " does not reference that secret"
				}
			}
			for _, from := range tree.List(c, "envFrom") {
				if secret := tree.String(from, "secretRef", "name"); tree.Has(from, "secretRef") && !secrets[secret] {
					return sort[1] + tree.String(c, "name") + ` with envFrom referencing secret.secretName="` + secret + `"` + end + name + " does not reference that secret"
				}
			}
		}
	}
	for i, p := range tree.List(spec, "imagePullSecrets") {
		if secret := tree.String(p, "name"); !pull[secret] {
			return "imagePullSecrets[" + strconv.Itoa(i) + `].name="` + secret + `"` + end + name + " does not reference that imagePullSecret"
		}
	}
	return ""
}

// names are those of the references in a list.
func names(obj tree.Object, list string) map[string]bool {
	set := map[string]bool{}
	for _, ref := range tree.List(obj, list) {
		set[tree.String(ref, "name")] = true
	}
	return set
}
