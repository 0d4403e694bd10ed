package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/fixtures/breadth"
)

// files are the files of a repository by their paths; a text that begins with linkTo is a link.
type files map[string]string

const linkTo = "link to "

func (f files) write(t *testing.T, dir string) {
	t.Helper()
	for name, text := range f {
		name = filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(name), 0o700)
		if target, ok := strings.CutPrefix(text, linkTo); ok && err == nil {
			err = os.Symlink(target, name)
		} else if err == nil {
			err = os.WriteFile(name, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

const tidyWorkload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: web
        image: registry.example.com/web:1.0.0
        ports: [{name: http, containerPort: 8080}]
        readinessProbe: {httpGet: {path: /ready, port: http}}
        env: [{name: LEVEL, value: info}]
        envFrom: [{configMapRef: {name: cfg}}, {secretRef: {name: db}}]
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 64Mi}}
`

// tidyManifests are those of each base, below a directory.
var tidyManifests = files{
	"web.yaml": tidyWorkload,
	"service.yaml": `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: http}]
`,
	"sub/cfg.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: cfg, namespace: shop}
data: {a: b}
`,
	"sub/db.yaml": `apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop}
stringData: {password: hunter2hunter2}
`,
	"namespace.yaml": `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: {pod-security.kubernetes.io/enforce: restricted}
`,
	"aws-auth.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: aws-auth, namespace: kube-system}
data:
  mapRoles: |
    - rolearn: arn:aws:iam::111122223333:role/nodes
      username: system:node:{{EC2PrivateDNSName}}
      groups: [system:bootstrappers, system:nodes]
`,
}

// hiding is where a change puts a harm. It moves the text to where kubectl reads it, or,
// isUnread, to where it does not, or leaves it in place and does something beside.
type hiding struct {
	name             string
	isUnread, beside bool
	hide             func(f files, dir string, h harm)
	git              func(t *testing.T)
	bases            string
}

// at moves the text as it is.
func at(name string) hiding {
	return hiding{name: name, hide: func(f files, dir string, h harm) { f[path.Join(dir, name)] = h.text }}
}

func unreadAt(name string) hiding {
	h := at(name)
	h.isUnread = true
	return h
}

// as changes the text in place.
func as(name string, change func(string) string) hiding {
	return hiding{name: name, hide: func(f files, dir string, h harm) { f[path.Join(dir, h.file)] = change(h.text) }}
}

// unreadAs is as, for what kubectl does not read, because it reads the first document
// between two separators alone.
func unreadAs(name string, change func(string) string) hiding {
	h := as(name, change)
	h.isUnread = true
	return h
}

// leaving keeps the harm in place.
func leaving(name string, change func(f files, dir string)) hiding {
	return hiding{name: name, beside: true, hide: func(f files, dir string, h harm) {
		if !h.deletes {
			f[path.Join(dir, h.file)] = h.text
		}
		change(f, dir)
	}}
}

func leavingWith(name, text string) hiding {
	return leaving(name+" "+firstLine(text), func(f files, dir string) { f[strings.Replace(name, "DIR", dir, 1)] = text })
}

func firstLine(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	return s[:min(len(s), 40)]
}

func asJSON(text string) string {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	return string(data)
}

// tidySnapshot has the objects as the cluster has them once the manifests of
// the flags are applied, and as running leaves each, with an empty list of each usual kind.
func tidySnapshot(t *testing.T, running func(o map[string]any), flags ...string) string {
	t.Helper()
	var out, messages bytes.Buffer
	if code := Run(context.Background(), append([]string{"threeway", "merge", "-c", "", "-o", "json", "--show-secrets", "--show-managed-fields"}, flags...), strings.NewReader(""), &out, &messages); code != 0 {
		t.Fatal(messages.String())
	}
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	names := []string{"default", "kube-system"}
	for _, name := range names {
		list.Items = append(list.Items, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "labels": map[string]any{"kubernetes.io/metadata.name": name}},
			"spec": map[string]any{"finalizers": []string{"kubernetes"}}, "status": map[string]any{"phase": "Active"}})
	}
	for i, o := range list.Items {
		maps.Copy(o["metadata"].(map[string]any), map[string]any{"uid": fmt.Sprintf("1c2f9a70-0000-4000-8000-%012d", i), "resourceVersion": fmt.Sprint(100 + i), "creationTimestamp": "2026-01-02T03:04:05Z"})
		if o["kind"] == "Deployment" {
			o["metadata"].(map[string]any)["generation"] = 1
			o["status"] = map[string]any{"observedGeneration": 1, "replicas": 3, "readyReplicas": 3, "updatedReplicas": 3, "availableReplicas": 3}
		}
		if running != nil {
			running(o)
		}
	}
	data, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": list.Items})
	if err != nil {
		t.Fatal(err)
	}
	text := string(data) + "\n"
	for _, group := range strings.Fields(`v1:ConfigMap,Secret,Service,Namespace,LimitRange,ResourceQuota,PersistentVolumeClaim,Pod,ReplicationController,ServiceAccount,Endpoints,PersistentVolume,Node
		apps/v1:Deployment,ReplicaSet,StatefulSet,DaemonSet batch/v1:CronJob,Job autoscaling/v2:HorizontalPodAutoscaler policy/v1:PodDisruptionBudget
		rbac.authorization.k8s.io/v1:ClusterRole,ClusterRoleBinding,Role,RoleBinding networking.k8s.io/v1:Ingress,IngressClass,NetworkPolicy,ServiceCIDR
		apiextensions.k8s.io/v1:CustomResourceDefinition scheduling.k8s.io/v1:PriorityClass node.k8s.io/v1:RuntimeClass storage.k8s.io/v1:StorageClass
		admissionregistration.k8s.io/v1:MutatingAdmissionPolicy,MutatingAdmissionPolicyBinding,MutatingWebhookConfiguration,ValidatingAdmissionPolicy,ValidatingAdmissionPolicyBinding,ValidatingWebhookConfiguration`) {
		version, kinds, _ := strings.Cut(group, ":")
		for _, kind := range strings.Split(kinds, ",") {
			text += fmt.Sprintf("---\n{\"apiVersion\": %q, \"kind\": \"%sList\", \"items\": []}\n", version, kind)
		}
	}
	return text
}

// gitHere runs git in the working directory.
func gitHere(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// answers are what guard and review say here.
type answers struct {
	guard, review string
	allowed, fine bool
}

func answered(command string, flags ...string) (string, int) {
	var out, messages bytes.Buffer
	code := Run(context.Background(), append([]string{"threeway", command}, flags...), strings.NewReader(""), &out, &messages)
	return out.String() + messages.String(), int(code)
}

func ask(flags ...string) (a answers) {
	var code int
	a.guard, code = answered("guard", flags...)
	a.allowed = code == 0
	a.review, code = answered("review", flags...)
	head, _, _ := strings.Cut(a.review, "\n")
	a.fine = code == 0 && (strings.Contains(head, "No changes") || strings.Contains(head, "No risks found"))
	return a
}

// hiddenBase is a tidy repository on branch change, the directory of its manifests, and
// what guard and review are asked with.
type hiddenBase struct {
	name, dir string
	files     files
	flags     []string
	at        string
}

// oneKustomization names the tidy manifests beside it.
const oneKustomization = "resources: [web.yaml, service.yaml, sub/cfg.yaml, sub/db.yaml, namespace.yaml, aws-auth.yaml]\n"

// linkedSettings name the manifests and the snapshot.
const linkedSettings = "version: 1\nmanifests: [deploy]\nlive: [snapshots/prod.json]\n"

func hiddenBases(t *testing.T) []*hiddenBase {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs git, links and every name of a file: ", err)
	}
	root := t.TempDir()
	below := func(dir string, more files) files {
		all := maps.Clone(more)
		for name, text := range tidyManifests {
			all[path.Join(dir, name)] = text
		}
		return all
	}
	trust := []string{"--trust", "git:main"}
	bases := []*hiddenBase{
		{name: "settings", dir: "deploy", flags: trust, files: below("deploy", files{".threeway.yaml": linkedSettings, "README.md": "# shop\n"})},
		{name: "found", dir: "deploy", flags: trust, files: below("deploy", files{"README.md": "# shop\n"})},
		{name: "alone", dir: "deploy", files: below("deploy", files{".threeway.yaml": linkedSettings, "README.md": "# shop\n"})},
	}
	if _, err := exec.LookPath("kubectl"); err == nil {
		bases = append(bases, &hiddenBase{name: "overlays", dir: "base", flags: trust, files: below("base", files{
			".threeway.yaml":                   "version: 1\nkustomize: [overlays/*]\nlive: [snapshots/prod.json]\n",
			"base/kustomization.yaml":          oneKustomization,
			"overlays/prod/kustomization.yaml": "resources: [../../base]\n",
			"overlays/dev/kustomization.yaml":  "resources: [../../base]\n",
		})}, &hiddenBase{name: "one", dir: "k", flags: trust, files: below("k", files{
			".threeway.yaml":       "version: 1\nkustomize: [k]\nlive: [snapshots/prod.json]\n",
			"k/kustomization.yaml": oneKustomization,
		})}, &hiddenBase{name: "mixed", dir: "deploy", flags: trust, files: below("deploy", files{
			".threeway.yaml":       "version: 1\nmanifests: [deploy]\nkustomize: [k]\nlive: [snapshots/prod.json]\n",
			"k/kustomization.yaml": "resources: [cfg.yaml]\n", "k/cfg.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k, namespace: shop}\ndata: {a: b}\n",
		})})
	}
	for _, b := range bases {
		switch b.name {
		case "overlays":
			b.commit(t, root, nil, "-k", "overlays/prod")
		case "one":
			b.commit(t, root, nil, "-k", b.dir)
		case "mixed":
			b.commit(t, root, nil, "-R", "-f", b.dir, "-f", "k/cfg.yaml")
		default:
			b.commit(t, root, nil, "-R", "-f", b.dir)
		}
	}
	return bases
}

// commit makes the repository below a directory, with the snapshot of what the flags apply.
func (b *hiddenBase) commit(t *testing.T, root string, running func(o map[string]any), flags ...string) {
	t.Helper()
	b.at = filepath.Join(root, b.name)
	b.files.write(t, b.at)
	t.Chdir(b.at)
	snapshots := files{"snapshots/prod.json": tidySnapshot(t, running, flags...)}
	snapshots.write(t, b.at)
	maps.Copy(b.files, snapshots)
	gitHere(t, "init", "-q", "-b", "main", "--template=")
	gitHere(t, "add", "-A")
	gitHere(t, "commit", "-qm", "base")
	gitHere(t, "checkout", "-qb", "change")
}

// copied is a copy of the repository with other files, committed; it is the working directory then.
func (b *hiddenBase) copied(t *testing.T, f files, inGit func(*testing.T)) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, ".git"), os.DirFS(filepath.Join(b.at, ".git"))); err != nil {
		t.Fatal(err)
	}
	f.write(t, dir)
	t.Chdir(dir)
	gitHere(t, "add", "-A", "-f")
	gitHere(t, "commit", "-qm", "change", "--allow-empty")
	if inGit != nil {
		inGit(t)
	}
}

// TestHidden: a harm that a change hides is never allowed, wherever it hides it. It tries one
// in 37, in .ci/run one in 5, and with THREEWAY_MATRIX=all all.
func TestHidden(t *testing.T) {
	breadth.Long(t)
	number := 0
	for i, b := range hiddenBases(t) {
		for j, place := range slices.Concat(hidings, moreHidings, overlayHidings, kustomizeHidings, mixedHidings, freshHidings) {
			if place.bases != "" && !slices.Contains(strings.Fields(place.bases), b.name) || place.bases == "" && !slices.Contains([]string{"settings", "found", "alone"}, b.name) {
				continue
			}
			// Each place hides one of the harms, another in each base.
			var fit []harm
			for _, h := range harms {
				if place.beside || (!h.deletes || place.isUnread) && !(h.isNew && place.isUnread) {
					fit = append(fit, h)
				}
			}
			h := fit[(i+j)%len(fit)]
			if number++; !breadth.HasOfLong(number, 37, 5) {
				continue
			}
			t.Run(b.name+"/"+place.name+"/"+h.name, func(t *testing.T) {
				f := maps.Clone(b.files)
				delete(f, path.Join(b.dir, h.file))
				place.hide(f, b.dir, h)
				b.copied(t, f, place.git)
				if a := ask(b.flags...); a.allowed || a.fine && len(b.flags) > 0 {
					t.Errorf("guard: %s\nreview: %s", a.guard, a.review)
				}
			})
		}
	}
	t.Logf("%d cases", number)
}
