package tree

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// bare is a text that needs no quotes in YAML, if it is no word for a truth value or null.
var (
	bare    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./@-]*$`) })
	reading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|y|n|null)$`) })
)

// Flow is a value in the flow style of YAML, which a terminal breaks between its words.
func Flow(v any) string {
	var parts []string
	switch v := v.(type) {
	case Object:
		for _, key := range Keys(v) {
			parts = append(parts, Flow(key)+": "+Flow(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, x := range v {
			parts = append(parts, Flow(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		if bare().MatchString(v) && !reading().MatchString(v) {
			return v
		}
	}
	text, err := JSON(v, "", "")
	if err != nil {
		return fmt.Sprint(v)
	}
	return text
}

// Probe is a probe in short: httpGet /health :80 every 3s; "" for other values.
func Probe(v any) string {
	o, _ := v.(Object)
	every, set := o["periodSeconds"]
	if !set {
		return ""
	}
	for _, how := range []string{"httpGet", "tcpSocket", "grpc", "exec"} {
		handler, is := o[how].(Object)
		if !is {
			continue
		}
		text := how
		if path := String(handler, "path"); path != "" {
			text += " " + path
		}
		if port, set := handler["port"]; set {
			text += fmt.Sprintf(" :%v", port)
		}
		for _, arg := range List(handler, "command") {
			text += fmt.Sprintf(" %v", arg)
		}
		return fmt.Sprintf("%s every %vs", text, every)
	}
	return ""
}
