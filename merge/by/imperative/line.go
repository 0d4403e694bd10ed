// Package imperative reads the command lines of kubectl, and rehearses those besides apply
// that take manifests or are advice of a finding: a create, a replace, a delete, and what a
// patch or a rollout makes of one live object. What it does not understand is an error.
package imperative

import (
	"fmt"
	"slices"
	"strings"
)

// Command is a command line of kubectl that is understood.
type Command struct {
	// Verb is the command, with its second word: set image.
	Verb string
	// Args are the words behind it that are no flags.
	Args  []string
	flags map[string][]string
	// removed are the annotations that an annotate removes.
	removed []string
}

// Text is the value of a flag that counts, Values are all of it.
func (c *Command) Text(flag string) string {
	all := c.flags[flag]
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// Values are those of a flag that may be repeated.
func (c *Command) Values(flag string) []string { return c.flags[flag] }

// Has reports whether a switch is on, or a flag has a value.
func (c *Command) Has(flag string) bool { return c.Text(flag) != "" && c.Text(flag) != "false" }

// HasFiles reports whether the command names manifests.
func (c *Command) HasFiles() bool { return c.Has("filename") || c.Has("kustomize") }

// Changes reports whether the command changes anything in a cluster.
func (c *Command) Changes() bool {
	return changing[c.Verb] != "" && !slices.Contains([]string{"client", "server"}, c.Text("dry-run"))
}

// everywhere are the flags of all commands that choose neither another cluster nor another
// user, and start no program. One with = takes a value, one with =? only a value that is
// attached to it.
const everywhere = " namespace= context= request-timeout= v="

// printing are the flags that say what is printed.
const printing = " output= template= show-managed-fields allow-missing-template-keys"

// changing are the commands that are rehearsed, with their flags. A flag that is not here
// is not understood, and a flag with an empty value neither.
var changing = map[string]string{
	"apply":           printing + " filename= kustomize= recursive selector= prune all prune-allowlist= applyset= server-side force-conflicts field-manager= validate=? dry-run=? cascade=? wait timeout= openapi-patch",
	"create":          printing + " filename= kustomize= recursive selector= validate=? dry-run=? field-manager= save-config",
	"replace":         printing + " save-config filename= kustomize= recursive validate=? dry-run=? field-manager= wait timeout=",
	"delete":          " filename= kustomize= recursive selector= all ignore-not-found dry-run=? cascade=? wait timeout= grace-period= now force output=",
	"patch":           printing + " patch= type= dry-run=? field-manager= subresource=",
	"annotate":        printing + " field-manager=",
	"rollout restart": printing + " selector= field-manager=",
	"rollout resume":  printing + " selector= field-manager=",
}

// reading are the commands that change nothing in a cluster, with their flags.
var reading = map[string]string{
	"get":                     printing + " selector= field-selector= all-namespaces watch watch-only show-labels show-kind no-headers ignore-not-found label-columns= sort-by= chunk-size= output-watch-events server-print",
	"describe":                " selector= all-namespaces show-events chunk-size=",
	"logs":                    " follow previous container= all-containers all-pods selector= tail= since= since-time= timestamps prefix limit-bytes= max-log-requests= ignore-errors pod-running-timeout=",
	"events":                  printing + " all-namespaces for= types= watch no-headers chunk-size=",
	"explain":                 " recursive api-version= output=",
	"diff":                    " filename= kustomize= recursive selector= server-side force-conflicts field-manager= prune prune-allowlist= show-managed-fields concurrency=",
	"wait":                    printing + " for= selector= field-selector= all all-namespaces timeout=",
	"version":                 " client output=",
	"api-resources":           " output= namespaced verbs= api-group= no-headers sort-by= cached categories=",
	"api-versions":            "",
	"cluster-info":            "",
	"options":                 "",
	"top pod":                 " selector= field-selector= all-namespaces containers no-headers sort-by= sum",
	"top pods":                " selector= field-selector= all-namespaces containers no-headers sort-by= sum",
	"top node":                " selector= no-headers sort-by= show-capacity",
	"top nodes":               " selector= no-headers sort-by= show-capacity",
	"auth can-i":              " all-namespaces list quiet no-headers subresource=",
	"auth whoami":             printing,
	"config view":             printing + " minify flatten raw merge",
	"config current-context":  "",
	"config get-contexts":     " output= no-headers",
	"config get-clusters":     "",
	"config get-users":        "",
	"rollout status":          " watch timeout= revision= selector=",
	"rollout history":         printing + " revision= selector=",
	"apply view-last-applied": " output= selector= all",
}

// byHand are the commands that change live objects without their manifests, and what to
// change in a manifest instead.
var byHand = map[string]string{
	"patch": "write the fields of the patch into the manifest", "edit": "make the change in the manifest",
	"label": "write metadata.labels in the manifest", "annotate": "write metadata.annotations in the manifest",
	"scale": "write spec.replicas in the manifest", "autoscale": "write a HorizontalPodAutoscaler",
	"set image": "write the image in the manifest", "set env": "write env of the container in the manifest",
	"set resources": "write resources of the container in the manifest", "set serviceaccount": "write serviceAccountName in the manifest",
	"set sa": "write serviceAccountName in the manifest", "set selector": "write spec.selector in the manifest", "set subject": "write subjects in the manifest",
	"rollout restart": "write another annotation into spec.template.metadata.annotations of the manifest",
	"rollout pause":   "write spec.paused: true in the manifest", "rollout resume": "remove spec.paused from the manifest",
	"rollout undo": "take the manifest of the commit before", "create": "write the object as a manifest", "run": "write the Pod as a manifest",
	"expose": "write the Service as a manifest", "taint": "write spec.taints in a manifest of the Node",
	"cordon": "write spec.unschedulable: true in a manifest of the Node", "uncordon": "remove spec.unschedulable from a manifest of the Node",
}

// ByHandError is of a command that changes live objects without their manifests.
type ByHandError struct {
	// Command is kubectl with its verb, Instead an order.
	Command, Instead string
}

// Error says both.
func (e *ByHandError) Error() string {
	return e.Command + " changes live objects without their manifests; " + e.Instead
}

// byHandError is nil for a command that is rehearsed, or not understood.
func byHandError(words []string) error {
	for n := min(2, len(words)); n > 0; n-- {
		verb := strings.Join(words[:n], " ")
		if byHand[verb] == "" || verb == "create" && (len(words) == 1 || strings.HasPrefix(words[1], "-")) {
			continue
		}
		return &ByHandError{"kubectl " + verb, byHand[verb] + ", and apply it"}
	}
	return nil
}

// ParseTyped reads the words behind kubectl as people type them, who write a change by hand
// as a manifest instead.
func ParseTyped(words []string) (*Command, error) {
	c := &Command{flags: map[string][]string{}}
	if behind, err := c.take(everywhere, words, true); err == nil {
		if err := byHandError(behind); err != nil {
			return nil, err
		}
	}
	return Parse(words)
}

// records are the commands that write the last-applied annotation alone, and why they are
// not rehearsed.
var records = map[string]string{
	"set-last-applied":  "changes the last-applied annotation alone, and so what the next apply removes: it is not rehearsed; judge the next apply with --last-applied",
	"edit-last-applied": "opens an editor: what is written there is unknown",
}

// letters are the long flags of the short ones: the first one that a command has.
var letters = map[byte][]string{
	'A': {"all-namespaces"}, 'L': {"label-columns"}, 'R': {"recursive"}, 'c': {"containers", "container"}, 'e': {"env"}, 'f': {"filename", "follow", "values"}, 'i': {"install"}, 'k': {"kustomize"},
	'l': {"selector"}, 'n': {"namespace"}, 'o': {"output"}, 'p': {"patch", "previous"}, 'q': {"quiet"}, 'v': {"v"}, 'w': {"watch"},
}

// Parse reads the words behind kubectl.
func Parse(words []string) (*Command, error) {
	c := &Command{flags: map[string][]string{}}
	words, err := c.take(everywhere, words, true)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("kubectl has no command; put quotes around the whole line")
	}
	if len(words) > 1 && words[0] == "apply" {
		if why := records[words[1]]; why != "" {
			return nil, fmt.Errorf("%s %s", words[1], why)
		}
	}
	for n := min(2, len(words)); n > 0; n-- {
		c.Verb = strings.Join(words[:n], " ")
		flags, changes := changing[c.Verb]
		reads, known := reading[c.Verb]
		if !changes && !known {
			continue
		}
		c.Args, err = c.take(everywhere+flags+reads, words[n:], false)
		if err != nil {
			return nil, fmt.Errorf("kubectl %s: %w", c.Verb, err)
		}
		if c.Verb == "annotate" {
			c.Args = slices.DeleteFunc(c.Args, func(word string) bool {
				key, removes := strings.CutSuffix(word, "-")
				if removes {
					c.removed = append(c.removed, key)
				}
				return removes
			})
		}
		return c, c.check()
	}
	return nil, fmt.Errorf("kubectl %s is not a command that is understood", words[0])
}

// ParseAs reads the words behind the command of another program, with its flags.
func ParseAs(flags string, words []string) (c *Command, err error) {
	c = &Command{flags: map[string][]string{}}
	c.Args, err = c.take(flags, words, false)
	return c, err
}

// check refuses values with which a command does something else than what is rehearsed.
func (c *Command) check() error {
	switch dry := c.Text("dry-run"); {
	case !slices.Contains([]string{"", "none", "client", "server"}, dry):
		return fmt.Errorf("--dry-run=%s is not understood", dry)
	case !slices.Contains([]string{"", "background"}, c.Text("cascade")):
		return fmt.Errorf("--cascade=%s is not rehearsed", c.Text("cascade"))
	case slices.Contains([]string{"apply", "create", "replace", "diff", "options", "version", "api-versions", "cluster-info"}, c.Verb) && len(c.Args) > 0:
		return fmt.Errorf("kubectl %s %s is not a command that is understood", c.Verb, c.Args[0])
	}
	for _, file := range append(c.Values("filename"), c.Values("kustomize")...) {
		if strings.Contains(file, "://") || strings.ContainsAny(file, "*?[") {
			return fmt.Errorf("%s is not a file or directory", file)
		}
	}
	return nil
}

// take reads flags into the command, and returns the other words: with first, all from the
// first of them on.
func (c *Command) take(known string, words []string, first bool) (rest []string, err error) {
	fields := strings.Fields(known)
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if word == "--" {
			return append(rest, words...), nil
		}
		if len(word) < 2 || word[0] != '-' {
			if rest = append(rest, word); first {
				return append(rest, words...), nil
			}
			continue
		}
		name, value, attached := strings.Cut(word[2:], "=")
		if word[1] != '-' {
			i := slices.IndexFunc(letters[word[1]], func(long string) bool { return has(fields, long) })
			if i < 0 {
				return nil, fmt.Errorf("-%c is not a flag that is understood", word[1])
			}
			name, value, attached = letters[word[1]][i], strings.TrimPrefix(word[2:], "="), len(word) > 2
			if slices.Contains(fields, name) && attached && word[2] != '=' { // switches may share a dash
				words, attached = append([]string{"-" + word[2:]}, words...), false
			}
		}
		switch {
		case slices.Contains(fields, name):
			if !attached {
				value = "true"
			}
			if value != "true" && value != "false" {
				return nil, fmt.Errorf("--%s=%s is not understood", name, value)
			}
		case slices.Contains(fields, name+"="):
			if !attached {
				if len(words) == 0 {
					return nil, fmt.Errorf("--%s needs a value", name)
				}
				value, words = words[0], words[1:]
			}
		case !slices.Contains(fields, name+"=?"):
			return nil, fmt.Errorf("--%s is not a flag that is understood", name)
		case !attached:
			return nil, fmt.Errorf("--%s needs a value: --%s=VALUE", name, name)
		}
		if value == "" && name != "selector" && name != "field-manager" {
			return nil, fmt.Errorf("--%s is empty", name)
		}
		c.flags[name] = append(c.flags[name], value)
	}
	return rest, nil
}

func has(fields []string, name string) bool {
	return slices.Contains(fields, name) || slices.Contains(fields, name+"=") || slices.Contains(fields, name+"=?")
}
