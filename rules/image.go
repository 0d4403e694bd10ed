package rules

import (
	"cmp"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/tree"
)

// imageUse is a container or an image volume: what it runs.
type imageUse struct {
	key, who, image string
	path            fieldpath.Path // of the image
	container       tree.Object
}

// imageUses are those of an object, of custom resources in every list that is named as one
// of a pod spec.
func imageUses(o *lint.Object, obj tree.Object) (list []imageUse) {
	in := func(at fieldpath.Path, key string, spec tree.Object) {
		for _, field := range []string{"initContainers", "containers", "ephemeralContainers"} {
			for i, c := range tree.List(spec, field) {
				if name := tree.String(c, "name"); name != "" {
					list = append(list, imageUse{key + field + "/" + name, "container " + name, tree.String(c, "image"), at.Child(field).Item(i).Child("image"), tree.Map(c)})
				}
			}
		}
		for i, v := range tree.List(spec, "volumes") {
			if image := tree.String(v, "image", "reference"); image != "" {
				list = append(list, imageUse{key + "volumes/" + tree.String(v, "name"), "volume " + tree.String(v, "name"), image, at.Child("volumes").Item(i).Child("image", "reference"), nil})
			}
		}
	}
	if at, spec := podSpec(o.Kind, obj); at != nil {
		in(at, "", spec)
		return list
	}
	var walk func(at fieldpath.Path, key string, v any)
	walk = func(at fieldpath.Path, key string, v any) {
		switch v := v.(type) {
		case tree.Object:
			in(at, key, v)
			for _, field := range tree.Keys(v) {
				walk(at.Child(field), key+field+"/", v[field])
			}
		case []any:
			for i, item := range v {
				if name := tree.String(item, "name"); name != "" {
					walk(at.Item(i), key+name+"/", item)
				}
			}
		}
	}
	walk(fieldpath.New("spec"), "", tree.Map(obj, "spec"))
	return list
}

// weakerImage says in which ways an image is pinned less than before or comes from elsewhere.
func weakerImage(was, is string) string {
	if was == "" || is == "" || was == is {
		return ""
	}
	var words []string
	x, y := setting.ParseImage(was), setting.ParseImage(is)
	if x.Digest != "" && y.Digest == "" {
		words = append(words, "is no longer pinned by digest")
	}
	if y.Moving() && !x.Moving() || y.Looser(x) {
		words = append(words, "now follows a moving tag ("+cmp.Or(y.Tag, "latest, as it names none")+")")
	}
	if x.Owner() != y.Owner() {
		words = append(words, "now comes from "+y.Owner()+", not "+x.Owner())
	}
	return strings.Join(words, ", ")
}
