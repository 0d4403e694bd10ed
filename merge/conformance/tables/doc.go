// Package tables holds threeway to the tables in the tests of Kubernetes.
//
// The tables are not copied: Harvest runs upstream's tests from the module
// cache, with a recorder in place of the functions under test, and returns the
// arguments of every call. The tests here give each of them to upstream's code
// and to ours, and want the same answer. So the next release of Kubernetes
// brings its own cases.
//
//	go test ./...                       some minutes, most of them for compiling
//	go test -run TestDefinitions -v     the figures, and every exception with its reason
package tables
