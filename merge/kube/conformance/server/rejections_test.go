package server

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/capabilities"

	"threeway/merge/fault"
	ours "threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

var broken = flag.Int("broken", 6_000, "how many objects TestRejections breaks")

// uid is what an object under test always has.
const uid = "ffffffff-ffff-4fff-8fff-ffffffffffff"

// ourAnswer is the causes for which we refuse to create an object, or to store it in the
// place of an old one, "" if we do not; and what we warn of.
func ourAnswer(w workload, old, obj tree.Object) outcome {
	return attempt(func() (o outcome) {
		s := ours.Server{Minor: minor, Strict: true}
		var res ours.Result
		if old == nil {
			res = s.Create(w.kind, obj)
		} else {
			res = s.Update(w.kind, old, obj)
		}
		if res.Rejection != nil {
			o.err = message(res.Rejection)
			return o
		}
		for _, w := range res.Warnings {
			o.unknown = append(o.unknown, "Warning: "+w.Unmasked())
		}
		return o
	})
}

// message is what the server's status error says of a rejection, without the
// name of the object.
func message(r *fault.Rejection) string {
	if r.Reason != "Invalid" {
		return r.Message.Unmasked()
	}
	var texts []string
	for _, f := range r.Faults {
		texts = append(texts, f.Text.Unmasked())
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// upstreamRejection is why the kind's strategy refuses to create an object; ok is false if
// it does not get that far.
func upstreamRejection(w workload, k *kind, obj tree.Object) (text string, ok bool) {
	o := upstreamAnswer(w, k, nil, obj)
	return o.err, !o.panicked
}

// upstreamAnswer is what ourAnswer is, of the kind's strategy.
func upstreamAnswer(w workload, k *kind, old, obj tree.Object) outcome {
	return attempt(func() outcome {
		received, err := k.receive(obj, false)
		if err != nil {
			return outcome{panicked: true}
		}
		if old != nil {
			return upstreamUpdate(w, k, old, received)
		}
		m, err := meta.Accessor(received)
		if err != nil {
			return outcome{panicked: true}
		}
		rest.WipeObjectMetaSystemFields(m)
		rest.FillObjectMetaSystemFields(m)
		m.SetUID(uid)
		namespace := ""
		if r, _ := schema.Builtin(w.kind); r.Namespaced {
			namespace = "default"
		}
		ctx := genericapirequest.WithNamespace(context.Background(), namespace)
		ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{APIGroup: w.kind.Group, APIVersion: w.kind.Version, Resource: "x", Verb: "create"})
		if err := rest.BeforeCreate(w.strategy, ctx, received); err != nil {
			return outcome{err: causes(err.Error())}
		}
		return warned(w.strategy.WarningsOnCreate(ctx, received))
	})
}

// upstreamUpdate is the answer to an update.
func upstreamUpdate(w workload, k *kind, old tree.Object, received kruntime.Object) outcome {
	stored, err := k.receive(old, false)
	if err != nil {
		return outcome{panicked: true}
	}
	namespace := ""
	if r, _ := schema.Builtin(w.kind); r.Namespaced {
		namespace = "default"
	}
	ctx := genericapirequest.WithRequestInfo(genericapirequest.WithNamespace(context.Background(), namespace), &genericapirequest.RequestInfo{APIGroup: w.kind.Group, APIVersion: w.kind.Version, Resource: "x", Verb: "update"})
	strategy := w.strategy.(rest.RESTUpdateStrategy)
	if err := rest.BeforeUpdate(strategy, ctx, received, stored); err != nil {
		return outcome{err: causes(err.Error())}
	}
	return warned(strategy.WarningsOnUpdate(ctx, received, stored))
}

// warned are warnings as the server answers with them, each once.
func warned(texts []string) (o outcome) {
	for _, text := range texts {
		if text = "Warning: " + text; !slices.Contains(o.unknown, text) {
			o.unknown = append(o.unknown, text)
		}
	}
	return o
}

// causes leaves the causes of a message.
func causes(message string) string {
	if _, after, ok := strings.Cut(message, " is invalid: "); ok {
		return after
	}
	return message
}

// disagreement says how we and upstream differ on what is wrong with an
// object, and what to warn of, "" if not at all.
func disagreement(w workload, k *kind, old, obj tree.Object) string {
	want := upstreamAnswer(w, k, old, obj)
	if want.panicked {
		return ""
	}
	got := ourAnswer(w, old, obj)
	for i := 0; !got.equal(want) && i < 20; i++ {
		if want = upstreamAnswer(w, k, old, obj); i == 19 {
			return fmt.Sprintf("ours\n\t%s\nupstream\n\t%s", got, want)
		}
	}
	return ""
}

// breaks changes an object in one to three places, as its type allows.
func breaks(k *kind, valid tree.Object, i int) tree.Object {
	h := fnv.New64a()
	fmt.Fprint(h, k)
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, h.Sum64()+uint64(i))), density: 30}
	obj := tree.CopyObject(valid)
	for range 1 + g.IntN(3) {
		places := paths(obj, nil)
		path := places[g.IntN(len(places))]
		if slices.Contains([]any{"apiVersion", "kind", "status"}, path[0]) || path[0] == "metadata" && (len(path) == 1 || path[1] == "name" || path[1] == "namespace") {
			continue
		}
		g.budget = 6
		obj = g.change(obj, k.ours, path).(tree.Object)
	}
	return decode([]byte(encode(obj)))
}

// change copies v, a value of type t, with another value at the path.
func (g *generator) change(v any, t *schema.Type, path []any) any {
	if t == nil {
		return v
	}
	if len(path) == 0 {
		return g.worse(v, t)
	}
	switch v := v.(type) {
	case map[string]any:
		v = tree.CopyObject(v)
		key := path[0].(string)
		elem := t.Elem
		if t.Form == schema.Struct {
			f := t.Field(key)
			if f == nil {
				return v
			}
			elem = f.Type
		}
		if elem == nil {
			return v
		}
		if len(path) == 1 && g.IntN(4) == 0 {
			delete(v, key)
		} else {
			v[key] = g.change(v[key], elem, path[1:])
		}
		return v
	case []any:
		i := path[0].(int)
		v = tree.Copy(v).([]any)
		if len(path) > 1 || g.IntN(2) == 0 {
			v[i] = g.change(v[i], t.Elem, path[1:])
			return v
		}
		if g.IntN(2) == 0 {
			return slices.Delete(v, i, i+1)
		}
		return append(v, tree.Copy(v[i]))
	}
	return v
}

// worse is another value of the same type.
func (g *generator) worse(v any, t *schema.Type) any {
	switch v := v.(type) {
	case string:
		if t.Form == schema.String && g.IntN(3) > 0 {
			return pick(g, v+"1", v+"x", v+"-2", v+"-", "-"+v, strings.ToUpper(v), v+"/"+v, "", v+" ", strings.Repeat(v, 70), "../"+v, "/"+v, v+":"+v, "é")
		}
	case map[string]any:
		if t.Form == schema.Struct {
			if f := &t.Fields[g.IntN(len(t.Fields))]; f.In(minor) {
				v = tree.CopyObject(v)
				v[f.Name] = g.value(f.Type, f.Name, 3)
			}
			return v
		}
	case int64:
		return pick(g, 0, -1, v+1, 65536, 1<<30)
	}
	return g.value(t, "", 3)
}

func TestMain(m *testing.M) {
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true}) // --allow-privileged
	os.Exit(m.Run())
}

func TestValidObjects(t *testing.T) {
	for i, w := range workloads {
		k := kindOf(w.kind)
		if validObjects()[i] == nil {
			t.Errorf("no story has a valid %s", k)
			continue
		}
		if text, ok := upstreamRejection(w, k, validObjects()[i]); text != "" || !ok {
			t.Errorf("upstream rejects the valid %s: %s", k, text)
		}
		if text := ourAnswer(w, nil, validObjects()[i]).err; text != "" {
			t.Errorf("we reject the valid %s: %s", k, text)
		}
	}
}

func kindOf(k schema.Kind) *kind {
	i := slices.IndexFunc(kinds(), func(have *kind) bool { return have.Kind == k })
	return kinds()[i]
}

// TestRejections creates broken objects, and TestUpdates breaks what is stored.
func TestRejections(t *testing.T) { testAnswers(t, func(tree.Object) tree.Object { return nil }) }

func TestUpdates(t *testing.T) {
	testAnswers(t, func(valid tree.Object) tree.Object {
		old := tree.CopyObject(valid)
		tree.Set(old, uid, "metadata", "uid")
		tree.Set(old, "1", "metadata", "resourceVersion")
		tree.Set(old, "2020-01-01T00:00:00Z", "metadata", "creationTimestamp")
		return old
	})
}

func testAnswers(t *testing.T, stored func(valid tree.Object) tree.Object) {
	chosen, number, single := strings.Cut(*only, ":")
	began := time.Now()
	var next, done, rejected, differing atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(workloads); n = int(next.Add(1)) - 1 {
				w, shown := workloads[n], 0
				if validObjects()[n] == nil {
					continue
				}
				k, old := kindOf(w.kind), stored(validObjects()[n])
				if _, ok := w.strategy.(rest.RESTUpdateStrategy); old != nil && !ok {
					continue
				}
				first, each := 0, *broken/len(workloads)
				if single {
					first, _ = strconv.Atoi(number)
					each = first + 1
				}
				for i := first; i < each && shown < *show && (chosen == "" || chosen == k.String()); i++ {
					obj := breaks(k, validObjects()[n], i)
					if old != nil {
						for _, key := range []string{"uid", "resourceVersion", "creationTimestamp"} {
							tree.Set(obj, tree.String(old, "metadata", key), "metadata", key)
						}
					}
					done.Add(1)
					if upstreamAnswer(w, k, old, obj).err != "" {
						rejected.Add(1)
					}
					if disagreement(w, k, old, obj) != "" {
						shown++
						differing.Add(1)
						if old == nil {
							obj = smallest(obj, func(less tree.Object) bool { return disagreement(w, k, nil, less) != "" })
						}
						t.Errorf("go test -run %s -seed %d -only %s:%d\n%s\n%s", t.Name(), *seed, k, i, encode(obj), disagreement(w, k, old, obj))
					}
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d broken objects of %d kinds: %d differences in %v; upstream rejected %d", done.Load(), len(workloads), differing.Load(), time.Since(began).Round(time.Millisecond), rejected.Load())
}
