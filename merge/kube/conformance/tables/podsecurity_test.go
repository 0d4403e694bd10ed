package tables

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/internal/podsecurity"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// podChecks are the tables of the checks of Pod Security.
var podChecks = Harvest{
	Package: "k8s.io/pod-security-admission/policy",
	Functions: []string{
		"allowPrivilegeEscalation_1_25", "allowPrivilegeEscalation_1_8", "appArmorProfile_1_0", "capabilitiesBaseline_1_0", "capabilitiesRestricted_1_22",
		"capabilitiesRestricted_1_25", "hostNamespaces_1_0", "hostPathVolumes_1_0", "hostPorts_1_0", "hostProbesAndHostLifecycleV1Dot34", "privileged_1_0",
		"procMount1_35baseline", "procMount_1_0", "restrictedVolumes_1_0", "runAsNonRoot1_35", "runAsUser1_35", "seLinuxOptions1_31",
		"seccompProfileBaseline_1_0", "seccompProfileBaseline_1_19", "seccompProfileRestricted_1_19", "seccompProfileRestricted_1_25",
		"sysctlsV1Dot0", "sysctlsV1Dot27", "sysctlsV1Dot29", "sysctlsV1Dot32", "windowsHostProcess_1_0",
	},
	Imports: `threewaycore "k8s.io/api/core/v1"
	threewaymeta "k8s.io/apimachinery/pkg/apis/meta/v1"`,
	Encode: "case *threewaymeta.ObjectMeta:\n\t\treturn v\n\tcase *threewaycore.PodSpec:\n\t\treturn v",
}

// TestPodChecks gives the Pods of the tables to both evaluators, in every
// version of both levels.
func TestPodChecks(t *testing.T) {
	compared := comparison{T: t}
	calls := podChecks.Calls(t)
	for _, c := range calls {
		compared.all(c.String(), tree.Object{"metadata": anyOf(c.Args[0]), "spec": anyOf(c.Args[1])})
	}
	t.Logf("%d pods, %d evaluations equal", len(calls), compared.equal)
}

// TestPodFiles reads upstream's files of Pods that pass a level in a version,
// and of those that fail.
func TestPodFiles(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/pod-security-admission").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "test/testdata/*/v1.*/*/*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	place := regexp.MustCompile(`testdata/(\w+)/v1\.(\d+)/(pass|fail)/`)
	compared, servers := comparison{T: t}, server.Server{Minor: minor}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err = yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		pod, where := servers.Completed(schema.Kind{Version: "v1", Kind: "Pod"}, object(text)), place.FindStringSubmatch(file)
		version, err := strconv.Atoi(where[2])
		if err != nil {
			t.Fatal(err)
		}
		standard := podsecurity.Standard{Level: podsecurity.Level(where[1]), Version: podsecurity.Version(version)}
		if fails := podsecurity.Evaluate(standard, minor, pod) != nil; fails != (where[3] == "fail") {
			t.Errorf("%s: fails is %t", file, fails)
		}
		compared.evaluation(file, standard, minor, pod, typedPod(t, pod))
	}
	t.Logf("%d files, %d evaluations equal", len(files), compared.equal)
}

// TestPodsGenerated compares Pods at random.
func TestPodsGenerated(t *testing.T) {
	compared := comparison{T: t}
	random := generator{rand.New(rand.NewPCG(21, 36))}
	const pods = 10_000
	for n := range pods {
		compared.all(fmt.Sprint("pod ", n), random.pod())
	}
	t.Logf("%d pods, %d evaluations equal", pods, compared.equal)
}

// comparison counts the evaluations that are equal on both sides.
type comparison struct {
	*testing.T
	equal int
}

// versions are the oldest one, those in which the checks change and the ones
// before, and one that no server has yet.
var versions = []podsecurity.Version{0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, podsecurity.Version(minor), podsecurity.Version(minor + 1)}

// all evaluates a Pod in both levels and all versions on the newest server, and
// as the latest on older ones.
func (c *comparison) all(name string, pod tree.Object) {
	typed := typedPod(c.T, pod)
	for _, level := range []podsecurity.Level{podsecurity.Baseline, podsecurity.Restricted} {
		for _, version := range versions {
			c.evaluation(name, podsecurity.Standard{Level: level, Version: version}, minor, pod, typed)
		}
		for older := 33; older <= minor; older++ { // older ones restrict volumes of images
			c.evaluation(name, podsecurity.Standard{Level: level, Version: podsecurity.Latest}, older, pod, typed)
		}
	}
}

func (c *comparison) evaluation(name string, standard podsecurity.Standard, minor int, pod tree.Object, typed *corev1.Pod) {
	c.Helper()
	asked := api.LevelVersion{Level: api.Level(standard.Level), Version: api.LatestVersion()}
	if standard.Version != podsecurity.Latest {
		asked.Version = api.MajorMinorVersion(1, int(standard.Version))
	}
	want := policy.AggregateCheckResults(evaluator(c.T, minor).EvaluatePod(asked, &typed.ObjectMeta, &typed.Spec))
	got := podsecurity.Evaluate(standard, minor, pod)
	if want.ForbiddenDetail() != got.Details() || want.ForbiddenReason() != got.Reasons() {
		c.Errorf("%s as %s on 1.%d: %s\nours\n\t%s\nupstream\n\t%s", name, standard, minor, text(pod), got.Details(), want.ForbiddenDetail())
		return
	}
	c.equal++
}

// evaluators are upstream's, by the minor that they emulate.
var evaluators = map[int]policy.Evaluator{}

func evaluator(t *testing.T, minor int) policy.Evaluator {
	if evaluators[minor] == nil {
		emulated := api.MajorMinorVersion(1, minor)
		made, err := policy.NewEvaluator(policy.DefaultChecks(), &emulated)
		if err != nil {
			t.Fatal(err)
		}
		evaluators[minor] = made
	}
	return evaluators[minor]
}

func typedPod(t *testing.T, pod tree.Object) *corev1.Pod {
	var typed corev1.Pod
	if err := json.Unmarshal([]byte(text(pod)), &typed); err != nil {
		t.Fatalf("%s: %v", text(pod), err)
	}
	return &typed
}

func anyOf(arg []byte) any {
	if obj := object(arg); obj != nil {
		return obj
	}
	return nil
}

// generator makes Pods that have much of what the checks look at.
type generator struct{ *rand.Rand }

// sometimes sets a field in one of three cases.
func (g generator) sometimes(m tree.Object, field string, values ...any) {
	if g.IntN(3) == 0 {
		m[field] = values[g.IntN(len(values))]
	}
}

func (g generator) pod() tree.Object {
	annotations, spec := tree.Object{}, tree.Object{}
	for _, key := range []string{"container.apparmor.security.beta.kubernetes.io/a", "container.apparmor.security.beta.kubernetes.io/b"} {
		g.sometimes(annotations, key, "", "runtime/default", "localhost/x", "unconfined", "x\"y")
	}
	for _, key := range []string{"seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/a", "container.seccomp.security.alpha.kubernetes.io/b"} {
		g.sometimes(annotations, key, "runtime/default", "docker/default", "localhost/x", "unconfined", "")
	}
	for _, field := range []string{"hostNetwork", "hostPID", "hostIPC", "hostUsers"} {
		g.sometimes(spec, field, true, false)
	}
	g.sometimes(spec, "os", tree.Object{"name": "windows"}, tree.Object{"name": "linux"})
	if context := g.context(); g.IntN(3) > 0 {
		if g.IntN(2) == 0 {
			context["sysctls"] = g.list("name", "a", "kernel.shm_rmid_forced", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_rmem", "net.ipv4.tcp_notsent_lowat")
		}
		spec["securityContext"] = context
	}
	spec["containers"] = []any{g.container("a"), g.container("b")}[:1+g.IntN(2)]
	if g.IntN(2) == 0 {
		spec["initContainers"] = []any{g.container("c"), g.container("d")}[:1+g.IntN(2)]
	}
	if g.IntN(4) == 0 {
		spec["ephemeralContainers"] = []any{g.container("e")}
	}
	var volumes []any
	for i := range g.IntN(4) {
		kinds := []string{"hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "nfs", "iscsi", "glusterfs", "rbd", "flexVolume", "cinder",
			"cephfs", "flocker", "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk", "photonPersistentDisk", "portworxVolume", "scaleIO", "storageos",
			"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret", ""}
		volume := tree.Object{"name": fmt.Sprint("v", i)}
		for range 1 + g.IntN(2) {
			if kind := kinds[g.IntN(len(kinds))]; kind != "" {
				volume[kind] = tree.Object{}
			}
		}
		volumes = append(volumes, volume)
	}
	spec["volumes"] = volumes
	return tree.Object{"metadata": tree.Object{"annotations": annotations}, "spec": spec}
}

// list are objects with the field, some of those with the values.
func (g generator) list(field string, values ...string) []any {
	var list []any
	for _, v := range values {
		if g.IntN(2) == 0 {
			list = append(list, tree.Object{field: v})
		}
	}
	return list
}

func (g generator) context() tree.Object {
	c := tree.Object{}
	g.sometimes(c, "appArmorProfile", tree.Object{"type": "Unconfined"}, tree.Object{"type": "RuntimeDefault"}, tree.Object{"type": "Localhost"}, tree.Object{"type": "Odd"})
	g.sometimes(c, "seccompProfile", tree.Object{"type": "Unconfined"}, tree.Object{"type": "RuntimeDefault"}, tree.Object{"type": "Localhost"}, tree.Object{"type": "Odd"})
	g.sometimes(c, "runAsNonRoot", true, true, false)
	g.sometimes(c, "runAsUser", int64(0), int64(1000))
	g.sometimes(c, "windowsOptions", tree.Object{"hostProcess": true}, tree.Object{"hostProcess": false}, tree.Object{})
	options := tree.Object{}
	g.sometimes(options, "type", "container_t", "container_engine_t", "spc_t", "x_t", "")
	g.sometimes(options, "user", "u", "")
	g.sometimes(options, "role", "r", "")
	g.sometimes(c, "seLinuxOptions", options)
	return c
}

func (g generator) container(name string) tree.Object {
	container := tree.Object{"name": name}
	for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		g.sometimes(container, probe, tree.Object{"httpGet": g.host()}, tree.Object{"tcpSocket": g.host()}, tree.Object{"exec": tree.Object{}})
	}
	g.sometimes(container, "lifecycle", tree.Object{"postStart": tree.Object{"httpGet": g.host()}}, tree.Object{"preStop": tree.Object{"tcpSocket": g.host()}})
	g.sometimes(container, "ports", []any{tree.Object{"hostPort": int64(80)}, tree.Object{"hostPort": int64(9)}}, []any{tree.Object{"hostPort": int64(80)}}, []any{tree.Object{"containerPort": int64(1)}})
	if g.IntN(4) == 0 {
		return container
	}
	c := g.context()
	g.sometimes(c, "privileged", true, false)
	g.sometimes(c, "allowPrivilegeEscalation", true, false, false)
	g.sometimes(c, "procMount", "Default", "Unmasked", "Odd")
	granted := tree.Object{}
	g.sometimes(granted, "drop", []any{"ALL"}, []any{"ALL", "CHOWN"}, []any{"CHOWN"}, []any{})
	g.sometimes(granted, "add", []any{"NET_BIND_SERVICE"}, []any{"SYS_ADMIN", "NET_RAW"}, []any{"CHOWN", "NET_RAW"})
	g.sometimes(c, "capabilities", granted)
	container["securityContext"] = c
	return container
}

func (g generator) host() tree.Object {
	o := tree.Object{"port": int64(80)}
	g.sometimes(o, "host", "x", "127.0.0.1", "")
	return o
}
