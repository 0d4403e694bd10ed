package setting

// policySettings are the fields of what says who may do what: permissions,
// quotas, namespaces, admission.
var policySettings = []Setting{
	{"Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", "rules", "", "", alters, "all subjects of the role lose these permissions", rbacPage, ""},
	{"Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", "rules[].resourceNames", "", "none", stops, "the rule allows all objects of the kind, not only these names", rbacPage + "#referring-to-resources", ""},
	{"ClusterRole.rbac.authorization.k8s.io", "aggregationRule", "", "none", alters, "the rules of other roles are no longer added", rbacPage + "#aggregated-clusterroles", ""},
	{"RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", "subjects", "", "none", alters, "the binding grants the role to no subject", rbacPage + "#rolebinding-and-clusterrolebinding", ""},
	{"ServiceAccount", "automountServiceAccountToken", "false", "none", stops, "pods get a token for the API server", accountPage + "#opt-out-of-api-credential-automounting", ""},
	{"ServiceAccount", "imagePullSecrets", "", "none", alters, "pods pull images without these credentials", accountPage + "#add-imagepullsecrets-to-a-service-account", ""},

	{"ResourceQuota", "spec.hard.*", "", "none", stops, "the quota no longer limits the namespace", docs + "concepts/policy/resource-quotas/", ""},
	{"LimitRange", "spec.limits", "", "", stops, "the limits of the namespace are gone", docs + "concepts/policy/limit-range/", ""},
	{"LimitRange", "spec.limits[].max", "", "", stops, "new pods may request more", docs + "concepts/policy/limit-range/", ""},
	{"LimitRange", "spec.limits[].min", "", "", alters, "new pods may request less", docs + "concepts/policy/limit-range/", ""},
	{"LimitRange", "spec.limits[].default", "", "", alters, "the default limits of new containers change", docs + "concepts/policy/limit-range/", ""},
	{"LimitRange", "spec.limits[].defaultRequest", "", "", alters, "the default requests of new containers change", docs + "concepts/policy/limit-range/", ""},
	{"LimitRange", "spec.limits[].maxLimitRequestRatio", "", "", alters, "new pods may have limits far above their requests", docs + "concepts/policy/limit-range/", ""},

	{"Namespace", "metadata.labels[pod-security.kubernetes.io/enforce]", "baseline|restricted", "none", stops, "pods that break the Pod Security Standards are admitted", docs + "tasks/configure-pod-container/enforce-standards-namespace-labels/", ""},
	{"Namespace", "metadata.labels[pod-security.kubernetes.io/enforce-version]", "", "none", alters, "pods are checked against the latest version of the standard", docs + "tasks/configure-pod-container/enforce-standards-namespace-labels/", ""},
	{"Namespace", "metadata.labels[istio-injection]", "enabled", "none", alters, "new pods run without the sidecar of the mesh", "https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/", ""},

	{webhooks, "webhooks[].failurePolicy", "Ignore", "Fail", alters, "requests fail while the webhook does not answer", webhookPage + "#failure-policy", ""},
	{webhooks, "webhooks[].namespaceSelector", "", "", alters, "the webhook is called for other namespaces too, such as kube-system", webhookPage + "#matching-requests-namespaceselector", ""},
	{webhooks, "webhooks[].objectSelector", "", "", alters, "the webhook is called for other objects too", webhookPage + "#matching-requests-objectselector", ""},
	{webhooks, "webhooks[].matchConditions", "", "none", alters, "the webhook is called for other requests too", webhookPage + "#matching-requests-matchconditions", ""},
	{webhooks, "webhooks[].matchPolicy", "Exact", "Equivalent", alters, "the webhook is called for other versions of the kind too", webhookPage + "#matching-requests-matchpolicy", ""},
	{webhooks, "webhooks[].timeoutSeconds", "", "some", alters, "the time that requests wait for the webhook changes", webhookPage + "#timeouts", ""},
	{webhooks, "webhooks[].rules", "", "none", stops, "the webhook is never called", webhookPage + "#matching-requests-rules", ""},
	{webhooks, "webhooks[].rules[].scope", "", "*", alters, "the rule matches objects with and without a namespace", webhookPage + "#matching-requests-rules", ""},
	{webhooks, "webhooks[].clientConfig.caBundle", "", "none", alters, "the API server does not trust the certificate of the webhook", webhookPage + "#contacting-the-webhook", ""},
	{webhooks, "webhooks[].clientConfig.service/path", "", "none", alters, "the webhook is called at another path", webhookPage + "#service-reference", ""},
	{webhooks, "webhooks[].clientConfig.service/port", "", "443", alters, "the webhook is called at port 443", webhookPage + "#service-reference", ""},
	{"MutatingWebhookConfiguration.admissionregistration.k8s.io", "webhooks[].reinvocationPolicy", "IfNeeded", "Never", alters, "the webhook does not see what later webhooks change", webhookPage + "#reinvocation-policy", ""},

	{admissionPolicies, "spec.failurePolicy", "Ignore", "Fail", alters, "requests fail when the policy cannot be evaluated", admissionPage + "#failure-policy", ""},
	{admissionPolicies, "spec.matchConditions", "", "none", alters, "the policy is evaluated for other requests too", admissionPage + "#matching-requests-matchconditions", ""},
	{admissionPolicies, "spec.matchConstraints.namespaceSelector", "", "", alters, "the policy is evaluated for other namespaces too", admissionPage, ""},
	{admissionPolicies, "spec.matchConstraints.objectSelector", "", "", alters, "the policy is evaluated for other objects too", admissionPage, ""},
	{admissionPolicies, "spec.matchConstraints.excludeResourceRules", "", "none", alters, "the policy is evaluated for these kinds too", admissionPage, ""},
	{admissionPolicies, "spec.matchConstraints.matchPolicy", "Exact", "Equivalent", alters, "the policy is evaluated for other versions of the kind too", admissionPage, ""},
	{"ValidatingAdmissionPolicy.admissionregistration.k8s.io", "spec.validations", "", "none", stops, "the policy checks nothing", admissionPage, ""},
	{admissionBindings, "spec.matchResources", "", "none", alters, "the policy is evaluated for every request that it matches", admissionPage, ""},
	{admissionBindings, "spec.matchResources/namespaceSelector", "", "", alters, "the policy is evaluated for other namespaces too", admissionPage, ""},
	{admissionBindings, "spec.matchResources/objectSelector", "", "", alters, "the policy is evaluated for other objects too", admissionPage, ""},
	{admissionBindings, "spec.matchResources/resourceRules", "", "none", alters, "the policy is evaluated for other kinds too", admissionPage, ""},
	{admissionBindings, "spec.matchResources/excludeResourceRules", "", "none", alters, "the policy is evaluated for these kinds too", admissionPage, ""},
	{admissionBindings, "spec.matchResources/matchPolicy", "Exact", "Equivalent", alters, "the policy is evaluated for other versions of the kind too", admissionPage, ""},
	{admissionBindings, "spec.paramRef", "", "none", alters, "the policy is evaluated without its parameters", admissionPage + "#parameter-resources", ""},
	{admissionBindings, "spec.paramRef/namespace", "", "none", alters, "the parameters are those of the namespace of each request", admissionPage + "#per-namespace-parameters", ""},
}

const (
	webhooks          = "ValidatingWebhookConfiguration.admissionregistration.k8s.io MutatingWebhookConfiguration.admissionregistration.k8s.io"
	admissionPolicies = "ValidatingAdmissionPolicy.admissionregistration.k8s.io MutatingAdmissionPolicy.admissionregistration.k8s.io"
	admissionBindings = "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io MutatingAdmissionPolicyBinding.admissionregistration.k8s.io"

	rbacPage      = docs + "reference/access-authn-authz/rbac/"
	webhookPage   = docs + "reference/access-authn-authz/extensible-admission-controllers/"
	admissionPage = docs + "reference/access-authn-authz/validating-admission-policy/"
)
