// Package webpage assembles a report as one file for a browser, which needs
// nothing else: neither a server nor the network.
//
// The style and the scripts in assets are what is delivered: there is no build
// step. Data is JSON in elements that no browser executes, escaped so that no
// value can end them, or compressed if there is much of it, and the scripts put it
// into the page as text only. The
// page's own Content-Security-Policy allows exactly these scripts and this style
// by their hashes, no request of any kind, and no HTML made from text.
package webpage

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

//go:embed assets/*.css assets/*.js
var assets embed.FS

// mark is the sign of threeway: two arrows that become one. The pictures of the site, the
// README and the extension are made of it.
//
//go:embed mark.svg
var mark string

// scripts are parts of one script, in this order.
var scripts = []string{
	"dom", "data", "viewed", "query", "objects", "fields", "lines", "findings", "owners", "prune", "clusters", "overview", "object", "print", "keys", "page",
}

// Page is what a page shows.
type Page struct {
	Title string
	// Summary is a sentence for those without JavaScript.
	Summary string
	// Index is what the page needs at once.
	Index any
	Parts *Parts
}

// Write writes the page. The same page gives the same bytes.
func Write(w io.Writer, p Page) error {
	style, script, err := read()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<link rel="icon" href="data:image/svg+xml,%s">
<style>%s</style>
</head>
<body>
<noscript><h1>%[2]s</h1><p>%[5]s</p><p>This page needs JavaScript to show more. The same as text: <code>threeway review -o text</code>.</p></noscript>
`, policy(style, script), escape(p.Title), own(url.PathEscape(strings.TrimSpace(mark))), style, escape(p.Summary))
	if err := index(out, p); err != nil {
		return err
	}
	// The page shows what is in the index while the browser reads the rest.
	fmt.Fprintf(out, "<script>%s</script>\n", script)
	if err := p.Parts.write(out); err != nil {
		return err
	}
	out.WriteString("</body>\n</html>\n")
	return out.Flush()
}

// own is text of the page's own files.
type own string

func read() (style, script own, err error) {
	data, err := assets.ReadFile("assets/style.css")
	if err != nil {
		return "", "", err
	}
	var b strings.Builder
	b.WriteString("(async () => {\n\"use strict\";\n")
	for _, name := range scripts {
		part, err := assets.ReadFile("assets/" + name + ".js")
		if err != nil {
			return "", "", err
		}
		b.Write(part)
	}
	b.WriteString("})();\n")
	picture := ".mark { background-image: url(\"data:image/svg+xml," + url.PathEscape(strings.TrimSpace(mark)) + "\"); }\n"
	return own(data) + own(picture), own(b.String()), nil
}

// policy allows the page's own style and script and nothing else.
func policy(style, script own) string {
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

func hash(text own) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// index writes the index, compressed if the parts are.
func index(out io.Writer, p Page) error {
	if p.Parts.size <= plain {
		return data(out, "index", p.Index)
	}
	text, err := json.Marshal(p.Index)
	if err != nil {
		return err
	}
	packed, err := p.Parts.compress(text)
	fmt.Fprintf(out, "<script type=\"application/gzip\" id=\"index\">%s</script>\n", packed)
	return err
}

// data writes a value as JSON, in which encoding/json escapes < > & U+2028 and
// U+2029, so that nothing in it ends the element or begins a comment.
func data(out io.Writer, id string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "<script type=\"application/json\" id=\"%s\">%s</script>\n", id, text)
	return nil
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;").Replace(text)
}
