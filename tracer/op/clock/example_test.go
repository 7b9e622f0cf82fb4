package clock_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Two tasks each do an operation, and a third one then learns of both.
func Example() {
	var empty *clock.Clock
	first := empty.With(0, 1)  // operation 1 of task 0
	second := empty.With(1, 4) // operation 4 of task 1
	both := clock.Join(first, second)
	fmt.Println(both.At(0), both.At(1), both.At(2))
	// Output:
	// 1 4 0
}
