//go:build linux && (amd64 || arm64)

package launch

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// stepping records a variable a few times, and then as fast as it can.
const stepping = `package main

var n int

func main() {
	for range 50 {
		n++
	}
	fast()
}

func fast() {
	for range 100_000 {
		n++
	}
}
`

// A program goes no further than what is judged, unless it is in a hurry.
func TestJudge(t *testing.T) {
	binary, table := buildTraced(t, stepping, "n")
	for _, procs := range []string{"1", "2"} {
		private(t)
		t.Setenv("GOMAXPROCS", procs)
		events, unjudged, most := 0, 0, 0
		cfg := Config{Binary: binary, Table: table, Stderr: devNull(t)}
		cfg.Event = func(*event.Event) error {
			events++
			unjudged++
			if events <= 50 {
				most = max(most, unjudged)
			}
			return nil
		}
		var judged *Run
		cfg.Judge = func(r *Run, _ bool) error { judged, unjudged = r, 0; return nil }
		r, err := Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Wait()
		if judged != r {
			t.Errorf("judged is %p, not %p", judged, r)
		}
		if err != nil || res.ExitCode != 0 || res.Missing > 0 || events < 100_050 {
			t.Errorf("GOMAXPROCS=%s: %+v, %v, %d events", procs, res, err, events)
		}
		if most != 1 {
			t.Errorf("GOMAXPROCS=%s: the program ran ahead by %d events", procs, most)
		}
	}
}

// synchronising does more than a small ring holds, besides one statement of the specification.
const synchronising = `package main

import "sync"

var n int

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { n++ })
	var mu sync.Mutex
	for range 1000 {
		mu.Lock()
		mu.Unlock()
	}
	wg.Wait()
	n++
}
`

// A judge may take longer than a consumer of whom nothing is heard: the program waits, and nothing
// is lost.
func TestSlowJudge(t *testing.T) {
	binary, table := buildTraced(t, synchronising, "n")
	private(t)
	started := make(chan *Run, 1)
	events, slow := 0, false
	cfg := Config{Binary: binary, Table: table, Event: func(*event.Event) error { events++; return nil }}
	cfg.Ring = ring.Options{Slots: 512, Busy: math.MaxInt64}
	cfg.Judge = func(*Run, bool) error {
		if slow || events == 0 {
			return nil
		}
		slow = true
		p := producer{mem: mapRing((<-started).ring.Path())}
		beat := func() uint64 { return atomic.LoadUint64(p.word(ring.OffBeat)) }
		for atomic.LoadUint64(p.word(ring.OffProd)) <= atomic.LoadUint64(p.word(ring.OffCons))+512 {
			runtime.Gosched() // until the ring is full
		}
		for last := beat() + 30; beat() < last; { // three seconds
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	}
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	started <- r
	res, err := r.Wait()
	if err != nil || res.ExitCode != 0 || res.Missing > 0 || !res.Complete || !slow {
		t.Errorf("%+v, %v, slow=%v", res, err, slow)
	}
}

// A program whose judge goes away does not wait for it.
func TestJudgeFails(t *testing.T) {
	binary, table := buildTraced(t, stepping, "n")
	private(t)
	judged := 0
	cfg := Config{Binary: binary, Table: table, Judge: func(*Run, bool) error {
		if judged++; judged > 20 {
			return ring.ErrTruncated
		}
		return nil
	}}
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := r.Wait(); err != ring.ErrTruncated || res.ExitCode != 0 || res.Complete {
		t.Errorf("%+v, %v", res, err)
	}
}
