package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/run"
	"threeway/merge/text/phrase"
)

// kubectlFlag is a flag of kubectl apply or diff that no command of threeway
// has. It is taken without effect, or refused with the way out.
type kubectlFlag struct {
	// takesValue: the value may be the next argument. standard is the value of
	// a flag that has none attached.
	takesValue bool
	standard   string
	// means are the values that are what a rehearsal is anyway.
	means []string
	// idle: it changes nothing of the outcome, because of what follows "has no effect: ".
	idle string
	// now are the flag and the value that it is called by here, if the command has it; a
	// value of its own is added. without says what it is if that flag is not typed too: idleWithout,
	// or requires; "" if that does not matter.
	now, without string
	// instead follows "--NAME: " in the error for all other values.
	instead string
}

const idleWithout, requires = "has no effect without", "requires"

const sendsNothing = "threeway sends nothing to a cluster"

const noCluster = "threeway contacts no cluster: use this flag with the kubectl get that exports the live objects ('threeway snapshot' prints the command), and pass the export with --live"

// kubectlFlags are those of kubectl 1.37.1: kubectl apply --help, kubectl diff
// --help and kubectl options.
var kubectlFlags = map[string]kubectlFlag{
	"dry-run":         {standard: "client", means: []string{"server", "none"}, instead: "kubectl would print what it sends without asking the server; 'threeway merge -o patch' prints that. Without this flag you see what the server would store"},
	"cascade":         {standard: "background", means: []string{"background"}, instead: "only --cascade=background is simulated; remove the flag"},
	"force":           {instead: "kubectl would delete and recreate objects that it cannot patch, which is not simulated; remove the flag to see what the server rejects, or pass --force-conflicts to take fields over with --server-side"},
	"subresource":     {takesValue: true, instead: "applying to a subresource is not simulated"},
	"prune-whitelist": {takesValue: true, instead: "kubectl has renamed it to --prune-allowlist"},
	"template":        {takesValue: true, instead: "threeway does not support templates; 'threeway merge -o json' prints the objects for jq"},
	"warnings-as-errors": {
		instead: "'threeway lint --fail-on warning' fails on warnings"},
	"all-namespaces": {instead: "each manifest is applied to its own namespace; pass -A to the kubectl get that exports the live objects"},
	"A":              {instead: "each manifest is applied to its own namespace; pass -A to the kubectl get that exports the live objects"},

	"no-color":               {now: "--color=never", instead: "it prints no colors; for other commands set NO_COLOR"},
	"format":                 {takesValue: true, now: "--output=", instead: "use -o"},
	"json":                   {now: "--output=json", instead: "use -o json, where a command has it"},
	"exit-code":              {now: "--fail-on=change", instead: "diff and drift exit with 1 if there are differences anyway"},
	"detailed-exitcode":      {now: "--fail-on=change", instead: "diff and drift exit with 1 if there are differences anyway"},
	"skip":                   {takesValue: true, instead: "write 'ignore: [{kind: KIND, reason: WHY}]' into .threeway.yaml"},
	"allow-empty":            {instead: "an apply of no objects fails, as kubectl's does; for hooks, lint --staged skips files without objects"},
	"all":                    {means: []string{"false"}, now: "--prune=all", without: idleWithout, instead: "commands that have --prune take it as --prune=all"},
	"prune-allowlist":        {takesValue: true, now: "--prune=", without: idleWithout, instead: "commands that have --prune take it as --prune=GROUP/VERSION/KIND"},
	"applyset":               {takesValue: true, now: "--prune=applyset=", without: requires, instead: "commands that have --prune take it as --prune=applyset=[RESOURCE][.GROUP]/NAME"},
	"overwrite":              {means: []string{"", "true"}, instead: "'threeway merge --overwrite=false' shows what would conflict"},
	"validate":               {idle: "only an apply validates, which lint, review, merge and upgrade rehearse"},
	"max-input":              {takesValue: true, instead: "set THREEWAY_MAX_INPUT to as many MiB"},
	"as":                     {takesValue: true, instead: "write 'apply: {as: USER}' into .threeway.yaml"},
	"as-group":               {takesValue: true, instead: "write 'apply: {as: USER, as-group: [GROUP]}' into .threeway.yaml"},
	"as-uid":                 {takesValue: true, instead: "write 'apply: {as: USER, as-uid: UID}' into .threeway.yaml"},
	"mask-env":               {takesValue: true, instead: "write 'secrets: {env: [PATTERN]}' into .threeway.yaml; known is the pattern of the usual names"},
	"explain":                {instead: "'threeway diff -o fields' gives the reason for each change"},
	"stdin-name":             {takesValue: true, instead: "what is read from stdin is named STDIN; editors ask 'threeway lsp'"},
	"enable":                 {takesValue: true, instead: "use --rule RULE=LEVEL"},
	"only":                   {takesValue: true, now: "--rule=", instead: "use --rule RULE"},
	"disable":                {takesValue: true, instead: "use --rule RULE=off"},
	"severity":               {takesValue: true, instead: "use --rule RULE=LEVEL"},
	"schema-location":        {takesValue: true, instead: "threeway knows the schemas of Kubernetes 1.30 to 1.38; pass definitions of custom resources with --crd PATH, and the version with --kubernetes-version"},
	"all-fields":             {now: "--verbose", instead: "use -v"},
	"fail-on-diff":           {now: "--fail-on=change", instead: "use --fail-on change"},
	"fix-dry-run":            {now: "--fix=diff", instead: "use --fix=diff"},
	"ignore-manager":         {takesValue: true, instead: "write 'ignore: [{manager: NAME, reason: WHY}]' into .threeway.yaml; review, diff and drift have the flag"},
	"ignore-path":            {takesValue: true, instead: "write 'ignore: [{kind: KIND, path: PATH, reason: WHY}]' into .threeway.yaml"},
	"key-file":               {takesValue: true, instead: "put the key into THREEWAY_KEY, or the name of its file into THREEWAY_KEY_FILE; snapshot redact and pack have the flag"},
	"no-fail":                {now: "--fail-on=never", instead: "use --fail-on never"},
	"no-suppressions":        {instead: "-v lists the suppressed findings with their reasons, and so does -o json"},
	"prune-root":             {takesValue: true, instead: "write 'apply: {prune: {root: DIR}}' into .threeway.yaml"},
	"rule-pages":             {takesValue: true, instead: "write 'rule-pages: URL' into .threeway.yaml"},
	"skip-other-files":       {instead: "lint --staged skips files without objects, for hooks"},
	"show-suppressed":        {now: "--verbose", instead: "use -v"},
	"write-baseline":         {takesValue: true, now: "--output=baseline=", instead: "use -o baseline=FILE"},
	"strict":                 {instead: "unknown fields are errors anyway; --validate=ignore drops them"},
	"summary":                {instead: "lint ends with a summary; -o json has the counts"},
	"ignore-missing-schemas": {instead: "kinds without a definition are merged and not validated anyway, and a note says so"},

	"concurrency":                 {takesValue: true, idle: "the result is the same on any number of cores; GOMAXPROCS limits them"},
	"migrate":                     {idle: "what is rehearsed is an apply, which migrates anyway"},
	"wait":                        {idle: sendsNothing},
	"timeout":                     {takesValue: true, idle: sendsNothing},
	"grace-period":                {takesValue: true, idle: sendsNothing},
	"openapi-patch":               {idle: sendsNothing},
	"allow-missing-template-keys": {idle: sendsNothing},
	"request-timeout":             {takesValue: true, idle: sendsNothing},
	"cache-dir":                   {takesValue: true, idle: sendsNothing},
	"disable-compression":         {idle: sendsNothing},
	"log-flush-frequency":         {takesValue: true, idle: sendsNothing},
	"match-server-version":        {idle: sendsNothing},
	"profile":                     {takesValue: true, idle: sendsNothing},
	"profile-output":              {takesValue: true, idle: sendsNothing},
	"vmodule":                     {takesValue: true, idle: sendsNothing},
	"kuberc":                      {takesValue: true, idle: sendsNothing},

	"context":                  {takesValue: true, instead: noCluster},
	"kubeconfig":               {takesValue: true, instead: noCluster},
	"cluster":                  {takesValue: true, instead: noCluster},
	"user":                     {takesValue: true, instead: noCluster},
	"server":                   {takesValue: true, instead: noCluster},
	"s":                        {takesValue: true, instead: noCluster},
	"token":                    {takesValue: true, instead: noCluster},
	"username":                 {takesValue: true, instead: noCluster},
	"password":                 {takesValue: true, instead: noCluster},
	"as-user-extra":            {takesValue: true, instead: noCluster},
	"certificate-authority":    {takesValue: true, instead: noCluster},
	"client-certificate":       {takesValue: true, instead: noCluster},
	"client-key":               {takesValue: true, instead: noCluster},
	"insecure-skip-tls-verify": {instead: noCluster},
	"tls-server-name":          {takesValue: true, instead: noCluster},
	"proxy-url":                {takesValue: true, instead: noCluster},
}

// take says what becomes of a flag that kubectl has: a note, if it is taken and
// has no effect, or an error.
func (f kubectlFlag) take(name, value string) (note string, err error) {
	switch {
	case f.idle != "":
		return run.Dashes(name) + " has no effect: " + f.idle, nil
	case slices.Contains(f.means, value):
		return "", nil
	case value != "" && f.means != nil:
		return "", fmt.Errorf("%s=%s: %s", run.Dashes(name), value, f.instead)
	}
	return "", fmt.Errorf("%s: %s", run.Dashes(name), f.instead)
}

const (
	readsFiles  = "threeway reads files, not the cluster; 'threeway snapshot' prints the kubectl get that exports the live objects"
	changesNone = "threeway changes nothing in a cluster; 'threeway diff -f MANIFESTS --live SNAPSHOT' shows what kubectl apply would change"
)

// otherVerbs are commands of kubectl and its like, with what to run instead.
var otherVerbs = map[string]string{
	"apply":     "threeway applies nothing, it rehearses kubectl apply: 'threeway diff' shows what would change, 'threeway merge' prints the resulting objects, and 'threeway review' shows the changes and what to watch out for",
	"get":       readsFiles,
	"describe":  readsFiles,
	"logs":      readsFiles,
	"create":    changesNone,
	"replace":   changesNone,
	"patch":     changesNone,
	"edit":      changesNone,
	"set":       changesNone,
	"scale":     changesNone,
	"label":     changesNone,
	"annotate":  changesNone,
	"rollout":   changesNone,
	"delete":    "threeway deletes nothing; 'threeway diff --prune' shows what kubectl apply --prune would delete",
	"prune":     "'threeway diff --prune' shows what kubectl apply --prune would delete",
	"kustomize": "'threeway diff -k DIR' rehearses kubectl apply -k DIR",
	"template":  "'helm template NAME CHART | threeway diff -f -' rehearses applying a rendered chart",
	"validate":  "'threeway lint' finds what the server would reject, and more",
	"check":     "'threeway lint' checks manifests, 'threeway snapshot check' checks an export",
	"init":      "'threeway config init' writes a first .threeway.yaml",
	"export":    "'threeway snapshot' prints the commands that export the live objects",
}

// unknownCommand is the error for a word that is no command.
func unknownCommand(commands []*cli.Command, word string) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	meant := phrase.Meant(word, names)
	verb := word
	if meant == "" && otherVerbs[word] == "" {
		verb = phrase.Nearest(word, slices.Collect(maps.Keys(otherVerbs)))
	}
	switch text := otherVerbs[verb]; {
	case text == "" && strings.ContainsAny(word, "./\\"):
		return fmt.Errorf("%s: no such file or directory", word)
	case text != "":
		return fmt.Errorf("unknown command %q: %s", word, text)
	}
	return fmt.Errorf("unknown command %q; %s'threeway help' lists the commands", word, meant)
}
