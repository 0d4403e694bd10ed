package request

import (
	"fmt"

	"threeway/merge/rehearsal"
)

// user is who applies, nil if that is not given. A flag replaces all that the
// settings say of the user.
func (v *Resolver) user() (*rehearsal.User, error) {
	u := rehearsal.User{Name: v.String("as")}
	if v.open("as") {
		if u = (rehearsal.User{Name: v.file.As, UID: v.file.AsUID, Groups: v.file.AsGroups}); u.Name != "" {
			v.goBy("apply.as", u.Name)
		} else if u.UID != "" || len(u.Groups) > 0 {
			return nil, fmt.Errorf("%s: apply.as-group and apply.as-uid only work with apply.as", v.file.File)
		}
	}
	if u.Name == "" {
		return nil, nil
	}
	return &u, nil
}
