package reference

import (
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
)

// Fact is one field by which an object refers to another one.
type Fact struct {
	// From are the kinds that have the field, as [setting.Setting.Kinds] has them.
	From string
	// Field is the object that refers, from the root or from what From names; []
	// is any item of a list. Name is the field in it with the name; "" if Field
	// is the name itself.
	Field, Name string
	// To is the kind referred to, Kind.group; "" if the fields kind and apiVersion
	// beside the name say it, kind alone in the group after a dot: ".cert-manager.io".
	To string
	// Default is the kind if the field kind is empty.
	Default string
	// Namespace is where the other object is.
	Namespace Space
	// Part is the field with the key, or the port, of the other object that is
	// needed; "" if the object is enough. [] as in Field.
	Part string
	// Effect is what happens as long as the object, or the part, is missing.
	Effect string
	// Minor says that it does little harm.
	Minor bool
}

// Space says in which namespace an object referred to is.
type Space int

// The spaces.
const (
	Same    Space = iota // that of the object that refers
	Cluster              // the kind has none
	Named                // the field namespace says it; Same if that is empty
)

const (
	noStart   = "new pods do not start"
	noPods    = "no new pods are created"
	pending   = "new pods stay Pending"
	unbound   = "the claim stays Pending"
	unserved  = "requests get an error"
	unchecked = "requests that match fail, or pass unchecked, as failurePolicy says"
	noRights  = "the binding grants nothing"

	rbac     = ".rbac.authorization.k8s.io"
	webhooks = "ValidatingWebhookConfiguration.admissionregistration.k8s.io MutatingWebhookConfiguration.admissionregistration.k8s.io"
	ingress  = "Ingress.networking.k8s.io"
	routes   = "HTTPRoute.gateway.networking.k8s.io GRPCRoute.gateway.networking.k8s.io"
	issuers  = ".cert-manager.io"
	stores   = ".external-secrets.io"
)

// Table lists the references of the built-in kinds and of some custom ones. Those
// of other kinds can be added in .threeway.yaml.
var Table = []Fact{
	{From: setting.PodSpec, Field: "serviceAccountName", To: "ServiceAccount", Effect: noPods},
	{From: setting.PodSpec, Field: "priorityClassName", To: "PriorityClass.scheduling.k8s.io", Namespace: Cluster, Effect: noPods},
	{From: setting.PodSpec, Field: "runtimeClassName", To: "RuntimeClass.node.k8s.io", Namespace: Cluster, Effect: noPods},
	{From: setting.PodSpec, Field: "imagePullSecrets[]", Name: "name", To: "Secret", Effect: "images of its registry may not be pulled", Minor: true},
	{From: setting.PodSpec, Field: "volumes[].configMap", Name: "name", Part: "items[].key", To: "ConfigMap", Effect: noStart},
	{From: setting.PodSpec, Field: "volumes[].secret", Name: "secretName", Part: "items[].key", To: "Secret", Effect: noStart},
	{From: setting.PodSpec, Field: "volumes[].projected.sources[].configMap", Name: "name", Part: "items[].key", To: "ConfigMap", Effect: noStart},
	{From: setting.PodSpec, Field: "volumes[].projected.sources[].secret", Name: "name", Part: "items[].key", To: "Secret", Effect: noStart},
	{From: setting.PodSpec, Field: "volumes[].persistentVolumeClaim", Name: "claimName", To: "PersistentVolumeClaim", Effect: pending},
	{From: setting.PodSpec, Field: "volumes[].csi.nodePublishSecretRef", Name: "name", To: "Secret", Effect: noStart},
	{From: setting.Container, Field: "env[].valueFrom.configMapKeyRef", Name: "name", Part: "key", To: "ConfigMap", Effect: noStart},
	{From: setting.Container, Field: "env[].valueFrom.secretKeyRef", Name: "name", Part: "key", To: "Secret", Effect: noStart},
	{From: setting.Container, Field: "envFrom[].configMapRef", Name: "name", To: "ConfigMap", Effect: noStart},
	{From: setting.Container, Field: "envFrom[].secretRef", Name: "name", To: "Secret", Effect: noStart},
	{From: "ServiceAccount", Field: "imagePullSecrets[]", Name: "name", To: "Secret", Effect: "images of its registry may not be pulled", Minor: true},

	{From: "StatefulSet.apps", Field: "spec.serviceName", To: "Service", Effect: "the pods have no DNS names of their own", Minor: true},
	{From: "StatefulSet.apps", Field: "spec.volumeClaimTemplates[].spec.storageClassName", To: "StorageClass.storage.k8s.io", Namespace: Cluster, Effect: "the claims stay Pending, and the pods with them"},
	{From: "PersistentVolumeClaim", Field: "spec.storageClassName", To: "StorageClass.storage.k8s.io", Namespace: Cluster, Effect: unbound},
	{From: "PersistentVolumeClaim", Field: "spec.volumeName", To: "PersistentVolume", Namespace: Cluster, Effect: unbound},
	{From: "HorizontalPodAutoscaler.autoscaling", Field: "spec.scaleTargetRef", Name: "name", Effect: "nothing is scaled"},
	{From: "ScaledObject.keda.sh", Field: "spec.scaleTargetRef", Name: "name", Default: "Deployment.apps", Effect: "nothing is scaled"},
	{From: "VerticalPodAutoscaler.autoscaling.k8s.io", Field: "spec.targetRef", Name: "name", Effect: "nothing is scaled"},

	{From: ingress, Field: "spec.ingressClassName", To: "IngressClass.networking.k8s.io", Namespace: Cluster, Effect: "no controller serves the Ingress"},
	{From: ingress, Field: "spec.defaultBackend.service", Name: "name", Part: "port", To: "Service", Effect: unserved},
	{From: ingress, Field: "spec.rules[].http.paths[].backend.service", Name: "name", Part: "port", To: "Service", Effect: unserved},
	{From: ingress, Field: "spec.tls[].secretName", To: "Secret", Effect: "its hosts are served with another certificate"},
	{From: "Gateway.gateway.networking.k8s.io", Field: "spec.gatewayClassName", To: "GatewayClass.gateway.networking.k8s.io", Namespace: Cluster, Effect: "no controller serves the Gateway"},
	{From: routes, Field: "spec.parentRefs[]", Name: "name", To: "", Default: "Gateway.gateway.networking.k8s.io", Namespace: Named, Effect: "nothing serves the route"},
	{From: routes, Field: "spec.rules[].backendRefs[]", Name: "name", Default: "Service", Namespace: Named, Part: "port", Effect: unserved},

	{From: webhooks, Field: "webhooks[].clientConfig.service", Name: "name", To: "Service", Namespace: Named, Part: "port", Effect: unchecked},
	{From: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.conversion.webhook.clientConfig.service", Name: "name", To: "Service", Namespace: Named, Part: "port", Effect: "objects of other versions cannot be read"},
	{From: "APIService.apiregistration.k8s.io", Field: "spec.service", Name: "name", To: "Service", Namespace: Named, Part: "port", Effect: "the API group is not served"},
	{From: "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", Field: "spec.policyName", To: "ValidatingAdmissionPolicy.admissionregistration.k8s.io", Namespace: Cluster, Effect: "nothing is checked"},
	{From: "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io", Field: "spec.policyName", To: "MutatingAdmissionPolicy.admissionregistration.k8s.io", Namespace: Cluster, Effect: "nothing is changed"},
	{From: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "roleRef", Name: "name", To: rbac, Effect: noRights},

	{From: "Certificate.cert-manager.io", Field: "spec.issuerRef", Name: "name", To: issuers, Default: "Issuer.cert-manager.io", Effect: "the certificate is not issued"},
	{From: "ExternalSecret.external-secrets.io", Field: "spec.secretStoreRef", Name: "name", To: stores, Default: "SecretStore.external-secrets.io", Effect: "the Secret is not made"},
	{From: "VolumeSnapshot.snapshot.storage.k8s.io", Field: "spec.volumeSnapshotClassName", To: "VolumeSnapshotClass.snapshot.storage.k8s.io", Namespace: Cluster, Effect: "no snapshot is taken"},
}

// Made is a field that names an object which the controller of a kind makes, so
// that no manifest has it.
type Made struct {
	From  string
	Field string
	To    string
	// With is an annotation that must be there, up to its last characters.
	With string
}

// MadeTable lists the objects that controllers make by name. Besides, a custom
// resource may make whatever has its name in it.
var MadeTable = []Made{
	{From: "Certificate.cert-manager.io", Field: "spec.secretName", To: "Secret"},
	{From: "Issuer.cert-manager.io ClusterIssuer.cert-manager.io", Field: "spec.acme.privateKeySecretRef.name", To: "Secret"},
	{From: ingress, Field: "spec.tls[].secretName", To: "Secret", With: "cert-manager.io/issuer"},
	{From: ingress, Field: "spec.tls[].secretName", To: "Secret", With: "cert-manager.io/cluster-issuer"},
	{From: ingress, Field: "spec.tls[].secretName", To: "Secret", With: "kubernetes.io/tls-acme"},
	{From: "ExternalSecret.external-secrets.io", Field: "spec.target.name", To: "Secret"},
	{From: "ExternalSecret.external-secrets.io SealedSecret.bitnami.com OnePasswordItem.onepassword.com KafkaUser.kafka.strimzi.io", Field: "metadata.name", To: "Secret"},
	{From: "VaultStaticSecret.secrets.hashicorp.com VaultDynamicSecret.secrets.hashicorp.com VaultPKISecret.secrets.hashicorp.com", Field: "spec.destination.name", To: "Secret"},
	{From: "DopplerSecret.secrets.doppler.com", Field: "spec.managedSecret.name", To: "Secret"},
	{From: "InfisicalSecret.secrets.infisical.com", Field: "spec.managedSecretReference.secretName", To: "Secret"},
	{From: "SecretProviderClass.secrets-store.csi.x-k8s.io", Field: "spec.secretObjects[].secretName", To: "Secret"},
	{From: "SopsSecret.isindir.github.com", Field: "spec.secretTemplates[].name", To: "Secret"},
	{From: "Service", Field: "metadata.annotations[service.beta.openshift.io/serving-cert-secret-name]", To: "Secret"},
	{From: "Bundle.trust.cert-manager.io", Field: "metadata.name", To: "ConfigMap"},
}

// Builtin reports whether an object is in every cluster: the server, or a
// controller of the cluster itself, makes it.
func Builtin(id manifest.Identity) bool {
	switch id.Kind + "." + id.Group {
	case "ClusterRole" + rbac, "Role" + rbac:
		if id.Name == "extension-apiserver-authentication-reader" || len(id.Name) > 7 && id.Name[:7] == "system:" {
			return true
		}
	}
	return id.InEveryCluster()
}
