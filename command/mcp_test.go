package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/fixtures/breadth"
)

// agent sends lines to threeway mcp in a directory and returns the answers by their IDs;
// those to what is no message are under "<nil>".
func agent(t *testing.T, lines ...string) map[string]map[string]any {
	t.Helper()
	var out, messages bytes.Buffer
	if code := Run(context.Background(), []string{"threeway", "mcp"}, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, &messages); code != 0 || messages.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, messages.String())
	}
	answers := map[string]map[string]any{}
	for line := range strings.Lines(out.String()) {
		var answer map[string]any
		if err := json.Unmarshal([]byte(line), &answer); err != nil || answer["jsonrpc"] != "2.0" {
			t.Fatalf("no message: %q", line)
		}
		answers[fmt.Sprint(answer["id"])] = answer
	}
	return answers
}

func call(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// said is the text of the answer to a call, and whether it is an error.
func said(answer map[string]any) (string, bool) {
	if failure, ok := answer["error"].(map[string]any); ok {
		return fmt.Sprint(failure["message"]), true
	}
	result := answer["result"].(map[string]any)
	return fmt.Sprint(result["content"].([]any)[0].(map[string]any)["text"]), result["isError"] == true
}

func agentsProject(t *testing.T) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/script/guard.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		if !strings.Contains(f.Name, "/") {
			if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAgent holds a conversation: the handshake, every tool, the pages of the rules, and
// messages that are none, which cost an answer and no more.
func TestAgent(t *testing.T) {
	agentsProject(t)
	const web = `"live":["live.yaml"]`
	answers := agent(t,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{nonsense`,
		call(3, "guard", `{"manifests":["fewer.yaml"],`+web+`}`),
		call(4, "review", `{"manifests":["image.yaml"],`+web+`}`),
		call(5, "review", `{"manifests":["image.yaml"],`+web+`,"object":"shop/deployment/api"}`),
		call(6, "explain_field", `{"manifests":["image.yaml"],`+web+`,"object":"shop/Deployment.apps/api","path":"spec.template.spec.containers"}`),
		call(7, "drift", `{"manifests":["image.yaml"],`+web+`}`),
		call(8, "rules", `{"rule":"cleared-setting"}`),
		call(9, "rules", `{}`),
		`{"jsonrpc":"2.0","id":10,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":11,"method":"resources/read","params":{"uri":"threeway://rules/cleared-setting"}}`,
		`{"jsonrpc":"2.0","id":12,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`,
		`{"jsonrpc":"2.0","id":13,"method":"server/discover"}`,
		`{"jsonrpc":"2.0","id":14,"method":"ping"}`,
		call(15, "apply", `{}`),
		call(16, "guard", `{"kubeconfig":"x"}`),
		call(17, "explain_field", `{"path":"spec"}`),
		call(18, "guard", `{"manifests":"image.yaml"}`),
		call(19, "review", `{"manifests":["image.yaml"],`+web+`,"object":"shop/Deployment/web"}`),
		call(20, "review", `{"manifests":["image.yaml"],`+web+`,"page":9}`),
		call(22, "rules", `{"rule":"test"}`),
		call(23, "rules", `{"rule":"--help"}`),
		call(21, "guard", `{"manifests":["nothing.yaml"],`+web+`}`),
	)
	for id, want := range map[int]string{
		3: `"verdict":"ask"`, 4: `shop/Deployment.apps/api configured`, 5: `example.com/api:2`, 6: `changed in the manifest`, 7: `"drifted"`, 8: "# cleared-setting",
		9: "ambiguous-object", 21: `"verdict":"unknown"`,
	} {
		if text, wrong := said(answers[fmt.Sprint(id)]); wrong || !strings.Contains(text, want) || len(text) > 20<<10 {
			t.Errorf("%d: %v %s", id, wrong, text)
		}
	}
	for id, want := range map[int]string{
		12: "unknown resource", 13: "unknown method", 15: `unknown tool "apply"`, 16: `guard takes no "kubeconfig"`, 17: `explain_field needs "object"`,
		18: "cannot unmarshal", 19: "no object of the manifests", 20: "no page 9", 22: `unknown rule "test"`, 23: "unknown rule",
	} {
		if text, wrong := said(answers[fmt.Sprint(id)]); !wrong || !strings.Contains(text, want) {
			t.Errorf("%d: %v %s", id, wrong, text)
		}
	}
	if version := answers["1"]["result"].(map[string]any)["protocolVersion"]; version != "2025-03-26" {
		t.Errorf("the protocol is %v", version)
	}
	if tools := answers["2"]["result"].(map[string]any)["tools"].([]any); len(tools) != 5 {
		t.Errorf("%d tools", len(tools))
	}
	for _, id := range []string{"10", "11", "14"} {
		if answers[id]["result"] == nil {
			t.Errorf("%s has no answer", id)
		}
	}
	if guard := answers["3"]["result"].(map[string]any)["structuredContent"].(map[string]any); guard["verdict"] != "ask" {
		t.Errorf("the structured answer is %v", guard)
	}
	if text, _ := said(answers["<nil>"]); text != "the message is not JSON-RPC" {
		t.Errorf("nonsense is answered with %q", text)
	}
}

// TestAgentIsConfined: no path leads out of the working directory, also not into the
// repository around it.
func TestAgentIsConfined(t *testing.T) {
	agentsProject(t)
	outside, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("secret.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: outside}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{".git", "here", "here/below"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename("image.yaml", "here/image.yaml"); err != nil {
		t.Fatal(err)
	}
	t.Chdir("here")
	for link, to := range map[string]string{"link.yaml": outside + "/secret.yaml", "below/dir": outside} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	for _, path := range []string{
		outside + "/secret.yaml", "../x.yaml", "image.yaml," + outside + "/secret.yaml", "link.yaml", "below/dir/secret.yaml", "below/*/secret.yaml", "*.yaml",
		"below/../../x", "https://example.com/x.yaml", "-", "",
	} {
		quoted, _ := json.Marshal(path)
		for _, arguments := range []string{`{"manifests":[` + string(quoted) + `]}`, `{"manifests":["image.yaml"],"live":[` + string(quoted) + `]}`, `{"manifests":["image.yaml"],"live":["a=` + strings.Trim(string(quoted), `"`) + `"]}`, `{"manifests":["image.yaml"],"base":` + string(quoted) + `}`} {
			text, wrong := said(agent(t, call(1, "review", arguments))["1"])
			refused := strings.Contains(text, "is not below the working directory")
			if strings.Contains(text, "outside") && !refused || strings.Contains(path, "..") && strings.Contains(arguments, "live") && !refused {
				t.Errorf("%s: %v %s", arguments, wrong, text)
			}
		}
	}
}

// TestAgentsSnapshot: a snapshot that the call names, and git does not have where the change
// begins, may be the agent's own.
func TestAgentsSnapshot(t *testing.T) {
	agentsProject(t)
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %v: %s", err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	data, err := os.ReadFile("live.yaml")
	if err == nil {
		err = os.WriteFile("own.yaml", data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for live, isOwn := range map[string]bool{"live.yaml": false, "own.yaml": true} {
		text, _ := said(agent(t, call(1, "guard", `{"manifests":["image.yaml"],"live":["`+live+`"]}`))["1"])
		if strings.Contains(text, "self-judged") != isOwn || isOwn && !strings.Contains(text, `"verdict":"ask"`) {
			t.Errorf("%s: %s", live, text)
		}
	}
	for _, base := range []string{"HEAD", "git:HEAD"} {
		if text, wrong := said(agent(t, call(1, "review", `{"manifests":["image.yaml"],"base":"`+base+`"}`))["1"]); wrong || !strings.Contains(text, "no changes") {
			t.Errorf("base %s: %s", base, text)
		}
	}
}

// TestAgentsIndex: the index of git, which holds what an agent has staged, is no base.
func TestAgentsIndex(t *testing.T) {
	agentsProject(t)
	if text, wrong := said(agent(t, call(1, "guard", `{"manifests":["image.yaml"],"base":"\u0000"}`))["1"]); !wrong || !strings.Contains(text, "an argument has a NUL") {
		t.Errorf("%v %s", wrong, text)
	}
}

// TestAgentsHugeMessages: a line that is too long is skipped, and the next one answered; a
// request that is cancelled has no answer.
func TestAgentsHugeMessages(t *testing.T) {
	answers := agent(t, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`+strings.Repeat("x", 2<<20)+`"}}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		`[]`, `{"jsonrpc":"2.0","id":-3,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if text, _ := said(answers["<nil>"]); answers["1"] != nil || answers["2"]["result"] == nil || text == "" {
		t.Errorf("the answers are %v", answers)
	}
}

// TestAgentCanaries asks all tools about Secrets of every shape; no answer has one of their
// values.
func TestAgentCanaries(t *testing.T) {
	said := 0
	for _, shape := range canaryShapes(t) {
		if !sampled(shape.name, "mcp", 24) {
			continue
		}
		t.Run(shape.name, func(t *testing.T) {
			unpack(t, shape.archive)
			var calls []string
			for i, mode := range []string{"false", "true"} {
				about := `"manifests":["config.yaml"],"live":["live.yaml"]`
				applies := about + `,"serverSide":` + mode
				calls = append(calls, call(10*i+1, "guard", "{"+applies+"}"), call(10*i+2, "review", "{"+applies+"}"), call(10*i+3, "drift", "{"+about+"}"))
				for j, object := range []string{"shop/Secret/db", "shop/ConfigMap/m", "shop/Deployment/a", "shop/Cred.example.com/c"} {
					calls = append(calls, call(10*i+100*j+104, "review", "{"+applies+`,"object":"`+object+`"}`),
						call(10*i+100*j+105, "explain_field", "{"+applies+`,"object":"`+object+`","path":""}`))
				}
			}
			shown := inJSON(agent(t, calls...))
			for _, sign := range sightings() {
				if i := strings.Index(shown, sign); i >= 0 {
					t.Errorf("a secret is shown: …%s…", shown[max(0, i-300):min(len(shown), i+80)])
					break
				}
			}
			said += len(shown)
		})
	}
	if said < breadth.Of(100_000, 4) && !breadth.Partly() {
		t.Errorf("only %d bytes are said", said)
	}
}
