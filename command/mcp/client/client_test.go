// Package client holds threeway mcp to the client of the protocol's own SDK. It is a
// module of its own, because the SDK links net/http.
package client

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestClient speaks with the program through the SDK, which checks every message.
func TestClient(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "threeway")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	server := exec.Command(bin, "mcp")
	server.Dir = "../../../fixtures/example"
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult(); got.ServerInfo.Name != "threeway" || got.ProtocolVersion != "2025-11-25" {
		t.Errorf("the server is %v", got)
	}
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 5 {
		t.Fatalf("%v, %v", tools, err)
	}
	arguments := map[string]any{"manifests": []string{"config"}, "live": []string{"live.yaml"}}
	guard, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "guard", Arguments: arguments})
	if err != nil || guard.IsError {
		t.Fatalf("%v, %v", guard, err)
	}
	if answer := guard.StructuredContent.(map[string]any); answer["verdict"] == nil {
		t.Errorf("the answer is %v", answer)
	}
	cancelled, stop := context.WithCancel(ctx)
	stop()
	if _, err := session.CallTool(cancelled, &mcp.CallToolParams{Name: "review", Arguments: arguments}); err == nil {
		t.Error("a cancelled call is answered")
	}
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "apply"}); err == nil {
		t.Error("there is a tool apply")
	}
	pages, err := session.ListResources(ctx, nil)
	if err != nil || len(pages.Resources) < 50 {
		t.Fatalf("%v, %v", pages, err)
	}
	page, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: pages.Resources[0].URI})
	if err != nil || !strings.HasPrefix(page.Contents[0].Text, "# ") {
		t.Errorf("%v, %v", page, err)
	}
	if err := session.Ping(ctx, nil); err != nil {
		t.Error(err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}
