package chrome_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/ingest/chrome"
)

// TestOrder compares the order of random flows with its definition. Each event is an event of the
// trace, at a time of its own.
func TestOrder(t *testing.T) {
	ordered, concurrent := 0, 0
	enough := func() bool { return ordered > 100 && concurrent > 100 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		type drawn struct {
			phase          string
			thread, number int
			id             int
		}
		var all []drawn
		events := map[int]int{} // by thread
		for range rapid.IntRange(1, 25).Draw(t, "events") {
			d := drawn{phase: rapid.SampledFrom([]string{"i", "s", "t", "f"}).Draw(t, "phase"),
				thread: rapid.IntRange(1, 4).Draw(t, "thread"), id: rapid.IntRange(1, 3).Draw(t, "id")}
			events[d.thread]++
			d.number = events[d.thread]
			all = append(all, d)
		}
		// By pair: whether the first comes before the second.
		before := make([][]bool, len(all))
		for j, d := range all {
			before[j] = make([]bool, len(all))
			direct := map[int]bool{}
			for i := j - 1; i >= 0; i-- {
				if all[i].thread == d.thread {
					direct[i] = true
					break
				}
			}
			for i := j - 1; i >= 0 && (d.phase == "t" || d.phase == "f"); i-- {
				if all[i].id == d.id && (all[i].phase == "s" || all[i].phase == "t") {
					direct[i] = true
					break
				}
			}
			for i := range direct {
				before[i][j] = true
				for k := range i {
					before[k][j] = before[k][j] || before[k][i]
				}
			}
		}
		var lines []string
		for i, d := range all {
			lines = append(lines, fmt.Sprintf(`{"ph":%q,"pid":1,"tid":%d,"ts":%d,"id":%d,"name":"x","bp":"e"}`,
				d.phase, d.thread, 10*i, d.id))
		}
		text := "[" + strings.Join(rapid.Permutation(lines).Draw(t, "lines"), ",\n") + "]"
		trace, err := santest.Collect(chrome.NewReader(strings.NewReader(text), "x", chrome.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		net := trace.MustBuild()
		for j, d := range all {
			task, _ := net.Lookup(fmt.Sprintf("thread %d", d.thread))
			for i, e := range all[:j] {
				other, _ := net.Lookup(fmt.Sprintf("thread %d", e.thread))
				got := net.Known(san.Action{Task: task, K: int32(d.number)}, other) >= e.number
				if got != before[i][j] {
					t.Fatalf("%v before %v: %v, want %v\n%s", e, d, got, before[i][j], text)
				}
				if before[i][j] {
					ordered++
				} else {
					concurrent++
				}
			}
		}
	})
	if !enough() {
		t.Errorf("%d pairs were ordered, %d were not", ordered, concurrent)
	}
}
