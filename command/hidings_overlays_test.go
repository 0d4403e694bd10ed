package command

import (
	"maps"
	"path"
	"strings"
	"testing"
)

// overlaid are hidings in the overlay prod, whose base stays as it is.
func overlaid(name string, change func(f files, h harm)) hiding {
	return hiding{name: name, beside: true, bases: "overlays", hide: func(f files, dir string, h harm) {
		if text, ok := tidyManifests[h.file]; ok {
			f[path.Join(dir, h.file)] = text
		}
		change(f, h)
	}}
}

// part is what a kustomization says that has the harm in a file: a resource or a patch.
func part(f files, dir, file string, h harm) string {
	f[path.Join(dir, file)] = h.text
	switch {
	case h.isNew:
		return "resources: [" + file + "]\n"
	case h.deletes:
		f[path.Join(dir, file)] = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n$patch: delete\n"
	}
	return "patches: [{path: " + file + "}]\n"
}

const prod, overBase = "overlays/prod/kustomization.yaml", "resources: [../../base]\n"

// more joins two kustomizations.
func more(a, b string) string {
	if rest, ok := strings.CutPrefix(b, "resources: ["); ok {
		return strings.Replace(a, "]", ", "+strings.TrimSuffix(rest, "\n"), 1) + "\n"
	}
	return a + b
}

func in(file string) hiding {
	return overlaid("overlay "+file, func(f files, h harm) { f[prod] = more(overBase, part(f, "overlays/prod", file, h)) })
}

var overlayHidings = []hiding{
	// Argo CD's generator of directories applies it: the pattern of the settings has it, too.
	overlaid("plain directory beside overlays", func(f files, h harm) { f["overlays/new/x.yaml"] = h.text }),
	in("x.yaml"), in("x.txt"), in("x"), in(".x"), in("a/b/x.YAML"), in("x.json.yaml"), in("../dev/x.yaml"), in("../../README.md"), in("snapshot.yaml"), in("vendor/x.yaml"),
	overlaid("base", func(f files, h harm) {
		if delete(f, "base/"+h.file); !h.deletes {
			f["base/"+h.file] = h.text
		} else {
			f["base/kustomization.yaml"] = strings.Replace(f["base/kustomization.yaml"], "web.yaml, ", "", 1)
		}
		if h.isNew {
			f["base/kustomization.yaml"] = strings.Replace(f["base/kustomization.yaml"], "web.yaml", "web.yaml, "+h.file, 1)
		}
	}),
	overlaid("component", func(f files, h harm) {
		f[prod] = overBase + "components: [../../parts]\n"
		f["parts/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + part(f, "parts", "x.yaml", h)
	}),
	overlaid("component of a component", func(f files, h harm) {
		f[prod] = overBase + "components: [../../parts]\n"
		f["parts/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [more]\n"
		f["parts/more/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + part(f, "parts/more", "x.yaml", h)
	}),
	overlaid("between", func(f files, h harm) {
		f[prod] = "resources: [../../between]\n"
		f["between/kustomization.yaml"] = more("resources: [../base]\n", part(f, "between", "x.yaml", h))
	}),
	overlaid("kustomization.yml", func(f files, h harm) {
		f["overlays/prod/kustomization.yml"] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		delete(f, prod)
	}),
	overlaid("Kustomization", func(f files, h harm) {
		f["overlays/prod/Kustomization"] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		delete(f, prod)
	}),
	overlaid("two kustomizations", func(f files, h harm) {
		f["overlays/prod/Kustomization"] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
	}),
	overlaid("dev alone", func(f files, h harm) {
		f["overlays/dev/kustomization.yaml"] = more(overBase, part(f, "overlays/dev", "x.yaml", h))
	}),
	overlaid("a new overlay", func(f files, h harm) {
		f["overlays/new/kustomization.yaml"] = more(overBase, part(f, "overlays/new", "x.yaml", h))
	}),
	overlaid("renamed overlay", func(f files, h harm) {
		f["overlays/prd/kustomization.yaml"] = more(overBase, part(f, "overlays/prd", "x.yaml", h))
		delete(f, prod)
	}),
	overlaid("moved overlay", func(f files, h harm) {
		f["clusters/prod/kustomization.yaml"] = more(overBase, part(f, "clusters/prod", "x.yaml", h))
		f[".threeway.yaml"] = strings.Replace(f[".threeway.yaml"], "overlays", "clusters", 1)
		delete(f, prod)
	}),
	overlaid("no overlay", func(f files, h harm) { delete(f, prod) }),
	overlaid("not in the settings", func(f files, h harm) {
		f[prod] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		f[".threeway.yaml"] = strings.Replace(f[".threeway.yaml"], "overlays/*", "overlays/dev", 1)
	}),
	overlaid("link", func(f files, h harm) {
		f[prod] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		f["docs/x"], f["overlays/prod/x.yaml"] = f["overlays/prod/x.yaml"], linkTo+"../../docs/x"
	}),
	overlaid("link of a directory", func(f files, h harm) {
		f["other/kustomization.yaml"] = more("resources: [../base]\n", part(f, "other", "x.yaml", h))
		delete(f, prod)
		f["overlays/prod"] = linkTo + "../other"
	}),
	overlaid("images", func(f files, h harm) {
		f[prod] = overBase + "images: [{name: registry.example.com/web, newName: evil.example.net/web}]\n"
	}),
	overlaid("replicas", func(f files, h harm) { f[prod] = overBase + "replicas: [{name: web, count: 0}]\n" }),
	overlaid("JSON patch", func(f files, h harm) {
		f[prod] = overBase + "patches:\n- target: {kind: Deployment}\n  patch: '[{op: replace, path: /spec/replicas, value: 0}]'\n"
	}),
	overlaid("old JSON patch", func(f files, h harm) {
		f[prod] = overBase + "patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web, namespace: shop}\n  patch: '[{op: replace, path: /spec/replicas, value: 0}]'\n"
	}),
	overlaid("labels", func(f files, h harm) {
		f[prod] = overBase + "labels: [{pairs: {pod-security.kubernetes.io/enforce: privileged}}]\n"
	}),
	overlaid("replacement", func(f files, h harm) {
		f[prod] = overBase + "replacements:\n- source: {kind: ConfigMap, name: cfg, fieldPath: data.a}\n  targets: [{select: {kind: Secret, name: db}, fieldPaths: [stringData.password]}]\n"
	}),
	overlaid("generator", func(f files, h harm) {
		f[prod] = overBase + "configMapGenerator: [{name: aws-auth, namespace: kube-system, behavior: merge, options: {disableNameSuffixHash: true}, literals: ['mapUsers=[{userarn: x, groups: [system:masters]}]']}]\n"
	}),
	overlaid("secretGenerator", func(f files, h harm) {
		f[prod] = overBase + "secretGenerator: [{name: db, namespace: shop, behavior: replace, options: {disableNameSuffixHash: true}, literals: [password=intruder4intruder4]}]\n"
	}),
	overlaid("namespace", func(f files, h harm) { f[prod] = overBase + "namespace: kube-system\n" }),
	overlaid("namePrefix", func(f files, h harm) { f[prod] = overBase + "namePrefix: x-\n" }),
	overlaid("transformer", func(f files, h harm) {
		f[prod] = overBase + "transformers: [t.yaml]\n"
		f["overlays/prod/t.yaml"] = "apiVersion: builtin\nkind: ReplicaCountTransformer\nmetadata: {name: t}\nreplica: {name: web, count: 0}\nfieldSpecs: [{path: spec/replicas, kind: Deployment}]\n"
	}),
	overlaid("program", func(f files, h harm) {
		f[prod] = overBase + "transformers: [t.yaml]\n"
		f["overlays/prod/t.yaml"] = "apiVersion: v1\nkind: X\nmetadata: {name: t, annotations: {config.kubernetes.io/function: 'exec: {path: ./x.sh}'}}\n"
	}),
	overlaid("elsewhere", func(f files, h harm) { f[prod] = "resources: [../../base, https://example.com/x.yaml]\n" }),
	overlaid("chart", func(f files, h harm) { f[prod] = overBase + "helmCharts: [{name: x, repo: 'https://example.com'}]\n" }),
	overlaid("CRDs", func(f files, h harm) { f[prod] = more(overBase, part(f, "overlays/prod", "x.yaml", h)) + "crds: []\n" }),
	overlaid("BOM", func(f files, h harm) { f[prod] = "\ufeff" + more(overBase, part(f, "overlays/prod", "x.yaml", h)) }),
	overlaid("empty base", func(f files, h harm) { f["base/kustomization.yaml"] = "resources: []\n" }),
	overlaid("local-config", func(f files, h harm) {
		f["base/web.yaml"] = withMetadata(tidyWorkload, "annotations: {config.kubernetes.io/local-config: 'true'}")
	}),
}

// harmfulLines are command lines that an agent may ask for; x has a file for each harm.
var harmfulLines = strings.Split(strings.TrimSpace(`
kubectl create clusterrolebinding metrics --clusterrole=cluster-admin --group=system:authenticated
kubectl apply -f x/admin.yaml
kubectl apply -f x
kubectl apply -Rf x
kubectl apply -n shop -f x/stopped.yaml
kubectl apply -f deploy/service.yaml -f x/stopped.yaml
kubectl apply -f deploy/service.yaml,x/stopped.yaml
kubectl apply --filename=x/stopped.yaml
kubectl apply -f ./deploy/../x/stopped.yaml
kubectl apply --server-side --force-conflicts -f x/stopped.yaml
kubectl apply --prune --all -f deploy/service.yaml
kubectl apply -k x
kubectl create -f x/admin.yaml
kubectl replace -f x/stopped.yaml
kubectl replace --force -f x/stopped.yaml
kubectl delete deploy web -n shop
kubectl delete deploy/web -n shop
kubectl delete -n shop deployments.apps web
kubectl delete -n shop deployments.v1.apps/web
kubectl delete -f deploy/web.yaml
kubectl delete -R -f deploy
kubectl delete deploy -n shop --all
kubectl delete deploy -n shop -l app=web
kubectl delete all -n shop --all
kubectl delete ns shop
kubectl delete namespace/shop --wait=false
kubectl -n shop delete deploy,svc web
kubectl delete secret db -n shop --now
kubectl set image deploy/web web=evil.example.net/web:1.0.0 -n shop
kubectl set image -n shop deploy web *=evil.example.net/web:1.0.0
kubectl -n shop set image deployment --all web=evil.example.net/web:1
kubectl patch deploy web -n shop -p {"spec":{"template":{"spec":{"containers":[{"name":"web","image":"evil.example.net/web"}]}}}}
kubectl patch deploy web -n shop --type=json -p [{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"evil.example.net/web:1"}]
kubectl patch deploy web -n shop --type=merge -p {"spec":{"replicas":0}}
kubectl patch deploy web -n shop --subresource=scale --type=merge -p {"spec":{"replicas":0}}
kubectl patch secret db -n shop -p {"stringData":{"password":"intruder4"}}
kubectl patch secret db -n shop --type=json -p [{"op":"replace","path":"/data/password","value":"aW50cnVkZXI="}]
kubectl patch cm aws-auth -n kube-system -p {"data":{"mapUsers":"[{groups: [system:masters]}]"}}
kubectl patch -n kube-system -f deploy/aws-auth.yaml -p {"data":{"mapUsers":"x"}}
kubectl patch ns shop -p {"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}}
kubectl label ns shop pod-security.kubernetes.io/enforce=privileged --overwrite
kubectl label ns shop pod-security.kubernetes.io/enforce-
kubectl label namespaces --all pod-security.kubernetes.io/enforce=privileged --overwrite=true
kubectl label -f deploy/namespace.yaml pod-security.kubernetes.io/enforce=privileged --overwrite
kubectl scale deploy/web -n shop --replicas=0
kubectl scale --replicas 0 -n shop deploy web
kubectl scale -n shop --replicas=0 -f deploy/web.yaml
kubectl scale -n shop --replicas=0 deploy -l app=web
kubectl scale -n shop --current-replicas=3 --replicas=0 deploy/web
kubectl -nshop scale --replicas=0 deploy/web
kubectl --namespace shop scale deploy/web --replicas=00
kubectl scale deploy/web --replicas=0 -n shop --context=other
kubectl rollout undo deploy/web -n shop
kubectl rollout pause deploy/web -n shop; kubectl scale deploy/web -n shop --replicas=0
kubectl get pods && kubectl delete ns shop
kubectl get pods | kubectl delete -f -
kubectl get pods -n shop --as=system:admin --raw=/x
kubectl edit deploy/web -n shop
kubectl exec -n shop deploy/web -- sh
kubectl run x --image=evil.example.net/x -n shop
kubectl expose deploy web -n shop --type=LoadBalancer
kubectl drain node
kubectl auth reconcile -f x/admin.yaml
kubectl autoscale deploy web -n shop --min=1 --max=1
kubectl debug -n shop deploy/web --image=evil.example.net/x
kubectl cp x shop/web:/x
kubectl config use-context other
kubectl delete --raw /api/v1/namespaces/shop
kubectl set serviceaccount deploy web admin -n shop
kubectl set env deploy/web -n shop --from=secret/db
kubectl set resources deploy/web -n shop --limits=memory=1Mi
kubectl annotate ns shop kubectl.kubernetes.io/last-applied-configuration-
kubectl proxy
kubectl-neat delete ns shop
kubectl plugin-x
KUBECONFIG=x kubectl get pods
kubectl scale deploy/web -n shop --replicas=0 --dry-run=none
kubectl scale deploy/web -n shop --replicas=0 --dry-run=
kubectl delete ns shop --dry-run=false
kubectl diff -f x/stopped.yaml --prune; kubectl apply -f x
helm uninstall shop
helm upgrade shop ./x
env kubectl delete ns shop
sudo kubectl delete ns shop
sh -c 'kubectl delete ns shop'
kubectl delete ns "shop"
kubectl 'delete' ns sh""op
kubectl delete\
 ns shop
`), "\n")

// TestHarmfulLines: no command line that does one of the harms is allowed.
func TestHarmfulLines(t *testing.T) {
	b := hiddenBases(t)[0]
	f := files{"x/kustomization.yaml": "resources: [admin.yaml, stopped.yaml]\n"}
	for _, h := range harms {
		f["x/"+strings.NewReplacer("cluster-", "", "cluster", "").Replace(h.name)+".yaml"] = h.text
	}
	f.write(t, b.at)
	t.Chdir(b.at)
	for _, line := range harmfulLines {
		if said, code := answered("guard", "--command", line); code == 0 {
			t.Errorf("%s: %s", line, said)
		}
	}
}

// TestHarmfulAgent: an agent does not choose what its change is compared with.
func TestHarmfulAgent(t *testing.T) {
	b := hiddenBases(t)[0]
	for _, h := range harms {
		t.Run(h.name, func(t *testing.T) {
			f := maps.Clone(b.files)
			if delete(f, "deploy/"+h.file); !h.deletes {
				f["deploy/"+h.file] = h.text
			}
			b.copied(t, f, nil)
			files{"own.json": tidySnapshot(t, "-R", "-f", "deploy"), "copy/x.yaml": h.text}.write(t, ".")
			for _, arguments := range []string{`{}`, `{"live":["own.json"]}`, `{"live":["snapshots/prod.json","own.json"]}`, `{"manifests":["deploy"],"live":["own.json"]}`, `{"base":"deploy"}`, `{"base":"copy"}`, `{"base":"git:HEAD"}`,
				`{"manifests":["deploy"],"base":"git:change"}`} {
				if text, _ := said(agent(t, call(1, "guard", arguments))["1"]); strings.Contains(text, `"verdict":"allow"`) {
					t.Errorf("%s: %s", arguments, text)
				}
			}
		})
	}
}
