package server

import (
	"cmp"
	"net/netip"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// World is what is known of the cluster around an object: what a snapshot has, and what the
// requests before this one have made. Kinds are written as StorageClass.storage.k8s.io. What is
// returned is not changed.
type World interface {
	// Objects lists the live objects of a kind.
	Objects(groupKind string) []tree.Object
	// ObjectsIn lists those in a namespace, without a look at the others.
	ObjectsIn(groupKind, namespace string) []tree.Object
	// Made lists the objects of a kind that earlier manifests of the set have made, of kinds
	// that others depend on; some replace live ones. The list only grows.
	Made(groupKind string) []tree.Object
	// Namespace finds a namespace, nil if it does not exist; known is false where the
	// snapshot cannot tell.
	Namespace(name string) (namespace tree.Object, known bool)
	// Serves tells whether the cluster serves a kind, and whether its objects are in
	// namespaces; known is false where the snapshot cannot tell.
	Serves(schema.Kind) (served, namespaced, known bool)
	// Plural is the name of a kind in URLs.
	Plural(schema.Kind) string
	// Adds reports whether the set has a Service.
	Adds(namespace, service string) bool
	// GivesTokens reports whether a live Pod shows that the ServiceAccount plugin is on
	// (MountsToken).
	GivesTokens() bool
	// Complete reports whether the snapshot is a dump of every kind: what it lacks does not
	// exist.
	Complete() bool
	// Empty reports whether nothing is there that the set does not make.
	Empty() bool
	// Assumed reports whether the objects are not those of a cluster, so that what its
	// admission adds to them is unknown.
	Assumed() bool
}

// cluster indexes a World for the questions that are asked often.
type cluster struct {
	World

	once     sync.Once
	services services // for whoever asks a second time
	tokens   sync.Once
	giving   bool // the ServiceAccount plugin is on
	asking   sync.Mutex
	standing map[string]*stored // by kind
	held     *holders
}

// nowhere is a World of which nothing is known.
type nowhere struct{}

func (nowhere) Objects(string) []tree.Object                        { return nil }
func (nowhere) ObjectsIn(string, string) []tree.Object              { return nil }
func (nowhere) Made(string) []tree.Object                           { return nil }
func (nowhere) Namespace(string) (tree.Object, bool)                { return nil, false }
func (nowhere) Serves(schema.Kind) (served, namespaced, known bool) { return false, false, false }
func (nowhere) Plural(schema.Kind) string                           { return "" }
func (nowhere) Adds(string, string) bool                            { return false }
func (nowhere) GivesTokens() bool                                   { return false }
func (nowhere) Complete() bool                                      { return false }
func (nowhere) Empty() bool                                         { return false }
func (nowhere) Assumed() bool                                       { return false }

// around returns what is known of the cluster.
func (s *Server) around() *cluster {
	s.wrap.Do(func() { s.cluster.World = cmp.Or[World](s.World, nowhere{}) })
	return &s.cluster
}

// services is what the snapshot tells of where Services are reached.
type services struct {
	network  netip.Addr
	ranges   []netip.Prefix
	families []string
}

// served looks for what new Services must mind once: there are as many Services as
// there are objects that ask.
func (c *cluster) served() *services {
	c.once.Do(func() {
		c.services = services{network: c.network(), ranges: c.serviceRanges(), families: c.families()}
	})
	return &c.services
}

// tells reports whether the objects of a kind are all that the cluster has.
func (c *cluster) tells(groupKind string) bool {
	return c.Complete() || c.Empty() || len(c.Objects(groupKind)) > 0
}

// fullName is an object's namespace and name.
func fullName(o tree.Object) [2]string {
	return [2]string{tree.String(o, "metadata", "namespace"), tree.String(o, "metadata", "name")}
}

// lacksService reports whether it is certain that there is no Service of a name, nor one
// that the set makes.
func (c *cluster) lacksService(namespace, name string) bool {
	if c.Assumed() || c.Adds(namespace, name) {
		return false
	}
	in, known := c.Namespace(namespace)
	if known && in == nil {
		return true
	}
	return (len(c.ObjectsIn("Service", namespace)) > 0 || known && c.tells("Service")) && c.find("Service", namespace, name) == nil
}

// network is the first address of the Service range: that of the default
// ServiceCIDR, else the one before the address of the Service
// default/kubernetes, which gets the second.
func (c *cluster) network() netip.Addr {
	for _, cidr := range c.Objects("ServiceCIDR.networking.k8s.io") {
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
func (c *cluster) serviceRanges() []netip.Prefix {
	cidrs := c.Objects("ServiceCIDR.networking.k8s.io")
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
func (c *cluster) families() []string {
	for _, cidr := range c.Objects("ServiceCIDR.networking.k8s.io") {
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
func (c *cluster) address() string {
	return tree.String(c.find("Service", "default", "kubernetes"), "spec", "clusterIP")
}

// forbidden words the refusal of an admission plugin.
func (c *cluster) forbidden(k schema.Kind, obj tree.Object, why string, faults ...fault.Fault) *fault.Rejection {
	resource := c.Plural(k)
	if k.Group != "" {
		resource += "." + k.Group
	}
	return fault.Forbid(resource, tree.String(obj, "metadata", "name"), why, faults...)
}
