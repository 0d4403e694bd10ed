package command

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"threeway/command/system"
)

// TestExternalDiffLeavesNothing: the directories of the program that compares
// are nobody else's, and gone after it was interrupted.
func TestExternalDiffLeavesNothing(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		dir := t.TempDir()
		config := filepath.Join(dir, "config.yaml")
		if err := os.WriteFile(config, []byte("{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {a: b}}"), 0o600); err != nil {
			t.Fatal(err)
		}
		temporary := filepath.Join(dir, "tmp")
		if err := os.Mkdir(temporary, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("threeway", "diff", "-f", config)
		cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "KUBECTL_EXTERNAL_DIFF=sh -c 'stat -c %a . LIVE MERGED MERGED/*; exec sleep 60'")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(stdout)
		for _, want := range []string{"700", "700", "700", "600"} {
			if mode, err := lines.ReadString('\n'); err != nil || strings.TrimSpace(mode) != want {
				t.Errorf("a mode is %q, not %s: %v", mode, want, err)
			}
		}
		if left, _ := os.ReadDir(temporary); len(left) != 1 {
			t.Errorf("while the program runs there is %v", left)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != system.SignalExit+int(signal) || stderr.Len() > 0 {
			t.Errorf("%v: exit code %d, %v, stderr %q", signal, code, err, stderr.String())
		}
		if left, _ := os.ReadDir(temporary); len(left) != 0 {
			t.Errorf("%v leaves %v", signal, left)
		}
	}
}
