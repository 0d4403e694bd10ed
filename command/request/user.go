package request

import (
	"fmt"

	"threeway/merge/rehearsal"
)

// user is who applies, nil if neither --as nor the settings say it, or the command applies nothing.
func (v *Resolver) user() (*rehearsal.User, error) {
	u := rehearsal.User{Name: v.file.As, UID: v.file.AsUID, Groups: v.file.AsGroups}
	switch {
	case !v.has("last-applied") || v.noManifests:
		return nil, nil
	case v.String("as") != "" && v.String("as") != u.Name:
		return &rehearsal.User{Name: v.String("as")}, nil
	case u.Name != "":
		v.goBy("apply.as", u.Name)
		return &u, nil
	case u.UID != "" || len(u.Groups) > 0:
		return nil, fmt.Errorf("%s: apply.as-group and apply.as-uid only work with apply.as", v.file.File)
	}
	return nil, nil
}
