package command

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// sealedSecret is a Secret that SOPS has encrypted, and its neighbor, which is plain.
const sealedSecret = `apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop}
stringData:
  password: ENC[AES256_GCM,data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==,type:str]
  user: ENC[AES256_GCM,data:u1u2u3u4,iv:ddddeeee=,tag:ffff==,type:str]
sops:
  mac: ENC[AES256_GCM,data:zzzz,iv:yyy=,tag:xxx=,type:str]
  encrypted_regex: ^(data|stringData)$
  version: 3.9.0
`

// forged is what SOPS would write into a file that it has encrypted.
const forged = "sops: {mac: 'ENC[AES256_GCM,data:zzzz,iv:yyy=,tag:xxx=,type:str]', version: 3.9.0}\n"

// sealedChanges change what a Secret that SOPS has encrypted says, or let something else look as if
// SOPS had encrypted it.
var sealedChanges = slices.Concat(
	edits("sub/db.yaml",
		"another value", "data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==", "data:n9n8n7n6,iv:ffff=,tag:gggg==",
		"another value and mac", "data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==,type:str]\n  user: ENC[AES256_GCM,data:u1u2u3u4", "data:n9n8,iv:f=,tag:g==,type:str]\n  user: ENC[AES256_GCM,data:m1m2",
		"values exchanged", "  password: ENC[AES256_GCM,data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==,type:str]\n  user: ENC[AES256_GCM,data:u1u2u3u4,iv:ddddeeee=,tag:ffff==,type:str]\n", "  user: ENC[AES256_GCM,data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==,type:str]\n  password: ENC[AES256_GCM,data:u1u2u3u4,iv:ddddeeee=,tag:ffff==,type:str]\n",
		"plain value", "ENC[AES256_GCM,data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==,type:str]", "intruder4intruder4",
		"plain key in place", "  user: ENC[AES256_GCM,data:u1u2u3u4,iv:ddddeeee=,tag:ffff==,type:str]\n", "  user: root\n",
		"password as it is, in plain text", "ENC[AES256_GCM,data:q1w2e3r4,iv:aaaabbbb=,tag:cccc==,type:str]", "hunter2hunter2",
		"user as it is, in plain text", "ENC[AES256_GCM,data:u1u2u3u4,iv:ddddeeee=,tag:ffff==,type:str]", "shop",
		"other keys", "  version: 3.9.0\n", "  version: 3.9.0\n  age: [{recipient: age1evil, enc: x}]\n",
		"other rules", "^(data|stringData)$", "^data$",
		"encrypted key more", "stringData:\n", "stringData:\n  host: ENC[AES256_GCM,data:h1,iv:h=,tag:h=,type:str]\n",
		"key less", "  user: ENC[AES256_GCM,data:u1u2u3u4,iv:ddddeeee=,tag:ffff==,type:str]\n", "",
		"encrypted type", "kind: Secret\n", "kind: Secret\ntype: ENC[AES256_GCM,data:t,iv:t=,tag:t=,type:str]\n",
		"other name", "name: db", "name: db2",
		"of a token", "kind: Secret\n", "kind: Secret\ntype: kubernetes.io/service-account-token\n",
		"second document", "apiVersion: v1\n", strings.ReplaceAll(harms[0].text, "metrics", "metrics2")+"---\napiVersion: v1\n",
		"second document with markers", "apiVersion: v1\n", harms[0].text+"sops: {mac: 'ENC[AES256_GCM,data:zzzz,iv:yyy=,tag:xxx=,type:str]', version: 3.9.0}\n---\napiVersion: v1\n",
	),
	edits("web.yaml",
		"forged image", "image: registry.example.com/web:1.0.0", "image: 'ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]'",
		"forged number", "replicas: 3", "replicas: ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:int]",
	),
	[]harmlessChange{
		reformatting("in data and plain text", "sub/db.yaml", func(string) string {
			return "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\ndata: {password: aHVudGVyMmh1bnRlcjI=, user: c2hvcA==}\n"
		}),
		reformatting("forged all", "web.yaml", func(s string) string {
			return forged + strings.Replace(s, "registry.example.com", "evil.example.net", 1)
		}),
		reformatting("forged image of all", "web.yaml", func(s string) string {
			return forged + strings.Replace(s, "registry.example.com/web:1.0.0", "'ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]'", 1)
		}),
		reformatting("forged variable of all", "web.yaml", func(s string) string {
			return forged + strings.Replace(s, "value: info", "value: 'ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]'", 1)
		}),
		adding("x.yaml", forged+harms[0].text),
	},
	edits("service.yaml", "forged selector", "selector: {app: web}", "selector: {app: 'ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]'}"),
	edits("aws-auth.yaml", "forged data", "  mapRoles: |\n", "  mapUsers: ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]\n  mapRoles: |\n"),
	edits("namespace.yaml", "forged label", "enforce: restricted", "enforce: 'ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]'"),
)

// redactedChanges change what the snapshot does not show.
var redactedChanges = slices.Concat(
	edits("sub/db.yaml",
		"another value", "hunter2hunter2", "intruder4intruder4",
		"another value in base64", "stringData: {password: hunter2hunter2}", "data: {password: aW50cnVkZXI0}",
		"both", "stringData: {password: hunter2hunter2}", "stringData: {password: intruder4}\ndata: {password: aHVudGVyMmh1bnRlcjI=}",
		"of the same length", "hunter2hunter2", "hunter2hunter3",
		"key less", "{password: hunter2hunter2}", "{}",
		"no value", "stringData: {password: hunter2hunter2}", "stringData: {password: \"\"}",
		"what stands for it", "hunter2hunter2", "REDACTED",
		"stars", "hunter2hunter2", "'***'",
	),
	edits("web.yaml", "registry beside", "registry.example.com/web", "evil.example.net/web"),
)

// TestHiddenSealed: what is encrypted or redacted is never taken for unchanged where it changes.
func TestHiddenSealed(t *testing.T) {
	plain := hiddenBases(t)[0]
	for _, of := range []struct {
		name    string
		secret  string
		changes []harmlessChange
	}{{"sealed", sealedSecret, slices.Concat(sealedChanges, freshSealed)}, {"redacted", tidyManifests["sub/db.yaml"], slices.Concat(redactedChanges, freshRedacted)}} {
		b := &hiddenBase{name: of.name, dir: plain.dir, flags: plain.flags, files: maps.Clone(plain.files)}
		if of.name == "sealed" {
			b.files["deploy/sub/db.yaml"] = strings.Replace(tidyManifests["sub/db.yaml"], "{password", "{user: shop, password", 1)
		}
		b.commit(t, t.TempDir(), nil, "-R", "-f", b.dir)
		b.files["deploy/sub/db.yaml"] = of.secret
		if of.name == "redacted" {
			if said, code := answered("snapshot", "redact", "--live", "snapshots/prod.json", "-o", "red.json"); code != 0 {
				t.Fatal(said)
			}
			red, err := os.ReadFile("red.json")
			if err != nil || os.Remove("red.json") != nil {
				t.Fatal(err)
			}
			b.files["snapshots/prod.json"] = string(red)
		}
		b.files.write(t, b.at)
		gitHere(t, "checkout", "-q", "main")
		gitHere(t, "commit", "-qam", "more")
		gitHere(t, "checkout", "-qB", "change")
		for i, c := range of.changes {
			if !breadth.Has(i, 7) {
				continue
			}
			t.Run(of.name+"/"+c.name, func(t *testing.T) {
				f := maps.Clone(b.files)
				c.change(f, b.dir)
				b.copied(t, f, nil)
				if a := ask(b.flags...); a.allowed || a.fine {
					t.Errorf("guard: %s\nreview: %s", a.guard, a.review)
				}
			})
		}
	}
}
