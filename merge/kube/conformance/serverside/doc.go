// Package serverside holds threeway's server-side apply to that of Kubernetes.
// It runs sequences of applies and updates by several managers through
// merge/kube/internal/serverside and through apimachinery's field manager, which the API
// server runs, with the schema that the server publishes, and wants after each
// step the same object, the same managedFields and the same error.
//
//	go test ./serverside
//	go test ./serverside -run TestSequences -v -timeout 0 -sequences 100000 -seed 7
//
// The schema comes from k8s.io/kubernetes in the module cache, or from the
// folder CONFORMANCE_OPENAPI; without it the tests are skipped. Both sides get
// objects of one version without defaults: versions, defaults and subresources
// are held to recordings of a real server (fixtures).
//
// One difference is let pass: upstream walks the fields of an object in random
// order and stops at an unknown one, so that the errors it lists are random. Of
// 200 runs one must give ours.
package serverside
