package library

import (
	"net/url"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// URLs has url, isURL and the parts of a URL.
func URLs() cel.EnvOption {
	lib := &functions{name: "kubernetes.urls", overloads: map[string][]cel.FunctionOpt{
		"url":   {overload("string_to_url", takes(cel.StringType), apiservercel.URLType, unary(toURL))},
		"isURL": {overload("is_url_string", takes(cel.StringType), cel.BoolType, unary(isURL))},
		"getQuery": {method("url_get_query", takes(apiservercel.URLType),
			cel.MapType(cel.StringType, cel.ListType(cel.StringType)), unary(query))},
	}}
	for _, part := range []struct {
		name, id string
		of       func(*url.URL) string
	}{
		{"getScheme", "url_get_scheme", func(u *url.URL) string { return u.Scheme }},
		{"getHost", "url_get_host", func(u *url.URL) string { return u.Host }},
		{"getHostname", "url_get_hostname", (*url.URL).Hostname},
		{"getPort", "url_get_port", (*url.URL).Port},
		{"getEscapedPath", "url_get_escaped_path", (*url.URL).EscapedPath},
	} {
		lib.overloads[part.name] = []cel.FunctionOpt{method(part.id, takes(apiservercel.URLType), cel.StringType,
			unary(func(u *url.URL) ref.Val { return types.String(part.of(u)) }))}
	}
	return cel.Lib(lib)
}

func toURL(s string) ref.Val {
	// ParseRequestURI takes fewer texts, Parse keeps the fragment.
	_, err := url.ParseRequestURI(s)
	if err != nil {
		return types.NewErr("URL parse error during conversion from string: %v", err)
	}
	u, err := url.Parse(s)
	if err != nil {
		return types.NewErr("URL parse error during conversion from string: %v", err)
	}
	return apiservercel.URL{URL: u}
}

func isURL(s string) ref.Val {
	_, err := url.ParseRequestURI(s)
	return types.Bool(err == nil)
}

func query(u *url.URL) ref.Val {
	values := map[ref.Val]ref.Val{}
	for name, list := range u.Query() {
		values[types.String(name)] = types.NewStringList(types.DefaultTypeAdapter, list)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, values)
}
