package schema

// shortNames are those of built-in resources (kubectl api-resources).
var shortNames = map[string]string{
	"cm": "configmaps", "crd": "customresourcedefinitions", "crds": "customresourcedefinitions", "cj": "cronjobs", "csr": "certificatesigningrequests", "deploy": "deployments", "ds": "daemonsets", "ep": "endpoints", "ev": "events",
	"ip": "ipaddresses", "hpa": "horizontalpodautoscalers", "ing": "ingresses", "limits": "limitranges", "netpol": "networkpolicies", "no": "nodes", "ns": "namespaces", "pc": "priorityclasses", "pdb": "poddisruptionbudgets", "po": "pods",
	"pv": "persistentvolumes", "pvc": "persistentvolumeclaims", "quota": "resourcequotas", "rc": "replicationcontrollers", "rs": "replicasets", "sa": "serviceaccounts", "sc": "storageclasses", "sts": "statefulsets", "svc": "services", "vac": "volumeattributesclasses",
}

// LongName returns the plural name of the built-in resource with a short name, else name.
func LongName(name string) string {
	if long := shortNames[name]; long != "" {
		return long
	}
	return name
}
