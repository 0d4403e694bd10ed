package validation_test

import "testing"

func TestRole(t *testing.T) {
	testRejections(t, `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: "system:x", namespace: default}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]`, []rejection{
		{onCreate, `metadata: {name: a/b}`, []string{`metadata.name: Invalid value: "a/b": may not contain '/'`}},
		{onCreate, `rules: [{}]`, []string{
			`rules[0].verbs: Required value: verbs must contain at least one value`,
			`rules[0].apiGroups: Required value: resource rules must supply at least one api group`,
			`rules[0].resources: Required value: resource rules must supply at least one resource`,
		}},
		{onCreate, `rules: [{nonResourceURLs: [/x], verbs: [get]}]`, []string{
			`rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs`,
		}},
		{onCreate, `rules: [{nonResourceURLs: [/x], resources: [pods]}]`, []string{
			`rules[0].verbs: Required value: verbs must contain at least one value`,
			`rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs`,
			`rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs`,
		}},
		{onUpdate, `rules: [{apiGroups: [""], verbs: ["*"]}]`, []string{`rules[0].resources: Required value: resource rules must supply at least one resource`}},
	})
}

func TestClusterRole(t *testing.T) {
	testRejections(t, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:x"}
rules: [{nonResourceURLs: [/x], verbs: [get]}]`, []rejection{
		{onCreate, `rules: [{nonResourceURLs: [/x], verbs: [get], apiGroups: [""]}]`, []string{
			`rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs`,
		}},
		{onCreate, `aggregationRule: {}`, []string{
			`aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`,
		}},
		{onCreate, `aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}, {matchExpressions: [{key: a, operator: Foo}]}]}`, []string{
			`aggregationRule.clusterRoleSelectors[1].matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator`,
			`aggregationRule.clusterRoleSelectors[1]: Invalid value: null: invalid label selector.`,
		}},
		{onUpdate, `aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: "b!"}}]}`, []string{
			`aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.`,
		}},
	})
}

func TestRoleBinding(t *testing.T) {
	testRejections(t, `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: x, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects: [{kind: ServiceAccount, name: sa}]`, []rejection{
		{onCreate, `roleRef: {kind: null, name: null}`, []string{
			`roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"`,
			`roleRef.name: Required value`,
		}},
		{onCreate, `roleRef: {apiGroup: foo, kind: <Role>, name: a/b}`, []string{
			`roleRef.apiGroup: Unsupported value: "foo": supported values: "rbac.authorization.k8s.io"`,
			`roleRef.kind: Unsupported value: "<Role>": supported values: "Role", "ClusterRole"`,
			`roleRef.name: Invalid value: "a/b": may not contain '/'`,
		}},
		{onCreate, `subjects: [{}, {kind: User}, {kind: Group, name: g, apiGroup: foo}, {kind: ServiceAccount, name: A_, apiGroup: foo}, {kind: Foo, name: f}]`, []string{
			`subjects[0].name: Required value`,
			`subjects[0].kind: Unsupported value: "": supported values: "ServiceAccount", "User", "Group"`,
			`subjects[1].name: Required value`,
			`subjects[2].apiGroup: Unsupported value: "foo": supported values: "rbac.authorization.k8s.io"`,
			`subjects[3].name: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`subjects[3].apiGroup: Unsupported value: "foo": supported values: ""`,
			`subjects[4].kind: Unsupported value: "Foo": supported values: "ServiceAccount", "User", "Group"`,
		}},
		{onUpdate, `roleRef: {kind: ClusterRole}`, []string{
			`roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"r"}: cannot change roleRef`,
		}},
		{onUpdate, `roleRef: {name: null}`, []string{
			`roleRef.name: Required value`,
			`roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":""}: cannot change roleRef`,
		}},
	})
}

func TestClusterRoleBinding(t *testing.T) {
	testRejections(t, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: x}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}
subjects: [{kind: ServiceAccount, name: sa, namespace: default}]`, []rejection{
		{onCreate, `roleRef: {kind: Role}`, []string{`roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"`}},
		{onCreate, `subjects: [{kind: ServiceAccount, name: sa}]`, []string{`subjects[0].namespace: Required value`}},
		{onUpdate, `roleRef: {name: other}`, []string{
			`roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"other"}: cannot change roleRef`,
		}},
	})
}
