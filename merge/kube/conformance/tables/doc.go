// Package tables holds threeway to the tables in the tests of Kubernetes.
//
// The tables are not copied: Harvest runs upstream's tests from the module
// cache, with a recorder in place of the functions under test, and returns the
// arguments and the results of every call. The tests here give each of them to
// upstream's code and to ours, and want the same answer. So the next release of
// Kubernetes brings its own cases:
//
//   - TestDefinitions: CustomResourceDefinitions, created and updated, and every
//     schema among the cases as that of a resource and of a field.
//   - TestFragments, TestResources: values under a schema, through decoding,
//     pruning, defaulting, coercing, validation and storage.
//   - TestRules, TestCompiledRules: rules in CEL, what they say of values, what is
//     wrong with them, and their estimated and actual costs.
//   - TestPolicyExpressions, TestPolicyMatches, TestPolicyParams, TestPolicyPatches:
//     what admission policies compile, evaluate, match, take as params, and make of
//     objects.
//   - TestLibrary: the expressions in the tests of the server's functions.
//   - TestGeneratedRules: the same of generated schemas, rules, objects and old
//     objects; -pairs 100000 for many.
//   - TestRealRules: the rules of real definitions, with -definitions DIRECTORY.
//   - TestStrategicMerges, TestJSONMerges: the patches of client-side apply, and
//     what the server makes of the strategic ones.
//   - TestManagedFields, TestFieldSets, TestTypedMerges: the applies and updates
//     in the tests of apimachinery's field management and of
//     structured-merge-diff, through the field manager that the API server runs.
//   - TestPodChecks, TestPodFiles, TestPodsGenerated: Pods against the Pod Security
//     Standards, those of the tables, upstream's files, and 10,000 at random, in
//     every version.
//   - TestDocuments, TestFiles: texts of YAML and JSON, those of the parsers' own
//     tests and every such file of Kubernetes' modules.
//
// Run it with -v for the figures:
//
//	go test -v ./...                    a quarter of an hour, most of it for compiling
//	go test -v -run TestDefinitions
//
// Two things are let pass, and counted: texts over 100 KB, which are made to
// exhaust a parser; and, where a mapping has a key twice, which of the values
// wins. The variable exceptions holds any other case, with its reason. Sequences
// of random applies and updates are in package serverside of merge/kube/conformance.
package tables
