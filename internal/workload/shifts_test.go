package workload_test

import (
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

func TestShifts(t *testing.T) {
	s := workload.Shifts{Workers: 3, Seed: 1}
	b, err := san.NewBuilder(s.Header())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Each(9000, func(e *event.Event) error { return b.Add(e, "") }); err != nil {
		t.Fatal(err)
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if net.Events() < 9000 || net.Tasks() < 5 {
		t.Errorf("%d events of %d tasks", net.Events(), net.Tasks())
	}
	for _, f := range workload.ShiftFormulas {
		p, err := spec.ParseFormula(f)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{}); err != nil || r.Verdict != tlcheck.Holds {
			t.Errorf("%s: %v, %v", f, r.Verdict, err)
		}
	}
}
