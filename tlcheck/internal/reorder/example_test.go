package reorder_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Task 1 writes and locks, later task 2 locks and writes. Task 2 can lock first.
func Example() {
	started := new(clock.Clock).With(0, 2)
	history := reorder.New()
	for _, o := range []op.Op{
		{Kind: op.Go, Task: 0, K: 1, Other: 1},
		{Kind: op.Go, Task: 0, K: 2, Other: 2},
		{Kind: op.Lock, Task: 1, K: 1, Object: 7, Data: started},
		{Kind: op.Unlock, Task: 1, K: 2, Object: 7, Data: started},
		{Kind: op.Lock, Task: 2, K: 1, Object: 7, Data: started},
		{Kind: op.Unlock, Task: 2, K: 2, Object: 7, Data: started},
	} {
		history.Op(&o)
	}
	prefix := history.Prefix(reorder.Point{Task: 1, Done: 0, Data: started}, reorder.Point{Task: 2, Done: 2, Data: started})
	fmt.Println(prefix.Verify())
	for _, s := range prefix.Schedule() {
		fmt.Println(s.Task, s.Kind)
	}
	// Output:
	// <nil>
	// 0 go
	// 0 go
	// 2 lock
	// 2 unlock
}
