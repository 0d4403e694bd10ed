package validation_test

import (
	"slices"
	"testing"

	"threeway/merge/kube/internal/validation"
	"threeway/merge/tree"
)

func TestKeptFaultsOfMoreKinds(t *testing.T) {
	const scaler = `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: b}, spec: {minReplicas: 1, maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}, metrics: [{type: Object, object: {describedObject: {kind: Service, name: a}, metric: {name: a}, target: {type: Value, value: "1"}}}]}}`
	const endpoints = `{apiVersion: v1, kind: Endpoints, metadata: {name: a, namespace: b}}`
	const slice = `{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, namespace: b}, addressType: IPv4, endpoints: []}`
	const cron = `{apiVersion: batch/v1, kind: CronJob, metadata: {name: a, namespace: b}, spec: {schedule: "0 0 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}}}`
	const ingress = `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: a, namespace: b}, spec: {defaultBackend: {service: {name: a, port: {number: 1}}}}}`
	const policy = `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: b}, spec: {podSelector: {}}}`
	const daemons = `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b}, spec: {updateStrategy: {type: OnDelete}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}`
	const claim = `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`
	const definition = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gears.a.k8s.io, annotations: {api-approved.kubernetes.io: unapproved}}, spec: {group: a.k8s.io, scope: Namespaced, names: {plural: gears, singular: gear, kind: Gear, listKind: GearList}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}, status: {storedVersions: [v1]}}`
	version := func(schema string) string {
		return `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: ` + schema + `}}}}]}`
	}
	for _, test := range []struct{ base, fault string }{
		{scaler, `spec: {minReplicas: 0}`},
		{scaler, `spec: {scaleTargetRef: {apiVersion: v1}}`},
		{scaler, `spec: {metrics: [{type: Object, object: {describedObject: {apiVersion: a/b/c, kind: Service, name: a}, metric: {name: a}, target: {type: Value, value: "1"}}}]}`},
		{endpoints, `subsets: [{addresses: [{ip: 010.0.0.1}]}]`},
		{slice, `endpoints: [{addresses: [010.0.0.1]}]`},
		{cron, `spec: {schedule: TZ=UTC 0 0 * * *}`},
		{cron, `spec: {timeZone: Nowhere}`},
		{ingress, `spec: {tls: [{secretName: a}, {secretName: A}]}`},
		{ingress, `spec: {rules: [{host: a}, {host: "*.a", http: {paths: [{pathType: Exact, path: a, backend: {service: {name: a, port: {number: 1}}}}]}}]}`},
		{policy, `spec: {podSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}`},
		{policy, `spec: {ingress: [{from: [{podSelector: {}}, {ipBlock: {cidr: 010.0.0.0/8}}]}]}`},
		{policy, `spec: {egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.1/16]}}]}]}`},
		{daemons, `spec: {selector: {matchExpressions: [{key: c, operator: NotIn, values: [b c]}]}}`},
		{claim, `spec: {selector: {matchExpressions: [{key: c, operator: In, values: [b c]}]}}`},
		{claim, `spec: {dataSource: {apiGroup: A, kind: b, name: c}, dataSourceRef: {apiGroup: A, kind: b, name: c}}`},
		{definition, `metadata: {annotations: {api-approved.kubernetes.io: null}}`},
		{definition, `metadata: {annotations: {api-approved.kubernetes.io: someone}}`},
		{definition, version(`{type: text}`)},
		{definition, version(`{type: array, x-kubernetes-list-type: set, items: {type: object}}`)},
		{definition, version(`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}}}}`)},
		{definition, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: false}]}`},
		{definition, `spec: {preserveUnknownFields: true}`},
		{definition, `spec: {preserveUnknownFields: true, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {properties: {a: {}}}}}]}`},
		{definition, `spec: {preserveUnknownFields: true, versions: [{name: v1, served: true, storage: true}]}`},
		{definition, `spec: {versions: [{name: v1, served: true, storage: true, ` + nineFields + `}]}`},
		{definition, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: false, ` + nineFields + `}]}`},
		{definition, `spec: {conversion: {strategy: Webhook, webhook: {clientConfig: {url: "https://a"}, conversionReviewVersions: [v2]}}}`},
	} {
		testKept(t, test.base, test.fault)
	}
}

const nineFields = `schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}, f: {type: string}, g: {type: string}, h: {type: string}, i: {type: string}}}}, ` +
	`selectableFields: [{jsonPath: .a}, {jsonPath: .b}, {jsonPath: .c}, {jsonPath: .d}, {jsonPath: .e}, {jsonPath: .f}, {jsonPath: .g}, {jsonPath: .h}, {jsonPath: .i}]`

// What may be kept may not get worse. Upstream: pkg/apis/core/validation,
// pkg/apis/batch/validation, and pkg/apis/apiextensions/validation of
// k8s.io/apiextensions-apiserver.
func TestKeptFaultsChanged(t *testing.T) {
	pod := func(spec string) string {
		return `{apiVersion: v1, kind: PodTemplate, metadata: {name: a, namespace: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}], ` + spec + `}}}`
	}
	cron := func(spec string) string {
		return `{apiVersion: batch/v1, kind: CronJob, metadata: {name: a, namespace: b}, spec: {` + spec + `, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}}}`
	}
	definition := func(versions string) string {
		return `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gears.a.io}, spec: {group: a.io, scope: Namespaced, names: {plural: gears, singular: gear, kind: Gear, listKind: GearList}, versions: [` + versions + `]}, status: {storedVersions: [v1]}}`
	}
	spread := func(rest string) string {
		return pod(`topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, ` + rest + `}]`)
	}
	const key = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`
	const constraint = `template.spec.topologySpreadConstraints[0].matchLabelKeys`
	for _, test := range []struct {
		old, now string
		want     []string
	}{
		{spread(`labelSelector: {}, matchLabelKeys: ["-"]`), spread(`labelSelector: {matchLabels: {c: d}, matchExpressions: [{key: e, operator: Exists}]}, matchLabelKeys: ["-", c, e, f]`), []string{
			constraint + `[0]: Invalid value: "-": ` + key,
			constraint + `[1]: Invalid value: "c": exists in both matchLabelKeys and labelSelector`,
			constraint + `[2]: Invalid value: "e": exists in both matchLabelKeys and labelSelector`,
		}},
		{spread(`matchLabelKeys: [a]`), spread(`matchLabelKeys: [c]`), []string{constraint + `: Forbidden: must not be specified when labelSelector is not set`}},
		{spread(`matchLabelKeys: [a]`), spread(`labelSelector: {matchLabels: {a: b}}`), nil},
		{pod(`tolerations: [{key: a, operator: Lt, value: "1"}]`), pod(`tolerations: [{key: a, operator: Gt, value: "-2"}, {key: b, operator: Lt, value: "0"}]`), nil},
		{pod(`tolerations: [{key: a, operator: Gt, value: "1"}]`), pod(`tolerations: [{key: a, operator: Gt, value: "9223372036854775808"}]`), []string{
			`template.spec.tolerations[0].value: Invalid value: "9223372036854775808": strconv.ParseInt: parsing "9223372036854775808": value out of range`,
		}},
		{cron(`schedule: TZ=UTC 0 0 * * *`), cron(`schedule: TZ=UTC 0 1 * * *, timeZone: UTC`), []string{
			`spec.schedule: Invalid value: "TZ=UTC 0 1 * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule`,
		}},
		{definition(`{name: v1, served: false, storage: true}`), definition(`{name: v1, served: true, storage: true}`), []string{
			`spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned`,
		}},
	} {
		t.Run(test.now, func(t *testing.T) {
			r := requestOf(t, test.now, rejection{onUpdate, "{}", nil})
			r.Old = treeOf(t, test.old)
			prepared(r.Old, r.Kind)
			var got []string
			for _, e := range validated(r) {
				got = append(got, e.Error())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%q\nwant\n%q", got, test.want)
			}
		})
	}
}

// The gate ContainerStopSignals is off by default. Upstream: validateStopSignal
// of pkg/apis/core/validation.
func TestStopSignal(t *testing.T) {
	const at = `spec.containers[0].lifecycle.stopSignal: `
	for _, test := range []struct{ system, signal, want string }{
		{`os: {name: linux}`, "SIGTERM", ""},
		{`os: {name: linux}`, "SIGRTMAX-14", ""},
		{`os: {name: windows}`, "SIGTERM", ""},
		{`os: {name: windows}`, "SIGKILL", ""},
		{`os: {name: windows}`, "SIGHUP", at + `Unsupported value: "SIGHUP": supported values: "SIGKILL", "SIGTERM"`},
		{`restartPolicy: Always`, "SIGTERM", at + "Forbidden: may not be set for containers with empty `spec.os.name`"},
	} {
		t.Run(test.system+test.signal, func(t *testing.T) {
			r := requestOf(t, `{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {`+test.system+`, containers: [{name: a, image: a, lifecycle: {stopSignal: `+test.signal+`}}]}}`, rejection{onCreate, "{}", nil})
			got := ""
			for _, e := range validated(r) {
				got += e.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Before 1.36 the Services of an Ingress had to have names that start with a
// letter, and the resources of a suspended Job could not change.
func TestServersBefore136(t *testing.T) {
	ingress := requestOf(t, `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: a, namespace: b}, spec: {defaultBackend: {service: {name: 1a, port: {number: 1}}}}}`, rejection{onCreate, "{}", nil})
	job := requestOf(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: a, namespace: b}, spec: {suspend: true, manualSelector: true, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}`,
		rejection{onUpdate, `spec: {template: {spec: {containers: [{name: a, image: a, resources: {limits: {cpu: 1}}}]}}}`, nil})
	placed := &validation.Request{Kind: job.Kind, Object: tree.CopyObject(job.Old), Old: job.Old}
	tree.Set(placed.Object, tree.Object{"a": "b"}, "spec", "template", "spec", "nodeSelector")
	started := &validation.Request{Kind: job.Kind, Object: placed.Object, Old: tree.CopyObject(job.Old)}
	tree.Set(started.Old, tree.Object{"startTime": "2026-01-01T00:00:00Z", "conditions": []any{tree.Object{"type": "Suspended", "status": "True"}}}, "status")
	for _, test := range []struct {
		what    string
		request *validation.Request
		causes  [2]int // at 1.35 and at 1.36
	}{
		{"name of a Service", ingress, [2]int{1, 0}},
		{"resources of a Job", job, [2]int{1, 0}},
		{"place of a Job", placed, [2]int{0, 0}},
		{"place of a Job that had started", started, [2]int{1, 0}},
	} {
		for i, minor := range []int{35, 36} {
			test.request.Minor = minor
			if errs := validated(test.request); len(errs) != test.causes[i] {
				t.Errorf("%s at 1.%d: got %d causes, want %d: %.300v", test.what, minor, len(errs), test.causes[i], errs)
			}
		}
	}
}

// The server makes these objects itself; one that is the same may be applied.
func TestBuiltinFlowControl(t *testing.T) {
	all := func(groups ...string) string {
		text := ""
		for _, g := range groups {
			text += `{kind: Group, group: {name: "` + g + `"}}, `
		}
		return `rules: [{subjects: [` + text + `], resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}], nonResourceRules: [{verbs: ["*"], nonResourceURLs: ["*"]}]}]`
	}
	const flow = `{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema, metadata: {name: `
	const level = `{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, metadata: {name: `
	for _, test := range []struct {
		object string
		causes int
	}{
		{flow + `exempt}, spec: {matchingPrecedence: 1, priorityLevelConfiguration: {name: exempt}, ` + all("system:masters") + `}}`, 0},
		{flow + `exempt}, spec: {matchingPrecedence: 2, priorityLevelConfiguration: {name: exempt}, ` + all("system:masters") + `}}`, 1},
		{flow + `catch-all}, spec: {matchingPrecedence: 10000, distinguisherMethod: {type: ByUser}, priorityLevelConfiguration: {name: catch-all}, ` + all("system:unauthenticated", "system:authenticated") + `}}`, 0},
		{flow + `catch-all}, spec: {matchingPrecedence: 10000, priorityLevelConfiguration: {name: catch-all}, ` + all("system:unauthenticated", "system:authenticated") + `}}`, 1},
		{level + `exempt}, spec: {type: Exempt, exempt: {nominalConcurrencyShares: 3, lendablePercent: 4}}}`, 0},
		{level + `exempt}, spec: {type: Exempt, exempt: {nominalConcurrencyShares: -1, lendablePercent: 101}}}`, 2},
		{level + `exempt}, spec: {type: Limited, limited: {limitResponse: {type: Reject}}}}`, 2},
		{level + `catch-all}, spec: {type: Limited, limited: {nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: {type: Reject}}}}`, 0},
		{level + `catch-all}, spec: {type: Limited, limited: {nominalConcurrencyShares: 6, lendablePercent: 0, limitResponse: {type: Reject}}}}`, 1},
		{level + `catch-all}, spec: {type: Limited, limited: {nominalConcurrencyShares: 5, lendablePercent: 1, limitResponse: {type: Reject}}}}`, 1},
	} {
		r := requestOf(t, test.object, rejection{onCreate, "{}", nil})
		if errs := validated(r); len(errs) != test.causes {
			t.Errorf("%s: got %d causes, want %d: %v", test.object, len(errs), test.causes, errs)
		}
	}
}
