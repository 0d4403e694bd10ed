# gather.sh DIR: exports of the cluster of $KUBECONFIG, as each program makes them.
set -eu
mkdir -p "$1"; cd "$1"
mkdir -p watch
for kind in configmaps secrets services deployments statefulsets widgets; do
  (timeout 10 kubectl get -w --output-watch-events -n shop $kind -o json > watch/$kind.json || true) &
  (timeout 10 kubectl get -w --show-managed-fields -n shop $kind -o yaml > watch/$kind.yaml || true) &
done
sleep 5; kubectl -n shop annotate deploy/web statefulset/db a=b > /dev/null; kubectl -n shop annotate deploy/web statefulset/db a- > /dev/null; wait
kinds=$(kubectl api-resources --verbs=list,get -o name | grep -v -E '^events|componentstatuses|leases' | paste -sd,)
kubectl get $kinds -A -o yaml --show-managed-fields | gzip -9n > plain.yaml.gz
kubectl cluster-info dump -A --output-directory=cluster-info
kubectl cluster-info dump -A -o yaml --output-directory=cluster-info-yaml
kubectl cluster-info dump -A > cluster-info.txt
kubectl cluster-info dump -A -o yaml > cluster-info-yaml.txt
mkdir -p get
for ns in default shop; do
  for kind in all configmaps secrets hpa ingresses resourcequotas widgets serviceaccounts; do mkdir -p get/$ns; kubectl get $kind -n $ns -o yaml > get/$ns/$kind.yaml 2>&1; done
done
kubectl get ns,crd,clusterroles -o yaml > get/cluster.yaml
mkdir -p raw
for path in api/v1/namespaces/shop/{configmaps,secrets,services,pods,resourcequotas} api/v1/namespaces apis/apps/v1/{deployments,statefulsets} \
  apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers apis/networking.k8s.io/v1/ingresses \
  apis/rbac.authorization.k8s.io/v1/clusterroles/shop-reader apis/example.com/v1/widgets apis/apiextensions.k8s.io/v1/customresourcedefinitions; do
  kubectl get --raw /$path > raw/$(echo $path | tr / _).json
done
for inspected in ns/shop crd,clusterroles,nodes widgets.example.com,secrets; do
  all=; case $inspected in widgets*) all=-A;; esac
  oc-inspect $inspected $all --dest-dir=must-gather.local.1/quay-io-openshift-sha256-0a 2> /dev/null > /dev/null
done
support-bundle . > /dev/null 2>&1; rm -r support-bundle-*

for dir in cluster-info cluster-info-yaml get raw watch must-gather.local.1; do tar czf $dir.tar.gz $dir; rm -r $dir; done
