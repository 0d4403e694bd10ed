package server

import (
	"strconv"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// templateGenerationKey is where apps/v1 shows the templateGeneration of the
// internal DaemonSet (pkg/apis/apps/v1/conversion.go).
const templateGenerationKey = "deprecated.daemonset.template.generation"

// aliases does what conversion to the internal version and back does to a
// decoded object: fields that exist twice, annotations that stand for fields.
func aliases(obj tree.Object, t *schema.Type) {
	switch t.Name {
	case "autoscaling/v1.HorizontalPodAutoscaler":
		scaleOnCPU(obj)
	case "autoscaling/v2.HorizontalPodAutoscaler":
		dropAnnotations(obj, scalerAnnotations)
	case "core/v1.Secret":
		foldStringData(obj)
	case "apps/v1.StatefulSet":
		for _, c := range tree.List(obj, "spec", "volumeClaimTemplates") {
			// As reflective conversion did before 1.17.
			if claim := tree.Map(c); claim != nil {
				claim["apiVersion"], claim["kind"] = "v1", "PersistentVolumeClaim"
			}
		}
	}
	for _, path := range podSpecPaths(t.Name) {
		owner := tree.Map(obj, path[:len(path)-1]...)
		if spec := tree.Map(owner, "spec"); spec != nil {
			serviceAccount(spec)
			dropAnnotations(owner, initContainerAnnotations)
		}
	}
}

// initContainerAnnotations are what conversion removes from Pods and templates
// (pkg/apis/core/v1/conversion.go dropInitContainerAnnotations).
var initContainerAnnotations = []string{
	"pod.beta.kubernetes.io/init-containers",
	"pod.alpha.kubernetes.io/init-containers",
	"pod.beta.kubernetes.io/init-container-statuses",
	"pod.alpha.kubernetes.io/init-container-statuses",
}

// podSpecPaths says where a kind has a pod spec.
func podSpecPaths(typ string) [][]string {
	switch typ {
	case "core/v1.Pod":
		return [][]string{{"spec"}}
	case "core/v1.PodTemplate":
		return [][]string{{"template", "spec"}}
	case "batch/v1.CronJob":
		return [][]string{{"spec", "jobTemplate", "spec", "template", "spec"}}
	case "apps/v1.Deployment", "apps/v1.ReplicaSet", "apps/v1.StatefulSet", "apps/v1.DaemonSet",
		"batch/v1.Job", "core/v1.ReplicationController":
		return [][]string{{"spec", "template", "spec"}}
	}
	return nil
}

// serviceAccount follows Convert_v1_PodSpec_To_core_PodSpec and back
// (pkg/apis/core/v1/conversion.go): the old name repeats the new one.
func serviceAccount(spec tree.Object) {
	name := tree.String(spec, "serviceAccountName")
	if name == "" {
		name = tree.String(spec, "serviceAccount")
	}
	if name != "" {
		spec["serviceAccountName"], spec["serviceAccount"] = name, name
	}
	for _, host := range []string{"hostNetwork", "hostPID", "hostIPC"} {
		if spec[host] == false {
			delete(spec, host)
		}
	}
}

func dropAnnotations(obj tree.Object, keys []string) {
	annotations := tree.Map(obj, "metadata", "annotations")
	if annotations == nil {
		return
	}
	drop(annotations, keys...)
	if len(annotations) == 0 {
		tree.Delete(obj, "metadata", "annotations")
	}
}

// foldStringData follows Convert_v1_Secret_To_core_Secret.
func foldStringData(secret tree.Object) {
	plain := tree.Map(secret, "stringData")
	delete(secret, "stringData")
	for k, v := range plain {
		if s, ok := v.(string); ok {
			tree.Set(secret, base64Text(s), "data", k)
		}
	}
}

// templateGeneration sets the annotation that stands for the field.
func templateGeneration(ds tree.Object, value string) {
	if value != "" {
		tree.Set(ds, value, "metadata", "annotations", templateGenerationKey)
	}
}

func increment(n string) string {
	i, _ := strconv.ParseInt(n, 10, 64)
	return strconv.FormatInt(i+1, 10)
}
