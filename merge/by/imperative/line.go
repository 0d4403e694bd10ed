// Package imperative rehearses the commands of kubectl besides apply, each as what it would
// send for single objects: a PUT of the object that it makes of the live one, a create or
// a delete. It reads the words of the commands, and what it does not understand is an error.
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
	return changing[c.Verb] != "" && !slices.Contains([]string{"client", "server"}, c.Text("dry-run")) && !c.Has("list")
}

// everywhere are the flags of all commands that choose neither another cluster nor another
// user, and start no program. One with = takes a value, one with =? only a value that is
// attached to it.
const everywhere = " namespace= context= request-timeout= v="

// naming are the flags of commands that name live objects, printing those that say what is
// printed.
const (
	printing = " output= template= show-managed-fields allow-missing-template-keys"
	naming   = printing + " selector= all dry-run=? field-manager="
)

// changing are the commands that are rehearsed, with their flags. A flag that is not here
// is not understood, and a flag with an empty value neither.
var changing = map[string]string{
	"apply":              printing + " filename= kustomize= recursive selector= prune all prune-allowlist= applyset= server-side force-conflicts field-manager= validate=? dry-run=? cascade=? wait timeout= openapi-patch",
	"create":             printing + " filename= kustomize= recursive selector= validate=? dry-run=? field-manager= save-config",
	"replace":            printing + " save-config filename= kustomize= recursive validate=? dry-run=? field-manager= wait timeout=",
	"delete":             " filename= kustomize= recursive selector= all ignore-not-found dry-run=? cascade=? wait timeout= grace-period= now force output=",
	"patch":              printing + " patch= patch-file= type= dry-run=? field-manager=",
	"label":              naming + " overwrite list",
	"annotate":           naming + " overwrite list",
	"scale":              printing + " selector= all dry-run=? replicas= timeout=",
	"set image":          naming,
	"set env":            naming + " containers= env= overwrite list",
	"set resources":      naming + " containers= limits= requests=",
	"set serviceaccount": naming,
	"rollout restart":    printing + " selector= field-manager=",
	"rollout pause":      printing + " selector= field-manager=",
	"rollout resume":     printing + " selector= field-manager=",
	"rollout undo":       printing + " selector= to-revision= dry-run=?",
	"autoscale":          printing + " min= max= cpu-percent= cpu= memory= name= dry-run=? field-manager=",
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
		return nil, fmt.Errorf("kubectl has no command")
	}
	if len(words) > 1 && words[0] == "apply" {
		if why := records[words[1]]; why != "" {
			return nil, fmt.Errorf("%s %s", words[1], why)
		}
	}
	for n := min(2, len(words)); n > 0; n-- {
		c.Verb = strings.Join(words[:n], " ")
		if c.Verb == "set sa" {
			c.Verb = "set serviceaccount"
		}
		flags, changes := changing[c.Verb]
		reads, known := reading[c.Verb]
		if !changes && !known {
			continue
		}
		c.Args, err = c.take(everywhere+flags+reads, words[n:], false)
		if err != nil {
			return nil, fmt.Errorf("kubectl %s: %w", c.Verb, err)
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
