//go:build linux

package launch

import (
	"slices"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tracer/op"
)

// A record has the time of the last mark before it, however late it is read, and says so once.
func TestTimeline(t *testing.T) {
	const ms = time.Millisecond
	line := newTimeline(nil)
	for _, m := range []mark{{0, 10 * ms}, {3, 20 * ms}, {3, 30 * ms}, {7, 40 * ms}, {8, 50 * ms}} {
		line.note(m.index, m.at)
	}
	expect := func(index uint64, want time.Duration, dated bool) {
		t.Helper()
		if at, ok := line.before(index); at != want || ok != dated {
			t.Errorf("record %d: %v, %t instead of %v, %t", index, at, ok, want, dated)
		}
	}
	expect(0, 10*ms, true)
	expect(1, 0, false)
	expect(3, 30*ms, true) // nothing was written for 10 ms
	expect(5, 0, false)
	expect(9, 50*ms, true) // records 7 and 8 are the continuations of another one
	expect(10, 0, false)
	line.note(12, 60*ms)
	expect(11, 0, false)
	expect(12, 60*ms, true)
}

// dated is a run: the time that each operation has, and whether it says that itself.
type dated struct {
	says  []bool
	times []time.Duration
}

func (d *dated) Op(o *op.Op) {
	if o.Kind == op.Time {
		d.times = append(d.times, o.Elapsed())
	}
	d.says = append(d.says, o.Kind == op.Time)
}

// Every run has a time at its beginning and one at its end, and they ascend.
func TestRunHasTimes(t *testing.T) {
	private(t)
	cfg := helper("records")
	var got dated
	cfg.Watch = &got
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := len(got.says); n <= 1000 || !got.says[0] || !got.says[n-1] || len(got.times) == n ||
		!slices.IsSorted(got.times) {
		t.Errorf("times are %v, at %v", got.times, got.says)
	}
}
