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
	"threeway/merge/gap"
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
// it decrypts it, and returns the manifests that had it, with it
// (github.com/getsops/sops/v3 stores/stores.go SopsMetadataKey).
func Strip(set *manifest.Set) map[*manifest.Object]tree.Object {
	var sealed map[*manifest.Object]tree.Object
	for _, o := range set.Objects {
		if !tree.Has(o.Tree, "sops", "mac") {
			continue
		}
		if sealed == nil {
			sealed = map[*manifest.Object]tree.Object{}
		}
		sealed[o] = tree.Map(o.Tree, "sops")
		o.Tree = maps.Clone(o.Tree)
		delete(o.Tree, "sops")
	}
	return sealed
}

// Whole is the error of a manifest in which SOPS has encrypted what names the
// object.
func Whole(sealed map[*manifest.Object]tree.Object, set *manifest.Set) error {
	for _, o := range set.Objects {
		if sealed[o] != nil && (sealedType(o.Kind.Kind) != "" || sealedType(o.Name) != "") {
			return fmt.Errorf("%s: SOPS has encrypted the kind or the name, so that the object is unknown; pass --sops, or rehearse what '%s' prints, with -f -, or encrypt with --encrypted-regex '^(data|stringData)$'",
				o.Origin.File, shell.Line("sops decrypt", shell.Path(o.Origin.File)))
		}
	}
	return nil
}

// Assumed is what Assume has found.
type Assumed struct {
	Gaps   []gap.Gap
	Unseen []gap.Unseen
}

// Assume replaces encrypted values: by those of the live objects, where nothing tells
// whether they differ or where the text is that of before the change, and by another value
// in a Secret where it differs. Former is nil if it is unknown what was before.
func Assume(objects []*manifest.Object, sealed map[*manifest.Object]tree.Object, live *manifest.Snapshot, former *manifest.Former) (found Assumed) {
	const needs = "the values that SOPS has encrypted (pass the files with -f and --sops, or rehearse what 'sops decrypt FILE' prints, with -f -)"
	var names []string
	var unknown gap.Gap
	values := 0
	for _, o := range objects {
		if said := opened(former, o, sealed[o]); said != "" {
			found.Unseen = append(found.Unseen, gap.Unseen{Object: o.ID(), Text: said})
		}
		if sealed[o] == nil {
			continue
		}
		u := unsealer{}
		var was tree.Object
		if found := live.Find(o.ID()); found != nil {
			was = found.Tree
		}
		if former != nil {
			u.former, u.known = former.Find(o.ID()), true
			u.edited = sameKeys(tree.Map(u.former, "sops"), sealed[o])
		}
		o.Tree = tree.CopyObject(o.Tree)
		if o.Kind.GroupKind() == "Secret" {
			u.secret(o.Tree, was)
		}
		u.object(nil, o.Tree, was)
		if u.values > 0 {
			values, names = values+u.values, append(names, o.ID().String())
			unknown.Objects = append(unknown.Objects, o.ID())
		}
		if u.unseen != nil {
			found.Unseen = append(found.Unseen, gap.Unseen{Object: o.ID(), Text: "encrypted by SOPS, and changes: " + strings.Join(u.unseen, ", ")})
		}
	}
	if values > 0 {
		unknown.Code, unknown.Needs = gap.Encrypted, needs
		unknown.Note = fmt.Sprintf("%s encrypted by SOPS and assumed to equal the cluster, which may be wrong: %s; to compare them, pass the files with -f and --sops, or rehearse what 'sops decrypt FILE' prints, with -f -",
			phrase.Count(values, "value is", "values are"), strings.Join(names, ", "))
		found.Gaps = []gap.Gap{unknown}
	}
	return found
}

// opened says which values a manifest shows that SOPS had encrypted before the change, or that the
// keys change that decrypt it; "" if neither is so.
func opened(former *manifest.Former, o *manifest.Object, sealed tree.Object) string {
	secret := o.Kind.GroupKind() == "Secret"
	if former == nil || sealed == nil && !secret && o.Kind.GroupKind() != "ConfigMap" {
		return ""
	}
	was := former.Find(o.ID())
	before := tree.Map(was, "sops")
	if before == nil || before["mac"] == nil {
		return ""
	}
	var plain []string
	for _, at := range Encrypted(was) {
		paths := []fieldpath.Path{at}
		for data, other := range map[string]string{"data": "stringData", "stringData": "data"} {
			if secret && at.HasPrefix(fieldpath.New(data)) {
				paths = append(paths, fieldpath.New(other).Join(at[1:]))
			}
		}
		for _, path := range paths {
			if v, has := path.Find(o.Tree); has && sealedType(v) == "" {
				plain = append(plain, path.String())
			}
		}
	}
	switch {
	case plain != nil:
		return "encrypted by SOPS in " + former.Name + ", and plain text here: " + strings.Join(plain, ", ")
	case sealed != nil && !sameKeys(before, sealed):
		return "encrypted by SOPS for other keys, or by other rules, than in " + former.Name
	}
	return ""
}

// sameKeys reports whether two files are encrypted with one data key, so that a value of
// which the text differs was edited: SOPS keeps the text of the others
// (github.com/getsops/sops/v3 aes/cipher.go Decrypt stashes the nonce of each value).
func sameKeys(before, now tree.Object) bool {
	keys := func(o tree.Object) tree.Object {
		o = maps.Clone(o)
		for _, field := range []string{"mac", "lastmodified", "version"} {
			delete(o, field)
		}
		return o
	}
	return before != nil && tree.Equal(keys(before), keys(now))
}

// unsealer replaces the encrypted values of one manifest.
type unsealer struct {
	former tree.Object // the manifest before the change; nil if there was none
	known  bool        // what was before the change
	edited bool        // a text that differs is another value
	// values counts those of which it is unknown whether they differ, and unseen names those that
	// do.
	values int
	unseen []string
}

// judge counts an encrypted value, and reports whether it differs for certain. was is
// what was there before the change, and live tells that the cluster has a value.
func (u *unsealer) judge(at fieldpath.Path, now, was any, live bool) (differs bool) {
	switch {
	case !live, u.known && was != nil && was != now && (sealedType(was) == "" || u.edited || sealedLength(was) != sealedLength(now)):
		u.unseen = append(u.unseen, at.String())
		return live
	case !u.known || was != now:
		u.values++
	}
	return false
}

// secret replaces the values of a Secret; those in stringData are in data where
// they are live.
func (u *unsealer) secret(config, live tree.Object) {
	for _, field := range []string{"data", "stringData"} {
		values := tree.Map(config, field)
		for _, key := range tree.Keys(values) {
			v := values[key]
			if sealedType(v) == "" {
				continue
			}
			plain, other := []byte(sealedText), "another-"+sealedText
			if key == ".dockerconfigjson" || key == ".dockercfg" {
				plain, other = []byte("{}"), `{"auths":{}}` // the server checks that it is JSON
			}
			b, err := base64.StdEncoding.DecodeString(tree.String(live, "data", key))
			there := err == nil && tree.Has(live, "data", key)
			if there {
				plain = b
			}
			var was any
			for _, field := range []string{"data", "stringData"} {
				if before, ok := tree.Map(u.former, field)[key]; ok {
					was = before
				}
			}
			if u.judge(fieldpath.New(field, key), v, was, there) {
				plain = []byte(other)
			}
			if values[key] = string(plain); field == "data" {
				values[key] = base64.StdEncoding.EncodeToString(plain)
			}
		}
	}
}

// object replaces the values in an object. One that is no text, and not live, is
// left out: any text would be of the wrong type. One that differs stays as it is live, since
// another text may be of the wrong form, and counts as unknown too.
func (u *unsealer) object(at fieldpath.Path, config, live tree.Object) {
	for _, key := range tree.Keys(config) {
		v := config[key]
		was, there := live[key]
		field := at.Child(key)
		t := sealedType(v)
		if t == "" {
			u.inside(field, v, was)
			continue
		}
		switch {
		case there:
			config[key] = was
		case t == "str" || t == "bytes":
			config[key] = sealedText
		default:
			delete(config, key)
		}
		u.plain(field, v, there)
	}
}

// plain counts a value outside of the data of a Secret.
func (u *unsealer) plain(at fieldpath.Path, now any, live bool) {
	was, _ := at.Find(u.former)
	if u.judge(at, now, was, live) || !live {
		u.values++
	}
}

// inside goes into a value. The items of a list belong together that have one
// name, or, without names, one place.
func (u *unsealer) inside(at fieldpath.Path, config, live any) {
	switch config := config.(type) {
	case tree.Object:
		u.object(at, config, tree.Map(live))
	case []any:
		list := tree.List(live)
		for i, item := range config {
			was, place := liveItem(item, i, list), at.Item(i)
			if name := tree.String(item, "name"); name != "" && sealedType(name) == "" {
				place = at.Select(fieldpath.Key{Name: "name", Value: name})
			}
			if sealedType(item) == "" {
				u.inside(place, item, was)
				continue
			}
			if config[i] = sealedText; was != nil {
				config[i] = was
			}
			u.plain(place, item, was != nil)
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

// sealedLength is the length of an encrypted value as text, which is that of the value
// before: AES-GCM pads nothing.
func sealedLength(v any) int {
	_, data, _ := strings.Cut(fmt.Sprint(v), "data:")
	data, _, _ = strings.Cut(data, ",iv:")
	return len(strings.TrimRight(data, "="))
}
