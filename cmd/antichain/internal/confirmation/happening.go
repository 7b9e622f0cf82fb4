package confirmation

import (
	"context"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Happening is what has happened in a run under a schedule that no finding has asked for.
type Happening struct {
	Finding      *builtin.Finding // nil if nothing has
	Names        op.Names         // of the operations of that run
	Confirmation *tlcheck.Confirmation
	Done         int // steps of the schedule

	wanted func(*builtin.Finding, op.Names) bool
}

func (*Happening) String() string { return "another order" }

// reached implements goal: first for any finding that is wanted, and then for that one again.
func (h *Happening) reached(_ context.Context, a *Attempt) (bool, error) {
	h.Done = a.Kept.Done
	for i := range a.Findings {
		f := &a.Findings[i]
		switch {
		case f.How != builtin.Observed:
		case h.Finding == nil && h.wanted(f, a.Names):
			h.Finding, h.Names = f, a.Names
			return true, nil
		case h.Finding != nil && f.Key(a.Names) == h.Finding.Key(h.Names):
			return true, nil
		}
	}
	return false, nil
}

// Shows reports whether a finding of another run, with these names, happens in what has happened.
func (h *Happening) Shows(f *builtin.Finding, names op.Names) bool {
	return f.How != builtin.Observed && target{f, names}.isAmong([]builtin.Finding{*h.Finding}, h.Names)
}

// Look makes one attempt at a schedule, to see whether anything happens that is wanted.
func (c *Confirmer) Look(
	ctx context.Context, s *schedule.Schedule, run *Run, wanted func(*builtin.Finding, op.Names) bool,
) (*Happening, error) {
	once, h := *c, &Happening{wanted: wanted}
	once.Attempts = 1
	var err error
	h.Confirmation, err = once.confirm(ctx, s, nil, h, run.Took)
	return h, err
}
