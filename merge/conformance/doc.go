// Package conformance holds threeway's merges to those of Kubernetes: it runs
// merge/strategic and the apimachinery code that kubectl and the API server
// run, on the same objects, and wants the same patch, the same result and the
// same error. It is a module of its own, so that the product does not depend
// on client libraries.
package conformance
