package builtin_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// judged are an order of a run and the checker of its operations.
type judged struct {
	order   *causality.Order
	checker *builtin.Checker
}

func newJudged(t testing.TB, forgetAfter int32) *judged {
	checker, err := builtin.New(builtin.Properties...)
	if err != nil {
		t.Fatal(err)
	}
	checker.LacksAccesses()
	return &judged{checker: checker, order: causality.New(causality.Options{Sparse: true, Watch: checker,
		ForgetAfter: forgetAfter, Keep: func(*event.Event) error { return nil }})}
}

func (j *judged) serve(t testing.TB, requests int) {
	s := &workload.Requests{Feed: func(r *ring.Record) {
		if err := j.order.Feed(r); err != nil {
			t.Fatal(err)
		}
	}}
	s.Begin()
	for range requests {
		s.Serve(nil)
	}
	if stats := j.order.Stats(); stats.Corrupt > 0 || stats.Unwatched != "" {
		t.Fatal(stats)
	}
}

// TestMemoryOfServer: ten times as many requests take no more memory.
func TestMemoryOfServer(t *testing.T) {
	held := func(requests int) int {
		j := newJudged(t, 1<<10)
		j.serve(t, requests)
		return snapshot.GraphBytes(j)
	}
	few, many := held(6000), held(60000)
	if many > few+few/4 {
		t.Errorf("%d bytes after 6,000 requests, and %d after 60,000", few, many)
	}
}

// namedTexts are findings with the names of all goroutines.
func namedTexts(found []builtin.Finding, names op.Names) []string {
	var all []string
	for _, f := range found {
		text := fmt.Sprint(f.Property, " ", f.How, " ", f.Count, " ", f.Text)
		for _, p := range f.Parties {
			text += fmt.Sprint(" / ", p.Kind, " ", names.Task(p.Task).Name)
		}
		all = append(all, text)
	}
	return all
}

// TestForgottenTasksMissNothing: what is found does not change if goroutines that have ended are
// forgotten as soon as nothing speaks of them.
func TestForgottenTasksMissNothing(t *testing.T) {
	found := map[builtin.Property]bool{}
	for seed := range uint64(8) {
		records := recordsOfServer(seed)
		var texts [2][]string
		for i, after := range []int32{1, 1 << 30} {
			j := newJudged(t, after)
			for _, r := range records {
				if err := j.order.Feed(&r); err != nil {
					t.Fatal(err)
				}
			}
			if stats := j.order.Stats(); stats.Corrupt > 0 {
				t.Fatal(stats.First)
			}
			all := j.checker.Findings(j.order)
			for _, f := range all {
				found[f.Property] = true
			}
			texts[i] = namedTexts(all, j.order)
		}
		if d := cmp.Diff(texts[1], texts[0]); d != "" {
			t.Errorf("seed %d, without forgetting, and with it:\n%s", seed, d)
		}
	}
	for _, p := range []builtin.Property{builtin.Deadlock, builtin.Stuck, builtin.Closed} {
		if !found[p] {
			t.Errorf("nothing of %s is found", p)
		}
	}
}

// recordsOfServer are the records of a server some of whose requests lock two mutexes in either
// order, send to a goroutine that closes the channel in the end, or leave a goroutine waiting.
func recordsOfServer(seed uint64) (records []ring.Record) {
	const a, b, shared, open = 1 << 14, 1<<14 + 64, 1 << 15, 1 << 24
	random := rand.New(rand.NewPCG(seed, 0))
	s := &workload.Requests{Feed: func(r *ring.Record) { records = append(records, *r) }}
	s.Begin()
	s.Do(workload.RequestsMain, ring.KindMakeChan, 0, shared, 4)
	both := func(ctx, first, second uint64) {
		s.Lock(ctx, first)
		s.Lock(ctx, second)
		s.Unlock(ctx, second)
		s.Unlock(ctx, first)
	}
	sent := uint64(0)
	for range 600 {
		var does func(ctx, done uint64)
		switch random.IntN(30) {
		case 0:
			does = func(ctx, _ uint64) { both(ctx, a, b) }
		case 1:
			does = func(ctx, _ uint64) { both(ctx, b, a) }
		case 2:
			does = func(ctx, _ uint64) {
				s.Do(ctx, ring.KindSend, 0, shared, sent%4)
				s.Do(workload.RequestsMain, ring.KindRecv, 0, shared, sent%4)
				sent++
			}
		case 3:
			does = func(ctx, _ uint64) {
				waits, never := open+ctx, open+128*ctx
				s.Do(ctx, ring.KindGo, 0, waits, 3000)
				s.Do(waits, ring.KindMakeChan, 0, never, 0)
				s.Do(waits, ring.KindBlock, ring.OpRecv, never, 0)
			}
		}
		s.Serve(does)
	}
	s.Do(workload.RequestsConn, ring.KindClose, 0, shared, 0)
	for c := range uint64(workload.RequestsConns) {
		s.Do(workload.RequestsConn+c, ring.KindEnd, 0, 0, 0)
	}
	s.Do(workload.RequestsMain, ring.KindBlock, ring.OpSelect, 0, 0)
	return records
}
