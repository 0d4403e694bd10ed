package own

import (
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// functions are those that expressions have besides the API server's:
//
//	at(object, 'spec.template.spec.containers[name=web].image')  an optional value
//	under(path, 'spec.template')                                 whether a path is that field, or below it
//	podSpec(object)                                              the spec of the pods that a workload makes, or {}
//	containers(object)                                           the init containers and containers of its pods
//	image('registry.io/app:v1@sha256:…')                         registry, repository, tag, digest
func functions() []celgo.EnvOption {
	text, dyn := celgo.StringType, celgo.DynType
	return []celgo.EnvOption{
		celgo.Function("at", celgo.Overload("own_at", []*celgo.Type{dyn, text}, celgo.OptionalType(dyn), celgo.BinaryBinding(at))),
		celgo.Function("under", celgo.Overload("own_under", []*celgo.Type{text, text}, celgo.BoolType, celgo.BinaryBinding(under))),
		celgo.Function("podSpec", celgo.Overload("own_pod_spec", []*celgo.Type{dyn}, dyn, celgo.UnaryBinding(podSpec))),
		celgo.Function("containers", celgo.Overload("own_containers", []*celgo.Type{dyn}, celgo.ListType(dyn), celgo.UnaryBinding(containers))),
		celgo.Function("image", celgo.Overload("own_image", []*celgo.Type{text}, celgo.MapType(text, text), celgo.UnaryBinding(image))),
	}
}

// adapt makes a value of a tree.
func adapt(v any) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }

func at(object, path ref.Val) ref.Val {
	p, err := fieldpath.Parse(string(path.(types.String)))
	if err != nil {
		return types.WrapErr(err)
	}
	v, ok := p.Find(object.Value())
	if !ok {
		return types.OptionalNone
	}
	return types.OptionalOf(adapt(v))
}

func under(path, field ref.Val) ref.Val {
	p, err := fieldpath.Parse(string(path.(types.String)))
	if err != nil {
		return types.WrapErr(err)
	}
	above, err := fieldpath.Parse(string(field.(types.String)))
	if err != nil {
		return types.WrapErr(err)
	}
	return types.Bool(above.Holds(p))
}

// specOf is the spec of the pods of an object; nil if it makes none.
func specOf(object ref.Val) tree.Object {
	group, _, named := strings.Cut(tree.String(object.Value(), "apiVersion"), "/")
	if !named {
		group = ""
	}
	place := setting.PodSpecOf(schema.Kind{Group: group, Kind: tree.String(object.Value(), "kind")})
	if place == "" {
		return nil
	}
	return tree.Map(object.Value(), strings.Split(place, ".")...)
}

func podSpec(object ref.Val) ref.Val {
	if spec := specOf(object); spec != nil {
		return adapt(spec)
	}
	return adapt(tree.Object{})
}

func containers(object ref.Val) ref.Val {
	spec, list := specOf(object), []any{}
	for _, field := range []string{"initContainers", "containers"} {
		list = append(list, tree.List(spec, field)...)
	}
	return adapt(list)
}

// image takes the name of an image apart.
func image(name ref.Val) ref.Val {
	i := setting.ParseImage(string(name.(types.String)))
	return adapt(map[string]string{"registry": i.Registry, "repository": i.Repository, "tag": i.Tag, "digest": i.Digest})
}

// cost is that of the API server, and for the functions here one for every
// tenth character that they read and every item that they pass.
type cost struct{ kube.Cost }

// CallCost is what a call has cost.
func (c cost) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if !strings.HasPrefix(overload, "own_") {
		return c.Cost.CallCost(function, overload, args, result)
	}
	total := uint64(1)
	for _, arg := range args {
		if s, ok := arg.(types.String); ok {
			total += uint64(len(s)) / 10
		}
	}
	switch overload {
	case "own_at":
		total += passed(args[0].Value(), args[1])
	case "own_containers":
		if list, ok := result.(traits.Lister); ok {
			total += uint64(list.Size().(types.Int))
		}
	}
	return &total
}

// passed counts the items of the lists that a path leads through.
func passed(v any, path ref.Val) (n uint64) {
	p, _ := fieldpath.Parse(string(path.(types.String)))
	for i := range p {
		if list, ok := v.([]any); ok {
			n += uint64(len(list))
		}
		var ok bool
		if v, ok = p[i : i+1].Find(v); !ok {
			break
		}
	}
	return n
}
