package deadlock_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tracer/op"
)

// Each of two goroutines has locked what the other one waits for.
func Example() {
	d := deadlock.New()
	for _, o := range []op.Op{
		{Kind: op.Main, K: 1},
		{Kind: op.Go, K: 2, Other: 1},
		{Kind: op.Lock, K: 3, Object: 1, At: 11},
		{Kind: op.Lock, Task: 1, K: 1, Object: 2, At: 21},
		{Kind: op.Block, K: 4, Object: 2, Want: op.Lock, At: 12},
		{Kind: op.Block, Task: 1, K: 2, Object: 1, Want: op.Lock, At: 22},
	} {
		d.Op(&o)
	}
	for _, c := range d.Cycles() {
		if !c.Observed {
			continue // another one, that has not happened in this run
		}
		for _, p := range c.Parties {
			fmt.Println("goroutine", p.Task, "waits in line", p.At, "for lock", p.Object)
		}
	}
	// Output:
	// goroutine 0 waits in line 12 for lock 2
	// goroutine 1 waits in line 22 for lock 1
}
