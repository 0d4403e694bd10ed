package manifest

import (
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// interned has one copy of each text that many objects have, so that entries
// share it and do not keep the text of the file in memory. The zero value is
// empty.
type interned struct {
	texts map[string]string
	// kind and namespace are those of the last object.
	kind      schema.Kind
	namespace string
	own       []byte
}

func (n *interned) text(s string) string {
	known, ok := n.texts[s]
	if !ok {
		if known = strings.Clone(s); n.texts == nil || len(n.texts) == maxInterned {
			n.texts = map[string]string{}
		}
		n.texts[known] = known
	}
	return known
}

// maxInterned limits the texts, so that the uids of owners are not collected
// without end.
const maxInterned = 8192

// entry gives an entry its own texts, and its labels. ok is false if the labels
// are not texts.
func (n *interned) entry(e *Entry, labels tree.Object) (ok bool) {
	if e.Kind != n.kind { // an export is sorted by kind and namespace
		n.kind = schema.Kind{Group: n.text(e.Kind.Group), Version: n.text(e.Kind.Version), Kind: n.text(e.Kind.Kind)}
	}
	if e.Namespace != n.namespace {
		n.namespace = n.text(e.Namespace)
	}
	e.Kind, e.Namespace = n.kind, n.namespace
	for i := range e.Owners {
		e.Owners[i] = n.text(e.Owners[i])
	}
	n.own = append(append(n.own[:0], e.Name...), e.UID...)
	if n.own, ok = appendLabels(n.own, labels); !ok {
		return false
	}
	name, uid := len(e.Name), len(e.UID)
	own := string(n.own)
	e.Name, e.UID, e.labels = own[:name], own[name:name+uid], packed(own[name+uid:])
	return true
}
