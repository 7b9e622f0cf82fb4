package kafka

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Address{
		"kafka://localhost/traces":          {[]string{"localhost:9092"}, "traces"},
		"kafka://a:1,b,10.0.0.1:65535/t.-_": {[]string{"a:1", "b:9092", "10.0.0.1:65535"}, "t.-_"},
		"kafka://[::1]:9093,[fe80::1%en0]/t": {
			[]string{"[::1]:9093", "[fe80::1%en0]:9092"}, "t",
		},
	} {
		got, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"traces":                  "no address of a topic: write kafka://HOST",
		"kafka://a":               "names no topic",
		"kafka://a/":              "names no topic",
		"kafka://a/b/c":           `a topic cannot be named`,
		"kafka://a/..":            `a topic cannot be named`,
		"kafka://a/t?acks=0":      `a topic cannot be named`,
		"kafka:///t":              "has no host",
		"kafka://a,/t":            "has no host",
		"kafka://a b/t":           "has no host",
		"kafka://a:0/t":           "is no port",
		"kafka://a:x/t":           "is no port",
		"kafka://a:65536/t":       "is no port",
		"kafka://::1/t":           "stands in brackets",
		"kafka://me:pa55word@a/t": "user and password do not belong there",
		"kafka://a/t\x1b[31mred":  "a topic cannot be named",
		"kafka://\x1bred:90/t":    "has no host",
	} {
		_, err := Parse(text)
		switch {
		case err == nil:
			t.Errorf("%q is accepted", text)
		case !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want %q", text, err, want)
		case strings.ContainsAny(err.Error(), "\x1b") || strings.Contains(err.Error(), "pa55word"):
			t.Errorf("%q: the error shows what it should not: %q", text, err)
		}
	}
}

// An accepted address has one written form, which parses to the same address.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"kafka://a/t", "kafka://a:1,b/t", "kafka://[::1]:9093/t", "kafka://[::1]/t",
		"kafka://a@b/t", "kafka://[/t"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(a.String())
		if err != nil {
			t.Fatalf("%q is written %q: %v", text, a, err)
		}
		if diff := cmp.Diff(a, again); diff != "" {
			t.Errorf("%q (-first +second):\n%s", text, diff)
		}
	})
}
