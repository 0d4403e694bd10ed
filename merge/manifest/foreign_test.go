package manifest

import (
	"strings"
	"testing"
)

// What kubectl prints for people instead of objects is named for what it is.
func TestNotObjects(t *testing.T) {
	for text, want := range map[string]string{
		"NAME   READY   AGE\nweb    3/3     10d\n":                                 "a table, ",
		"\nNAMESPACE   NAME   UP-TO-DATE   CLUSTER-IP   PORT(S)\nshop web 1 2 3\n": "a table, ",
		"No resources found in shop namespace.\n":                                  "kubectl found no objects to export",
		"Error from server (NotFound): namespaces \"shop\" not found\n":            "this is an error message of kubectl, not objects: ",
		"error: the server doesn't have a resource type \"foos\"\n":                "this is an error message of kubectl, not objects: ",
		"deployment.apps/web\nservice/web\n":                                       "these are names, as kubectl get -o name prints",
		"I1123 02:53:09.584686 20362 warnings.go:110] \"deprecated\"\n":            "this is an error message of kubectl, not objects: ",
		"Name:                   web\nNamespace:              shop\n":              "this is the output of kubectl describe, ",
		"\n<html><body>Sign in</body></html>\n":                                    "this is HTML or XML, ",
		"\x7fELF\x02\x01\x00\x00":                                                  "this is a binary file, ",
		"some notes\n":                                                             "this is text, not objects in YAML or JSON; ",
		"\"some notes\"\n":                                                         "a document has the type string, not object; ",
		"a: b\n":                                                                   "a document has no kind, so it is not a live object; ",
		"[{\"kind\": \"a\"}]":                                                      "a document has the type array, not object; ",
	} {
		s := snapshotOf(text)
		if len(s.Problems) != 1 || len(s.Entries) > 0 || !strings.Contains(s.Problems[0].Text, want) || !strings.Contains(s.Problems[0].Text, "kubectl get KINDS") {
			t.Errorf("%q: %v, want %q", text, s.Problems, want)
		}
	}
	for _, text := range []string{"", "---\n", "\xff\xfe#\x00", "\ufeff# a comment", "\n# a comment\n---\n", "NAME: x\nkind: ConfigMap\napiVersion: v1\n", "# NAME READY\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"} {
		if s := snapshotOf(text); len(s.Problems) > 0 {
			t.Errorf("%q: %v", text, s.Problems)
		}
	}
}
