package op_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tracer/op"
)

// locks counts how often tasks lock something.
type locks map[op.Task]int

func (l locks) Op(o *op.Op) {
	if o.Kind == op.Lock {
		l[o.Task]++
	}
}

// A watcher receives a run as operations.
func ExampleWatcher() {
	l := locks{}
	var watcher op.Watcher = l
	for _, o := range []op.Op{{Kind: op.Lock, K: 1, Object: 1}, {Kind: op.Unlock, K: 2, Object: 1}, {Kind: op.Lock, Task: 1, K: 1, Object: 1}} {
		watcher.Op(&o)
	}
	fmt.Println(l)
	// Output:
	// map[0:1 1:1]
}
