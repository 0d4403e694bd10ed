package docs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestStepsOnServer takes the steps of each example on a real cluster and records what it
// answers. KUBECONFIG is that of a kube-apiserver with a kube-controller-manager and without
// nodes: pods get ready one second after they are made, by the hand of the test, which then
// looks at the endpoints of each Service all the time.
func TestStepsOnServer(t *testing.T) {
	if os.Getenv("STEPS_SERVER") == "" {
		t.Skip("STEPS_SERVER=1 records what the cluster of KUBECONFIG answers")
	}
	root := must(os.Getwd())
	ctx, end := context.WithCancel(context.Background())
	defer end()
	go kubelet(ctx)
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			e.unpack(t)
			e.read(t)
			var said strings.Builder
			begin(t)
			w := watch(ctx)
			if out, err := kubectl("apply", "-f", "deploy"); err != nil {
				fmt.Fprintf(&said, "# at once: %s\n", rejected(out))
			} else {
				settle(t)
				w.end()
				for _, line := range w.lines() {
					said.WriteString("# at once: " + line + "\n")
				}
			}
			begin(t)
			w = watch(ctx)
			for _, s := range e.steps {
				for _, patch := range s.Files {
					apply := exec.Command("git", "apply")
					apply.Stdin = strings.NewReader(patch)
					if out, err := apply.CombinedOutput(); err != nil {
						t.Fatalf("git apply: %s", out)
					}
				}
				for _, line := range s.Commands {
					first, _, _ := strings.Cut(line, "\n")
					fmt.Fprintf(&said, "$ %s\n", first)
					out, err := exec.Command("timeout", "120", "sh", "-c", line).CombinedOutput()
					for text := range strings.Lines(string(out)) {
						if !strings.HasPrefix(text, "Waiting for") && !strings.Contains(text, "roll out") {
							said.WriteString(text)
						}
					}
					if err != nil {
						t.Errorf("%s: %v %s", first, err, out)
					}
				}
			}
			w.end()
			for _, line := range w.lines() {
				said.WriteString("# " + line + "\n")
				if strings.HasSuffix(line, " 0") {
					t.Error(line)
				}
			}
			diff := exec.Command("kubectl", "diff", "-f", "deploy")
			if out, err := diff.CombinedOutput(); err != nil {
				t.Errorf("in the end: %v %s", err, out)
			} else {
				said.WriteString("# kubectl diff: nothing\n")
			}
			a := *e.archive
			a.Files = nil
			for _, f := range e.archive.Files {
				if f.Name != "server" {
					a.Files = append(a.Files, f)
				}
			}
			a.Files = append(a.Files, txtar.File{Name: "server", Data: []byte(said.String())})
			if err := os.WriteFile(filepath.Join(root, recipes, e.name+".txtar"), txtar.Format(&a), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// begin makes the cluster as it is before the change.
func begin(t *testing.T) {
	t.Helper()
	_, _ = kubectl("delete", "namespace", "shop", "--ignore-not-found")
	_, _ = kubectl("delete", "pv", "--all")
	must(kubectl("create", "namespace", "shop"))
	if _, err := os.Stat("live"); err == nil {
		must(kubectl("apply", "-f", "live"))
	}
	must(kubectl("apply", "-f", "before"))
	settle(t)
}

// rejected is what kubectl says of what the server rejects.
func rejected(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "nvalid") {
			line, _, _ = strings.Cut(line, `:{"`) // which has values of the day
			return strings.TrimSpace(line)
		}
	}
	return out
}

func kubectl(args ...string) (string, error) {
	out, err := exec.Command("kubectl", args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("kubectl %v: %v %s", args, err, out)
	}
	return string(out), err
}

type podList struct {
	Items []struct {
		Metadata struct {
			Name, Namespace, CreationTimestamp, DeletionTimestamp string
			OwnerReferences                                       []struct{ Kind string }
		}
		Status struct{ PodIP string }
	}
}

// kubelet is that of the only node: it makes pods ready, or lets those of Jobs succeed, one
// second after they are made, and ends those that are deleted.
func kubelet(ctx context.Context) {
	apply := func(command, text string) {
		c := exec.Command("kubectl", strings.Fields(command)...)
		c.Stdin = strings.NewReader(text)
		_ = c.Run()
	}
	apply("apply -f -", `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node"}}`)
	for n := 1; ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		if n%10 == 1 {
			apply("patch node node --subresource=status --type=merge -p "+`{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`, "")
			apply("apply -f -", fmt.Sprintf(`{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "node", "namespace": "kube-node-lease"}, "spec": {"holderIdentity": "node", "leaseDurationSeconds": 40, "renewTime": %q}}`,
				time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")))
		}
		n++
		text, err := kubectl("get", "pods", "-n", "shop", "-o", "json")
		var list podList
		if err != nil || json.Unmarshal([]byte(text), &list) != nil {
			continue
		}
		for _, p := range list.Items {
			name := p.Metadata.Name
			made, _ := time.Parse(time.RFC3339, p.Metadata.CreationTimestamp)
			switch {
			case p.Metadata.DeletionTimestamp != "":
				_, _ = kubectl("delete", "pod", name, "-n", "shop", "--grace-period=0", "--force")
			case p.Status.PodIP == "" && time.Since(made) > time.Second:
				phase := "Running"
				if o := p.Metadata.OwnerReferences; len(o) > 0 && o[0].Kind == "Job" {
					phase = "Succeeded"
				}
				apply("create --raw /api/v1/namespaces/shop/pods/"+name+"/binding -f -", fmt.Sprintf(`{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": %q}, "target": {"kind": "Node", "name": "node"}}`, name))
				n++
				ip := fmt.Sprintf("10.9.%d.%d", n/250, n%250+1)
				patch := fmt.Sprintf(`{"status":{"phase":%q,"podIP":%q,"podIPs":[{"ip":%q}],"conditions":[{"type":"Ready","status":"True"},{"type":"ContainersReady","status":"True"}]}}`, phase, ip, ip)
				_, _ = kubectl("patch", "pod", name, "-n", "shop", "--subresource=status", "--type=merge", "-p", patch)
			}
		}
	}
}

// settle waits for the pods of what was applied first.
func settle(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"deployments", "statefulsets"} {
		names := must(kubectl("get", kind, "-n", "shop", "-o", "name"))
		for name := range strings.FieldsSeq(names) {
			must(kubectl("rollout", "status", name, "-n", "shop", "--timeout=60s"))
		}
	}
	time.Sleep(2 * time.Second)
}

// watcher has the fewest ready endpoints of each Service so far.
type watcher struct {
	least map[string]int
	end   func()
}

// lines say how many there were at least.
func (w *watcher) lines() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(w.least)) {
		list = append(list, fmt.Sprintf("endpoints of Service %s, at least %d", name, w.least[name]))
	}
	return list
}

func watch(ctx context.Context) *watcher {
	ctx, stop := context.WithCancel(ctx)
	w := &watcher{least: map[string]int{}}
	var done sync.WaitGroup
	look := func() {
		text, err := kubectl("get", "services,endpointslices,pods", "-n", "shop", "-o", "json")
		var list struct {
			Items []struct {
				Kind     string
				Metadata struct {
					Name   string
					Labels map[string]string
				}
				Endpoints []struct {
					Conditions struct{ Ready bool }
					TargetRef  struct{ Name string }
				}
				Ports []struct{ Port int }
				Spec  struct {
					Containers []struct{ Ports []struct{ ContainerPort int } }
				}
			}
		}
		if err != nil || json.Unmarshal([]byte(text), &list) != nil {
			return
		}
		listens := map[string][]int{} // the ports that pods declare
		for _, o := range list.Items {
			for _, c := range o.Spec.Containers {
				for _, p := range c.Ports {
					listens[o.Metadata.Name] = append(listens[o.Metadata.Name], p.ContainerPort)
				}
			}
		}
		now := map[string]int{}
		for _, o := range list.Items {
			if o.Kind == "Service" {
				now[o.Metadata.Name] += 0
			}
			for _, e := range o.Endpoints {
				ports := listens[e.TargetRef.Name]
				if e.Conditions.Ready && (ports == nil || len(o.Ports) > 0 && slices.Contains(ports, o.Ports[0].Port)) {
					now[o.Metadata.Labels["kubernetes.io/service-name"]]++
				}
			}
		}
		for name, n := range now {
			if least, known := w.least[name]; !known || n < least {
				w.least[name] = n
			}
		}
	}
	look()
	done.Go(func() {
		for ctx.Err() == nil {
			look()
		}
	})
	w.end = func() {
		time.Sleep(2 * time.Second)
		stop()
		done.Wait()
	}
	return w
}
