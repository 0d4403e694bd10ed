package policy

import (
	"slices"
	"strings"

	"threeway/merge/tree"
)

// User is who sends a request.
type User struct {
	Name, UID string
	Groups    []string
}

// The groups of who is logged in, and of who is not.
const (
	anonymous       = "system:anonymous"
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
)

// Impersonate is the user that the server makes of those of kubectl's --as,
// --as-uid and --as-group: one of a ServiceAccount has its groups if none is
// named, and each is authenticated or not.
//
// Source: WithImpersonation of apiserver
// pkg/endpoints/filters/impersonation/impersonation.go.
func Impersonate(name, uid string, groups []string) *User {
	account, isAccount := strings.CutPrefix(name, "system:serviceaccount:")
	if namespace, _, ok := strings.Cut(account, ":"); isAccount && ok && len(groups) == 0 {
		groups = []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace}
	}
	groups = slices.Clip(groups)
	switch {
	case name == anonymous && !slices.Contains(groups, unauthenticated):
		groups = append(groups, unauthenticated)
	case name != anonymous && !slices.Contains(groups, authenticated) && !slices.Contains(groups, unauthenticated):
		groups = append(groups, authenticated)
	}
	return &User{name, uid, groups}
}

// object is request.userInfo, in which nothing is empty.
func (u *User) object() tree.Object {
	obj := tree.Object{}
	if u.Name != "" {
		obj["username"] = u.Name
	}
	if u.UID != "" {
		obj["uid"] = u.UID
	}
	if len(u.Groups) > 0 {
		groups := make([]any, len(u.Groups))
		for i, g := range u.Groups {
			groups[i] = g
		}
		obj["groups"] = groups
	}
	return obj
}
