package server

import (
	"net/netip"
	"slices"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Cluster is what the snapshot tells of the cluster around an object.
type Cluster struct {
	// Objects lists the live objects of a kind ("StorageClass.storage.k8s.io").
	// It may be nil.
	Objects func(groupKind string) []tree.Object
	// ObjectsIn lists those in a namespace without a look at the others; nil asks
	// Objects.
	ObjectsIn func(groupKind, namespace string) []tree.Object
	// Made lists the objects of a kind that earlier manifests of the set have
	// made, of kinds that others depend on; some replace live ones. It may be nil.
	Made func(groupKind string) []tree.Object
	// Namespace finds a namespace, nil if it does not exist; known is false
	// where the snapshot cannot tell. It may be nil.
	Namespace func(name string) (namespace tree.Object, known bool)
	// Assumed says that the objects are not those of a cluster, so that what its
	// admission adds to them is unknown.
	Assumed bool
	// Complete says that the snapshot is a dump of every kind: what it lacks
	// does not exist.
	Complete bool
	// Empty says that nothing is there that the set does not make.
	Empty bool
	// Serves tells whether the cluster serves a kind, and whether its objects are in
	// namespaces; known is false where the snapshot cannot tell. It may be nil.
	Serves func(schema.Kind) (served, namespaced, known bool)
	// GivesTokens reports whether a live Pod shows that the ServiceAccount plugin is on
	// (MountsToken); nil looks in Objects.
	GivesTokens func() bool
	// Adds reports whether the set has a Service. It may be nil.
	Adds func(namespace, service string) bool
	// Resource is the plural name of a kind.
	Resource func(schema.Kind) string

	once     sync.Once
	services services // for whoever asks a second time
	tokens   sync.Once
	giving   bool // the ServiceAccount plugin is on
	asking   sync.Mutex
	standing map[string]*standing // by kind
	held     *holders
}

// services is what the snapshot tells of where Services are reached.
type services struct {
	network  netip.Addr
	ranges   []netip.Prefix
	families []string
}

// served looks for what new Services must mind once: there are as many Services as
// there are objects that ask.
func (c *Cluster) served() *services {
	c.once.Do(func() {
		c.services = services{network: c.network(), ranges: c.serviceRanges(), families: c.families()}
	})
	return &c.services
}

// objects are the live ones of a kind.
func (c *Cluster) objects(groupKind string) []tree.Object {
	if c.Objects == nil {
		return nil
	}
	return c.Objects(groupKind)
}

// objectsIn are the live ones of a kind in a namespace.
func (c *Cluster) objectsIn(groupKind, namespace string) []tree.Object {
	if c.ObjectsIn != nil {
		return c.ObjectsIn(groupKind, namespace)
	}
	elsewhere := func(o tree.Object) bool { return tree.String(o, "metadata", "namespace") != namespace }
	return slices.DeleteFunc(slices.Clone(c.objects(groupKind)), elsewhere)
}

// tells reports whether the objects of a kind are all that the cluster has.
func (c *Cluster) tells(groupKind string) bool {
	return c.Complete || c.Empty || c.Objects != nil && len(c.Objects(groupKind)) > 0
}

// fullName is an object's namespace and name.
func fullName(o tree.Object) [2]string {
	return [2]string{tree.String(o, "metadata", "namespace"), tree.String(o, "metadata", "name")}
}

// lacksService reports whether it is certain that there is no Service of a name, nor one
// that the set makes.
func (c *Cluster) lacksService(namespace, name string) bool {
	if c.Assumed || c.Namespace == nil || c.Adds != nil && c.Adds(namespace, name) {
		return false
	}
	in, known := c.Namespace(namespace)
	if known && in == nil {
		return true
	}
	return (len(c.objectsIn("Service", namespace)) > 0 || known && c.tells("Service")) && c.find("Service", namespace, name) == nil
}

// network is the first address of the Service range: that of the default
// ServiceCIDR, else the one before the address of the Service
// default/kubernetes, which gets the second.
func (c *Cluster) network() netip.Addr {
	for _, cidr := range c.objects("ServiceCIDR.networking.k8s.io") {
		if tree.String(cidr, "metadata", "name") != "kubernetes" {
			continue
		}
		for _, text := range tree.List(cidr, "spec", "cidrs") {
			if s, ok := text.(string); ok {
				if prefix, err := netip.ParsePrefix(s); err == nil {
					return prefix.Masked().Addr()
				}
			}
		}
	}
	if ip, err := netip.ParseAddr(c.address()); err == nil {
		return ip.Prev()
	}
	return netip.Addr{}
}

// serviceRanges are the ranges of Service addresses, if the snapshot has the
// only ServiceCIDR: with several of them an address may be in any.
func (c *Cluster) serviceRanges() []netip.Prefix {
	cidrs := c.objects("ServiceCIDR.networking.k8s.io")
	if len(cidrs) != 1 {
		return nil
	}
	var ranges []netip.Prefix
	for _, text := range tree.List(cidrs[0], "spec", "cidrs") {
		if s, ok := text.(string); ok {
			if prefix, err := netip.ParsePrefix(s); err == nil {
				ranges = append(ranges, prefix)
			}
		}
	}
	return ranges
}

// families are the IP families of the Service ranges, the default one first;
// nil if the snapshot does not tell.
func (c *Cluster) families() []string {
	for _, cidr := range c.objects("ServiceCIDR.networking.k8s.io") {
		if tree.String(cidr, "metadata", "name") != "kubernetes" {
			continue
		}
		var families []string
		for _, text := range tree.List(cidr, "spec", "cidrs") {
			if s, ok := text.(string); ok {
				if prefix, err := netip.ParsePrefix(s); err == nil {
					families = append(families, familyOf(prefix.Addr().String()))
				}
			}
		}
		return families
	}
	if ip := c.address(); ip != "" {
		return []string{familyOf(ip)}
	}
	return nil
}

// address is that of the Service default/kubernetes, "" if it is not in the snapshot.
func (c *Cluster) address() string {
	return tree.String(c.find("Service", "default", "kubernetes"), "spec", "clusterIP")
}

// forbidden words the refusal of an admission plugin.
func (c *Cluster) forbidden(k schema.Kind, obj tree.Object, why string, faults ...fault.Fault) *fault.Rejection {
	resource := c.Resource(k)
	if k.Group != "" {
		resource += "." + k.Group
	}
	return fault.Forbid(resource, tree.String(obj, "metadata", "name"), why, faults...)
}
