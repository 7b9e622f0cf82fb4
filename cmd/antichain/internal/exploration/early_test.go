package exploration

import (
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
)

// Failures that depend on time are listed by the deadlines that they rest on.
func TestOnTime(t *testing.T) {
	var o onTime
	failing := func(seed uint64, sleep bool, d time.Duration, set, at string) *run {
		return &run{
			plan:    &execution.Plan{Steering: execution.Steering{Seed: seed}},
			restsOn: &execution.EarlyFiring{Fired: true, Sleep: sleep, Duration: d, Set: set, At: at},
		}
	}
	first := failing(3, false, 20*time.Millisecond, "cache.go:31", "cache.go:40")
	for _, r := range []*run{
		first,
		failing(4, true, time.Second, "cache_test.go:7", ""),
		failing(5, false, 20*time.Millisecond, "cache.go:31", "cache.go:41"),
		failing(6, false, 0, "", "cache.go:50"),
	} {
		o.add(r)
		if isFirst := r == first; o.isFirst(r) != isFirst {
			t.Errorf("seed %d: first %v", r.plan.Seed, !isFirst)
		}
	}
	const want = `antichain: the program fails only if time passes, in 2 runs, first with --seed 3: the failure depends on time
    the timer of 20ms that was set at cache.go:31 ran out before a goroutine that could run did so at cache.go:40
    so code there must take 20ms or longer, as on a busy machine
antichain: the program fails only if time passes, in 1 run, first with --seed 4: the failure depends on time
    time.Sleep(1s) at cache_test.go:7 ended before a goroutine that could run did so
    so code there must take 1s or longer, as on a busy machine
antichain: the program fails only if time passes, in 1 run, first with --seed 6: the failure depends on time
    a deadline ran out before a goroutine that could run did so at cache.go:50
`
	if got := o.text(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for i := range mostOnTime {
		o.add(failing(7, true, time.Duration(i+1)*time.Hour, "main.go:1", "main.go:2"))
	}
	if got := o.text(); !strings.HasSuffix(got, "antichain: the same holds for 3 deadlines more\n") {
		t.Error(got)
	}
}
