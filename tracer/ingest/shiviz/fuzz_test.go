package shiviz

import (
	"errors"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tracer/event"
)

// FuzzLog feeds arbitrary logs and expressions: what is accepted is a trace, and anything else
// is an error with a position that can be printed.
func FuzzLog(f *testing.F) {
	f.Add("x\na {\"a\":1}\ny\nb {\"b\":1,\"a\":1}\n", "")
	f.Add("a {\"a\":1}\nx\nb {\"b\":1,\"a\":1}\ny\n", "")
	f.Add("1 x\na {\"a\":1}\n#\n2 y\na {\"a\":2}", `(?<time>\d*) (?<event>.*)\n(?<host>\w*) (?<clock>.*)|#`)
	f.Add("(?<host>.*) (?<clock>{.*}) (?<event>.*)\na {\"a\":1} x\nb {\"b\":1,\"a\":1} y", "")
	f.Fuzz(func(t *testing.T, text, expression string) {
		if len(expression) > 200 {
			return // slow to compile, and no more than what Go's library does
		}
		tr, err := read(text, Options{Expression: expression})
		if tr.Header == nil && err != nil {
			var e *event.Error
			if errors.As(err, &e) && event.Printable(e.Reason) != e.Reason {
				t.Fatalf("%q", err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v after the header", err)
		}
		net, err := tr.Build()
		if err != nil {
			t.Fatalf("not a trace: %v", err)
		}
		if net.Events() == 0 {
			t.Fatal("no event")
		}
	})
}

// FuzzRead feeds logs of several executions: each is a run of its own, and all text is in one.
func FuzzRead(f *testing.F) {
	f.Add("=== a ===\nx\na {\"a\":1}\n=== a ===\ny\nb {\"b\":1}\n", "")
	f.Add("#\na {\"a\":1}\nx\n#\n#\nb \"{\\\"b\\\":1}\"\ny\n", "^#$")
	f.Add("(?<host>\\S*) (?<clock>{.*}) (?<event>.*)\n^(?<trace>.)$\n1\na {\"a\":1} x\n1\nb {\"b\":1} y", "")
	f.Fuzz(func(t *testing.T, text, delimiter string) {
		if len(delimiter) > 200 {
			return // slow to compile, and no more than what Go's library does
		}
		all, err := Read(strings.NewReader(text), "log", Options{Delimiter: delimiter})
		if err != nil {
			return
		}
		ids, end := map[string]bool{}, 0
		for _, r := range all {
			if ids[r.ID] {
				t.Fatalf("two executions %q", r.ID)
			}
			ids[r.ID] = true
			if r.begin < end || r.begin > len(r.text) {
				t.Fatalf("an execution from %d to %d after %d", r.begin, len(r.text), end)
			}
			end = len(r.text)
			tr, err := santest.Collect(r)
			if err != nil {
				continue
			}
			if _, err := tr.Build(); err != nil {
				t.Fatalf("not a trace: %v", err)
			}
		}
	})
}
