package mask

import (
	"encoding/base64"
	"html"
	"strings"
	"testing"
	"time"

	"threeway/merge/text/markdown"
)

// TestStrike: a value that is unlikely to be there by chance is taken out of any text, in
// the ways that formats write it; a word that may be one of ours, and a name, stay.
func TestStrike(t *testing.T) {
	const value, odd = "s3cr3tP4ssw0rd77", "a<b>&'\"_*$1Qwertz9"
	k := NewKnown()
	k.Add(value, "")
	k.Add(odd, "")
	k.Add("selector", "")
	k.Add("prod-eu-west-1-cluster", "")
	k.PublishPath("clusters/prod-eu-west-1-cluster.yaml")
	for _, text := range []string{
		value, "x-" + value + "x", base64.StdEncoding.EncodeToString([]byte("user:" + value)), `{"` + value + `":1}`,
		odd, html.EscapeString(odd), `"a\u003cb\u003e\u0026'\"_*$1Qwertz9"`, `"a<b>&'\"_*$1Qwertz9"`, string(markdown.Escape(odd)), string(markdown.HTML(odd)),
	} {
		if struck := string(k.Strike([]byte("before1234567 " + text + " after"))); !strings.Contains(struck, Struck) || strings.Contains(struck, "ssw0rd") || strings.Contains(struck, "wertz") {
			t.Errorf("%s is printed as %s", text, struck)
		}
	}
	for _, text := range []string{"the selector of 1234567890123", "clusters/prod-eu-west-1-cluster.yaml"} {
		if struck := string(k.Strike([]byte(text))); struck != text {
			t.Errorf("%s is printed as %s", text, struck)
		}
	}
}

// TestStrikeReadsNothing: values are not read for a text that cannot have one.
func TestStrikeReadsNothing(t *testing.T) {
	k, read := NewKnown(), false
	k.FillWith(func() { read = true })
	k.Strike([]byte("12 objects: 12 unchanged; kubernetes 1.37; client-side apply\n"))
	if read {
		t.Error("the values are read")
	}
	if k.Strike([]byte("data.s3cr3tP4ssw0rd77\n")); !read {
		t.Error("the values are not read")
	}
}

// TestStrikeAfterPanic: what panics while values are read does not keep the message about
// it from being printed, nor the values of others in it.
func TestStrikeAfterPanic(t *testing.T) {
	k := NewKnown()
	k.FillWith(func() { panic("no") })
	k.FillWith(func() { k.Add("s3cr3tP4ssw0rd77", "here") })
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		k.Empty()
	}()
	done := make(chan string, 1)
	go func() { done <- string(k.Strike([]byte("internal error: s3cr3tP4ssw0rd77"))) }()
	select {
	case said := <-done:
		if said != "internal error: "+Struck {
			t.Errorf("it says %q", said)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the message waits for what has panicked")
	}
}
