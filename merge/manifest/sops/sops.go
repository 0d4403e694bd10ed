// Package sops reads manifests that SOPS has encrypted, without their keys: what it adds to
// a file goes, and an encrypted value counts as that of the live object.
package sops

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// encrypted matches a value that SOPS has encrypted
// (github.com/getsops/sops/v3 aes/cipher.go encre), with its type.
var encrypted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ENC\[AES256_GCM,data:.*,iv:.+,tag:.+,type:(.+)\]$`) })

// sealedText stands for an encrypted value of which nothing is known.
const sealedText = "encrypted-by-sops"

// Strip drops from the manifests what SOPS adds to a file and removes when
// it decrypts it, and returns the manifests that had it
// (github.com/getsops/sops/v3 stores/stores.go SopsMetadataKey).
func Strip(set *manifest.Set) map[*manifest.Object]bool {
	var sealed map[*manifest.Object]bool
	for _, o := range set.Objects {
		if !tree.Has(o.Tree, "sops", "mac") {
			continue
		}
		if sealed == nil {
			sealed = map[*manifest.Object]bool{}
		}
		sealed[o] = true
		o.Tree = maps.Clone(o.Tree)
		delete(o.Tree, "sops")
	}
	return sealed
}

// Whole is the error of a manifest in which SOPS has encrypted what names the
// object.
func Whole(sealed map[*manifest.Object]bool, set *manifest.Set) error {
	for _, o := range set.Objects {
		if sealed[o] && (sealedType(o.Kind.Kind) != "" || sealedType(o.Name) != "") {
			return fmt.Errorf("%s: SOPS has encrypted the kind or the name, so that the object is unknown; pass --sops, or rehearse what '%s' prints, with -f -, or encrypt with --encrypted-regex '^(data|stringData)$'",
				o.Origin.File, shell.Line("sops decrypt", shell.Path(o.Origin.File)))
		}
	}
	return nil
}

// Assume gives encrypted values those of the live objects, since nothing tells
// whether they differ. The note says which ones they are.
func Assume(objects []*manifest.Object, sealed map[*manifest.Object]bool, live *manifest.Snapshot) []string {
	var names []string
	values := 0
	for _, o := range objects {
		if !sealed[o] {
			continue
		}
		var was tree.Object
		if found := live.Find(o.ID()); found != nil {
			was = found.Tree
		}
		u := unsealer{}
		o.Tree = tree.CopyObject(o.Tree)
		if o.Kind.GroupKind() == "Secret" {
			u.secret(o.Tree, was)
		}
		u.object(o.Tree, was)
		if u.values > 0 {
			values += u.values
			names = append(names, o.ID().String())
		}
	}
	if values == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s encrypted by SOPS and assumed to equal the cluster, which may be wrong: %s; to compare them, pass the files with -f and --sops, or rehearse what 'sops decrypt FILE' prints, with -f -",
		phrase.Count(values, "value is", "values are"), strings.Join(names, ", "))}
}

// unsealer replaces the encrypted values of one manifest.
type unsealer struct{ values int }

// secret replaces the values of a Secret; those in stringData are in data where
// they are live.
func (u *unsealer) secret(config, live tree.Object) {
	for _, field := range []string{"data", "stringData"} {
		values := tree.Map(config, field)
		for key, v := range values {
			if sealedType(v) == "" {
				continue
			}
			u.values++
			plain := []byte(sealedText)
			if key == ".dockerconfigjson" || key == ".dockercfg" {
				plain = []byte("{}") // the server checks that it is JSON
			}
			if b, err := base64.StdEncoding.DecodeString(tree.String(live, "data", key)); err == nil && tree.Has(live, "data", key) {
				plain = b
			}
			if values[key] = string(plain); field == "data" {
				values[key] = base64.StdEncoding.EncodeToString(plain)
			}
		}
	}
}

// object replaces the values in an object. One that is no text, and not live, is
// left out: any text would be of the wrong type.
func (u *unsealer) object(config, live tree.Object) {
	for key, v := range config {
		was, there := live[key]
		switch t := sealedType(v); {
		case t == "":
			u.inside(v, was)
			continue
		case there:
			config[key] = was
		case t == "str" || t == "bytes":
			config[key] = sealedText
		default:
			delete(config, key)
		}
		u.values++
	}
}

// inside goes into a value. The items of a list belong together that have one
// name, or, without names, one place.
func (u *unsealer) inside(config, live any) {
	switch config := config.(type) {
	case tree.Object:
		u.object(config, tree.Map(live))
	case []any:
		list := tree.List(live)
		for i, item := range config {
			was := liveItem(item, i, list)
			if sealedType(item) == "" {
				u.inside(item, was)
				continue
			}
			u.values++
			if config[i] = sealedText; was != nil {
				config[i] = was
			}
		}
	}
}

// naming are the fields that name an object, and what SOPS adds.
var naming = []fieldpath.Path{
	fieldpath.New("apiVersion"), fieldpath.New("kind"), fieldpath.New("metadata", "name"), fieldpath.New("metadata", "namespace"), fieldpath.New("sops"),
}

func liveItem(item any, i int, live []any) any {
	name := tree.String(item, "name")
	if sealedType(name) != "" {
		name = ""
	}
	for _, other := range live {
		if name != "" && tree.String(other, "name") == name {
			return other
		}
	}
	if name == "" && i < len(live) {
		return live[i]
	}
	return nil
}

// Encrypted are the fields of a manifest that SOPS has encrypted, besides those that
// name the object.
// A field in the item of a list stands for that of every item.
func Encrypted(manifest tree.Object) []fieldpath.Path {
	var list []fieldpath.Path
	var find func(at fieldpath.Path, v any)
	find = func(at fieldpath.Path, v any) {
		switch v := v.(type) {
		case tree.Object:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if field := at.Child(key); !slices.ContainsFunc(naming, field.Equal) {
					find(field, v[key])
				}
			}
		case []any:
			for _, item := range v {
				find(at, item)
			}
		default:
			if sealedType(v) != "" && !slices.ContainsFunc(list, at.Equal) {
				list = append(list, at)
			}
		}
	}
	find(nil, manifest)
	return list
}

// sealedType is the type of an encrypted value, "" if it is not encrypted.
func sealedType(v any) string {
	text, _ := v.(string)
	if !strings.HasPrefix(text, "ENC[") {
		return ""
	}
	if m := encrypted().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
