package validation_test

import "testing"

func TestAutoscalerReplicas(t *testing.T) {
	testRejections(t, `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web1, namespace: default}
spec:
  maxReplicas: 3
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}`, []rejection{
		{onCreate, `spec: {maxReplicas: null}`, []string{
			`spec.maxReplicas: Required value: must be set and greater than 0`,
			"spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
		}},
		{onCreate, `spec: {maxReplicas: -1, minReplicas: 0}`, []string{
			`spec.minReplicas: Invalid value: 0: must be greater than or equal to 1`,
			`spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1`,
			"spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`",
			`spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas`,
		}},
		{onCreate, `spec: {minReplicas: 4}`, []string{"spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`"}},
		{onCreate, `spec: {scaleTargetRef: {apiVersion: null, kind: null, name: null}}`, []string{
			`spec.scaleTargetRef.kind: Required value`,
			`spec.scaleTargetRef.name: Required value`,
			`spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group`,
		}},
		{onCreate, `spec: {scaleTargetRef: {apiVersion: a/b/c, kind: "%", name: a/b}}`, []string{
			`spec.scaleTargetRef.kind: Invalid value: "%": may not contain '%'`,
			`spec.scaleTargetRef.name: Invalid value: "a/b": may not contain '/'`,
			`spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
		}},
		{onCreate, `spec: {scaleTargetRef: {apiVersion: v1, kind: ReplicationController}}`, nil},
		{onUpdate, `spec: {maxReplicas: null, scaleTargetRef: {apiVersion: v1}}`, []string{
			`spec.maxReplicas: Required value: must be set and greater than 0`,
			"spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
			`spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group`,
		}},
	})
}

func TestAutoscaler(t *testing.T) {
	testRejections(t, `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web2, namespace: default}
spec:
  maxReplicas: 3
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]`, []rejection{
		{onCreate, `spec: {minReplicas: 0}`, []string{
			`spec.minReplicas: Invalid value: 0: must be greater than or equal to 1`,
			`spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas`,
		}},
		{onCreate, `spec: {metrics: [{}]}`, []string{
			`spec.metrics[0].type: Required value: must specify a metric source type`,
			`spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`,
		}},
		{onCreate, `spec: {metrics: [{type: Foo, resource: {target: {}}}]}`, []string{
			`spec.metrics[0].type: Unsupported value: "Foo": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`,
			`spec.metrics[0].resource.name: Required value: must specify a resource name`,
			`spec.metrics[0].resource.target.type: Required value: must specify a metric target type`,
			`spec.metrics[0].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue`,
			`spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
		}},
		{onCreate, `spec: {metrics: [{type: Pods, resource: {name: cpu, target: {type: Foo, averageValue: "0", averageUtilization: 0}}, external: {metric: {name: m}, target: {type: Value, value: "1"}}}]}`, []string{
			`spec.metrics[0].pods: Required value: must populate information for the given metric source`,
			`spec.metrics[0].external: Forbidden: must populate the given metric source only`,
			`spec.metrics[0].resource: Forbidden: must populate the given metric source only`,
		}},
		{onCreate, `spec: {metrics: [{type: Object, object: {describedObject: {kind: Pod, apiVersion: a/b/c}, metric: {name: a/b}, target: {type: Value}}}]}`, []string{
			`spec.metrics[0].object.describedObject.name: Required value`,
			`spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
			`spec.metrics[0].object.metric.name: Invalid value: "a/b": may not contain '/'`,
			`spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue`,
		}},
		{onCreate, `spec: {metrics: [{type: External, external: {metric: {}, target: {type: Value, value: "-1", averageValue: "1"}}}]}`, []string{
			`spec.metrics[0].external.metric.name: Required value: must specify a metric name`,
			`spec.metrics[0].external.target.value: Invalid value: "-1": must be positive`,
			`spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`,
		}},
		{onCreate, `spec: {metrics: [{type: External, external: {metric: {name: m}, target: {type: Value}}}]}`, []string{
			`spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target`,
		}},
		{onCreate, `spec: {metrics: [{type: Pods, pods: {metric: {name: m}, target: {type: Value, value: "1"}}}]}`, []string{
			`spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue`,
		}},
		{onCreate, `spec: {metrics: [{type: ContainerResource, containerResource: {name: foo, container: C_, target: {type: Utilization}}}, {type: ContainerResource, containerResource: {target: {type: Utilization, averageUtilization: 1, averageValue: "1"}}}]}`, []string{
			`spec.metrics[0].containerResource.name: Invalid value: "foo": must be a standard resource type or fully qualified`,
			`spec.metrics[0].containerResource.name: Invalid value: "foo": must be a standard resource for containers`,
			`spec.metrics[0].containerResource.container: Invalid value: "C_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`spec.metrics[0].containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
			`spec.metrics[1].containerResource.name: Required value: must specify a resource name`,
			`spec.metrics[1].containerResource.container: Required value: must specify a container`,
			`spec.metrics[1].containerResource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization`,
		}},
		{onCreate, `spec: {behavior: {scaleUp: {stabilizationWindowSeconds: -1, selectPolicy: Foo, policies: [{type: Foo, value: 0, periodSeconds: 0}]}, scaleDown: {stabilizationWindowSeconds: 3601, tolerance: "-1", policies: [{type: Pods, value: 1, periodSeconds: 1801}]}}}`, []string{
			`spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`,
			`spec.behavior.scaleUp.selectPolicy: Unsupported value: "Foo": supported values: "Disabled", "Max", "Min"`,
			`spec.behavior.scaleUp.policies[0].type: Unsupported value: "Foo": supported values: "Percent", "Pods"`,
			`spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero`,
			`spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero`,
			`spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`,
			`spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`,
			`spec.behavior.scaleDown.tolerance: Invalid value: "-1": must be greater than or equal to 0`,
		}},
		{onUpdate, `spec: {minReplicas: 5}`, []string{"spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`"}},
		{onUpdate, `spec: {scaleTargetRef: {kind: Foo, apiVersion: v1}}`, []string{`spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group`}},
	})
}
