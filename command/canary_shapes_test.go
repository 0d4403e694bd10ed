package command

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"

	"threeway/fixtures/breadth"
)

// canaryShape is an input with secrets, each of which has a value of its own, so that
// no place is masked only because another has the same value.
type canaryShape struct {
	name    string
	archive *txtar.Archive
}

// canaryShapes are the cases written by hand and those that are generated: every way to
// write a Secret in every place that may have one inside, variables, declared fields,
// and copies.
func canaryShapes(t *testing.T) (shapes []canaryShape) {
	t.Helper()
	files, err := filepath.Glob("testdata/canary/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shapes = append(shapes, canaryShape{strings.TrimSuffix(filepath.Base(file), ".txtar"), archive})
	}
	values := 0
	value := func() string {
		values++
		return fmt.Sprintf("%s%s%c%c", canary, canaryEnd, 'A'+values/26%26, 'A'+values%26)
	}
	add := func(name, config, live string) {
		shapes = append(shapes, canaryShape{name, &txtar.Archive{Files: []txtar.File{
			{Name: ".threeway.yaml", Data: []byte(canarySettings)}, {Name: "config.yaml", Data: []byte(config)},
			{Name: "live.yaml", Data: []byte(canaryDefinitions + live)},
		}}})
	}
	// both adds a shape that is in the manifests with some values and live with others.
	both := func(name string, object func(uid string) string) {
		add(name, object(""), object(", uid: 1c2f9a70-0000-4000-8000-000000000001"))
	}
	secrets := canarySecrets(value)
	for _, way := range sortedKeys(secrets) {
		both(way, secrets[way])
		for place, around := range canaryPlaces {
			both(way+" in "+place, func(uid string) string { return around(secrets[way](""), uid) })
		}
	}
	objects := canaryObjects(value)
	for _, name := range sortedKeys(objects) {
		both(name, objects[name])
	}
	slices.SortFunc(shapes, func(a, b canaryShape) int { return strings.Compare(a.name, b.name) })
	return shapes
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// canarySettings declare variables and fields.
const canarySettings = `version: 1
secrets:
  env: [known]
  kinds:
  - {kind: Secret.secrets.example.com, fields: [spec.password]}
  - {kind: Cred.example.com, fields: [spec.password, spec.creds.password]}
`

// canaryDefinitions are the kinds of the shapes, and policies that copy declared fields.
var canaryDefinitions = func() string {
	var b strings.Builder
	for _, kind := range [][2]string{{"secrets.example.com", "Secret"}, {"example.com", "Cred"}, {"example.com", "Run"}} {
		plural := strings.ToLower(kind[1]) + "s"
		fmt.Fprintf(&b, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.%[2]s, uid: 2c2f9a70-0000-4000-8000-000000000001}
spec:
  group: %[2]s
  names: {kind: %[3]s, plural: %[1]s}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {password: {type: string}, env: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}}}}]
---
`, plural, kind[0], kind[1])
	}
	return b.String() + `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: x}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [example.com], apiVersions: [v1], operations: ["*"], resources: [creds]}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'copy': has(object.spec.password) ? object.spec.password.lowerAscii() : ''}}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: x}
spec: {policyName: x}
---
`
}()

func in64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// canarySecrets are the ways to write a Secret, or what was meant to be one.
func canarySecrets(value func() string) map[string]func(uid string) string {
	ways := map[string]func(string) string{}
	for _, kind := range []string{"Secret", "secret", "SECRET", "Secrets", "Secert", "Sercet"} {
		for field, encoded := range map[string]bool{"data": true, "stringData": false, "stringdata": false, "StringData": false} {
			ways[kind+" with "+field] = func(uid string) string {
				v := value()
				if encoded {
					v = in64(v)
				}
				return fmt.Sprintf("apiVersion: v1\nkind: %s\nmetadata: {name: db, namespace: shop%s}\n%s: {password: %s}\n", kind, uid, field, v)
			}
		}
	}
	for name, form := range map[string]string{
		"of an unknown kind":       "apiVersion: v1\nkind: Hush\nmetadata: {name: db, namespace: shop%s}\nstringData: {password: %s}\n",
		"with data in metadata":    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop%s\n  stringData:\n    password: %s\n",
		"with data in labels":      "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop%s\n  labels:\n    stringData: {password: %s}\n",
		"with a value in metadata": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop%s\n  password: %s\n",
		"with a value at the top":  "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop%s\npassword: %s\n",
		"with an odd version":      "apiVersion: /v1\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop%s\nstringData: {password: %s}\n",
		"of a custom kind":         "apiVersion: secrets.example.com/v1\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop%s\ndata: {password: %s}\n",
	} {
		ways[name] = func(uid string) string {
			if strings.Contains(form, "\n  namespace") {
				uid = strings.Replace(uid, ", ", "\n  ", 1)
			}
			return fmt.Sprintf(form, uid, value())
		}
	}
	return ways
}

// canaryPlaces are the places of objects inside other objects.
var canaryPlaces = map[string]func(object, uid string) string{
	"a list of manifests": func(object, uid string) string {
		return "apiVersion: work.example.com/v1\nkind: ManifestWork\nmetadata: {name: w, namespace: shop" + uid + "}\nspec: {workload: {manifests: [" + objectJSON(object) + "]}}\n"
	},
	"a field": func(object, uid string) string {
		return "apiVersion: kubernetes.example.com/v1\nkind: Object\nmetadata: {name: w, namespace: shop" + uid + "}\nspec: {forProvider: {manifest: " + objectJSON(object) + "}}\n"
	},
	"a List": func(object, uid string) string {
		return "apiVersion: v1\nkind: List\nitems: [" + objectJSON(withUID(object, uid)) + "]\n"
	},
	"JSON in an annotation": func(object, uid string) string {
		return annotatedWith(objectJSON(object), uid)
	},
	"a list in an annotation": func(object, uid string) string {
		return annotatedWith("["+objectJSON(object)+"]", uid)
	},
	"JSON in JSON": func(object, uid string) string {
		return annotatedWith(`{"a":{"b":`+inQuotes(objectJSON(object))+`}}`, uid)
	},
	"YAML in a ConfigMap": func(object, uid string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop" + uid + "}\ndata: {m.yaml: " + inQuotes("---\n"+object+"---\n"+object) + "}\n"
	},
	"a template": func(object, uid string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop" + uid + "}\ndata: {m.yaml: " + inQuotes("{{ if .x }}\n"+object+"{{ end }}\n") + "}\n"
	},
}

// withUID is an object with the uid that it has in the cluster, if it is live.
func withUID(object, uid string) string {
	if strings.Contains(object, "\n  namespace: shop") {
		uid = strings.Replace(uid, ", ", "\n  ", 1)
	}
	return strings.Replace(object, "namespace: shop", "namespace: shop"+uid, 1)
}

func annotatedWith(text, uid string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop" + uid + ", annotations: {a/b: " + inQuotes(text) + "}}\ndata: {a: b}\n"
}

func inQuotes(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// objectJSON is an object of YAML in JSON.
func objectJSON(object string) string {
	v, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(v))
}

// canaryObjects are variables, declared fields, and copies of values.
func canaryObjects(value func() string) map[string]func(uid string) string {
	objects := map[string]func(string) string{}
	pod := func(env func(v string) string) func(string) string {
		return func(uid string) string {
			return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: shop" + uid + "}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: x:1, " + env(value()) + "}]}}}\n"
		}
	}
	objects["a variable"] = pod(func(v string) string { return "env: [{name: DB_PASSWORD, value: " + v + "}]" })
	objects["a variable with a slash"] = pod(func(v string) string { return "env: [{name: DB/PASSWORD, value: " + v + "}]" })
	objects["a variable as a text"] = pod(func(v string) string { return `env: ["DB_PASSWORD=` + v + `"]` })
	objects["variables as an object"] = pod(func(v string) string { return "env: {DB_PASSWORD: " + v + "}" })
	objects["a copy of a variable"] = pod(func(v string) string {
		return "args: [--password=" + v + ", 'https://a:" + v + "@b/c'], env: [{name: DB_PASSWORD, value: " + v + "}]"
	})
	objects["a copy behind letters"] = pod(func(v string) string {
		return "args: [-pa1" + v + ", 'Basic " + in64("user:a1"+v) + "'], env: [{name: DB_PASSWORD, value: a1" + v + "}]"
	})
	objects["a ConfigMap with stringData"] = func(uid string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop" + uid + "}\nstringData: {password: " + value() + "}\n"
	}
	objects["variables as a set"] = func(uid string) string {
		v := value()
		if uid != "" {
			uid += `, managedFields: [{manager: other, operation: Apply, apiVersion: example.com/v1, time: "2026-01-02T03:04:05Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:env": {".": {}, 'v:"DB_PASSWORD=` + v + `"': {}}}}}]`
		}
		return "apiVersion: example.com/v1\nkind: Run\nmetadata: {name: c, namespace: shop" + uid + "}\nspec: {env: [DB_PASSWORD=" + v + "]}\n"
	}
	for name, spec := range map[string]string{
		"a declared field": "password: %s", "a declared field of another type": "creds: %s", "a declared field in a list": "creds: [{password: %s}]",
	} {
		objects[name] = func(uid string) string {
			return fmt.Sprintf("apiVersion: example.com/v1\nkind: Cred\nmetadata: {name: c, namespace: shop%s}\nspec: {"+spec+", other: x}\n", uid, value())
		}
	}
	objects["a declared field of a kind named Secret"] = func(uid string) string {
		return "apiVersion: secrets.example.com/v1\nkind: Secret\nmetadata: {name: c, namespace: shop" + uid + "}\nspec: {password: " + value() + ", env: [{name: DB_PASSWORD, value: " + value() + "}]}\n"
	}
	objects["values of a chart"] = func(uid string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: shop" + uid + "}\nspec: {destination: {namespace: x}, project: p, source: {helm: {values: 'db: {password: " + value() + "}'}}}\n"
	}
	copies := func(other func(v string) string) func(string) string {
		return func(uid string) string {
			v := value()
			return "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop" + uid + "}\ndata: {password: " + in64(v) + "}\n---\n" +
				strings.Replace(other(v), "namespace: shop", "namespace: shop"+strings.Replace(uid, "0001", "0002", 1), 1)
		}
	}
	for name, form := range map[string]string{
		"a copy in a ConfigMap":     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop}\ndata: {url: 'postgres://a:%s@db/shop'}\n",
		"a copy in an annotation":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop, annotations: {a/b: 'is %s'}}\ndata: {a: b}\n",
		"a copy in a label":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop, labels: {a: %s}}\ndata: {a: b}\n",
		"a copy in a custom object": "apiVersion: example.com/v1\nkind: Run\nmetadata: {name: m, namespace: shop}\nspec: {a: [{b: %s}]}\n",
	} {
		objects[name] = copies(func(v string) string { return fmt.Sprintf(form, v) })
	}
	// What no mask looks at is struck out of what is printed, if it is no text by chance.
	for name, form := range map[string]string{
		"a value as a key":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop, labels: {%[1]s: a}}\ndata: {%[1]s: %[2]s}\n",
		"a value as a target": "apiVersion: v1\nkind: Service\nmetadata: {name: m, namespace: shop}\nspec: {selector: {%[1]s: a}, ports: [{port: 8%[3]s, targetPort: %[1]s}]}\n",
		"a value as a reference": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: m, namespace: shop}\nspec:\n  selector: {matchLabels: {%[1]s: a}}\n  template:\n    metadata: {labels: {%[1]s: a}}\n" +
			"    spec: {containers: [{name: a, image: 'x:%[3]s', env: [{name: A, valueFrom: {configMapKeyRef: {name: m, key: %[1]s}}}, {name: B, valueFrom: {secretKeyRef: {name: db, key: }}}], envFrom: [{configMapRef: {name: }}]}]}\n" +
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop}\ndata: {%[1]s: a}\n",
	} {
		objects[name] = func(uid string) string {
			v := "s3cr3t" + value() + "77"
			return "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop" + uid + "}\ndata: {password: " + in64(v) + ", " + v + ": eA==}\n---\n" +
				strings.ReplaceAll(fmt.Sprintf(form+"%.0[2]s%.0[3]s", v, v[:3], fmt.Sprint(len(uid))), "namespace: shop", "namespace: shop"+strings.Replace(uid, "0001", "0002", 1))
		}
	}
	objects["a copy in base64"] = copies(func(v string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop}\ndata: {a: " + in64(v) + "}\n"
	})
	for name, encode := range map[string]func(string) string{
		"hex":                    func(v string) string { return hex.EncodeToString([]byte(v)) },
		"a URL as JavaScript's":  func(v string) string { return strings.ReplaceAll(url.QueryEscape(v), "+", "%20") },
		"a URL as Python writes": func(v string) string { return strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(v)) },
	} {
		objects["a copy in "+name] = func(uid string) string {
			v := "p@ /" + value()
			return "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop" + uid + "}\ndata: {password: " + in64(v) + "}\n---\n" +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: shop" + strings.Replace(uid, "0001", "0002", 1) + "}\ndata: {a: 'postgres://u:" + encode(v) + "@db'}\n"
		}
	}
	objects["a copy in a comment"] = func(uid string) string {
		v := value()
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: DB_, namespace: shop" + uid + "} # " + v + "\nstringData: {password: " + v + "}\n"
	}
	for _, kind := range []string{"SealedSecret", "ExternalSecret"} {
		objects["the template of a "+kind] = func(uid string) string {
			return "apiVersion: example.com/v1\nkind: " + kind + "\nmetadata: {name: e, namespace: shop" + uid + "}\nspec: {target: {template: {data: {password: " + value() + "}}}}\n"
		}
	}
	for name, form := range map[string]string{
		"a text": "password: %s", "JSON": `{"password":"%s"}`, "a list": `[{"data":{"password":"%s"}}]`, "a Secret": `{"a":{"kind":"Secret","stringData":{"p":"%s"}}}`,
	} {
		objects["a copy as "+name+" in an annotation of its Secret"] = func(uid string) string {
			v := value()
			return "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop" + uid + ", annotations: {a/b: " + inQuotes(fmt.Sprintf(form, v)) + "}}\nstringData: {password: " + v + "}\n"
		}
	}
	return objects
}

// sampled reports whether a run is done: each with THREEWAY_MATRIX=all, else every so many-th, and in .ci/run every eighth.
func sampled(shape, command string, every int) bool {
	h := fnv.New32a()
	h.Write([]byte(shape + "\x00" + command))
	return breadth.HasOfLong(int(h.Sum32()), every, 8)
}
