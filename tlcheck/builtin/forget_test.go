package builtin_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// server makes the records of a server: the goroutine of a connection lives on, and starts one for
// every request.
type server struct {
	feed    func(*ring.Record)
	request uint64 // so far
}

const (
	serverConns = 8
	serverMain  = 1
	serverConn  = 10  // context of the first one
	serverFirst = 100 // of a request
	serverTotal = 1 << 12
	serverDone  = 1 << 16 // channels
)

// do feeds a record, at the place of its kind and operation.
func (s *server) do(ctx uint64, kind ring.Kind, does, addr, aux uint64) {
	s.feed(&ring.Record{Kind: kind, Ctx: ctx, Addr: addr, Aux: aux, Arg: does,
		PC: [ring.PCs]uint64{1<<20 + uint64(kind)<<8 + does}})
}

func (s *server) lock(ctx, addr uint64)   { s.do(ctx, ring.KindAcquire, ring.OpLock, addr, addr) }
func (s *server) unlock(ctx, addr uint64) { s.do(ctx, ring.KindRelease, ring.OpUnlock, addr, addr) }

func (s *server) begin() {
	for c := range uint64(serverConns) {
		s.do(serverMain, ring.KindGo, 0, serverConn+c, 1000)
	}
}

// serve has a connection answer a request, with a goroutine of its own that lives for as long as a
// few others.
func (s *server) serve(does func(ctx, done uint64)) {
	conn := serverConn + s.request%serverConns
	ctx, done := serverFirst+s.request, serverDone+s.request%1000*128
	s.request++
	s.do(conn, ring.KindMakeChan, 0, done, 2)
	s.do(conn, ring.KindGo, 0, ctx, 2000)
	s.lock(conn, serverTotal)
	s.unlock(conn, serverTotal)
	s.lock(ctx, serverTotal+64*(1+conn))
	s.unlock(ctx, serverTotal+64*(1+conn))
	if does != nil {
		does(ctx, done)
	}
	s.do(ctx, ring.KindSend, 0, done, 0)
	s.do(ctx, ring.KindEnd, 0, 0, 0)
	s.do(conn, ring.KindRecv, 0, done, 0)
	s.do(0, ring.KindFree, 0, done, 96)
}

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
	s := &server{feed: func(r *ring.Record) {
		if err := j.order.Feed(r); err != nil {
			t.Fatal(err)
		}
	}}
	s.begin()
	for range requests {
		s.serve(nil)
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
	s := &server{feed: func(r *ring.Record) { records = append(records, *r) }}
	s.begin()
	s.do(serverMain, ring.KindMakeChan, 0, shared, 4)
	both := func(ctx, first, second uint64) {
		s.lock(ctx, first)
		s.lock(ctx, second)
		s.unlock(ctx, second)
		s.unlock(ctx, first)
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
				s.do(ctx, ring.KindSend, 0, shared, sent%4)
				s.do(serverMain, ring.KindRecv, 0, shared, sent%4)
				sent++
			}
		case 3:
			does = func(ctx, _ uint64) {
				waits, never := open+ctx, open+128*ctx
				s.do(ctx, ring.KindGo, 0, waits, 3000)
				s.do(waits, ring.KindMakeChan, 0, never, 0)
				s.do(waits, ring.KindBlock, ring.OpRecv, never, 0)
			}
		}
		s.serve(does)
	}
	s.do(serverConn, ring.KindClose, 0, shared, 0)
	for c := range uint64(serverConns) {
		s.do(serverConn+c, ring.KindEnd, 0, 0, 0)
	}
	s.do(serverMain, ring.KindBlock, ring.OpSelect, 0, 0)
	return records
}
