package logging

import (
	"slices"
	"testing"
	"time"
)

// Lines of one kind do not flood the log, and none is forgotten.
func TestThrottle(t *testing.T) {
	var it Throttle
	now := time.Unix(1000, 0)
	var written, held []int
	for i := range 40 {
		if i == 30 {
			now = now.Add(throttlePeriod)
		}
		if h, ok := it.pass(now); ok {
			written = append(written, i)
			held = append(held, h)
		}
	}
	if want := append(seq(0, throttleBurst), seq(30, 30+throttleBurst)...); !slices.Equal(written, want) {
		t.Errorf("lines %v were written, not %v", written, want)
	}
	if held[throttleBurst] != 30-throttleBurst || it.Drain() != 0 {
		t.Errorf("%v were held back", held)
	}
	it.pass(now)
	if it.Drain() != 1 || it.Drain() != 0 {
		t.Error("the last line was not counted once")
	}
}

func seq(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}
