package budget

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The less memory is left, the sooner it is looked at, and never later than it can have been
// allocated.
func TestLookAfter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left := rapid.Int64Range(0, 1<<40).Draw(t, "left")
		more := left + rapid.Int64Range(0, 1<<30).Draw(t, "more")
		after := lookAfter(left)
		if after < 10*time.Millisecond || after > 250*time.Millisecond || after > lookAfter(more) {
			t.Fatalf("%v with %d bytes, %v with %d", after, left, lookAfter(more), more)
		}
		if could := int64(after.Seconds() * (4 << 30)); after > 10*time.Millisecond && could > left+1 {
			t.Fatalf("%v with %d bytes, in which %d can be allocated", after, left, could)
		}
	})
}
