package exploration

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// settle tries, after all runs, to make happen what is doubtful: each run that predicts it is made
// once more, and then it is confirmed there. If a violation has happened, the outcome is certain
// without that.
func (x *exploration) settle(ctx context.Context) error {
	if x.plan.Settle.Attempts == 0 || x.plan.Confirm.Attempts > 0 || x.merged.hasHappened() {
		return nil
	}
	x.showing = terminal.Working(x.streams.Err, "trying doubtful findings")
	defer func() { x.showing.Done() }()
	var made []*run // which may predict several
	for _, k := range x.merged.doubtful() {
		known := x.merged.all[k]
		if known.confirmed || slices.Contains(made, known.run) {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		made = append(made, known.run)
		again := x.again(known.run)
		err := x.makeSilentRun(ctx, again)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		x.merged.settle(again)
	}
	return nil
}

// again returns a run like one that was made, in which what is doubtful is confirmed.
func (x *exploration) again(r *run) *run {
	p := *r.plan
	p.Confirm, p.Reversals, p.Limit = x.plan.Settle, 0, x.limit()
	return &run{plan: &p}
}

// makeSilentRun makes a run without standard input, and shows nothing of it.
func (x *exploration) makeSilentRun(ctx context.Context, r *run) error {
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer nothing.Close()
	return x.makeRun(ctx, r, terminal.Streams{In: nothing, Out: nothing, Err: nothing}, io.Discard)
}

// hasHappened reports whether some violation that is news has happened in a run, or was confirmed.
func (m *merger) hasHappened() bool {
	for _, known := range m.all {
		if len(known.shown) > 0 && hasHappened([]*tlcheck.Assessment{known.result}) {
			return true
		}
	}
	return false
}

// doubtful returns the violations of built-in properties that may be impossible, have happened in
// no run, and were not tried.
func (m *merger) doubtful() (keys []resultKey) {
	for _, k := range m.order {
		known := m.all[k]
		r := known.result
		if r.Verdict == tlcheck.Violated && r.IsNews() && !known.confirmed && isDoubtful(r.Finding) {
			keys = append(keys, k)
		}
	}
	return keys
}

func isDoubtful(f *builtin.Finding) bool { return f != nil && f.IsDoubtful() }

// settle takes over what a run has made of doubtful violations. It counts as no further run.
func (m *merger) settle(again *run) {
	doubtful := m.doubtful()
	for _, r := range again.results {
		k := m.key(r.Result)
		if slices.Contains(doubtful, k) && (r.Confirmation != nil || r.Siblings != nil) {
			m.all[k].result, m.all[k].confirmed = r, true
		}
	}
}
