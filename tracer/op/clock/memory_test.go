package clock

import (
	"runtime"
	"testing"
)

// Join alone makes no memory: no later call would look into it.
func TestJoinAlone(t *testing.T) {
	var a, b *Clock
	for task := range int32(2 * twigSize) {
		a, b = a.With(task, 1+task%2), b.With(task, 2-task%2)
	}
	const times = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		Join(a, b)
	}
	runtime.ReadMemStats(&after)
	if bytes, most := (after.TotalAlloc-before.TotalAlloc)/times, uint64(16<<10); bytes > most {
		t.Errorf("Join allocates %d bytes, want at most %d", bytes, most)
	}
}
