package execution

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
)

// Only if the first operation was done, and the second one was not, the order is tried once more.
func TestReversedAgain(t *testing.T) {
	pair := &Reversal{Schedule: &schedule.Schedule{}, Key: "a", BehindLook: &schedule.Schedule{}}
	for done, want := range []bool{false, true, false} {
		again := pair.again(done)
		if (again != nil) != want {
			t.Errorf("%d steps: %v", done, again)
		}
		if again != nil && (again.Schedule != pair.BehindLook || again.Key == pair.Key || again.again(1) != nil) {
			t.Errorf("got %v", again)
		}
	}
	if pair.BehindLook = nil; pair.again(1) != nil {
		t.Error("nothing is known of what comes before")
	}
}
