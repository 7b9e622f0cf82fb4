package causality

import (
	"iter"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Addresses in a program, and functions that are there.
const (
	inMain = iota + 1
	inWorker
	inHandle
	inServer // the library that starts goroutines for connections
	inConn   // which begin here
	inHandler
	inGroup // a module that starts goroutines for functions given to it
	inGroupGo
	inFetch
	inWaitGroup // without the function given to it
	inWrapper   // that the compiler has made
	inTwin      // a worker of another package with that name
	inLoop      // a method
	inPackage   // a function of a package that is called as the type of the method is
	inLock      // of a Mutex, in two packages
	inMutex
	inCond
)

var shop = map[uint64]op.Call{
	inMain:    {Function: "main.main", At: "main.go:1"},
	inWorker:  {Function: "example.org/shop.worker[...]", At: "shop.go:1"},
	inHandle:  {Function: "main.handle", At: "main.go:2"},
	inServer:  {Function: "net/http.(*Server).Serve", At: "net/http/server.go:1", Std: true},
	inConn:    {Function: "net/http.(*conn).serve", At: "net/http/server.go:2", Std: true},
	inHandler: {Function: "net/http.HandlerFunc.ServeHTTP", At: "net/http/server.go:3", Std: true},
	inGroup:   {Function: "x.org/errgroup.(*Group).Go", At: "x.org/errgroup@v1.2.3/group.go:1"},
	inGroupGo: {Function: "x.org/errgroup.(*Group).Go.func1", At: "x.org/errgroup@v1.2.3/group.go:2"},
	inFetch:   {Function: "main.fetch", At: "main.go:3"},

	inWaitGroup: {Function: "sync.(*WaitGroup).Go.func1", At: "sync/waitgroup.go:1", Std: true},

	inWrapper: {Function: "main.main.gowrap2", At: "main.go:1"},
	inTwin:    {Function: "example.org/old/shop.worker", At: "old/shop.go:1"},
	inLoop:    {Function: "main.(*pool[...]).loop", At: "main.go:4"},
	inPackage: {Function: "example.org/pool.loop", At: "pool.go:1"},

	inLock:  {Function: "internal/sync.(*Mutex).Lock", At: "internal/sync/mutex.go:1", Std: true},
	inMutex: {Function: "sync.(*Mutex).Lock", At: "sync/mutex.go:1", Std: true},
	inCond:  {Function: "sync.(*Cond).Wait", At: "sync/cond.go:1", Std: true},
}

// shopSymbols are those of shop.
type shopSymbols struct{}

func (shopSymbols) Function(entry uint64) string { return shop[entry].Function }

func (shopSymbols) Position([ring.PCs]uint64) (string, bool) { return "", false }

func (s shopSymbols) Location(pcs []uint64) op.Location { return op.LocationOf(s.Calls(pcs)) }

func (shopSymbols) Calls(pcs []uint64) iter.Seq[op.Call] {
	return func(yield func(op.Call) bool) {
		for _, pc := range pcs {
			if !yield(shop[pc]) {
				return
			}
		}
	}
}

// A task is called by the function that it runs, and all but the first of those that run it have a
// number. If a library has started it, that is known once a place shows all calls that lead there.
func TestDisplayNames(t *testing.T) {
	order := New(Options{
		Watch: op.Discard, Symbols: shopSymbols{}, Keep: func(*event.Event) error { return nil },
	})
	start := func(ctx, entry uint64, at ...uint64) *ring.Record {
		r := &ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: ctx, Aux: entry}
		copy(r.PC[:], at)
		return r
	}
	send := func(ctx uint64, at ...uint64) *ring.Record {
		r := &ring.Record{Kind: ring.KindSend, Ctx: ctx, Addr: 100}
		copy(r.PC[:], at)
		return r
	}
	check := func(want ...string) {
		t.Helper()
		var got []string
		for task := range len(want) {
			got = append(got, order.Task(op.Task(task)).DisplayName())
		}
		if got, want := strings.Join(got, ", "), strings.Join(want, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	feed := func(records ...*ring.Record) {
		t.Helper()
		for _, r := range records {
			if err := order.Feed(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	feed(start(2, inWorker, inMain), start(3, inWorker, inMain),
		start(4, inConn, inServer, inMain), start(5, inGroupGo, inGroup, inMain),
		start(6, inWorker, inGroup, inMain), start(7, 0, inMain), start(8, inWorker))
	// These places do not show which function of the program a library has called, or not all of
	// the calls.
	feed(send(4, inFetch, inHandler), send(4, inConn), send(5, inGroupGo), send(2, inFetch, inWorker))
	check("main", "shop.worker", "shop.worker #2", "fetch", "errgroup.Group.Go.func1",
		"shop.worker #3", "main.6", "shop.worker #4")
	feed(send(4, inMain, inHandle, inConn), send(5, inFetch, inGroupGo),
		start(9, inGroupGo, inGroup), send(9, inFetch, inGroupGo),
		start(10, inWaitGroup, inMain), send(10, inHandle, inWaitGroup),
		start(11, inWrapper, inMain), send(11, inLoop, inWrapper))
	feed(send(5, inMain, inGroupGo)) // it keeps its name
	want := []string{"main", "shop.worker", "shop.worker #2", "handle", "fetch #2", "shop.worker #3", "main.6",
		"shop.worker #4", "fetch #3", "handle #2", "pool.loop"}
	check(want...)
	if !order.IsTaskName("handle") || order.IsTaskName("serve") || order.IsTaskName("transfer") {
		t.Error("handle is no name of a task, or another word is")
	}
	order.Unwatch()
	check(want...)
}

// Functions that would be called alike have more of their paths in their names, and no function is
// called as the main goroutine is.
func TestDisplayNamesOfTwins(t *testing.T) {
	order := New(Options{
		Watch: op.Discard, Symbols: shopSymbols{}, Keep: func(*event.Event) error { return nil },
	})
	for i, entry := range []uint64{inWorker, inTwin, inLoop, inPackage, inLoop, inTwin, inMain} {
		if err := order.Feed(&ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: uint64(2 + i), Aux: entry}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"main", "shop.worker", "old/shop.worker", "pool.loop", "example.org/pool.loop", "pool.loop #2",
		"old/shop.worker #2", "main #2"}
	for task, want := range want {
		if got := order.Task(op.Task(task)).DisplayName(); got != want {
			t.Errorf("task %d is called %q, want %q", task, got, want)
		}
	}
	if got := order.DisplayName(3); got != "old/shop.worker" {
		t.Errorf("goroutine 3 is called %q", got)
	}
	if got := order.DisplayName(99); got != "" {
		t.Errorf("a goroutine that does not exist is called %q", got)
	}
}
