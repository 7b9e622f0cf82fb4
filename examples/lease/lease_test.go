package lease

import (
	"io"
	"testing"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

const specification = `
property one_acts: not (t1:(in.act) and t2:(in.act)) if t1 != t2
property stops: t:(term.act) -> next t:(not in.act)
`

func TestLease(t *testing.T) {
	if v := firstViolation(t, Ring{Nodes: 3, Rounds: 20}); v != nil {
		t.Fatal(report.Line(v, report.Style{}))
	}
}

// Hasty nodes would make the test above fail, long before they have gone their rounds.
func TestHastyLease(t *testing.T) {
	v := firstViolation(t, Ring{Nodes: 3, Rounds: 1 << 40, Hasty: true})
	if v == nil || v.Name() != "one_acts" {
		t.Fatalf("found %+v", v)
	}
	t.Log(report.Line(v, report.Style{}))
}

// firstViolation lets the nodes work until there is a violation, or until they have finished.
func firstViolation(t *testing.T, ring Ring) *tlcheck.Result {
	file, err := spec.Parse("lease.tl", specification)
	if err != nil {
		t.Fatal(err)
	}
	in, out := io.Pipe()
	defer in.Close() // ends the nodes
	go func() { out.CloseWithError(ring.Run(out)) }()
	trace, err := event.OpenStream(in, "nodes")
	if err != nil {
		t.Fatal(err)
	}
	run := onthefly.Check(t.Context(), file.Properties, lsl.L3, trace)
	for violation := range run.Violations() {
		return violation
	}
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	return nil
}
