// Package conformance holds threeway's merges to those of Kubernetes. It runs
// merge/kube/internal/strategic and the apimachinery code that kubectl and the API server
// run on the same objects, and wants the same patch, the same result, the same
// rest of the patch and the same error text. It is a module of its own, so that
// the product does not depend on client libraries.
//
//	go test ./...                                          a minute
//	go test -run TestGenerated -v -timeout 0 -triples 1000000 -seed 7
//	go test -run TestRecorded -v -cases DIR                recorded cases, see TestRecorded
//	go test -run XXX -fuzz FuzzStrategic                   also FuzzJSONMerge
//	go test -run XXX -bench .
//
// kubectl computes a patch by the OpenAPI v3 document of its server. The tests
// take it from k8s.io/kubernetes in the module cache, or from the folder
// CONFORMANCE_OPENAPI; without it they go by Go types alone, as kubectl does in
// the end.
//
// These differences are let pass, and no others:
//
//   - Upstream walks maps in random order. Which of several errors it returns,
//     or whether it panics before, is random; so is which lists a conflict
//     shows sorted, since comparing sorts them. We go by the alphabet. Where
//     the outcomes differ, one of 200 runs of upstream must give ours, and 20
//     of ours must be the same.
//   - Where upstream panics, we return an error. It panics when the first item
//     of a list to merge is null, when it compares two merge keys that are maps
//     or lists or puts one into a Go map, and, without overwrite, when lists
//     changed by two sides repeat items.
//   - Upstream appends to lists of live in place if their capacity allows. If
//     such a list of scalars repeats items, the order of the result depends on
//     how the list was once allocated. Upstream gets lists without spare
//     capacity here.
//   - kubectl's try by OpenAPI v2, between v3 and the Go types, is left out: it
//     fails where v3 fails. TestLookups compares its error texts.
//   - Go's Quantity, IntOrString and Duration have fields of their own, such as
//     Format, which upstream finds by name, if someone writes a map there. The
//     generator does not.
package conformance
