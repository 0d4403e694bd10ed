package access

import (
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"threeway/merge/tree"
)

// archive has the roles and bindings that servers make when they start, one a line: the
// first and the last minor of it, and the object. To read them:
//
//	gunzip < bootstrap.gz
//
//go:generate go -C ../schema/generate run .
//go:embed bootstrap.gz
var archive string

// Bootstrapped are the roles and bindings that a server of 1.minor makes.
func Bootstrapped(minor int) (list []tree.Object) {
	for _, line := range strings.Split(unpacked(), "\n") {
		var since, until int
		if _, err := fmt.Sscanf(line, "%d %d", &since, &until); err != nil || minor < since || minor > until {
			continue
		}
		var obj tree.Object
		if err := json.Unmarshal([]byte(line[strings.IndexByte(line, '{'):]), &obj); err != nil {
			panic("merge/access: bootstrap.gz: " + err.Error())
		}
		list = append(list, obj)
	}
	return list
}

var unpacked = sync.OnceValue(func() string {
	z, err := gzip.NewReader(strings.NewReader(archive))
	if err != nil {
		panic("merge/access: bootstrap.gz: " + err.Error())
	}
	var text strings.Builder
	if _, err := io.Copy(&text, z); err != nil {
		panic("merge/access: bootstrap.gz: " + err.Error())
	}
	return text.String()
})
