//go:build unix

package main

import (
	"flag"
	"fmt"
	"math"
	"runtime"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
)

var requestsHead = table{"requests", "MiB held", "bytes more a request"}

// requests prints what the built-in properties hold of a server that goes on, by its requests.
func requests(args []string) error {
	flags := flag.NewFlagSet("requests", flag.ContinueOnError)
	most := flags.Int("n", 1_000_000, "requests; there is a row for each power of ten")
	if err := flags.Parse(args); err != nil {
		return err
	}
	checker, err := builtin.New(builtin.Properties...)
	if err != nil {
		return err
	}
	checker.LacksAccesses()
	order := causality.New(causality.Options{Sparse: true, Watch: checker, Keep: func(*event.Event) error { return nil }})
	s := &workload.Requests{Feed: func(r *ring.Record) { err = order.Feed(r) }}
	s.Begin()
	fmt.Printf("A server that starts a goroutine for each request, and what is held of its operations.\n\n")
	t := requestsHead.start()
	served, before := 0, heldNow()
	for n := 10_000; n <= *most && err == nil; n *= 10 {
		was := served
		for ; served < n; served++ {
			s.Serve(nil)
		}
		held := heldNow()
		t.add(fmt.Sprint(n), number(held/(1<<20)), number(math.Max(0, (held-before)/float64(n-was))))
		flush(t)
		before = held
	}
	runtime.KeepAlive(checker)
	return err
}

// heldNow returns how many bytes of the heap are in use.
func heldNow() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
