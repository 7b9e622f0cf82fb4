//go:build linux

package ring

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestRest(t *testing.T) { synctest.Test(t, rest) }

// While nothing comes the consumer looks less and less often; what comes then is delivered, and it
// looks as often as before.
func rest(t *testing.T) {
	r, p := newRing(t, minSlots)
	records := 0
	follow := func(d time.Duration) {
		exited := make(chan struct{})
		time.AfterFunc(d, func() { close(exited) })
		if more, err := r.Follow(exited, func(*Record) bool { records++; return true }); !more || err != nil {
			t.Fatal(more, err)
		}
	}
	const looks = time.Minute
	follow(looks)
	if most := restAfter + int(looks/restLong); r.idle < restAfter || r.idle > most {
		t.Errorf("looked %d times in %v, not %d to %d", r.idle, looks, restAfter, most)
	}
	p.put(&Record{Kind: KindEnd})
	if follow(2 * restLong); records != 1 || r.rest() != restShort {
		t.Errorf("%d records, and then a rest of %v", records, r.rest())
	}
}

func TestSlowAfterRest(t *testing.T) { synctest.Test(t, slowAfterRest) }

// A program that has been idle for long waits no more than others where what it does then takes
// long to deliver.
func slowAfterRest(t *testing.T) {
	r, p := newRing(t, minSlots)
	const records = 10 * minSlots
	written, exited := make(chan time.Duration, 1), make(chan struct{})
	go func() {
		time.Sleep(time.Minute + 2*restLong)
		p.wait(&Record{Kind: KindEnd})
		time.Sleep(2 * restLong) // it is being delivered
		begun := time.Now()
		for range records - 1 {
			p.wait(&Record{Kind: KindEnd})
		}
		written <- time.Since(begun)
	}()
	got := 0
	more, err := r.Follow(exited, func(*Record) bool {
		if got++; got == 1 {
			if took := <-written; took >= relieveIdle/2 {
				t.Errorf("the program has waited for %v", took)
			}
		}
		if got == records {
			close(exited)
		}
		return true
	})
	if !more || err != nil || got != records {
		t.Errorf("%v, %v after %d records", more, err, got)
	}
}
