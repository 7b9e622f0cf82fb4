package tlcheck_test

import (
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck"
)

// Smaller violations behind larger ones, where a lower bound could be too high.
func TestBoundLeavesTheSmallest(t *testing.T) {
	for name, c := range map[string]struct {
		trace, formula string
		size           int
		first          string // the task of the first TIV
	}{
		"both in one joint action": {`{"antichain":1,"tasks":["a","b","c"]}
{"t":"a","enter":"f"}
{"t":"b","enter":"f","with":[["c",1]]}
{"t":"c","enter":"f","with":[["b",1]]}
`, "not (t1:(in.f) and t2:(in.f)) if t1 != t2", 1, "b"},
		"one task twice": {`{"antichain":1,"tasks":["a","b"]}
{"t":"a"}
{"t":"a","enter":"f"}
{"t":"b","enter":"f"}
`, "not (t1:(in.f) and t2:(in.f))", 1, "b"},
		"the creator, and a condition between open slots": {`{"antichain":1,"tasks":["main","q"]}
{"t":"main","spawn":"p","enter":"h"}
{"t":"p","enter":"f"}
{"t":"main"}
{"t":"main","enter":"f"}
`, "not (t1:(in.f) and t2:(not in.h) and t3:(in.h)) if t2 != t3", 2, "p"},
	} {
		net := santest.Read(t, c.trace)
		r := check(t, net, c.formula, tlcheck.Options{})
		if r.Verdict != tlcheck.Violated {
			t.Errorf("%s: %v", name, r.Verdict)
			continue
		}
		if first := net.Name(r.Witness.TIVA[0].Task); len(r.Witness.Schedule) != c.size || first != c.first {
			t.Errorf("%s: %d actions with %s first, want %d with %s", name, len(r.Witness.Schedule), first, c.size,
				c.first)
		}
	}
}
