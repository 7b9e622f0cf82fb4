package stuck_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/stuck"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "mutex 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine waits for a lock with which another one has ended.
func Example() {
	checker := builtin.NewChecker(stuck.Rule)
	for _, o := range []op.Op{
		{Kind: op.Go, K: 1, Other: 1, At: 4},
		{Kind: op.Lock, Task: 1, K: 1, Object: 1, At: 9},
		{Kind: op.End, Task: 1, K: 2},
		{Kind: op.Block, K: 2, Object: 1, Want: op.Lock, At: 5},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// stuck observed main waits for ever at main.go:5 to lock mutex 1
}
